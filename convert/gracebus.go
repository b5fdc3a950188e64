package convert

import (
	"math/bits"
	"slices"

	"libvirt.org/go/libvirtxml"
)

const (
	kibOf1GiB   = 1 << 20
	kibOf512GiB = 512 << 20
	kibOf16TiB  = 16 << 30
)

// plugGrace places the devices and their IOMMUs, and ordinary host devices beside them. It
// tells whether there is room for all. Controllers are numbered cell by cell, the Grace
// GPUs of a cell before its ordinary devices; in the domain those of Grace GPUs go first.
func (s *state) plugGrace(devices []graceDevice) bool {
	forest := graceForest{tree: s.newExpanderTree()}
	others := s.numaDevices(false, func(hostdev int) bool {
		return slices.ContainsFunc(devices, func(d graceDevice) bool { return d.hostdev == hostdev })
	})
	if why := forest.grow(devices, others); why != "" {
		s.refuse(fact("pciNUMAAwareTopology"), true, why)
		return false
	}
	s.plant(forest.own)
	s.plant(forest.shared)
	s.seat(others)
	for i := range devices {
		s.seat([]numaDevice{devices[i].numaDevice})
		s.addSMMU(devices[i].bus - 1) // the expander comes right before its port
	}
	return true
}

// graceForest is an expander tree in two parts: the controllers of Grace GPUs, and those
// that ordinary devices share.
type graceForest struct {
	tree        *expanderTree
	own, shared []libvirtxml.DomainController
}

// grow adds the controllers of all devices, cell by cell, and tells the devices their root
// ports. others are in the order of their cells.
func (f *graceForest) grow(devices []graceDevice, others []numaDevice) (why string) {
	byPlace := make([]*graceDevice, len(devices))
	for i := range devices {
		byPlace[i] = &devices[i]
	}
	slices.SortFunc(byPlace, func(a, b *graceDevice) int { return a.compare(b.numaDevice) })
	for why == "" && (len(byPlace) > 0 || len(others) > 0) {
		if len(others) == 0 || len(byPlace) > 0 && byPlace[0].cell <= others[0].cell {
			group := []numaDevice{byPlace[0].numaDevice}
			why = f.growPart(&f.own, group)
			byPlace[0].bus = group[0].bus
			byPlace = byPlace[1:]
			continue
		}
		n := cellGroup(others)
		why = f.growPart(&f.shared, others[:n])
		others = others[n:]
	}
	return why
}

// growPart adds the controllers of devices of one cell to a part of the tree.
func (f *graceForest) growPart(part *[]libvirtxml.DomainController, devices []numaDevice) (why string) {
	at := len(f.tree.controllers)
	why = f.tree.grow(devices)
	*part = append(*part, f.tree.controllers[at:]...)
	return why
}

// addSMMU adds the IOMMU of the expander bus of that index. libvirt spells ssidsize in lower
// case, unlike upstream.
func (s *state) addSMMU(expander uint) {
	d := s.device("iommu", len(s.dom.Devices.IOMMUs))
	s.dom.Devices.IOMMUs = append(s.dom.Devices.IOMMUs, libvirtxml.DomainIOMMU{
		Model: "smmuv3",
		Driver: &libvirtxml.DomainIOMMUDriver{
			PCIBus: expander, Accel: "on", ATS: "on", RIL: "off", SSIDSize: "20", OAS: "48",
		},
	})
	d.policy("", "each Grace GPU has an IOMMU of its own, with what its driver needs", fact(graceFact))
}

// graceHole is the size in KiB of the hole for 64-bit PCI addresses in which all devices
// have room: a power of two.
func (s *state) graceHole(devices []graceDevice) uint64 {
	need := uint64(kibOf1GiB)
	for i := range devices {
		size := devices[i].facts.PrefetchableKiB
		if size == 0 {
			s.refuse(factOf(graceDevicesFact, hostAddress(devices[i].host), "prefetchableKiB"), "", "want the size of the GPU's 64-bit prefetchable memory")
		}
		need += min(max(size, kibOf512GiB), kibOf16TiB)
	}
	hole := uint64(1) << bits.Len64(need-1)
	if hole > kibOf16TiB {
		s.refuse(fact(graceDevicesFact), hole, "the Grace GPUs need a larger hole for 64-bit PCI addresses than 16 TiB, want fewer")
	}
	return hole
}

// setGraceHole opens the hole on the PCIe root.
func (s *state) setGraceHole(kib uint64) {
	at := slices.IndexFunc(s.dom.Devices.Controllers, func(c libvirtxml.DomainController) bool { return c.Model == "pcie-root" })
	if at < 0 {
		at = len(s.dom.Devices.Controllers)
		s.controller(libvirtxml.DomainController{Type: "pci", Model: "pcie-root"})
	}
	s.dom.Devices.Controllers[at].PCI = &libvirtxml.DomainControllerPCI{Hole64: &libvirtxml.DomainControllerPCIHole64{Size: kib, Unit: "KiB"}}
	s.device("controller", at).policy("", "the hole for 64-bit PCI addresses has room for the GPUs' memory", fact(graceFact))
}
