package convert

import "libvirt.org/go/libvirtxml"

// passt fills in what NICs served by passt have beside what all have (network.md 8).
//
// Deviations from upstream: such a NIC gets no queues (passt serves one pair), its boot
// order counts, and its MAC address is spelt as libvirt reads it. Its link state cannot be
// set, so state: down does nothing, as upstream.
func (s *state) passt(i int, x *libvirtxml.DomainInterface, d element) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	x.Source = &libvirtxml.DomainInterfaceSource{VHostUser: &libvirtxml.DomainInterfaceSourceVHostUser{Dev: s.passtLink(i, d)}}
	x.Backend = &libvirtxml.DomainInterfaceBackend{Type: "passt", LogFile: s.layout().PasstLog()}
	d.because("@type", "passt serves the NIC over vhost-user", fieldAt(nicList, i, "passtBinding"))
	d.policy("backend", "passt is what the binding asks for, and its log has a fixed place", fieldAt(nicList, i, "passtBinding"))
	s.tapMAC(i, nic.MacAddress, normalMAC, x, d)
	s.passtPorts(i, x, d)
}

// passtLink is the pod's link that passt takes the guest's addresses from.
func (s *state) passtLink(i int, d element) string {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	status, at := s.nicStatus(nic.Name)
	switch where := fieldAt("status.interfaces", at, "podInterfaceName"); {
	case status == nil:
		s.refuse(field("status.interfaces"), "", "passt needs the pod's link of interface "+nic.Name+
			", want an entry of that name with podInterfaceName")
		return ""
	case !isLinkName(status.PodInterfaceName):
		s.refuse(where, status.PodInterfaceName, "passt needs the pod's link of interface "+nic.Name+", want the link's name")
		return ""
	}
	d.because("source/@dev", "the pod's link of that network", fieldAt("status.interfaces", at, "podInterfaceName"))
	return status.PodInterfaceName
}

// passtPorts says which ports of the pod reach the guest.
func (s *state) passtPorts(i int, x *libvirtxml.DomainInterface, d element) {
	ports, problems := forwardedPorts(s.vmi.Spec.Domain.Devices.Interfaces[i].Ports)
	for _, p := range problems {
		s.refuse(fieldAt(nicList, i, "ports").at(p.index, p.field), p.value, p.reason)
	}
	istio := inIstioMesh(s.vmi.Annotations)
	x.PortForward = portForwards(ports, istio)
	if !d.on() {
		return
	}
	for f := range x.PortForward {
		s.passtPortCauses(i, x.PortForward[f].Proto, ports, d.child("portForward", f))
	}
}

func (s *state) passtPortCauses(i int, proto string, ports []forwardedPort, e element) {
	list := fieldAt(nicList, i, "ports")
	reason := "no port is named, so every port is forwarded"
	if len(ports) > 0 {
		reason = "ports are named, so they alone are forwarded"
	}
	e.because("@proto", reason, fieldAt(nicList, i, "passtBinding"), list)
	at := 0
	if proto == "tcp" && inIstioMesh(s.vmi.Annotations) {
		for ; at < len(istioPorts); at++ {
			e.child("range", at).because("", "the mesh's proxy listens on this port itself", annotation(istioInject))
		}
	}
	for _, p := range ports {
		if p.proto == proto {
			e.child("range", at).because("", "a port to forward", list.at(p.index, "port"))
			at++
		}
	}
}
