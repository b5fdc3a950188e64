package convert

import "strings"

// machine is the kind of machine the guest runs on (compute.md 12.1, defaults.md 5).
func (s *state) machine() {
	t := s.dom.OS.Type
	t.Type, t.Arch = "hvm", s.xmlName
	d := s.part("os/type")
	d.policy("", "the guest brings its own operating system, it is no paravirtualized one")
	d.because("@arch", "architecture of the node", fact("node.architecture"))
	if m := s.vmi.Spec.Domain.Machine; m != nil && m.Type != "" {
		t.Machine = m.Type
		if !machineName(m.Type) {
			s.refuse(field("spec.domain.machine.type"), m.Type, "want a machine type of letters, digits, '.', '-' and '_', such as q35 or pc-q35-rhel9.4.0")
		}
		s.explainMachine(d, "the machine type asked for", field("spec.domain.machine.type"))
		return
	}
	t.Machine = s.arch.machine
	s.explainMachine(d, "the architecture's usual machine, as none is named", field("spec.domain.machine.type"), fact("node.architecture"))
}

// explainMachine tells what an alias stands for. It is never resolved here: libvirt
// does that when the domain is defined, and from then on the versioned type stays.
func (s *state) explainMachine(d element, reason string, from ...ref) {
	if !d.on() {
		return
	}
	machine := s.dom.OS.Type.Machine
	if !versioned(machine) {
		if is := s.ctx.Node.Machines[machine]; is != "" {
			reason += "; on this node it stands for " + is
		} else {
			d.unknown("@machine", "which version of the machine "+machine+" stands for is up to the node's libvirt", factOf("node.machines", machine, ""))
		}
	}
	d.because("@machine", reason, from...)
}

// versioned says whether a machine type is one of a fixed version, such as
// pc-q35-9.2 or pc-q35-rhel9.4.0, and no alias.
func versioned(machine string) bool {
	last := strings.TrimPrefix(machine[strings.LastIndexByte(machine, '-')+1:], "rhel")
	return strings.Contains(last, ".") && last[0] >= '0' && last[0] <= '9'
}

// machineName says whether libvirt can read a text as a machine type at all.
func machineName(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '.' && !plainKey(s[i:i+1]) {
			return false
		}
	}
	return true
}
