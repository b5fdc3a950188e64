package convert

import (
	"net"
	"slices"
	"strings"

	v1 "kubevirt.io/api/core/v1"
)

// What KubeVirt's admission refuses about NICs and networks, although it can be converted
// (network.md 13.2). What passt does not do is told here as well, as nothing else tells it.

const networkList = "spec.networks"

var gatePasstBinding = featureGate{name: "PasstBinding", beta: true}

// reservedMAC is the address of the bridge that masquerade puts into the pod.
const reservedMAC = "02:00:00:00:00:00"

// nicModels are the cards the API knows.
var nicModels = [...]string{"e1000", "e1000e", "igb", "ne2k_pci", "pcnet", "rtl8139", "virtio"}

func (s *state) admitNICs() {
	nics := s.vmi.Spec.Domain.Devices.Interfaces
	names := map[string]bool{}
	for i := range nics {
		where := fieldAt(nicList, i, "name")
		if names[nics[i].Name] {
			s.refuse(where, nics[i].Name, "want each name once")
		}
		names[nics[i].Name] = true
		if !isName(nics[i].Name, "-_") {
			s.refuse(where, nics[i].Name, "want letters, digits, - and _ alone")
		}
		s.admitBinding(i)
		s.admitState(i)
		s.admitPorts(i)
		s.admitPortRanges(i)
		s.admitDHCP(i)
		s.admitUnseen(i)
		if m := nics[i].Model; m != "" && !slices.Contains(nicModels[:], m) {
			s.refuse(fieldAt(nicList, i, "model"), m, "want "+strings.Join(nicModels[:], ", "))
		}
		if s.vmi.Spec.Domain.LaunchSecurity != nil && nics[i].BootOrder != nil {
			s.refuse(fieldAt(nicList, i, "bootOrder"), *nics[i].BootOrder, "a guest with launch security cannot boot from the network, want none")
		}
	}
}

// admitUnseen looks at what conversion does not look at, as no interface of the domain
// shows it: that of an SR-IOV NIC or of one whose plugin brings the device.
func (s *state) admitUnseen(i int) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	if nic.SRIOV == nil && (nic.Binding == nil || s.attachment(i) == tapAttachment) {
		return
	}
	if _, ok := normalMAC(nic.MacAddress); nic.MacAddress != "" && !ok {
		s.refuse(fieldAt(nicList, i, "macAddress"), nic.MacAddress, "want a unicast MAC address of six octets")
	}
	if nic.SRIOV != nil {
		return // its host device has the rest
	}
	if _, err := parsePCIAddress(nic.PciAddress); nic.PciAddress != "" && err != nil {
		s.refuse(fieldAt(nicList, i, "pciAddress"), nic.PciAddress, err.Error())
	}
	if nic.BootOrder != nil && *nic.BootOrder == 0 {
		s.refuse(fieldAt(nicList, i, "bootOrder"), *nic.BootOrder, "want an order from 1")
	}
}

// bindings are the ways to bind the i-th NIC that it names.
func (s *state) bindings(i int) (names []string) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	for _, b := range [...]struct {
		name string
		set  bool
	}{
		{"bridge", nic.Bridge != nil}, {"masquerade", nic.Masquerade != nil}, {"sriov", nic.SRIOV != nil},
		{"passtBinding", nic.PasstBinding != nil}, {"binding", nic.Binding != nil},
	} {
		if b.set {
			names = append(names, b.name)
		}
	}
	return names
}

func (s *state) admitBinding(i int) {
	nic, names := &s.vmi.Spec.Domain.Devices.Interfaces[i], s.bindings(i)
	if len(names) != 1 {
		s.refuse(fieldAt(nicList, i, ""), strings.Join(names, ", "), "want one of bridge, masquerade, sriov, passtBinding and binding")
	}
	network := s.networkOf(nic.Name)
	pod := network != nil && network.Pod != nil
	for _, name := range names {
		where := fieldAt(nicList, i, name)
		switch name {
		case "masquerade":
			if !pod {
				s.refuse(where, nil, "masquerade works on the pod network alone, want another binding")
			}
			if nic.MacAddress == reservedMAC {
				s.refuse(fieldAt(nicList, i, "macAddress"), nic.MacAddress, "the bridge inside the pod has this address, want another")
			}
		case "bridge":
			if c := s.ctx.Cluster.NetworkConfiguration; pod && c != nil && isFalse(c.PermitBridgeInterfaceOnPodNetwork) {
				s.refuse(where, nil, "the cluster does not allow bridges on the pod network, want another binding")
			}
		case "passtBinding":
			s.needs(gatePasstBinding, where)
			if !pod {
				s.refuse(where, nil, "passt works on the pod network alone, want another binding")
			}
		}
	}
}

func (s *state) admitState(i int) {
	nic, where := &s.vmi.Spec.Domain.Devices.Interfaces[i], fieldAt(nicList, i, "state")
	network := s.networkOf(nic.Name)
	switch nic.State {
	case "":
	case v1.InterfaceStateAbsent:
		if nic.Bridge == nil {
			s.refuse(where, nic.State, "only NICs on a bridge can be taken away, want bridge")
		}
		if network != nil && isPrimaryNetwork(network) {
			s.refuse(where, nic.State, "the NIC of the pod's own network cannot be taken away")
		}
	case v1.InterfaceStateLinkUp, v1.InterfaceStateLinkDown:
		if nic.SRIOV != nil {
			s.refuse(where, nic.State, "the link of an SR-IOV NIC cannot be set, want none")
		}
		if nic.PasstBinding != nil && nic.State == v1.InterfaceStateLinkDown {
			s.refuse(where, nic.State, "passt has no link to take down, so this does nothing")
		}
	default:
		s.refuse(where, nic.State, "want absent, up or down")
	}
}

func (s *state) admitPorts(i int) {
	ports := s.vmi.Spec.Domain.Devices.Interfaces[i].Ports
	list, names := fieldAt(nicList, i, "ports"), map[string]bool{}
	for j := range ports {
		p := &ports[j]
		if p.Port <= 0 || p.Port > maxPort {
			s.refuse(list.at(j, "port"), p.Port, "want a port from 1 to 65535")
		}
		s.admitProtocol(list.at(j, "protocol"), p.Protocol, true)
		if p.Name == "" {
			continue
		}
		if names[p.Name] {
			s.refuse(list.at(j, "name"), p.Name, "want each name once")
		}
		names[p.Name] = true
		if !dnsLabel(p.Name) {
			s.refuse(list.at(j, "name"), p.Name, "want a DNS label")
		}
	}
}

// admitProtocol takes TCP and UDP in capitals, and nothing where that means TCP.
func (s *state) admitProtocol(where ref, protocol string, optional bool) {
	if protocol != "TCP" && protocol != "UDP" && (protocol != "" || !optional) {
		s.refuse(where, protocol, "want TCP or UDP")
	}
}

const (
	maxPort       = 65535
	maxPortRanges = 10
)

func (s *state) admitPortRanges(i int) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	list := fieldAt(nicList, i, "portRanges")
	ranges := nic.PortRanges
	if len(ranges) == 0 {
		return
	}
	if len(nic.Ports) > 0 {
		s.refuse(list, len(ranges), "want ports or portRanges, not both")
	}
	if nic.Masquerade == nil {
		s.refuse(list, len(ranges), "only masquerade forwards ranges of ports, want masquerade")
	}
	if len(ranges) > maxPortRanges {
		s.refuse(list, len(ranges), "want at most 10")
		return
	}
	for j := range ranges {
		r := &ranges[j]
		s.admitProtocol(list.at(j, "protocol"), r.Protocol, false)
		if r.Start <= 0 || r.End > maxPort || r.Start > r.End {
			s.refusef(list.at(j, "start"), r.Start, "a range that ends at %d, want ports from 1 to 65535 in ascending order", r.End)
		}
		for k := range j {
			if o := &ranges[k]; o.Protocol == r.Protocol && o.Start <= r.End && r.Start <= o.End {
				s.refusef(list.at(j, "start"), r.Start, "the range overlaps another, from %d to %d", o.Start, o.End)
			}
		}
	}
}

// DHCP leaves these options to private use.
const (
	firstPrivateOption = 224
	lastPrivateOption  = 254
)

func (s *state) admitDHCP(i int) {
	o := s.vmi.Spec.Domain.Devices.Interfaces[i].DHCPOptions
	if o == nil {
		return
	}
	seen := map[int]bool{}
	options := fieldAt(nicList, i, "dhcpOptions.privateOptions")
	for j, p := range o.PrivateOptions {
		if p.Option < firstPrivateOption || p.Option > lastPrivateOption || seen[p.Option] {
			s.refuse(options.at(j, "option"), p.Option, "want each of 224 to 254 at most once")
		}
		seen[p.Option] = true
	}
	servers := fieldAt(nicList, i, "dhcpOptions.ntpServers")
	for j, text := range o.NTPServers {
		if ip := net.ParseIP(text); ip == nil || ip.To4() == nil {
			s.refuse(servers.at(j, ""), text, "want an IPv4 address")
		}
	}
}

func (s *state) admitNetworks() {
	networks, nics := s.vmi.Spec.Networks, s.vmi.Spec.Domain.Devices.Interfaces
	nicAt := positions(nics, func(nic *v1.Interface) string { return nic.Name })
	names, requests := map[string]bool{}, map[v1.ClaimRequest]string{}
	primary, multus := "", ""
	for i := range networks {
		if networks[i].Multus != nil {
			multus = networks[i].Name
		}
	}
	for i := range networks {
		n, where := &networks[i], fieldAt(networkList, i, "name")
		if names[n.Name] {
			s.refuse(where, n.Name, "want each name once")
		}
		names[n.Name] = true
		s.admitNetwork(i)
		at := positionOf(nicAt, n.Name)
		if at < 0 {
			s.refuse(where, n.Name, "no interface of that name, want one in "+nicList)
		}
		if n.ResourceClaim != nil {
			s.admitClaimedNetwork(i, at, multus, requests)
		}
		if !isPrimaryNetwork(n) {
			continue
		}
		if primary != "" {
			s.refuse(where, n.Name, "network "+primary+" is the pod's own already, want one pod or default multus network")
		}
		primary = n.Name
	}
}

func (s *state) admitNetwork(i int) {
	n := &s.vmi.Spec.Networks[i]
	kinds := 0
	for _, set := range [...]bool{n.Pod != nil, n.Multus != nil, n.ResourceClaim != nil} {
		if set {
			kinds++
		}
	}
	if kinds != 1 {
		s.refuse(fieldAt(networkList, i, ""), n.Name, "want one of pod, multus and resourceClaim")
	}
	if n.Multus != nil && n.Multus.NetworkName == "" {
		s.refuse(fieldAt(networkList, i, "multus.networkName"), "", "want the name of a network attachment definition")
	}
}

// admitClaimedNetwork looks at a network that a resource claim brings. nic is the position
// of its NIC, or -1; multus is the name of a multus network, or empty; requests are those of
// the networks before it.
func (s *state) admitClaimedNetwork(i, nic int, multus string, requests map[v1.ClaimRequest]string) {
	n, where := &s.vmi.Spec.Networks[i], fieldAt(networkList, i, "resourceClaim")
	if multus != "" {
		s.refuse(where, n.Name, "network "+multus+" is a multus one, want networks of resource claims or of multus, not both")
	}
	if other, taken := requests[*n.ResourceClaim]; taken {
		s.refuse(where, n.Name, "network "+other+" takes the same request, want another")
	}
	requests[*n.ResourceClaim] = n.Name
	if nics := s.vmi.Spec.Domain.Devices.Interfaces; nic >= 0 && nics[nic].SRIOV == nil && nics[nic].Binding == nil {
		s.refuse(fieldAt(nicList, nic, ""), n.Name, "the network is of a resource claim, want sriov or binding")
	}
	s.admitClaim(where, n.ResourceClaim)
}
