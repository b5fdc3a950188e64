package convert

import v1 "kubevirt.io/api/core/v1"

// diskKind is how a disk shows up in the guest.
type diskKind int

const (
	plainKind diskKind = iota
	lunKind
	cdromKind
)

// diskKindOf takes the first of disk, lun and cdrom that is set (storage.md 3).
func diskKindOf(d *v1.Disk) diskKind {
	switch {
	case d.Disk != nil:
		return plainKind
	case d.LUN != nil:
		return lunKind
	case d.CDRom != nil:
		return cdromKind
	}
	return plainKind
}

// String is the kind as the device attribute and the VMI spell it.
func (k diskKind) String() string { return kindNames[k].kind }

// busField is the field that holds the bus of a disk of this kind.
func (k diskKind) busField() string { return kindNames[k].bus }

// readonlyField is the field that makes a disk of this kind read-only.
func (k diskKind) readonlyField() string { return kindNames[k].readonly }

var kindNames = [...]struct{ kind, bus, readonly string }{
	plainKind: {"disk", "disk.bus", "disk.readonly"},
	lunKind:   {"lun", "lun.bus", "lun.readonly"},
	cdromKind: {"cdrom", "cdrom.bus", "cdrom.readonly"},
}

// diskBus is the bus of a disk of any kind.
func diskBus(d *v1.Disk) string {
	switch {
	case d.Disk != nil:
		return string(d.Disk.Bus)
	case d.LUN != nil:
		return string(d.LUN.Bus)
	case d.CDRom != nil:
		return string(d.CDRom.Bus)
	}
	return ""
}
