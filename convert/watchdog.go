package convert

import "libvirt.org/go/libvirtxml"

const watchdogField = "spec.domain.devices.watchdog"

// watchdog adds the watchdog of the kind the architecture has (compute.md 20.3). A kind
// of another architecture beside it is passed over.
func (s *state) watchdog() {
	w := s.vmi.Spec.Domain.Devices.Watchdog
	if w == nil {
		return
	}
	model, action, found := "", "", false
	switch {
	case s.arm64():
		s.refuse(field(watchdogField), w.Name, "arm64 has no watchdog device, want none")
		return
	case s.s390x():
		if model = "diag288"; w.Diag288 != nil {
			action, found = string(w.Diag288.Action), true
		}
	default:
		if model = "i6300esb"; w.I6300ESB != nil {
			action, found = string(w.I6300ESB.Action), true
		}
	}
	if !found {
		s.refuse(field(watchdogField), w.Name, "the watchdog has no type that "+s.name+" knows, want "+model)
		return
	}
	s.addWatchdog(model, action)
}

func (s *state) addWatchdog(model, action string) {
	d := s.device("watchdog", len(s.dom.Devices.Watchdogs))
	where := ref{base: watchdogField, key: model, i: -1, rest: "action", j: -1}
	if action != "" {
		s.oneOf(where, action, "reset", "shutdown", "poweroff", "pause", "none", "dump", "inject-nmi")
	}
	name := field(watchdogField + ".name")
	s.dom.Devices.Watchdogs = append(s.dom.Devices.Watchdogs, libvirtxml.DomainWatchdog{
		Model:  model,
		Action: action,
		Alias:  s.alias("", s.vmi.Spec.Domain.Devices.Watchdog.Name, name, d),
	})
	d.because("@model", "the watchdog this architecture has", field(watchdogField), fact("node.architecture"))
	d.because("@action", "the action asked for", where)
}
