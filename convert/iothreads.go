package convert

import (
	"strconv"

	"k8s.io/apimachinery/pkg/api/resource"
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

const (
	ioPolicyField = "spec.domain.ioThreadsPolicy"
	ioPoolField   = "spec.domain.ioThreads.supplementalPoolThreadCount"
	// maxPoolThreads bounds the supplemental pool: every virtio disk lists all of it.
	maxPoolThreads = 1024
)

// ioThreadPlan is how many I/O threads the guest has and who uses them
// (storage.md 8, compute.md 17).
type ioThreadPlan struct {
	total  int // <iothreads>; 0 for none
	shared int // threads 1 to shared serve disks without a thread of their own
	pool   int // supplemental pool: all threads serve every virtio disk; 0 for none
}

// ioThreads decides the plan on first use.
func (s *state) ioThreads() *ioThreadPlan {
	if s.threads == nil {
		s.threads = s.planIOThreads()
	}
	return s.threads
}

func (s *state) planIOThreads() *ioThreadPlan {
	policy := s.vmi.Spec.Domain.IOThreadsPolicy
	dedicated := s.dedicatedDisks()
	if policy == nil && dedicated == 0 {
		return &ioThreadPlan{}
	}
	if s.supplementalPool() {
		n := int(min(s.poolThreads(), maxPoolThreads))
		return &ioThreadPlan{total: n, pool: n}
	}
	shared := len(s.vmi.Spec.Domain.Devices.Disks) - dedicated
	if limit := s.ioThreadLimit(); shared+dedicated > limit {
		shared = max(limit-dedicated, 1)
	}
	return &ioThreadPlan{total: shared + dedicated, shared: shared}
}

// dedicatedDisks counts the disks that ask for a thread of their own, on any bus
// and whether or not they are in the domain.
func (s *state) dedicatedDisks() int {
	n := 0
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		if isTrue(s.vmi.Spec.Domain.Devices.Disks[i].DedicatedIOThread) {
			n++
		}
	}
	return n
}

func (s *state) supplementalPool() bool {
	p := s.vmi.Spec.Domain.IOThreadsPolicy
	return p != nil && *p == v1.IOThreadsPolicySupplementalPool
}

// poolThreads is the size asked for; 0 when nobody says.
func (s *state) poolThreads() uint32 {
	t := s.vmi.Spec.Domain.IOThreads
	if t == nil || t.SupplementalPoolThreadCount == nil {
		return 0
	}
	return *t.SupplementalPoolThreadCount
}

// ioThreadLimit is how many threads the policy allows before disks have to share.
func (s *state) ioThreadLimit() int {
	policy := s.vmi.Spec.Domain.IOThreadsPolicy
	switch {
	case policy == nil || *policy == v1.IOThreadsPolicyShared:
		return 1
	case *policy != v1.IOThreadsPolicyAuto:
		return 0
	}
	cpu := s.vmi.Spec.Domain.CPU
	if cpu != nil && cpu.DedicatedCPUPlacement && cpu.IsolateEmulatorThread {
		return 1 // the threads run on the emulator's CPU
	}
	// A limit beyond the number of disks is none; this one cannot overflow.
	return 2 * int(min(s.cpuAmount(), 1<<30))
}

// cpuAmount is the CPU request, else the CPU limit, else 1. The guest's topology
// does not count.
func (s *state) cpuAmount() uint {
	r := &s.vmi.Spec.Domain.Resources
	if q, ok := r.Requests["cpu"]; ok {
		return roundedUp(q)
	}
	if q, ok := r.Limits["cpu"]; ok {
		return roundedUp(q)
	}
	return 1
}

// roundedUp is a quantity as a whole number; none is 0.
func roundedUp(q resource.Quantity) uint { return uint(max(q.Value(), 0)) }

func (s *state) ioThreadCount() {
	if s.supplementalPool() {
		s.checkPool()
	}
	t := s.ioThreads()
	if t.total == 0 {
		return
	}
	s.dom.IOThreads = uint(t.total)
	if d := s.part(""); d.on() {
		s.explainThreadCount(d, t)
	}
}

func (s *state) checkPool() {
	switch n := s.poolThreads(); {
	case n == 0:
		s.refuse(field(ioPoolField), nil, "policy supplementalPool has no threads to hand out, want the number of threads")
	case n > maxPoolThreads:
		s.refusef(field(ioPoolField), n, "want at most %d threads", maxPoolThreads)
	}
}

func (s *state) explainThreadCount(d element, t *ioThreadPlan) {
	if t.pool > 0 {
		d.because("iothreads", "the size of the pool that serves all virtio disks", field(ioPoolField))
		return
	}
	refs := []ref{field(ioPolicyField)}
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		refs = append(refs, fieldAt(disksField, i, "dedicatedIOThread"))
	}
	own := t.total - t.shared
	d.because("iothreads", strconv.Itoa(own)+" for disks with a thread of their own and "+
		strconv.Itoa(t.shared)+" shared by the others", refs...)
}

// assignThreads hands out the threads to virtio disks in their order, those that
// are not in the domain included.
func (s *state) assignThreads(disks []diskPlan) {
	t := s.ioThreads()
	if t.total == 0 || t.pool > 0 {
		return
	}
	next, own := 1, t.shared+1
	for i := range disks {
		switch {
		case disks[i].bus != "virtio":
		case isTrue(s.vmi.Spec.Domain.Devices.Disks[i].DedicatedIOThread):
			disks[i].thread = uint(own)
			own++
		default:
			disks[i].thread = uint(next)
			next = next%t.shared + 1
		}
	}
}

// poolList is the list of all threads of the pool.
func (t *ioThreadPlan) poolList() *libvirtxml.DomainDiskIOThreads {
	list := make([]libvirtxml.DomainDiskIOThread, t.pool)
	for i := range list {
		list[i].ID = uint(i + 1)
	}
	return &libvirtxml.DomainDiskIOThreads{IOThread: list}
}
