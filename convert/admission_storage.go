package convert

import (
	"strings"

	v1 "kubevirt.io/api/core/v1"
)

// What KubeVirt's admission refuses about disks, volumes and shared folders, although
// it can be converted (storage.md, appendix B).

var (
	gateHostDisk          = featureGate{name: "HostDisk"}
	gateDownwardMetrics   = featureGate{name: "DownwardMetrics"}
	gateVirtiofsStorage   = featureGate{name: "EnableVirtioFsStorageVolumes"}
	gateDeclarativeVolume = featureGate{name: "DeclarativeHotplugVolumes", beta: true}
)

// maxSerial is the longest serial number of a disk.
const maxSerial = 256

func (s *state) admitDisks() {
	names := map[string]bool{}
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		in := &s.vmi.Spec.Domain.Devices.Disks[i]
		s.admitName(fieldAt(disksField, i, "name"), in.Name, names)
		s.admitKind(i, in)
		s.admitBus(i, in)
		s.admitDriver(i, in)
		s.admitSerial(i, in.Serial)
		s.admitBlockSize(i, in)
	}
}

// admitName takes a name of which there is one and which is a DNS label.
func (s *state) admitName(where ref, name string, seen map[string]bool) {
	if seen[name] {
		s.refuse(where, name, "want each name once")
	}
	seen[name] = true
	if !dnsLabel(name) {
		s.refuse(where, name, "want a DNS label: at most 63 of a-z, 0-9 and -, with - neither first nor last")
	}
}

func dnsLabel(name string) bool {
	if name == "" || len(name) > 63 || name[0] == '-' || name[len(name)-1] == '-' {
		return false
	}
	return strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func (s *state) admitKind(i int, in *v1.Disk) {
	kinds := 0
	for _, set := range [...]bool{in.Disk != nil, in.LUN != nil, in.CDRom != nil} {
		if set {
			kinds++
		}
	}
	if kinds > 1 {
		s.refuse(fieldAt(disksField, i, ""), in.Name, "want one of disk, lun and cdrom")
	}
	if in.CDRom != nil && s.storage().disks[i].volumeIndex < 0 {
		s.needs(gateDeclarativeVolume, fieldAt(disksField, i, "name"))
	}
	if in.LUN != nil && in.LUN.Reservation && !s.reservations() {
		s.refuse(fieldAt(disksField, i, "lun.reservation"), true, "persistent reservations are off, want "+
			contextPrefix+"cluster.persistentReservationConfiguration.enabled true")
	}
}

// reservations says whether the cluster runs the helper for persistent reservations.
func (s *state) reservations() bool {
	c := s.ctx.Cluster.PersistentReservationConfiguration
	return c != nil && isTrue(c.Enabled)
}

func (s *state) admitBus(i int, in *v1.Disk) {
	bus, kind := diskBus(in), diskKindOf(in)
	where := fieldAt(disksField, i, kind.busField())
	switch {
	case bus == "virtio" && kind == cdromKind:
		s.refuse(where, bus, "a CD-ROM cannot be a virtio device, want scsi or sata")
	case s.arm64() && (bus == "sata" || bus == "usb"):
		s.refuse(where, bus, "want virtio or scsi on arm64")
	}
	if bus == "sata" && in.Disk != nil && in.Disk.ReadOnly {
		s.refuse(fieldAt(disksField, i, "disk.readonly"), true, "a SATA disk cannot be read-only, want bus virtio or scsi, or a CD-ROM")
	}
	if bus != "virtio" && isTrue(in.DedicatedIOThread) {
		s.refuse(fieldAt(disksField, i, "dedicatedIOThread"), true, "only virtio disks have I/O threads, bus is "+bus)
	}
	if p := &s.storage().disks[i]; p.hotplug && p.volumeIndex >= 0 {
		s.admitHotplug(where, bus, kind)
	}
}

// admitHotplug takes disks that can be attached to a running guest.
func (s *state) admitHotplug(where ref, bus string, kind diskKind) {
	switch {
	case kind == plainKind && bus != "virtio" && bus != "scsi":
		s.refuse(where, bus, "a hotplugged disk cannot be attached here, want virtio or scsi")
	case kind == lunKind && bus != "scsi":
		s.refuse(where, bus, "a hotplugged LUN cannot be attached here, want scsi")
	}
}

func (s *state) admitDriver(i int, in *v1.Disk) {
	if in.Cache != "" {
		s.oneOf(fieldAt(disksField, i, "cache"), string(in.Cache), "none", "writethrough", "writeback")
	}
	if in.IO != "" {
		s.oneOf(fieldAt(disksField, i, "io"), string(in.IO), "native", "threads")
	}
}

func (s *state) admitSerial(i int, serial string) {
	where := fieldAt(disksField, i, "serial")
	if len(serial) > maxSerial {
		s.refusef(where, serial[:maxSerial]+"…", "%d characters, want at most %d", len(serial), maxSerial)
	}
	for _, c := range serial {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && !strings.ContainsRune("_.+-", c) {
			s.refuse(where, serial, "want letters, digits, _ . + and - alone")
			return
		}
	}
}

func (s *state) admitBlockSize(i int, in *v1.Disk) {
	if in.BlockSize == nil || in.BlockSize.Custom == nil {
		return
	}
	c, where := in.BlockSize.Custom, fieldAt(disksField, i, "blockSize.custom")
	if m := in.BlockSize.MatchVolume; m != nil && !isFalse(m.Enabled) {
		s.refuse(where, nil, "want sizes or matchVolume, not both")
	}
	s.admitBytes(fieldAt(disksField, i, "blockSize.custom.logical"), c.Logical)
	s.admitBytes(fieldAt(disksField, i, "blockSize.custom.physical"), c.Physical)
	if c.Logical > c.Physical {
		s.refusef(where, nil, "logical size %d, physical size %d, want the logical size to be the smaller", c.Logical, c.Physical)
	}
	if diskBus(in) == "sata" && c.Logical != 512 {
		s.refuse(fieldAt(disksField, i, "blockSize.custom.logical"), c.Logical, "want 512 on SATA")
	}
	if g := c.DiscardGranularity; g != nil && c.Logical > 0 && *g%c.Logical != 0 {
		s.refusef(fieldAt(disksField, i, "blockSize.custom.discardGranularity"), *g, "want a multiple of the logical size %d", c.Logical)
	}
}

func (s *state) admitBytes(where ref, size uint) {
	if size < 512 || size > 2097152 || size&(size-1) != 0 {
		s.refuse(where, size, "want a power of two from 512 to 2097152")
	}
}

func (s *state) admitIOThreads() {
	if p := s.vmi.Spec.Domain.IOThreadsPolicy; p != nil {
		s.oneOf(field(ioPolicyField), string(*p), "shared", "auto", "supplementalPool")
	}
}
