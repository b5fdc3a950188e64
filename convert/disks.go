package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

// disks puts the disks of the VMI into the domain, in their order (storage.md 2).
// Disks that are not in the domain yet are shaped as well, so that what is wrong
// with them is known now.
func (s *state) disks() {
	p := s.storage()
	if len(p.disks) == 0 {
		return
	}
	list := make([]libvirtxml.DomainDisk, 0, len(p.emitted))
	parts := make([]diskParts, len(p.disks))
	for i := range p.disks {
		if !p.disks[i].emitted {
			s.shapeDisk(i, &libvirtxml.DomainDisk{}, &parts[i], element{})
			continue
		}
		n := len(list)
		list = list[:n+1]
		s.shapeDisk(i, &list[n], &parts[i], s.device("disk", n))
	}
	s.dom.Devices.Disks = list
	if s.why != nil {
		s.explainLeftOut(p)
	}
}

// explainLeftOut tells of the disks that are not in the domain, behind those that are.
func (s *state) explainLeftOut(p *storagePlan) {
	n := len(p.emitted)
	for i := range p.disks {
		d := &p.disks[i]
		if d.emitted {
			continue
		}
		reason := "its volume has no status, and others have one"
		if d.statusIndex >= 0 {
			reason = "its volume is hotplugged and not in the pod, whose phase would be MountedToPod or Ready"
		}
		s.device("disk", n).absent("", "disk "+s.vmi.Spec.Domain.Devices.Disks[i].Name+" is left out: "+reason, s.phaseOf(d))
		n++
	}
}

// diskParts are the elements that every disk has, made for all disks at once.
type diskParts struct {
	driver libvirtxml.DomainDiskDriver
	source libvirtxml.DomainDiskSource
	file   libvirtxml.DomainDiskSourceFile
	block  libvirtxml.DomainDiskSourceBlock
	target libvirtxml.DomainDiskTarget
	alias  libvirtxml.DomainAlias
}

// setFile makes the disk's source an image file.
func (d *diskShape) setFile(path string) {
	d.parts.file.File = path
	d.parts.source.File = &d.parts.file
	d.out.Source = &d.parts.source
}

// setBlock makes the disk's source a block device.
func (d *diskShape) setBlock(path string) {
	d.parts.block.Dev = path
	d.parts.source.Block = &d.parts.block
	d.out.Source = &d.parts.source
}

// diskShape is one disk on its way from the VMI to the domain.
type diskShape struct {
	*state
	diskPlan
	i     int // in the disks of the VMI
	in    *v1.Disk
	vol   *v1.Volume // nil for an empty CD-ROM
	facts VolumeFacts

	src       pathmap.SourceKind
	rewritten bool // a claim that virt-handler turns into a host disk
	block     bool // the volume is a block device
	paths     pathmap.Paths
	format    string // of the image that QEMU opens

	out   *libvirtxml.DomainDisk
	parts *diskParts
	why   element
}

// shapeDisk makes out the i-th disk of the VMI, of parts.
func (s *state) shapeDisk(i int, out *libvirtxml.DomainDisk, parts *diskParts, why element) {
	d := diskShape{state: s, diskPlan: s.storage().disks[i], i: i, in: &s.vmi.Spec.Domain.Devices.Disks[i], out: out, parts: parts, why: why}
	d.frontEnd()
	if d.findVolume() {
		d.source()
	}
	d.driver()
	d.blockIO()
}

// findVolume looks up what is behind the disk and says whether the source can be
// worked out. Only a CD-ROM may have no volume: its tray is empty.
func (d *diskShape) findVolume() bool {
	if d.volumeIndex < 0 {
		if d.kind != cdromKind {
			d.refuse(d.at("name"), d.in.Name, "no volume of this name, want one in "+volumesField)
		}
		return d.kind == cdromKind
	}
	d.vol = &d.vmi.Spec.Volumes[d.volumeIndex]
	d.facts = d.ctx.Volumes[d.vol.Name]
	return true
}

// at names a place of this disk in the VMI.
func (d *diskShape) at(rest string) ref { return fieldAt(disksField, d.i, rest) }

// volumeAt names a place of the disk's volume.
func (d *diskShape) volumeAt(rest string) ref { return fieldAt(volumesField, d.volumeIndex, rest) }

// statusAt names a place of the volume's status. A volume without status could
// have one at the end of the list.
func (d *diskShape) statusAt(rest string) ref {
	if d.statusIndex < 0 {
		return fieldAt(statusField, len(d.vmi.Status.VolumeStatus), rest)
	}
	return fieldAt(statusField, d.statusIndex, rest)
}

// fact names a fact about the disk's volume.
func (d *diskShape) fact(rest string) ref { return factOf("volumes", d.in.Name, rest) }
