package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// preStart settles how the emitted disks are cached, for volumes of which it is known
// whether direct I/O works (storage.md 12.1, 12.2).
func (s *state) preStart() {
	if len(s.ctx.Volumes) == 0 && s.why == nil {
		return
	}
	for n, i := range s.storage().emitted {
		s.preStartDisk(i, &s.dom.Devices.Disks[n], s.device("disk", n))
	}
}

// preStartDisk is the pre-start pass over the i-th disk of the VMI, which is out.
func (s *state) preStartDisk(i int, out *libvirtxml.DomainDisk, why element) {
	if s.storage().disks[i].volumeIndex < 0 || out.Source == nil {
		return // an empty tray has nothing to cache
	}
	in := &s.vmi.Spec.Domain.Devices.Disks[i]
	f := s.ctx.Volumes[in.Name]
	direct, known := f.directIO(out.BackingStore != nil)
	p := diskCache{s, in, i, f, direct, out, why}
	if !known {
		p.open()
		return
	}
	p.cacheMode()
	p.ioMode()
}

// directIO says whether all that the disk opens can be opened for direct I/O; known is
// false when the facts do not say. What an overlay reads from is asked about too, a
// block device as well (of which KubeVirt asks about an empty path).
func (f VolumeFacts) directIO(backed bool) (direct, known bool) {
	switch {
	case f.DirectIO == nil:
		return false, false
	case !*f.DirectIO || !backed:
		return *f.DirectIO, true
	case f.BaseDirectIO == nil:
		return false, false
	}
	return *f.BaseDirectIO, true
}

// diskCache is one disk whose caching is being settled.
type diskCache struct {
	*state
	in     *v1.Disk
	i      int
	facts  VolumeFacts
	direct bool
	out    *libvirtxml.DomainDisk
	why    element
}

// cacheMode goes around the host's cache where that works, and makes it safe where it
// does not. A mode that the user asked for stays.
func (p diskCache) cacheMode() {
	driver := p.out.Driver
	switch {
	case driver.Cache == "" && p.direct:
		driver.Cache = string(v1.CacheNone)
		p.because("driver/@cache", "direct I/O works here, so the host need not cache")
	case driver.Cache == "":
		driver.Cache = string(v1.CacheWriteThrough)
		p.because("driver/@cache", "direct I/O does not work here, so the host caches and writes at once")
	case driver.Cache == string(v1.CacheNone) && p.direct:
		p.why.because("driver/@cache", "not to be cached, and direct I/O works here", p.uncached(), factOf("volumes", p.in.Name, "directIO"))
	case driver.Cache == string(v1.CacheNone):
		p.refuse(p.uncached(), p.in.Cache, "disk "+p.in.Name+" must not be cached, but its storage does not take direct I/O ("+p.deciding()+"), want other storage or cache writethrough or writeback")
	}
}

// uncached names the field that forbids caching.
func (p diskCache) uncached() ref {
	if p.in.Cache == "" {
		return fieldAt(disksField, p.i, "shareable")
	}
	return fieldAt(disksField, p.i, "cache")
}

// ioMode submits I/O natively where nothing can block it.
func (p diskCache) ioMode() {
	driver := p.out.Driver
	if driver.IO != "" || driver.Cache != string(v1.CacheNone) {
		return
	}
	switch storage := storageSource(p.out.Source); {
	case storage.Block != nil:
		driver.IO = string(v1.IONative)
		p.because("driver/@io", "a block device with direct I/O never blocks the submitter")
	case p.facts.Allocated:
		driver.IO = string(v1.IONative)
		p.why.because("driver/@io", "an image without holes, with direct I/O, never blocks the submitter", factOf("volumes", p.in.Name, "allocated"))
	}
}

// open notes that cache and I/O mode are left to whoever can look at the storage.
func (p diskCache) open() {
	fact := "directIO"
	if p.facts.DirectIO != nil {
		fact = "baseDirectIO"
	}
	cache := p.out.Driver.Cache
	if cache == "" {
		p.why.unknown("driver/@cache", "none where direct I/O works, else writethrough", factOf("volumes", p.in.Name, fact))
	}
	if p.out.Driver.IO == "" && (cache == "" || cache == string(v1.CacheNone)) {
		p.why.unknown("driver/@io", "native where direct I/O works and nothing has to be allocated", factOf("volumes", p.in.Name, fact))
	}
}

// because notes a value that follows from direct I/O.
func (p diskCache) because(leaf, reason string) {
	p.why.because(leaf, reason, factOf("volumes", p.in.Name, "directIO"), factOf("volumes", p.in.Name, "baseDirectIO"))
}

// deciding is the fact that says that direct I/O does not work.
func (p diskCache) deciding() string {
	if *p.facts.DirectIO {
		return factOf("volumes", p.in.Name, "baseDirectIO").String()
	}
	return factOf("volumes", p.in.Name, "directIO").String()
}
