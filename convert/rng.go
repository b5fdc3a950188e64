package convert

import "libvirt.org/go/libvirtxml"

const entropySource = "/dev/urandom"

// rng gives the guest the host's entropy (compute.md 20.1).
func (s *state) rng() {
	if s.vmi.Spec.Domain.Devices.Rng == nil {
		return
	}
	x := libvirtxml.DomainRNG{
		Model:   s.virtioModel(),
		Backend: &libvirtxml.DomainRNGBackend{Random: &libvirtxml.DomainRNGBackendRandom{Device: entropySource}},
	}
	if iommu := s.iommuDriver(); iommu != "" {
		x.Driver = &libvirtxml.DomainRNGDriver{IOMMU: iommu}
	}
	d := s.device("rng", len(s.dom.Devices.RNGs))
	s.dom.Devices.RNGs = append(s.dom.Devices.RNGs, x)
	d.policy("", "the host's own source, which never blocks", field("spec.domain.devices.rng"))
	s.virtioCauses(d)
}
