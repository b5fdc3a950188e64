package convert

import "libvirt.org/go/libvirtxml"

const (
	balloonField               = "spec.domain.devices.autoattachMemBalloon"
	freePageReportingDisabled  = "kubevirt.io/free-page-reporting-disabled"
	disableFreePageReportingIn = "cluster.virtualMachineOptions.disableFreePageReporting"
)

// balloon adds the memory balloon; a guest without one is told so, as libvirt would add
// one itself (compute.md 20.2).
func (s *state) balloon() {
	d := s.device("memballoon", 0)
	if isFalse(s.vmi.Spec.Domain.Devices.AutoattachMemBalloon) {
		s.dom.Devices.MemBalloon = &libvirtxml.DomainMemBalloon{Model: "none"}
		d.because("", "the balloon is turned off", field(balloonField))
		return
	}
	x := &libvirtxml.DomainMemBalloon{Model: s.virtioModel()}
	s.dom.Devices.MemBalloon = x
	x.FreePageReporting = onOff(s.freePageReporting(d))
	if iommu := s.iommuDriver(); iommu != "" {
		x.Driver = &libvirtxml.DomainMemBalloonDriver{IOMMU: iommu}
	}
	s.virtioCauses(d)
	if period := s.ctx.MemBalloonStatsPeriod; period != 0 {
		x.Stats = &libvirtxml.DomainMemBalloonStats{Period: period}
		d.because("stats", "how often the cluster wants memory statistics", fact("memBalloonStatsPeriod"))
	} else {
		d.unknown("stats/@period", "how often the cluster wants memory statistics", fact("memBalloonStatsPeriod"))
	}
}

// freePageReporting says whether the guest gives pages it does not use back to the host.
// High-performance guests, those with CPUs of their own, realtime or huge pages, keep them.
func (s *state) freePageReporting(d element) bool {
	cpu, memory := s.vmi.Spec.Domain.CPU, s.vmi.Spec.Domain.Memory
	options := s.ctx.Cluster.VirtualMachineOptions
	disabled := s.vmi.Annotations[freePageReportingDisabled] == "true"
	causes := [...]struct {
		holds  bool
		where  ref
		reason string
	}{
		{disabled, annotation(freePageReportingDisabled), "the VMI turns free page reporting off"},
		{options != nil && options.DisableFreePageReporting != nil, fact(disableFreePageReportingIn), "the cluster turns free page reporting off"},
		{s.dedicatedCPUs(), field("spec.domain.cpu.dedicatedCpuPlacement"), keepsPages},
		{cpu != nil && cpu.Realtime != nil, field("spec.domain.cpu.realtime"), keepsPages},
		{memory != nil && memory.Hugepages != nil, field("spec.domain.memory.hugepages"), keepsPages},
	}
	reason, on := "pages the guest does not use go back to the host", true
	var decide, others []ref
	for i := range causes {
		switch c := &causes[i]; {
		case c.holds:
			if on {
				on, reason = false, c.reason
			}
			decide = append(decide, c.where)
		case d.on():
			others = append(others, c.where)
		}
	}
	if on {
		decide = others
	}
	d.because("@freePageReporting", reason, decide...)
	return on
}

const keepsPages = "a high-performance guest keeps the pages it has"
