package convert

import "libvirt.org/go/libvirtxml"

// placeOnRoot gives every PCI device without an address of its own the next slot of the
// root bus (compute.md 19.1). Devices that are turned off are counted as well, as upstream
// does.
func (s *state) placeOnRoot() {
	r := rootPlacer{s: s}
	s.eachPCIDevice(r.reserve)
	s.eachPCIDevice(r.place)
}

// rootPlacer places devices on the root bus, one after the other.
type rootPlacer struct {
	s     *state
	slots rootSlots
	full  bool
}

// reserve keeps the slot of a device that asks for a place on the root bus.
func (r *rootPlacer) reserve(_ element, address **libvirtxml.DomainAddress) {
	a := *address
	if a == nil || a.PCI == nil || a.PCI.Domain == nil || *a.PCI.Domain != 0 || a.PCI.Bus == nil || *a.PCI.Bus != 0 || a.PCI.Slot == nil {
		return
	}
	if r.slots.taken == nil {
		r.slots.taken = map[uint]bool{}
	}
	r.slots.taken[*a.PCI.Slot] = true
}

// place gives a device without an address the next slot.
func (r *rootPlacer) place(d element, address **libvirtxml.DomainAddress) {
	if *address != nil || r.full {
		return
	}
	slot, err := r.slots.next()
	if err != nil {
		r.full = true
		r.s.refuse(annotation(placeOnRootComplex), "true", err.Error())
		return
	}
	*address = &libvirtxml.DomainAddress{PCI: pciAddress(0, 0, slot, 0)}
	d.policy("address", "the VMI wants its devices on the root complex, which are counted from slot 2", annotation(placeOnRootComplex))
}

// eachPCIDevice shows every PCI device of the domain to see, with the place of its
// address, in the order in which places are counted: NICs, host devices, controllers that
// are devices, disks, inputs, watchdogs, entropy, balloon.
func (s *state) eachPCIDevice(see func(element, **libvirtxml.DomainAddress)) {
	l := s.dom.Devices
	for i := range l.Interfaces {
		see(s.device("interface", i), &l.Interfaces[i].Address)
	}
	for i := range l.Hostdevs {
		if l.Hostdevs[i].SubsysPCI != nil {
			see(s.device("hostdev", i), &l.Hostdevs[i].Address)
		}
	}
	for i := range l.Controllers {
		if isPCIController(&l.Controllers[i]) {
			see(s.device("controller", i), &l.Controllers[i].Address)
		}
	}
	for i := range l.Disks {
		if t := l.Disks[i].Target; t != nil && t.Bus == "virtio" {
			see(s.device("disk", i), &l.Disks[i].Address)
		}
	}
	for i := range l.Inputs {
		if l.Inputs[i].Bus == "virtio" {
			see(s.device("input", i), &l.Inputs[i].Address)
		}
	}
	for i := range l.Watchdogs {
		see(s.device("watchdog", i), &l.Watchdogs[i].Address)
	}
	for i := range l.RNGs {
		see(s.device("rng", i), &l.RNGs[i].Address)
	}
	if l.MemBalloon != nil {
		see(s.device("memballoon", 0), &l.MemBalloon.Address)
	}
}

// isPCIController tells whether a controller is a device on a PCI bus, not the beginning
// of one.
func isPCIController(c *libvirtxml.DomainController) bool {
	switch c.Model {
	case "pci-root", "pcie-root", "pcie-expander-bus":
		return false
	}
	return true
}
