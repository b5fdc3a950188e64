package convert

import (
	"slices"
	"strconv"
	"strings"

	"libvirt.org/go/libvirtxml"
)

const (
	graceFact        = "grace"
	graceDevicesFact = "grace.devices"
)

// graceIDs are the NVIDIA Grace GPUs, vendor and device.
var graceIDs = [...]string{"10de:2342", "10de:2348", "10de:2941"}

func isGraceID(id string) bool {
	return slices.ContainsFunc(graceIDs[:], func(known string) bool { return strings.EqualFold(known, id) })
}

// graceAliases are the aliases, without the user's mark, of the devices the VMI asks for
// whose resource the cluster permits as exactly a Grace GPU, sorted. There are none where
// the context has no Grace facts.
func (s *state) graceAliases() (aliases []string) {
	if s.ctx.Grace == nil {
		return nil
	}
	devices := &s.vmi.Spec.Domain.Devices
	for i := range devices.GPUs {
		if s.isGraceResource(devices.GPUs[i].DeviceName) {
			aliases = append(aliases, gpuPrefix+devices.GPUs[i].Name)
		}
	}
	for i := range devices.HostDevices {
		if s.isGraceResource(devices.HostDevices[i].DeviceName) {
			aliases = append(aliases, hostDevicePrefix+devices.HostDevices[i].Name)
		}
	}
	slices.Sort(aliases)
	return aliases
}

func (s *state) isGraceResource(name string) bool {
	permitted := s.ctx.Cluster.PermittedHostDevices
	if permitted == nil || name == "" {
		return false
	}
	for _, d := range permitted.PciHostDevices {
		if d.ResourceName == name && isGraceID(d.PCIVendorSelector) {
			return true
		}
	}
	return false
}

// graceDevice is a Grace GPU of the guest.
type graceDevice struct {
	numaDevice
	node  int // of the host
	facts GraceDevice
	first uint // the first of the guest cells that stand for it
}

// placeGrace gives each Grace GPU an IOMMU of its own, the NUMA cells by which it shows its
// memory, and a place near its node (compute.md 19.3). Nothing is changed unless all
// requirements are met.
func (s *state) placeGrace(aliases []string) {
	before := len(s.problems)
	s.checkGrace()
	devices := s.findGrace(aliases)
	s.checkGraceCells()
	s.assignInitiators(devices)
	hole := s.graceHole(devices)
	if len(s.problems) > before {
		return
	}
	s.growGraceCells(devices)
	if !s.plugGrace(devices) {
		return
	}
	s.setGraceHole(hole)
	s.setDistances(devices)
}

// checkGrace refuses VMIs and nodes that lack what Grace GPUs need.
func (s *state) checkGrace() {
	need := func(met bool, where ref, value any, want string) {
		if !met {
			s.refuse(where, value, "a Grace GPU needs "+want)
		}
	}
	need(s.pci, fact("node.architecture"), s.name, "an architecture whose PCI devices can be placed")
	need(s.ctx.PCINUMAAwareTopology, fact("pciNUMAAwareTopology"), false, "placement by NUMA node")
	need(s.ctx.IOMMUFD, fact("iommufd"), false, "an IOMMUFD descriptor")
	need(s.dedicatedCPUs(), field("spec.domain.cpu.dedicatedCpuPlacement"), false, "CPUs of the guest's own")
	need(!s.noPCIHole64(), annotation(disablePCIHole64), s.vmi.Annotations[disablePCIHole64], "the hole for 64-bit PCI addresses")
	need(!s.onRootComplex(), annotation(placeOnRootComplex), "true", "devices off the root complex")
	need(s.ctx.Grace.SMMUv3, fact(graceFact+".smmuV3"), false, "a host with an arm-smmu-v3 IOMMU")
}

// findGrace finds the devices in the domain, in the order of their aliases.
func (s *state) findGrace(aliases []string) (devices []graceDevice) {
	for _, alias := range aliases {
		i := slices.IndexFunc(s.dom.Devices.Hostdevs, func(h libvirtxml.DomainHostdev) bool {
			return h.Alias != nil && h.Alias.Name == userAlias+alias
		})
		if i < 0 || s.dom.Devices.Hostdevs[i].SubsysPCI == nil || s.dom.Devices.Hostdevs[i].SubsysPCI.Source.Address == nil {
			s.refuse(fact(hostDevicesFact), "", "Grace GPU "+alias+" is no PCI device of the domain, want its address on the host")
			continue
		}
		host := *s.dom.Devices.Hostdevs[i].SubsysPCI.Source.Address
		if device, ok := s.graceDevice(i, host); ok {
			devices = append(devices, device)
		}
	}
	return devices
}

func (s *state) graceDevice(hostdev int, host libvirtxml.DomainAddressPCI) (device graceDevice, ok bool) {
	address := hostAddress(host)
	device = graceDevice{numaDevice: numaDevice{hostdev: hostdev, host: host}, facts: s.ctx.Grace.Devices[address]}
	if !isGraceID(device.facts.ID) {
		s.refuse(factOf(graceDevicesFact, address, "id"), device.facts.ID, "the device is not known as a Grace GPU, want "+strings.Join(graceIDs[:], ", "))
		return device, false
	}
	var known bool
	device.node, known = s.nodeOfDevice(host)
	cells := s.cellsBoundTo(device.node)
	if !known || len(cells) != 1 {
		s.refuse(factOf(pciNUMAFact, address, ""), "", "a Grace GPU needs a guest cell that takes its memory from the GPU's own node, want its node")
		return device, false
	}
	device.cell = cells[0]
	return device, true
}

// checkGraceCells refuses guests whose NUMA cells do not each stand for one node.
func (s *state) checkGraceCells() {
	if s.dom.CPU.Numa == nil || s.dom.NUMATune == nil {
		s.refuse(field("spec.domain.cpu.numa.guestMappingPassthrough"), "", "a Grace GPU needs a guest whose NUMA cells are those of the host")
		return
	}
	nodes := map[string]bool{}
	for _, m := range s.dom.NUMATune.MemNodes {
		if _, err := strconv.Atoi(m.Nodeset); err != nil || nodes[m.Nodeset] {
			s.refuse(field("spec.domain.cpu.numa.guestMappingPassthrough"), m.Nodeset, "a Grace GPU needs guest cells that each take memory from one node of their own")
		}
		nodes[m.Nodeset] = true
	}
}
