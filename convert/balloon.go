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
	}
}

// freePageReporting says whether the guest gives pages it does not use back to the host.
// High-performance guests, those with CPUs of their own, realtime or huge pages, keep them.
func (s *state) freePageReporting(d element) bool {
	const leaf, kept = "@freePageReporting", "a high-performance guest keeps the pages it has"
	spec := &s.vmi.Spec.Domain
	options := s.ctx.Cluster.VirtualMachineOptions
	var off []ref
	reason := kept
	if spec.CPU != nil && spec.CPU.DedicatedCPUPlacement {
		off = append(off, field("spec.domain.cpu.dedicatedCpuPlacement"))
	}
	if spec.CPU != nil && spec.CPU.Realtime != nil {
		off = append(off, field("spec.domain.cpu.realtime"))
	}
	if spec.Memory != nil && spec.Memory.Hugepages != nil {
		off = append(off, field("spec.domain.memory.hugepages"))
	}
	if options != nil && options.DisableFreePageReporting != nil {
		off, reason = append(off, fact(disableFreePageReportingIn)), "the cluster turns free page reporting off"
	}
	if s.vmi.Annotations[freePageReportingDisabled] == "true" {
		off, reason = append(off, annotation(freePageReportingDisabled)), "the VMI turns free page reporting off"
	}
	if len(off) > 0 {
		d.because(leaf, reason, off...)
		return false
	}
	d.because(leaf, "pages the guest does not use go back to the host", annotation(freePageReportingDisabled),
		fact(disableFreePageReportingIn), field("spec.domain.cpu.dedicatedCpuPlacement"), field("spec.domain.memory.hugepages"))
	return true
}
