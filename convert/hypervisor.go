package convert

// hypervisor chooses the domain type (compute.md 6).
func (s *state) hypervisor() {
	available := s.ctx.Node.KVM == nil || *s.ctx.Node.KVM
	emulate := s.ctx.Cluster.DeveloperConfiguration != nil && s.ctx.Cluster.DeveloperConfiguration.UseEmulation
	native, device := "kvm", "/dev/kvm"
	switch s.ctx.Hypervisor {
	case "", "kvm":
	case "hyperv-direct":
		native, device = "hyperv", "/dev/mshv"
	default:
		s.refuse(fact("hypervisor"), s.ctx.Hypervisor, "want kvm or hyperv-direct")
		return
	}
	d := s.part("")
	switch {
	case available:
		s.dom.Type = native
		d.because("@type", "the node's hypervisor device is usable", fact("node.kvm"), fact("hypervisor"))
	case emulate:
		s.dom.Type = "qemu"
		d.because("@type", "the node has no hypervisor device, and the cluster allows software emulation",
			fact("node.kvm"), fact("cluster.developerConfiguration.useEmulation"))
	default:
		s.refusef(fact("node.kvm"), false, "%s is missing on the node and the cluster does not allow software emulation (cluster.developerConfiguration.useEmulation)", device)
	}
}
