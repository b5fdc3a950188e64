package convert

import "libvirt.org/go/libvirtxml"

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

// checkTarget refuses what KubeVirt lets through and libvirt then refuses: no name, a
// name that is none of a disk, and one name or one drive unit for two disks.
func (d *diskShape) checkTarget() {
	_, known := targetPrefix(d.bus)
	if d.target.dev == "" && known {
		d.refusef(d.at("name"), d.in.Name, "no device name left, want at most %d disks of one prefix", maxTargets)
	}
	if d.target.pinned && !isTargetName(d.target.dev) {
		d.refuse(d.statusAt("target"), d.target.dev, "no name of a disk, want one such as vda or sdb")
	}
	if d.target.same < 0 {
		return
	}
	other, first := d.vmi.Spec.Domain.Devices.Disks[d.target.same].Name, d.storage().disks[d.target.same].target
	where := d.statusAt("target")
	if !d.target.pinned {
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
	for n := range disks {
		// Backwards from this disk and around: mostly it is the one before.
		i := (d.i - n + len(disks)) % len(disks)
		if disks[i].target.dev == dev {
			return "disk " + d.vmi.Spec.Domain.Devices.Disks[i].Name
		}
	}
	return "a disk that is leaving the guest"
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
