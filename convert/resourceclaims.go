package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// claimedDevices adds the devices of one list that resource claims bring (compute.md 21.4).
// A mediated device goes before a PCI one.
func (s *state) claimedDevices(requests []request) {
	for i := range requests {
		r := &requests[i]
		if !r.claimed() {
			continue
		}
		device, known := s.claimedDevice(r.claim, r.where(""), r.name)
		switch {
		case !known:
		case device.MDev != "":
			s.addMediatedDevice(r, device.MDev, s.claimedModel(r), claimRef(r.claim, "mdev"))
		case device.PCI != "":
			s.addPCIDevice(r, device.PCI, claimRef(r.claim, "pci"))
		}
	}
}

// claimedModel is how a mediated device of a claim is driven. On s390x host devices are
// crypto domains; those of device plugins are not told apart and stay PCI, as upstream.
func (s *state) claimedModel(r *request) string {
	if s.s390x() && !r.gpu {
		return vfioAP
	}
	return vfioPCI
}

// claimRef is where the context says what a request of a claim was given.
func claimRef(c *v1.ClaimRequest, attribute string) ref {
	return factOf(resourceClaimsFact, c.ClaimName, c.RequestName+"."+attribute)
}

// claimedDevice is what a request of a claim was given. where and name are of the device
// that asks.
func (s *state) claimedDevice(c *v1.ClaimRequest, where ref, name string) (ClaimedDevice, bool) {
	if c.ClaimName == "" || c.RequestName == "" {
		s.refuse(where, c.ClaimName+"/"+c.RequestName, "device "+name+" needs both claimName and requestName of a resource claim")
		return ClaimedDevice{}, false
	}
	device := s.ctx.ResourceClaims[c.ClaimName][c.RequestName]
	if device == (ClaimedDevice{}) {
		s.refuse(factOf(resourceClaimsFact, c.ClaimName, c.RequestName), "", "request "+c.RequestName+" of claim "+c.ClaimName+
			" has no device for "+name+", want its pci address or its mdev UUID")
		return device, false
	}
	return device, true
}

// claimedFunction is the virtual function that a network's claim was given.
func (s *state) claimedFunction(network *v1.Network) (*libvirtxml.DomainAddressPCI, ref) {
	c := network.ResourceClaim
	source := claimRef(c, "pci")
	device, known := s.claimedDevice(c, field("spec.networks"), network.Name)
	switch {
	case !known:
		return nil, source
	case device.PCI == "":
		s.refuse(source, "", "the NIC of network "+network.Name+" is a PCI device, want its address on the host")
		return nil, source
	}
	return s.hostPCIAddress(device.PCI, source), source
}
