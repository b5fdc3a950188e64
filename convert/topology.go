package convert

import "k8s.io/apimachinery/pkg/api/resource"

// topology is a number of CPUs of a guest, by sockets, cores and threads.
type topology struct{ sockets, cores, threads uint }

// vcpus is their number. One that no guest can have is cut off at maxCPUs+1, so
// that a huge topology neither overflows nor costs memory.
func (t topology) vcpus() uint {
	n := uint(1)
	for _, factor := range [...]uint{t.sockets, t.cores, t.threads} {
		if factor != 0 && n > maxCPUs/factor {
			return maxCPUs + 1
		}
		n *= factor
	}
	return n
}

// topology is the CPUs that the guest starts with; those that could be plugged
// in later do not count (compute.md 8.1). It is the VMI's CPU topology with 1
// for what is zero, or a socket for each CPU it may use when no topology is
// given at all.
func (s *state) topology() topology {
	t := topology{1, 1, 1}
	c := s.vmi.Spec.Domain.CPU
	if c == nil || c.Sockets == 0 && c.Cores == 0 && c.Threads == 0 {
		r := &s.vmi.Spec.Domain.Resources
		if q, ok := r.Limits["cpu"]; ok {
			t.sockets = wholeCPUs(q)
		} else if q, ok := r.Requests["cpu"]; ok {
			t.sockets = wholeCPUs(q)
		}
		return t
	}
	if c.Sockets != 0 {
		t.sockets = uint(c.Sockets)
	}
	if c.Cores != 0 {
		t.cores = uint(c.Cores)
	}
	if c.Threads != 0 {
		t.threads = uint(c.Threads)
	}
	return t
}

// fullTopology is the CPUs that the guest can have at most: with room for the
// sockets that may be plugged in later, on architectures where that is possible
// (compute.md 8.2). hotplug says whether there is such room, however small.
func (s *state) fullTopology() (t topology, hotplug bool) {
	t = s.topology()
	if c := s.vmi.Spec.Domain.CPU; c != nil && c.MaxSockets != 0 && !s.arm64() {
		t.sockets = uint(c.MaxSockets)
		return t, true
	}
	return t, false
}

// wholeCPUs rounds up; a guest has at least one CPU.
func wholeCPUs(q resource.Quantity) uint {
	if n := q.Value(); n > 1 {
		return uint(n)
	}
	return 1
}
