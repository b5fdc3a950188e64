package convert

import "libvirt.org/go/libvirtxml"

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
