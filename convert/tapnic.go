package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// tap fills in what NICs on a tap have beside what all have (network.md 3).
func (s *state) tap(i int, x *libvirtxml.DomainInterface, d element) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	x.Source = &libvirtxml.DomainInterfaceSource{Ethernet: &libvirtxml.DomainInterfaceSourceEthernet{}}
	if d.on() {
		d.because("@type", "the NIC sits on a tap that exists before the guest does", s.attachmentRefs(i)...)
	}
	s.tapROM(i, x, d)
	if nic.State == v1.InterfaceStateLinkDown {
		x.Link = &libvirtxml.DomainInterfaceLink{State: "down"}
		d.because("link", "the link is asked to be down", fieldAt(nicList, i, "state"))
	}
	if s.ctx.Network.Links != nil {
		s.tapLink(i, x, d)
		return
	}
	s.tapMAC(i, nic.MacAddress, specMAC, x, d)
	s.openLink(x, d)
}

// openLink notes what the pod's links would settle.
func (s *state) openLink(x *libvirtxml.DomainInterface, d element) {
	if !d.on() {
		return
	}
	d.unknown("target/@dev", "the tap that the NIC sits on", fact(linkFacts))
	d.unknown("mtu/@size", "the MTU of the pod's link", fact(linkFacts))
	if x.MAC == nil {
		d.unknown("mac/@address", "the address of the pod's link; without it libvirt invents one", fact(linkFacts))
	}
}

// attachmentRefs are the places that put the i-th NIC on a tap.
func (s *state) attachmentRefs(i int) []ref {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	refs := []ref{factOf("network.attachments", nic.Name, "")}
	switch {
	case nic.Masquerade != nil:
		refs = append(refs, fieldAt(nicList, i, "masquerade"))
	case nic.Bridge != nil:
		refs = append(refs, fieldAt(nicList, i, "bridge"))
	case nic.Binding != nil:
		refs = append(refs, fieldAt(nicList, i, "binding.name"),
			factOf("cluster.network.binding", nic.Binding.Name, "domainAttachmentType"))
	}
	return refs
}

// tapROM keeps the boot ROM from NICs that take no part in booting, and from all NICs of
// guests whose memory is encrypted. s390x has no such ROM.
func (s *state) tapROM(i int, x *libvirtxml.DomainInterface, d element) {
	encrypted := s.sev() || s.secureExecution()
	order := s.vmi.Spec.Domain.Devices.Interfaces[i].BootOrder
	if s.s390x() || order != nil && !encrypted {
		return
	}
	x.ROM = &libvirtxml.DomainROM{Enabled: "no"}
	if encrypted {
		d.because("rom", "the boot ROM cannot work on encrypted memory",
			field("spec.domain.launchSecurity"), fieldAt(nicList, i, "bootOrder"))
		return
	}
	d.because("rom", "the NIC takes no part in booting, so its boot ROM stays out", fieldAt(nicList, i, "bootOrder"))
}

// tapMAC sets the address the VMI asks for, in the spelling that spell gives it.
func (s *state) tapMAC(i int, mac string, spell func(string) (string, bool), x *libvirtxml.DomainInterface, d element) {
	if mac == "" {
		return
	}
	text, ok := spell(mac)
	if !ok {
		s.refuse(fieldAt(nicList, i, "macAddress"), mac, "want the unicast MAC address of an Ethernet card, six octets")
	}
	x.MAC = &libvirtxml.DomainInterfaceMAC{Address: text}
	d.because("mac", "the MAC address asked for", fieldAt(nicList, i, "macAddress"), fact(linkFacts))
}
