package convert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"libvirt.org/go/libvirtxml"
)

// placeByNUMA puts the PCI devices of the host behind expander buses of the guest NUMA cell
// that their own node stands for (compute.md 19.2). A guest whose NUMA cells are those of
// the host must have every device placed; otherwise a device that cannot be placed is left
// to libvirt.
func (s *state) placeByNUMA() {
	if !s.ctx.PCINUMAAwareTopology {
		return
	}
	strict := s.numaPassthrough()
	if strict && s.dom.NUMATune == nil && len(s.problems) > 0 {
		return // the cells are missing because of another problem
	}
	placed := s.numaDevices(strict, nil)
	if len(placed) == 0 {
		return
	}
	tree := s.newExpanderTree()
	if why := tree.growCells(placed); why != "" {
		if strict {
			s.refuse(fact("pciNUMAAwareTopology"), true, why)
		}
		return
	}
	s.plant(tree.controllers)
	s.seat(placed)
}

// numaDevices are the host devices that can be placed, in the order of their places.
func (s *state) numaDevices(strict bool, skip func(hostdev int) bool) (placed []numaDevice) {
	for i := range s.dom.Devices.Hostdevs {
		if skip != nil && skip(i) {
			continue
		}
		if device, ok := s.numaDevice(i, strict); ok {
			placed = append(placed, device)
		}
	}
	slices.SortFunc(placed, numaDevice.compare)
	return placed
}

func (s *state) numaPassthrough() bool {
	c := s.vmi.Spec.Domain.CPU
	return c != nil && c.NUMA != nil && c.NUMA.GuestMappingPassthrough != nil
}

// numaDevice is a host device and the guest NUMA cell it goes to.
type numaDevice struct {
	hostdev int
	host    libvirtxml.DomainAddressPCI
	cell    uint
	bus     uint // index of the root port it is plugged into
}

// compare orders devices by cell, then by host address.
func (a numaDevice) compare(b numaDevice) int {
	return cmp.Or(cmp.Compare(a.cell, b.cell),
		cmp.Compare(*a.host.Domain, *b.host.Domain), cmp.Compare(*a.host.Bus, *b.host.Bus),
		cmp.Compare(*a.host.Slot, *b.host.Slot), cmp.Compare(*a.host.Function, *b.host.Function))
}

// numaDevice says where the i-th host device goes, if it is a PCI device that can be
// placed. strict makes every obstacle a problem.
func (s *state) numaDevice(i int, strict bool) (device numaDevice, ok bool) {
	h := &s.dom.Devices.Hostdevs[i]
	if h.SubsysPCI == nil || h.SubsysPCI.Source.Address == nil {
		return device, false // no PCI device, or one that is refused already
	}
	device = numaDevice{hostdev: i, host: *h.SubsysPCI.Source.Address}
	why := "asks for an address of its own on the guest's PCI bus, want none"
	if h.Address == nil {
		device.cell, why = s.cellOfDevice(device.host)
	}
	if why != "" && strict {
		where, value := s.obstacle(h, device.host)
		s.refuse(where, value, "host device "+h.Alias.Name+" cannot be placed in a NUMA cell of the guest: it "+why)
	}
	return device, why == ""
}

// obstacle is the place that keeps a host device from being placed: the address that its
// NIC asks for, otherwise what is known of the device's node.
func (s *state) obstacle(h *libvirtxml.DomainHostdev, host libvirtxml.DomainAddressPCI) (where ref, value any) {
	nics := s.vmi.Spec.Domain.Devices.Interfaces
	for i := range nics {
		if h.Address != nil && h.Alias.Name == userAlias+sriovPrefix+nics[i].Name {
			return fieldAt(nicList, i, "pciAddress"), nics[i].PciAddress
		}
	}
	if node, known := s.nodeOfDevice(host); known {
		value = node
	}
	return factOf(pciNUMAFact, hostAddress(host), ""), value
}

// cellOfDevice is the guest NUMA cell that stands for a host device's node, or why there is
// none: the cell whose memory comes from that node, otherwise the cell of the first vCPU
// that runs there.
func (s *state) cellOfDevice(host libvirtxml.DomainAddressPCI) (cell uint, why string) {
	node, known := s.nodeOfDevice(host)
	switch {
	case !known:
		return 0, "is on no known NUMA node of the host, want one here"
	case node < 0:
		return 0, "belongs to no NUMA node of the host"
	}
	bound := s.cellsBoundTo(node)
	if len(bound) == 1 {
		return bound[0], ""
	}
	if len(bound) > 1 && s.numaPassthrough() {
		return 0, "is on host node " + strconv.Itoa(node) + ", which several cells take memory from"
	}
	if cell, found := s.cellRunningOn(node); found {
		return cell, ""
	}
	return 0, "is on host node " + strconv.Itoa(node) + ", which no cell takes memory from and no vCPU runs on"
}

const pciNUMAFact = "node.pciNUMA"

// nodeOfDevice is the host NUMA node of a PCI device, negative for none.
func (s *state) nodeOfDevice(host libvirtxml.DomainAddressPCI) (node int, known bool) {
	address := hostAddress(host)
	if node, known = s.ctx.Node.PCINUMA[address]; known {
		return node, true
	}
	for key, node := range s.ctx.Node.PCINUMA {
		if strings.EqualFold(key, address) {
			return node, true
		}
	}
	return 0, false
}

// cellsBoundTo are the guest cells that take their memory from a host node.
func (s *state) cellsBoundTo(node int) (cells []uint) {
	if s.dom.NUMATune == nil {
		return nil
	}
	id := strconv.Itoa(node)
	for _, m := range s.dom.NUMATune.MemNodes {
		if m.Nodeset == id {
			cells = append(cells, m.CellID)
		}
	}
	return cells
}

// cellRunningOn is the cell of the first vCPU that is pinned to a CPU of a host node, in
// the order of the node's CPUs.
func (s *state) cellRunningOn(node int) (cell uint, found bool) {
	if s.dom.CPUTune == nil || s.dom.CPU.Numa == nil {
		return 0, false
	}
	for i := range s.ctx.Node.NUMA {
		if s.ctx.Node.NUMA[i].ID != node {
			continue
		}
		cpus, _ := parseCPUList(s.ctx.Node.NUMA[i].CPUs) // refused by the pinning step if malformed
		for _, cpu := range cpus {
			if cell, found := s.cellOfVCPU(s.vcpuOn(cpu)); found {
				return cell, true
			}
		}
	}
	return 0, false
}

// vcpuOn is the vCPU pinned to a CPU of the host, or -1.
func (s *state) vcpuOn(cpu int) int {
	id := strconv.Itoa(cpu)
	for _, pin := range s.dom.CPUTune.VCPUPin {
		if pin.CPUSet == id {
			return int(pin.VCPU)
		}
	}
	return -1
}

// cellOfVCPU is the guest cell of a vCPU.
func (s *state) cellOfVCPU(vcpu int) (cell uint, found bool) {
	for i := range s.dom.CPU.Numa.Cell {
		c := &s.dom.CPU.Numa.Cell[i]
		vcpus, _ := parseCPUList(c.CPUs)
		if slices.Contains(vcpus, vcpu) && c.ID != nil {
			return *c.ID, true
		}
	}
	return 0, false
}

// hostAddress spells a host address as the context does.
func hostAddress(a libvirtxml.DomainAddressPCI) string {
	return padHex(*a.Domain, 4) + ":" + padHex(*a.Bus, 2) + ":" + padHex(*a.Slot, 2) + "." + padHex(*a.Function, 1)
}

// padHex is n in at least digits lower-case hexadecimal digits.
func padHex(n uint, digits int) string {
	text := strconv.FormatUint(uint64(n), 16)
	for len(text) < digits {
		text = "0" + text
	}
	return text
}
