package convert

import "libvirt.org/go/libvirtxml"

const (
	agentChannel           = "org.qemu.guest_agent.0"
	downwardMetricsChannel = "org.github.vhostmd.1"
)

// channels adds the guest agent's channel, which every guest has, and the one that
// carries the host's metrics (compute.md 20.10).
func (s *state) channels() {
	agent := &libvirtxml.DomainChardevSource{UNIX: &libvirtxml.DomainChardevSourceUNIX{}}
	s.channel(agentChannel, agent).policy("", "every guest may bring an agent; libvirt chooses the socket")
	if s.vmi.Spec.Domain.Devices.DownwardMetrics == nil {
		return
	}
	s.channel(downwardMetricsChannel, unixSocket(s.layout().DownwardMetricsSocket())).policy("",
		"the metrics of the host are served on this socket", field("spec.domain.devices.downwardMetrics"))
}

func (s *state) channel(name string, source *libvirtxml.DomainChardevSource) element {
	d := s.device("channel", len(s.dom.Devices.Channels))
	s.dom.Devices.Channels = append(s.dom.Devices.Channels, libvirtxml.DomainChannel{
		Source: source,
		Target: &libvirtxml.DomainChannelTarget{VirtIO: &libvirtxml.DomainChannelTargetVirtIO{Name: name}},
	})
	return d
}
