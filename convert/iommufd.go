package convert

import "libvirt.org/go/libvirtxml"

// iommufd tells libvirt to use the IOMMUFD descriptor that the pod was given
// (compute.md 22), whatever devices the guest has.
func (s *state) iommufd() {
	if !s.ctx.IOMMUFD {
		s.part("").unknown("iommufd", "libvirt is told of the IOMMUFD descriptor where the pod was given one", fact("iommufd"))
		return
	}
	s.dom.IOMMUFD = &libvirtxml.DomainIOMMUFD{Enabled: "yes", FDGroup: iommufdGroup}
	s.part("").policy("iommufd", "the pod was given an IOMMUFD descriptor, which libvirt knows by this name", fact("iommufd"))
}

const iommufdGroup = "iommu"
