package convert

import (
	v1 "kubevirt.io/api/core/v1"
)

// Lists that storage reads from the VMI.
const (
	disksField       = "spec.domain.devices.disks"
	volumesField     = "spec.volumes"
	filesystemsField = "spec.domain.devices.filesystems"
	statusField      = "status.volumeStatus"
)

// storagePlan is what is decided about all disks together, before any of them is
// shaped: which volume is behind which, what the guest calls them, who serves
// them and which of them exist at all.
type storagePlan struct {
	disks   []diskPlan
	emitted []int // positions in disks of those in the domain, in order
}

// diskPlan is one disk of the VMI in the plan.
type diskPlan struct {
	kind        diskKind
	bus         string
	volumeIndex int  // in spec.volumes, -1 for an empty CD-ROM or a missing volume
	statusIndex int  // in status.volumeStatus, -1 for none
	hotplug     bool // the volume was or is being added to the running guest
	emitted     bool // the disk is part of the domain (storage.md 13)
	target      target
	thread      uint // I/O thread, 0 for none
}

// storage decides the plan on first use.
func (s *state) storage() *storagePlan {
	if s.allDisks == nil {
		s.allDisks = s.planStorage()
	}
	return s.allDisks
}

func (s *state) planStorage() *storagePlan {
	disks := s.vmi.Spec.Domain.Devices.Disks
	if len(disks) == 0 {
		return &storagePlan{}
	}
	p := &storagePlan{disks: make([]diskPlan, len(disks)), emitted: make([]int, 0, len(disks))}
	volumes := positions(s.vmi.Spec.Volumes, func(v *v1.Volume) string { return v.Name })
	status := positions(s.vmi.Status.VolumeStatus, func(v *v1.VolumeStatus) string { return v.Name })
	permanent := s.anyPermanentVolume()
	for i := range disks {
		d := &p.disks[i]
		d.kind, d.bus = diskKindOf(&disks[i]), diskBus(&disks[i])
		d.volumeIndex, d.statusIndex = positionOf(volumes, disks[i].Name), positionOf(status, disks[i].Name)
		d.hotplug = d.statusIndex >= 0 && s.vmi.Status.VolumeStatus[d.statusIndex].HotplugVolume != nil
		d.emitted = !permanent || s.present(d)
	}
	s.nameTargets(p.disks)
	s.assignThreads(p.disks)
	for i := range p.disks {
		if p.disks[i].emitted {
			p.emitted = append(p.emitted, i)
		}
	}
	return p
}

// anyPermanentVolume says whether the status knows a volume that is there from
// the start. Until it does, every disk is taken as present (storage.md 13).
func (s *state) anyPermanentVolume() bool {
	for i := range s.vmi.Status.VolumeStatus {
		if s.vmi.Status.VolumeStatus[i].HotplugVolume == nil {
			return true
		}
	}
	return false
}

// present says whether a disk belongs to the domain once the status tells
// permanent volumes from hotplugged ones (storage.md 13).
func (s *state) present(d *diskPlan) bool {
	switch {
	case d.kind == cdromKind && d.volumeIndex < 0:
		return true
	case d.statusIndex < 0:
		return false
	case !d.hotplug:
		return true
	}
	phase := s.vmi.Status.VolumeStatus[d.statusIndex].Phase
	return phase == v1.HotplugVolumeMounted || phase == v1.VolumeReady
}

// positions finds the entries of a list by name; the first of a name counts.
func positions[T any](list []T, name func(*T) string) map[string]int {
	if len(list) == 0 {
		return nil
	}
	found := make(map[string]int, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		found[name(&list[i])] = i
	}
	return found
}

func positionOf(positions map[string]int, name string) int {
	if i, ok := positions[name]; ok {
		return i
	}
	return -1
}
