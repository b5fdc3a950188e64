package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// tapLink fills in what the pod's links say about a NIC on a tap: its tap, its MTU and,
// where the VMI asks for none, its MAC address (network.md 7).
func (s *state) tapLink(i int, x *libvirtxml.DomainInterface, d element) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	s.tapMAC(i, nic.MacAddress, normalMAC, x, d)
	name := s.podLink(i)
	if name == "" {
		return
	}
	link := s.ctx.Network.Links[name]
	s.linkMAC(name, link, x, d)
	if link.MTU > maxMTU {
		s.refuse(factOf(linkFacts, name, "mtu"), link.MTU, "want at most 65535")
	}
	if link.MTU > 0 {
		x.MTU = &libvirtxml.DomainInterfaceMTU{Size: link.MTU}
		d.because("mtu", "the MTU of the pod's link", factOf(linkFacts, name, "mtu"))
	}
	s.tapTarget(nic.Name, name, x, d)
}

const (
	linkFacts = "network.links"
	maxMTU    = 65535
)

// linkMAC gives the guest the address of the pod's link, unless it has one.
func (s *state) linkMAC(name string, link LinkFacts, x *libvirtxml.DomainInterface, d element) {
	if x.MAC != nil || link.MAC == "" {
		return
	}
	mac, ok := normalMAC(link.MAC)
	if !ok {
		s.refuse(factOf(linkFacts, name, "mac"), link.MAC, "want the unicast MAC address of an Ethernet link, six octets")
	}
	x.MAC = &libvirtxml.DomainInterfaceMAC{Address: mac}
	d.because("mac", "the address of the pod's link, which the network expects to hear from", factOf(linkFacts, name, "mac"))
}

// tapTarget names the tap. A plugin's CNI may have made the pod's link a tap itself;
// there is then none beside it.
func (s *state) tapTarget(network, link string, x *libvirtxml.DomainInterface, d element) {
	tap, err := tapName(link, isPrimaryNetwork(s.networkOf(network)))
	if err != nil {
		s.refuse(factOf(linkFacts, link, ""), link, err.Error())
		return
	}
	reason := "the tap behind the pod's link of that network"
	if _, exists := s.ctx.Network.Links[tap]; !exists {
		tap, reason = link, "the pod's link of that network is a tap itself"
	}
	x.Target = &libvirtxml.DomainInterfaceTarget{Dev: tap, Managed: "no"}
	if d.on() {
		d.because("target/@dev", reason, factOf(linkFacts, tap, ""), factOf(linkFacts, link, ""))
		d.policy("target/@managed", "the tap is there already and must not be made anew", factOf(linkFacts, link, ""))
	}
}

// podLink is the pod's link of the i-th NIC's network: the first of its possible names
// that is there. Having none is refused; upstream's launcher crashes.
func (s *state) podLink(i int) string {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	names := s.podLinkNames(s.networkOf(nic.Name))
	for _, name := range names {
		if _, exists := s.ctx.Network.Links[name]; exists && isLinkName(name) {
			return name
		}
	}
	if names == nil {
		s.refuse(fieldAt(nicList, i, "name"), nic.Name, "the network of a NIC on a tap has a link in the pod, want a pod or multus network")
		return ""
	}
	s.refuse(factOf(linkFacts, names[0], ""), "", "network "+nic.Name+" has no link in the pod, want this one"+orElse(names[1:]))
	return ""
}

// isLinkName tells whether libvirt takes text as the name of a link.
func isLinkName(text string) bool { return isName(text, "-_.:") }

func orElse(names []string) (text string) {
	for _, name := range names {
		text += " or " + name
	}
	return text
}

// podLinkNames are the names the pod's link of a network can have, the likeliest first;
// none for a network that has no link.
func (s *state) podLinkNames(n *v1.Network) []string {
	switch {
	case isPrimaryNetwork(n):
		if status, _ := s.nicStatus(n.Name); status != nil && status.PodInterfaceName != "" {
			return []string{status.PodInterfaceName}
		}
		return []string{primaryPodLink}
	case n.Multus != nil:
		return []string{hashedPodLink(n.Name), ordinalPodLink(s.vmi.Spec.Networks, n.Name)}
	}
	return nil
}

// nicStatus is what is known of a NIC at run time, and where it stands; nil and -1 if
// nothing is.
func (s *state) nicStatus(name string) (*v1.VirtualMachineInstanceNetworkInterface, int) {
	list := s.vmi.Status.Interfaces
	if len(list) > fewNames {
		if s.statusAt == nil {
			s.statusAt = positions(list, func(n *v1.VirtualMachineInstanceNetworkInterface) string { return n.Name })
		}
		if i, found := s.statusAt[name]; found {
			return &list[i], i
		}
		return nil, -1
	}
	for i := range list {
		if list[i].Name == name {
			return &list[i], i
		}
	}
	return nil, -1
}
