package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

// driver is how QEMU works on the disk (storage.md 6).
func (d *diskShape) driver() {
	d.out.Driver = &d.parts.driver
	*d.out.Driver = libvirtxml.DomainDiskDriver{Name: "qemu", Type: d.format, ErrorPolicy: d.errorPolicy()}
	d.why.policy("driver/@name", "QEMU runs the guest")
	d.checkShareable()
	if d.src == pathmap.SourceDownwardMetrics {
		// KubeVirt builds this driver anew and forgets what the front end had decided.
		// Without iommu the disk does not work under SEV; libvirt takes it all the same.
		d.ioThread()
		return
	}
	d.requested()
	d.out.Driver.Discard = d.discard()
	d.virtioDriver()
	d.ioThread()
}

// requested copies what the user asks for; the rest is left to the pre-start pass.
func (d *diskShape) requested() {
	if d.out.Driver.Cache = d.cache(); d.out.Driver.Cache != "" {
		if d.in.Cache == "" {
			d.why.because("driver/@cache", "a disk that other guests write to must not be cached", d.at("shareable"))
		} else {
			d.oneOf(d.at("cache"), string(d.in.Cache), "none", "writethrough", "writeback", "directsync", "unsafe", "default")
			d.why.because("driver/@cache", "the cache mode asked for", d.at("cache"))
		}
	}
	if d.out.Driver.IO = string(d.in.IO); d.in.IO != "" {
		d.oneOf(d.at("io"), string(d.in.IO), "native", "threads", "io_uring")
		d.why.because("driver/@io", "the I/O mode asked for", d.at("io"))
	}
}

// cache is the requested cache mode; a shareable disk asks for none.
func (d *diskShape) cache() string {
	if d.in.Cache == "" && d.kind == plainKind && isTrue(d.in.Shareable) {
		return string(v1.CacheNone)
	}
	return string(d.in.Cache)
}

func (d *diskShape) checkShareable() {
	if d.kind == plainKind && isTrue(d.in.Shareable) && d.cache() != string(v1.CacheNone) {
		d.refuse(d.at("cache"), d.in.Cache, "disk "+d.in.Name+" is shareable, want cache none or no cache setting")
	}
}

// errorPolicy is what happens when the storage fails.
func (d *diskShape) errorPolicy() string {
	if d.in.ErrorPolicy == nil {
		d.why.because("driver/@error_policy", "a guest that is stopped when the storage fails loses nothing", d.at("errorPolicy"))
		return string(v1.DiskErrorPolicyStop)
	}
	d.why.because("driver/@error_policy", "what to do when the storage fails", d.at("errorPolicy"))
	switch p := *d.in.ErrorPolicy; p {
	case v1.DiskErrorPolicyStop, v1.DiskErrorPolicyIgnore, v1.DiskErrorPolicyReport, v1.DiskErrorPolicyEnospace:
	default:
		d.refuse(d.at("errorPolicy"), string(p), "want stop, ignore, report or enospace")
	}
	return string(*d.in.ErrorPolicy)
}

// discard says whether space that the guest frees is given back to the storage
// (storage.md 6.3).
func (d *diskShape) discard() string {
	const unmap = "unmap"
	switch {
	case d.vol == nil:
		d.why.policy("driver/@discard", "always set for an empty tray", d.at("cdrom"))
		return unmap
	case d.src == pathmap.SourceContainerDisk || d.src == pathmap.SourceEphemeral || d.src == pathmap.SourceEmptyDisk:
		d.why.because("driver/@discard", "the pod's own image gives back what the guest frees", d.sourceAt())
		return unmap
	case d.facts.Preallocated:
		d.why.absent("driver/@discard", "the storage is preallocated, which giving back would undo", d.fact("preallocated"))
		return ""
	case d.preallocatedClaim():
		d.why.absent("driver/@discard", "the claim is preallocated, which giving back would undo", d.statusAt("persistentVolumeClaimInfo.preallocated"))
		return ""
	case d.kind == cdromKind && !d.direct():
		d.why.absent("driver/@discard", "what a CD-ROM of this source shows is not written to", d.at("cdrom"))
		return ""
	}
	if d.why.on() {
		d.why.because("driver/@discard", "the storage is not preallocated, so what the guest frees is given back", d.fact("preallocated"))
	}
	return unmap
}

// preallocatedClaim says whether the status knows that the claim holds space which
// must not be given back.
func (d *diskShape) preallocatedClaim() bool {
	info := d.claimInfo()
	return info != nil && info.Preallocated
}

// direct says whether KubeVirt converts the volume as a claim, and not as the host
// disk that virt-handler turned it into. It shows on CD-ROMs only.
func (d *diskShape) direct() bool { return d.hotplug || d.claim() && !d.rewritten }

// virtioDriver is what only virtio disks have.
func (d *diskShape) virtioDriver() {
	if d.bus != "virtio" {
		if isTrue(d.vmi.Spec.Domain.Devices.BlockMultiQueue) {
			d.why.absent("driver/@queues", "only virtio disks have several queues", d.at(d.kind.busField()))
		}
		return
	}
	if isTrue(d.vmi.Spec.Domain.Devices.BlockMultiQueue) {
		queues := max(d.topology().vcpus(), 1)
		d.out.Driver.Queues = &queues
		d.why.because("driver/@queues", "a queue for each CPU that the guest starts with", field("spec.domain.devices.blockMultiQueue"))
	}
	if d.out.Driver.IOMMU = d.iommuDriver(); d.out.Driver.IOMMU != "" {
		d.why.because("driver/@iommu", "the host may not read the guest's memory directly", field("spec.domain.launchSecurity"))
	}
}

// ioThread says which I/O threads serve the disk (storage.md 8.3).
func (d *diskShape) ioThread() {
	t := d.ioThreads()
	if d.bus != "virtio" {
		if t.total > 0 {
			d.why.absent("driver/@iothread", "only virtio disks have I/O threads", d.at(d.kind.busField()))
		}
		return
	}
	if t.pool > 0 {
		d.out.Driver.IOThreads = t.poolList()
		d.why.because("driver/iothreads/iothread[*]/@id", "all threads of the pool serve every virtio disk", field(ioPoolField))
		return
	}
	if d.thread == 0 {
		return
	}
	thread := d.thread
	d.out.Driver.IOThread = &thread
	if isTrue(d.in.DedicatedIOThread) {
		d.why.because("driver/@iothread", "a thread of the disk's own; those come after the shared ones", d.at("dedicatedIOThread"), field(ioPolicyField))
	} else {
		d.why.because("driver/@iothread", "disks without a thread of their own take turns", d.at("dedicatedIOThread"), field(ioPolicyField))
	}
}
