package convert

import (
	"slices"
	"strconv"

	"libvirt.org/go/libvirtxml"
)

// initiatorCells is the number of NUMA nodes by which a Grace GPU shows its memory, one
// for each part it can be split into.
const initiatorCells = 8

// assignInitiators gives each device its initiator nodes: those linked to it, or, where no
// device has links, the next eight of the node's.
func (s *state) assignInitiators(devices []graceDevice) {
	linked := 0
	for i := range devices {
		if len(devices[i].facts.InitiatorNodes) > 0 {
			linked++
		}
	}
	switch {
	case linked == 0:
		s.dealInitiators(devices)
	case linked < len(devices):
		s.refuse(fact(graceDevicesFact), "", "only some Grace GPUs have initiator nodes, want them for all of them or for none")
	default:
		s.checkInitiators(devices)
	}
}

// dealInitiators deals the node's initiator nodes out, in ascending order.
func (s *state) dealInitiators(devices []graceDevice) {
	nodes := slices.Sorted(slices.Values(s.ctx.Grace.InitiatorNodes))
	if len(nodes) < initiatorCells*len(devices) {
		s.refuse(fact(graceFact+".initiatorNodes"), len(nodes), "want eight initiator nodes for each of "+strconv.Itoa(len(devices))+" Grace GPUs")
		return
	}
	for i := range devices {
		devices[i].facts.InitiatorNodes = nodes[i*initiatorCells : (i+1)*initiatorCells]
	}
}

// checkInitiators refuses devices that have not exactly eight nodes of their own.
func (s *state) checkInitiators(devices []graceDevice) {
	owner := map[int]bool{}
	for i := range devices {
		where := factOf(graceDevicesFact, hostAddress(devices[i].host), "initiatorNodes")
		if n := len(devices[i].facts.InitiatorNodes); n != initiatorCells {
			s.refuse(where, n, "want eight initiator nodes")
		}
		for _, node := range devices[i].facts.InitiatorNodes {
			if owner[node] {
				s.refuse(where, node, "the node stands for another Grace GPU as well, want nodes of this one alone")
			}
			owner[node] = true
		}
	}
}

// growGraceCells adds the guest cells without memory and CPUs that stand for the devices'
// initiator nodes.
func (s *state) growGraceCells(devices []graceDevice) {
	next := uint(0)
	for i := range s.dom.CPU.Numa.Cell {
		next = max(next, *s.dom.CPU.Numa.Cell[i].ID+1)
	}
	for i := range devices {
		devices[i].first = next
		for range initiatorCells {
			id := next
			d := s.part("cpu/numa").child("cell", len(s.dom.CPU.Numa.Cell))
			s.dom.CPU.Numa.Cell = append(s.dom.CPU.Numa.Cell, libvirtxml.DomainCell{ID: &id, Unit: "KiB"})
			d.policy("", "the GPU shows its memory to the guest by cells of its own", fact(graceFact))
			next++
		}
		s.showCells(&devices[i])
	}
}

// showCells tells the device which cells stand for it and lets it use the IOMMUFD.
func (s *state) showCells(device *graceDevice) {
	h := &s.dom.Devices.Hostdevs[device.hostdev]
	last := device.first + initiatorCells - 1
	nodeset := strconv.FormatUint(uint64(device.first), 10) + "-" + strconv.FormatUint(uint64(last), 10)
	if h.ACPI == nil {
		h.ACPI = &libvirtxml.DomainDeviceACPI{}
	}
	h.ACPI.Nodeset = nodeset
	h.SubsysPCI.Driver = &libvirtxml.DomainHostdevSubsysPCIDriver{IommuFD: "yes"}
	d := s.device("hostdev", device.hostdev)
	d.policy("acpi/@nodeset", "the cells that stand for the GPU's memory", fact(graceFact))
	d.policy("driver", "the GPU's IOMMU is driven through the pod's IOMMUFD descriptor", fact(graceFact))
}

// setDistances tells the guest how far its cells are from each other, by the distances of
// the nodes they stand for. Two different cells are never as near as one to itself.
func (s *state) setDistances(devices []graceDevice) {
	nodeOf := s.nodesOfCells(devices)
	for i := range s.dom.CPU.Numa.Cell {
		c := &s.dom.CPU.Numa.Cell[i]
		from, mapped := nodeOf[*c.ID]
		if !mapped {
			continue
		}
		c.Distances = &libvirtxml.DomainCellDistances{}
		for j := range s.dom.CPU.Numa.Cell {
			id := *s.dom.CPU.Numa.Cell[j].ID
			if to, mapped := nodeOf[id]; mapped {
				c.Distances.Siblings = append(c.Distances.Siblings, libvirtxml.DomainCellSibling{ID: id, Value: s.distance(from, to, *c.ID == id)})
			}
		}
		s.part("cpu/numa").child("cell", i).policy("distances", "the distances of the host's nodes", fact("node.numa"))
	}
}

// nodesOfCells are the host nodes that guest cells stand for.
func (s *state) nodesOfCells(devices []graceDevice) map[uint]int {
	nodes := map[uint]int{}
	for _, m := range s.dom.NUMATune.MemNodes {
		nodes[m.CellID], _ = strconv.Atoi(m.Nodeset) // checked to be a number
	}
	for i := range devices {
		for n, node := range devices[i].facts.InitiatorNodes {
			nodes[devices[i].first+uint(n)] = node
		}
	}
	return nodes
}

// distance is how far a host node is from another; 10 is the node itself.
func (s *state) distance(from, to int, self bool) uint {
	const own, near = 10, 11
	if self {
		return own
	}
	for i := range s.ctx.Node.NUMA {
		if s.ctx.Node.NUMA[i].ID != from {
			continue
		}
		for _, d := range s.ctx.Node.NUMA[i].Distances {
			if d.ID == to {
				return uint(max(d.Value, near))
			}
		}
	}
	s.refuse(fact("node.numa"), "", "the distance from host node "+strconv.Itoa(from)+" to "+strconv.Itoa(to)+" is not known, want it")
	return near
}
