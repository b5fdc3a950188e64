package convert

import "k8s.io/apimachinery/pkg/api/resource"

// topology is the CPUs that the guest starts with; those that could be plugged
// in later do not count (compute.md 8.1).
type topology struct{ sockets, cores, threads uint }

func (t topology) vcpus() uint { return t.sockets * t.cores * t.threads }

// topology is what the VMI asks for: its CPU topology with 1 for what is zero,
// or a socket for each CPU it may use when no topology is given at all.
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

// wholeCPUs rounds up; a guest has at least one CPU.
func wholeCPUs(q resource.Quantity) uint {
	if n := q.Value(); n > 1 {
		return uint(n)
	}
	return 1
}
