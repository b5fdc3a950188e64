package convert

import (
	"slices"

	v1 "kubevirt.io/api/core/v1"
)

// copyForDefaults copies of a VMI what defaulting may write to, and shares the
// rest with it: most of a VMI is its volumes, disks and status, which a
// conversion only reads.
func copyForDefaults(given *v1.VirtualMachineInstance) *v1.VirtualMachineInstance {
	vmi := new(v1.VirtualMachineInstance)
	*vmi = *given
	d := &vmi.Spec.Domain
	d.CPU = d.CPU.DeepCopy()
	d.Memory = d.Memory.DeepCopy()
	d.Firmware = d.Firmware.DeepCopy()
	d.Features = d.Features.DeepCopy()
	d.Clock = d.Clock.DeepCopy()
	d.Devices.Watchdog = d.Devices.Watchdog.DeepCopy()
	d.Devices.Inputs = slices.Clone(d.Devices.Inputs)
	vmi.Spec.LivenessProbe = vmi.Spec.LivenessProbe.DeepCopy()
	vmi.Spec.ReadinessProbe = vmi.Spec.ReadinessProbe.DeepCopy()

	// Room for the disks that defaulting adds, one for each volume at most.
	disks := make([]v1.Disk, len(d.Devices.Disks), max(len(d.Devices.Disks), len(vmi.Spec.Volumes)))
	copy(disks, d.Devices.Disks)
	d.Devices.Disks = disks
	return vmi
}

// own makes a pointer's target the copy's own, where it was shared.
func own[T any](p **T) *T {
	c := new(T)
	*c = **p
	*p = c
	return c
}
