package convert

import (
	"errors"
	"strings"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

// Disk converts one disk of the VMI, as VMI does, for attaching it to the running
// domain (storage.md 14.2). Only disks and LUNs on virtio or scsi can be attached to a
// running guest. What is wrong with other disks does not matter, but they have their
// names and I/O threads; KubeVirt numbers threads by the VMI alone, so libvirt refuses
// a disk whose thread the running domain does not have.
//
// A volume that the pod does not have yet is a FieldError of its phase.
func Disk(vmi *v1.VirtualMachineInstance, ctx Context, name string) (*libvirtxml.DomainDisk, error) {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return nil, err
	}
	i := s.diskNamed(name)
	if i < 0 {
		return nil, newFieldError(field(disksField), name, "no disk of this name")
	}
	out := s.oneDisk(i)
	if out != nil {
		s.preStartDisk(i, out, element{})
	}
	if err := errors.Join(s.problems...); err != nil {
		return nil, err
	}
	return out, nil
}

func (s *state) diskNamed(name string) int {
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		if s.vmi.Spec.Domain.Devices.Disks[i].Name == name {
			return i
		}
	}
	return -1
}

// oneDisk is the i-th disk of the VMI, without the pre-start pass, which KubeVirt
// leaves out for a change of the medium (storage.md 12).
func (s *state) oneDisk(i int) *libvirtxml.DomainDisk {
	d := &s.storage().disks[i]
	if !d.emitted {
		s.refuse(s.phaseOf(d), s.phaseValue(d), "the pod does not have the volume, want phase MountedToPod or Ready")
		return nil
	}
	s.problems = nil // those of admission's defaults belong to the whole VMI
	out := &libvirtxml.DomainDisk{}
	s.shapeDisk(i, out, &diskParts{}, element{})
	return out
}

// phaseOf names the place that says whether the pod has a disk's volume.
func (s *state) phaseOf(d *diskPlan) ref {
	if d.statusIndex < 0 {
		return fieldAt(statusField, len(s.vmi.Status.VolumeStatus), "phase")
	}
	return fieldAt(statusField, d.statusIndex, "phase")
}

func (s *state) phaseValue(d *diskPlan) v1.VolumePhase {
	if d.statusIndex < 0 {
		return ""
	}
	return s.vmi.Status.VolumeStatus[d.statusIndex].Phase
}

// Medium is live, a CD-ROM of the running domain, with the medium that the VMI now
// wants in it, for libvirt to update the device; nil when there is nothing to change
// (storage.md 14.3). Only the medium and its type and format differ: the drive stays
// what it is. A medium that was in the drive from the start stays in.
func Medium(vmi *v1.VirtualMachineInstance, ctx Context, live libvirtxml.DomainDisk) (*libvirtxml.DomainDisk, error) {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return nil, err
	}
	if live.Device != "cdrom" || live.Alias == nil {
		return nil, nil
	}
	name, _ := strings.CutPrefix(live.Alias.Name, userAlias)
	var want *libvirtxml.DomainDisk
	if i := s.diskNamed(name); i >= 0 && s.storage().disks[i].emitted {
		want = s.oneDisk(i)
	}
	if err := errors.Join(s.problems...); err != nil {
		return nil, err
	}
	return s.medium(name, live, want), nil
}

// medium is live with the medium of want; want is nil when the VMI has no such drive,
// or its volume is not in the pod.
func (s *state) medium(name string, live libvirtxml.DomainDisk, want *libvirtxml.DomainDisk) *libvirtxml.DomainDisk {
	switch {
	case want != nil && want.Device != "cdrom", !s.hotMedium(name, live.Source):
		return nil
	case want == nil:
		want = &libvirtxml.DomainDisk{}
	case !s.hotMedium(name, want.Source):
		return nil
	}
	if diskPath(live.Source) == diskPath(want.Source) && storagePath(live.Source) == storagePath(want.Source) {
		return nil
	}
	driver := libvirtxml.DomainDiskDriver{}
	if live.Driver != nil {
		driver = *live.Driver
	}
	// KubeVirt always says raw here, although a tracked medium is a qcow2 overlay.
	driver.Type = "raw"
	if want.Driver != nil {
		driver.Type = want.Driver.Type
	}
	live.Driver = &driver
	live.Source = want.Source
	if storagePath(want.Source) == "" {
		live.Source = blockSource("")
	}
	return &live
}

// hotMedium says whether a source of that disk is nothing or a hotplugged volume.
func (s *state) hotMedium(name string, source *libvirtxml.DomainDiskSource) bool {
	path := storagePath(source)
	if path == "" {
		return true
	}
	for _, block := range [...]bool{false, true} {
		v := pathmap.Volume{Name: name, Source: pathmap.SourcePersistentVolumeClaim, Hotplugged: true, Block: block}
		if p, err := s.layout().Paths(v); err == nil && p.Disk == path {
			return true
		}
	}
	return false
}

// diskPath is the file or device that a source names, "" for none.
func diskPath(s *libvirtxml.DomainDiskSource) string {
	switch {
	case s == nil:
		return ""
	case s.File != nil:
		return s.File.File
	case s.Block != nil:
		return s.Block.Dev
	}
	return ""
}

// storagePath is the file or device that holds what the guest writes, "" for none.
func storagePath(s *libvirtxml.DomainDiskSource) string { return diskPath(storageSource(s)) }

// storageSource is the storage itself: below an overlay for changed blocks, its data
// store (storage.md 11.3).
func storageSource(s *libvirtxml.DomainDiskSource) *libvirtxml.DomainDiskSource {
	if s != nil && s.DataStore != nil && s.DataStore.Source != nil {
		return s.DataStore.Source
	}
	return s
}
