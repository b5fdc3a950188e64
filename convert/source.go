package convert

import (
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

// source is what the disk shows to the guest (storage.md 9).
func (d *diskShape) source() {
	if d.vol == nil {
		d.emptyTray()
		return
	}
	if !d.findSource() {
		return
	}
	d.rewritten = d.rewrittenClaim()
	d.block = d.blockVolume()
	d.checkSize()
	d.checkLUN()
	if !d.findPaths() {
		return
	}
	switch d.src {
	case pathmap.SourceContainerDisk:
		d.containerDisk()
	case pathmap.SourceEphemeral:
		d.ephemeralDisk()
	case pathmap.SourceEmptyDisk:
		d.fileSource(d.paths.Disk, "qcow2", "the image that the pod makes for an empty disk")
	case pathmap.SourcePersistentVolumeClaim, pathmap.SourceDataVolume, pathmap.SourceHostDisk:
		d.storageDisk()
	default:
		d.generatedImage()
	}
	d.reservation()
}

// emptyTray is a CD-ROM without a medium (storage.md 9.5).
func (d *diskShape) emptyTray() {
	d.setBlock("")
	d.format = "raw"
	d.why.policy("@type", "an empty tray is written as a block device without a path", d.at("cdrom"))
	d.why.policy("driver/@type", "an empty tray has no image format of its own", d.at("cdrom"))
}

// fileSource makes the disk an image file, of a source that is always one.
func (d *diskShape) fileSource(path, format, reason string) {
	d.setFile(path)
	d.format = format
	from := d.sourceAt()
	d.why.because("@type", reason, from)
	d.why.because("driver/@type", reason, from)
	d.why.because("source/@file", reason, from, d.at("name"))
}

// storageDisk is a disk on a claim, a DataVolume or a host disk.
func (d *diskShape) storageDisk() {
	if d.paths.Overlay != "" {
		d.trackedDisk()
		return
	}
	if d.block {
		d.setBlock(d.paths.Disk)
	} else {
		d.setFile(d.paths.Disk)
	}
	d.format = "raw"
	d.why.because("driver/@type", "storage that the guest writes to directly is raw", d.sourceAt())
	if d.why.on() {
		d.why.because("@type", d.modeReason(), d.modeAt(), d.sourceAt())
		d.why.because("source", d.placeReason(), d.at("name"), d.modeAt())
		d.why.absent("source/dataStore", "changes of its blocks are not tracked", d.fact("changedBlockTracking"), field(trackingField))
	}
}

// modeReason says why the storage is a file or a block device.
func (d *diskShape) modeReason() string {
	switch {
	case d.src == pathmap.SourceHostDisk:
		return "a host disk is an image file"
	case d.block:
		return "the claim is a block device"
	}
	return "the claim has a file system with an image file"
}

// placeReason says why the storage is where it is.
func (d *diskShape) placeReason() string {
	switch {
	case d.hotplug:
		return "where the pod mounts hotplugged volumes, by the volume's name"
	case d.block:
		return "where the pod has the block device, by the volume's name"
	}
	return "where the pod has the image file, by the volume's name"
}

// containerDisk is an overlay over an image of the registry (storage.md 9.3).
func (d *diskShape) containerDisk() {
	d.fileSource(d.paths.Disk, "qcow2", "the guest writes to an overlay over the container's image")
	if d.facts.Format != "raw" && d.facts.Format != "qcow2" {
		d.refuse(d.fact("format"), d.facts.Format, "the image format of container disk "+d.in.Name+" decides how it is read, want raw or qcow2")
		return
	}
	d.out.BackingStore = backingStore(d.facts.Format, fileSource(d.paths.Base))
	d.why.because("backingStore", "the container's image, which is only read", d.volumeAt("containerDisk"))
	d.why.because("backingStore/format/@type", "the format found in the container's image", d.fact("format"))
	d.why.because("backingStore/source/@file", "container disks are numbered by the position of their volume", d.volumeAt("containerDisk"))
}

// ephemeralDisk is an overlay over a claim, whose changes are lost with the pod.
func (d *diskShape) ephemeralDisk() {
	d.fileSource(d.paths.Disk, "qcow2", "the guest writes to an overlay over the claim")
	if d.block {
		d.out.BackingStore = backingStore("raw", blockSource(d.paths.Base))
	} else {
		d.out.BackingStore = backingStore("raw", fileSource(d.paths.Base))
	}
	d.why.because("backingStore", "the claim, which is only read", d.volumeAt("ephemeral"), d.modeAt())
	d.why.because("backingStore/format/@type", "the claim holds a raw image", d.volumeAt("ephemeral"))
}

// generatedImage is an image that the pod makes from other objects.
func (d *diskShape) generatedImage() {
	if !d.why.on() {
		d.fileSource(d.paths.Disk, "raw", "")
	} else {
		d.fileSource(d.paths.Disk, "raw", "an image that the pod makes from the volume's "+string(d.src))
	}
	switch d.src {
	case pathmap.SourceCloudInitNoCloud, pathmap.SourceCloudInitConfigDrive:
		d.why.because("source/@file", "the image that the pod makes for cloud-init, by namespace and name of the VMI",
			field("metadata.namespace"), field("metadata.name"))
	case pathmap.SourceServiceAccount, pathmap.SourceDownwardMetrics:
		d.why.because("source/@file", "the one image of its kind that a pod has", d.sourceAt())
	}
	if d.src == pathmap.SourceDownwardMetrics {
		d.metricsDisk()
	}
}

// metricsDisk is the disk through which the host tells the guest its metrics: always
// read-only, and with a virtio model on any bus (storage.md 9.4).
func (d *diskShape) metricsDisk() {
	d.out.ReadOnly = &libvirtxml.DomainDiskReadOnly{}
	d.why.policy("readonly", "metrics are only read", d.sourceAt())
	d.model("the model of the disk for metrics", d.sourceAt())
}

// reservation lets the guest reserve the LUN for itself on the storage (storage.md 4.3).
func (d *diskShape) reservation() {
	if d.kind != lunKind || !d.in.LUN.Reservation || d.out.Source == nil {
		return
	}
	d.out.Source.Reservations = &libvirtxml.DomainDiskReservations{
		Managed: "no", Migration: "yes",
		Source: &libvirtxml.DomainDiskReservationsSource{
			UNIX: &libvirtxml.DomainChardevSourceUNIX{Path: d.layout().PRHelperSocket(), Mode: "client"},
		},
	}
	d.why.because("source/reservations", "the guest may reserve the LUN, through the helper that KubeVirt runs on the node", d.at("lun.reservation"))
}

// sourceAt names the field that says what the volume comes from.
func (d *diskShape) sourceAt() ref { return d.volumeAt(string(d.src)) }

func fileSource(path string) *libvirtxml.DomainDiskSource {
	return &libvirtxml.DomainDiskSource{File: &libvirtxml.DomainDiskSourceFile{File: path}}
}

func blockSource(path string) *libvirtxml.DomainDiskSource {
	return &libvirtxml.DomainDiskSource{Block: &libvirtxml.DomainDiskSourceBlock{Dev: path}}
}

func backingStore(format string, source *libvirtxml.DomainDiskSource) *libvirtxml.DomainDiskBackingStore {
	return &libvirtxml.DomainDiskBackingStore{Format: &libvirtxml.DomainDiskFormat{Type: format}, Source: source}
}
