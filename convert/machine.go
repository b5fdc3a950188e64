package convert

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
		d.because("@machine", "the machine type asked for", field("spec.domain.machine.type"))
		return
	}
	t.Machine = s.arch.machine
	d.because("@machine", "the architecture's usual machine, as none is named", field("spec.domain.machine.type"), fact("node.architecture"))
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
