package convert

import (
	"math"
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
	"libvirt.org/go/libvirtxml"
)

const memfdAnnotation = "kubevirt.io/memfd"

// memory writes how much memory the guest has and how much it may grow to
// (compute.md 11.1), in bytes.
func (s *state) memory() {
	q, from := s.guestMemory()
	s.dom.Memory = &libvirtxml.DomainMemory{Value: uint(s.memoryBytes(q, from)), Unit: "b"}
	d := s.part("")
	d.because("memory", "memory the guest starts with, in bytes", from)
	d.policy("memory/@unit", "memory is written in bytes")

	m := s.vmi.Spec.Domain.Memory
	if m == nil || m.MaxGuest == nil {
		return
	}
	grows := field("spec.domain.memory.maxGuest")
	if m.Guest == nil {
		s.refuse(grows, m.MaxGuest, "guest memory that may grow has to start somewhere, want memory.guest as well")
		return
	}
	if sameQuantity(*m.MaxGuest, *m.Guest) {
		return
	}
	s.dom.MaximumMemory = &libvirtxml.DomainMaxMemory{Value: uint(s.memoryBytes(*m.MaxGuest, grows)), Unit: "b"}
	d.because("maxMemory", "memory the guest may grow to, in bytes", grows)
	d.policy("maxMemory/@unit", "memory is written in bytes")
}

// guestMemory is the memory that the guest starts with, and the place that
// decides about it.
func (s *state) guestMemory() (resource.Quantity, ref) {
	d := &s.vmi.Spec.Domain
	if d.Memory != nil && d.Memory.Guest != nil {
		return *d.Memory.Guest, field("spec.domain.memory.guest")
	}
	requested, ok := d.Resources.Requests["memory"]
	if limit, limited := d.Resources.Limits["memory"]; limited && !ok {
		return limit, field("spec.domain.resources.limits.memory")
	}
	return requested, field("spec.domain.resources.requests.memory")
}

// memoryBytes is q in whole bytes, or 0 if it is refused.
func (s *state) memoryBytes(q resource.Quantity, from ref) uint64 {
	if q.Sign() < 0 {
		s.refuse(from, q.String(), "memory cannot be negative")
		return 0
	}
	if q.CmpInt64(math.MaxInt64) >= 0 {
		s.refuse(from, q.String(), "more memory than can be counted in bytes")
		return 0
	}
	return wholeBytes(q)
}

// wholeBytes drops a fraction of a byte. An integral quantity stays exact
// however it was written; upstream loses a byte where it is held as a decimal
// ("1.5Gi").
func wholeBytes(q resource.Quantity) uint64 {
	n := q.Value() // rounded up
	if n > 0 && q.CmpInt64(n) < 0 {
		n--
	}
	return uint64(max(n, 0))
}

// sameQuantity compares two copies: Quantity.Cmp may write to what it is called on.
func sameQuantity(a, b resource.Quantity) bool { return a.Cmp(b) == 0 }

// memoryBacking says where guest memory lies on the host (compute.md 11.2, 11.3).
// It needs a file descriptor that others can map if it consists of huge pages or
// if a process beside QEMU shares it. libvirt asks for a NUMA cell then.
func (s *state) memoryBacking() {
	huge, shared := s.hugePages(), s.sharesMemory()
	memfd := shared || huge && s.vmi.Annotations[memfdAnnotation] != "false"
	if !huge && !memfd {
		return
	}
	b := &libvirtxml.DomainMemoryBacking{}
	s.dom.MemoryBacking = b
	d := s.part("memoryBacking")
	if huge {
		b.MemoryHugePages = &libvirtxml.DomainMemoryHugepages{}
		d.because("hugepages", "guest memory consists of huge pages", field("spec.domain.memory.hugepages"))
	}
	if shared {
		b.MemoryAccess = &libvirtxml.DomainMemoryAccess{Mode: "shared"}
		if d.on() {
			d.because("access/@mode", sharedReason, s.sharers()...)
		}
	}
	if memfd {
		b.MemorySource = &libvirtxml.DomainMemorySource{Type: "memfd"}
		if d.on() {
			reason, from := s.memfdCause()
			d.because("source/@type", reason, from...)
		}
		s.memfdCell()
	}
}

// hugePages says whether guest memory consists of huge pages.
func (s *state) hugePages() bool {
	m := s.vmi.Spec.Domain.Memory
	return m != nil && m.Hugepages != nil
}

const sharedReason = "virtiofsd and passt read and write guest memory"

// sharesMemory says whether another process shares the guest's memory.
func (s *state) sharesMemory() bool {
	devices := &s.vmi.Spec.Domain.Devices
	for i := range devices.Filesystems {
		if devices.Filesystems[i].Virtiofs != nil {
			return true
		}
	}
	for i := range devices.Interfaces {
		if devices.Interfaces[i].PasstBinding != nil {
			return true
		}
	}
	return false
}

// sharers are the devices whose processes share the guest's memory.
func (s *state) sharers() []ref {
	var list []ref
	devices := &s.vmi.Spec.Domain.Devices
	for i := range devices.Filesystems {
		if devices.Filesystems[i].Virtiofs != nil {
			list = append(list, fieldAt("spec.domain.devices.filesystems", i, "virtiofs"))
		}
	}
	for i := range devices.Interfaces {
		if devices.Interfaces[i].PasstBinding != nil {
			list = append(list, fieldAt("spec.domain.devices.interfaces", i, "passtBinding"))
		}
	}
	return list
}

// memfdCause is why memory is in a memfd: for the processes that share it, or else
// for the huge pages. The places are all that bring it.
func (s *state) memfdCause() (reason string, from []ref) {
	reason, from = sharedReason, s.sharers()
	if len(from) == 0 {
		reason = "huge pages are handed to QEMU as a memfd unless an annotation says no"
	}
	if s.hugePages() {
		from = append(from, field("spec.domain.memory.hugepages"), annotation(memfdAnnotation))
	}
	return reason, from
}

// memfdCell is the one NUMA cell of a guest whose memory is a memfd and that has
// no cells of its own (compute.md 10.1). It holds all CPUs, those to be plugged in
// later as well.
func (s *state) memfdCell() {
	if s.showsHostCells() {
		return
	}
	full, _ := s.fullTopology()
	q, from := s.guestMemory()
	id, kib := uint(0), uint(max(q.Value(), 0))/1024
	cell := libvirtxml.DomainCell{ID: &id, CPUs: "0-" + strconv.FormatUint(uint64(full.vcpus()-1), 10), Memory: kib, Unit: "KiB"}
	s.dom.CPU.Numa = &libvirtxml.DomainNuma{Cell: []libvirtxml.DomainCell{cell}}

	d := s.part("cpu/numa").child("cell", 0)
	if !d.on() {
		return
	}
	_, memfd := s.memfdCause()
	d.policy("", "libvirt wants a NUMA cell where guest memory is a memfd", memfd...)
	d.because("@memory", "the one NUMA cell has all of the guest's memory", from)
	d.because("@cpus", "the one NUMA cell has all CPUs, also those to be plugged in later",
		field("spec.domain.cpu.maxSockets"), field("spec.domain.cpu.sockets"), field("spec.domain.cpu.cores"), field("spec.domain.cpu.threads"))
}
