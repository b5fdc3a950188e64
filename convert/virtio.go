package convert

// iommuReason is why virtio devices of some guests sit behind an IOMMU.
const iommuReason = "the host may not read the guest's memory, so the device goes through an IOMMU"

// virtioReason is why virtio devices are of the model they are.
func (s *state) virtioReason() string {
	switch {
	case s.s390x():
		return "the one model virtio devices have on the channel subsystem"
	case isTrue(s.vmi.Spec.Domain.Devices.UseVirtioTransitional):
		return "guests with old virtio drivers are asked for"
	}
	return "virtio 1.0 without the legacy interface, which only old guests need"
}

// virtioCauses notes why a virtio device has the model and the driver it has.
func (s *state) virtioCauses(d element) {
	if !d.on() {
		return
	}
	d.because("@model", s.virtioReason(), field("spec.domain.devices.useVirtioTransitional"), fact("node.architecture"))
	d.because("driver", iommuReason, field("spec.domain.launchSecurity"))
}

// cpuCountFields are the places that say how many vCPUs the guest starts with.
var cpuCountFields = []ref{
	field("spec.domain.cpu.sockets"), field("spec.domain.cpu.cores"), field("spec.domain.cpu.threads"),
}
