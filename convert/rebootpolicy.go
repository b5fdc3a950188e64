package convert

import v1 "kubevirt.io/api/core/v1"

// rebootPolicy says what a reboot from inside the guest does; unset, libvirt restarts the
// guest (compute.md 23).
func (s *state) rebootPolicy() {
	where := field("spec.domain.rebootPolicy")
	policy := s.vmi.Spec.Domain.RebootPolicy
	if policy == nil {
		return
	}
	switch *policy {
	case v1.RebootPolicyTerminate:
		s.dom.OnReboot = "destroy"
	case v1.RebootPolicyReboot:
		s.dom.OnReboot = "restart"
	}
	s.part("").because("on_reboot", "the reboot policy asked for", where)
}
