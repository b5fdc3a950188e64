package convert

import "libvirt.org/go/libvirtxml"

// expanderTree is the part of the guest's PCI topology that stands for the host's NUMA
// nodes: for each cell an expander bus, and behind it a root port for each device
// (compute.md 19.2). Controllers are numbered on from those the domain has; bus numbers of
// expanders count down from the top, so that below each there is room for its ports.
type expanderTree struct {
	controllers []libvirtxml.DomainController
	next        uint // index of the next controller
	lastBus     uint // bus number of the last expander
}

const (
	topBus       = 255
	expanderSlot = 32 // slots of an expander bus
)

func (s *state) newExpanderTree() *expanderTree {
	highest := uint(0)
	for i := range s.dom.Devices.Controllers {
		if index := s.dom.Devices.Controllers[i].Index; index != nil {
			highest = max(highest, *index)
		}
	}
	return &expanderTree{next: highest + 1, lastBus: topBus}
}

// growCells gives each cell one expander bus. devices are in the order of their cells and
// are told their root ports.
func (t *expanderTree) growCells(devices []numaDevice) (why string) {
	for why == "" && len(devices) > 0 {
		n := cellGroup(devices)
		why = t.grow(devices[:n])
		devices = devices[n:]
	}
	return why
}

// cellGroup is the number of leading devices that go to one cell.
func cellGroup(devices []numaDevice) int {
	n := 1
	for n < len(devices) && devices[n].cell == devices[0].cell {
		n++
	}
	return n
}

// grow adds an expander bus for devices of one cell and their root ports, and says why that
// cannot be done.
func (t *expanderTree) grow(devices []numaDevice) (why string) {
	expander, index := len(t.controllers), t.add(libvirtxml.DomainController{Model: "pcie-expander-bus"})
	for slot := range devices {
		if t.next > t.lastBus-1 {
			return "the guest's PCI bus numbers are exhausted, want fewer host devices"
		}
		if slot >= expanderSlot {
			return "an expander bus has 32 slots, want fewer host devices on one NUMA node"
		}
		devices[slot].bus = t.add(libvirtxml.DomainController{
			Model:   "pcie-root-port",
			Address: &libvirtxml.DomainAddress{PCI: pciAddress(0, index, uint(slot), 0)},
		})
	}
	bus, cell := topBus+1-uint(len(t.controllers)), devices[0].cell
	t.controllers[expander].PCI = &libvirtxml.DomainControllerPCI{
		Target: &libvirtxml.DomainControllerPCITarget{BusNr: &bus, NUMANode: &cell},
	}
	t.lastBus = bus
	return ""
}

// add adds a PCI controller and returns its index.
func (t *expanderTree) add(c libvirtxml.DomainController) uint {
	index := t.next
	c.Type, c.Index = "pci", &index
	t.controllers = append(t.controllers, c)
	t.next++
	return index
}

// plant adds the controllers of a tree to the domain.
func (s *state) plant(controllers []libvirtxml.DomainController) {
	for i := range controllers {
		d := s.device("controller", len(s.dom.Devices.Controllers))
		s.dom.Devices.Controllers = append(s.dom.Devices.Controllers, controllers[i])
		d.policy("", "host devices stand below the NUMA cell they are near to", fact("pciNUMAAwareTopology"))
	}
}

// seat plugs the devices into their root ports.
func (s *state) seat(devices []numaDevice) {
	for _, device := range devices {
		s.dom.Devices.Hostdevs[device.hostdev].Address = &libvirtxml.DomainAddress{PCI: pciAddress(0, device.bus, 0, 0)}
		if d := s.device("hostdev", device.hostdev); d.on() {
			d.because("address", "the root port below the NUMA cell of the device's own node",
				fact("pciNUMAAwareTopology"), factOf(pciNUMAFact, hostAddress(device.host), ""))
		}
	}
}
