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

// nameMarks are what the name of a disk may hold beside letters and digits, for libvirt
// to keep it as an alias.
const nameMarks = "-_."

// frontEnd is what the guest sees of the disk, whatever is behind it (storage.md 4).
func (d *diskShape) frontEnd() {
	d.out.Device = d.kind.String()
	if !isName(d.in.Name, nameMarks) {
		d.refuse(d.at("name"), d.in.Name, "the disk is found by this name, want letters, digits, -, _ and . alone")
	}
	d.parts.alias.Name = userAlias + d.in.Name
	d.out.Alias = &d.parts.alias
	d.why.because("@device", "the kind of the disk", d.at(d.kind.String()), d.at("name"))
	d.why.because("alias/@name", "the disk's name, marked as given by the user", d.at("name"))
	d.targetElement()
	d.address()
	d.readonly()
	d.bootOrder()
	if d.kind == plainKind {
		d.plainDisk()
		return
	}
	kind := d.at(d.kind.String())
	if d.bus == "virtio" {
		d.why.absent("@model", "only disks have a model, not LUNs and CD-ROMs", kind)
	}
	if d.in.Serial != "" {
		d.why.absent("serial", "only disks have a serial number, not LUNs and CD-ROMs", kind)
	}
	if isTrue(d.in.Shareable) {
		d.why.absent("shareable", "only disks can be shared, not LUNs and CD-ROMs", kind)
	}
}

// plainDisk is what only disks of kind disk have; for LUNs and CD-ROMs KubeVirt
// ignores these fields.
func (d *diskShape) plainDisk() {
	if d.bus == "virtio" {
		d.model("the model of disks on the virtio bus", d.at("disk.bus"))
	}
	if d.in.Serial != "" {
		d.out.Serial = d.in.Serial
		if !isName(d.in.Serial, "_.+- ") {
			d.refuse(d.at("serial"), d.in.Serial, "want letters, digits, _, ., +, - and spaces alone")
		}
		d.why.because("serial", "the serial number asked for", d.at("serial"))
	}
	if isTrue(d.in.Shareable) {
		d.out.Shareable = &libvirtxml.DomainDiskShareable{}
		d.why.because("shareable", "other guests may write to the disk too", d.at("shareable"))
	}
}

// model is the virtio model, because of what brings it.
func (d *diskShape) model(reason string, from ref) {
	d.out.Model = d.virtioModel()
	d.why.because("@model", reason, from, field("spec.domain.devices.useVirtioTransitional"))
}

// targetElement names the disk (storage.md 5.1).
func (d *diskShape) targetElement() {
	t := &d.parts.target
	t.Dev, t.Bus = d.target.dev, d.bus
	if d.kind == cdromKind {
		t.Tray = string(d.in.CDRom.Tray)
		if t.Tray != "" {
			d.oneOf(d.at("cdrom.tray"), t.Tray, "open", "closed")
		}
		d.why.because("target/@tray", "whether the tray is open", d.at("cdrom.tray"))
	}
	d.out.Target = t
	d.checkBus()
	d.checkTarget()
	d.why.because("target/@bus", "the bus that the disk is on", d.at(d.kind.busField()))
	if d.why.on() {
		d.explainTarget("target/@dev", "")
	}
}

func (d *diskShape) checkBus() {
	if _, known := targetPrefix(d.bus); !known {
		// KubeVirt hands out names without a prefix, a, b, c.
		d.refuse(d.at(d.kind.busField()), d.bus, "unknown bus, want virtio, scsi, sata or usb")
	}
	if d.bus == "usb" && d.s390x() {
		// KubeVirt emits the disk although such a guest has no USB controller.
		d.refuse(d.at(d.kind.busField()), d.bus, "an s390x guest has no USB controller, want virtio or scsi")
	}
}

// checkTarget refuses what KubeVirt lets through and libvirt then refuses: no name,
// and one name or one drive unit for two disks.
func (d *diskShape) checkTarget() {
	_, known := targetPrefix(d.bus)
	if d.target.dev == "" && known {
		d.refusef(d.at("name"), d.in.Name, "no device name left, want at most %d disks of one prefix", maxTargets)
	}
	if d.target.same < 0 {
		return
	}
	other, first := d.vmi.Spec.Domain.Devices.Disks[d.target.same].Name, d.storage().disks[d.target.same].target
	where := d.statusAt("target")
	if d.statusIndex < 0 {
		where = fieldAt(statusField, d.storage().disks[d.target.same].statusIndex, "target")
	}
	if first.dev == d.target.dev {
		d.refusef(where, d.target.dev, "disks %s and %s have this name, want one name for each disk", other, d.in.Name)
		return
	}
	d.refusef(where, d.target.dev, "disks %s and %s have drive unit %d, want a name of the disk's own prefix", other, d.in.Name, d.target.index)
}

// explainTarget says why the disk has this name, or the drive unit that goes with it.
func (d *diskShape) explainTarget(leaf, what string) {
	if d.target.pinned {
		d.why.because(leaf, what+"the running guest knows the disk as "+d.target.dev, d.statusAt("target"), d.at(d.kind.busField()))
		return
	}
	prefix, _ := targetPrefix(d.bus)
	reason := "the first name of " + sharers(prefix)
	if d.target.index > 0 {
		before := targetName(prefix, d.target.index-1)
		reason = "the first free name of " + sharers(prefix) + "; " + before + " is " + d.owner(before)
	}
	d.why.because(leaf, what+reason, d.at(d.kind.busField()))
}

// sharers are the disks that are numbered together.
func sharers(prefix string) string {
	if prefix == "vd" {
		return "virtio disks"
	}
	return "sata, scsi and usb disks"
}

// owner is the disk that has a name, for a message.
func (d *diskShape) owner(dev string) string {
	disks := d.storage().disks
	for i := d.i; i >= 0; i-- {
		if disks[i].target.dev == dev {
			return "disk " + d.vmi.Spec.Domain.Devices.Disks[i].Name
		}
	}
	return "taken by another disk"
}

// address places the disk on its bus; SATA, USB and CD-ROM addresses are left to
// libvirt (storage.md 5.2, 5.3).
func (d *diskShape) address() {
	if d.hasDriveUnit() {
		unit := uint(d.target.index)
		d.out.Address = &libvirtxml.DomainAddress{Drive: &libvirtxml.DomainAddressDrive{Controller: new(uint), Bus: new(uint), Unit: &unit}}
		d.why.policy("address", "SCSI disks sit on the one SCSI controller", d.at(d.kind.busField()))
		if d.why.on() {
			d.explainTarget("address/@unit", "counted like the name: ")
		}
	}
	if d.kind == plainKind && d.in.Disk != nil && d.in.Disk.PciAddress != "" {
		d.pciAddress()
	}
}

func (d *diskShape) pciAddress() {
	where, text := d.at("disk.pciAddress"), d.in.Disk.PciAddress
	if d.bus != "virtio" {
		d.refuse(where, text, "only a virtio disk is a PCI device of its own, bus is "+d.bus)
	}
	a, err := parsePCIAddress(text)
	if err != nil {
		d.refuse(where, text, err.Error())
		return
	}
	d.out.Address = &libvirtxml.DomainAddress{PCI: a}
	d.why.because("address", "the PCI address asked for", where)
}

func (d *diskShape) readonly() {
	readonly := false
	switch d.kind {
	case plainKind:
		readonly = d.in.Disk != nil && d.in.Disk.ReadOnly
	case lunKind:
		readonly = d.in.LUN.ReadOnly
	case cdromKind:
		readonly = d.in.CDRom.ReadOnly == nil || *d.in.CDRom.ReadOnly
	}
	if readonly {
		d.out.ReadOnly = &libvirtxml.DomainDiskReadOnly{}
		d.why.because("readonly", "the guest may not write", d.at(d.kind.readonlyField()))
	}
}

func (d *diskShape) bootOrder() {
	if d.in.BootOrder == nil {
		return
	}
	if *d.in.BootOrder == 0 {
		d.refuse(d.at("bootOrder"), "0", "want 1 or more, 1 boots first")
	}
	d.out.Boot = &libvirtxml.DomainDeviceBoot{Order: *d.in.BootOrder}
	d.why.because("boot/@order", "the boot order asked for", d.at("bootOrder"))
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
