package convert

import (
	"strings"

	v1 "kubevirt.io/api/core/v1"
)

// Tap is the tap device that a NIC opens when its guest starts. It has to be in the pod
// before that.
type Tap struct {
	Name   string
	Queues uint // with which it is made; the guest must open as many
}

// TapOf says which tap a NIC of vmi needs, from the VMI and the attachments of ctx alone
// (network.md 5, 7.2). A NIC that the running domain has already keeps the queues it has
// there, so that the tap fits the domain that arrives by migration, whatever the VMI asks
// for by now. A NIC that sits on no tap is a FieldError.
func TapOf(vmi *v1.VirtualMachineInstance, ctx Context, name string) (Tap, error) {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return Tap{}, err
	}
	for i := range s.vmi.Spec.Domain.Devices.Interfaces {
		if s.vmi.Spec.Domain.Devices.Interfaces[i].Name == name {
			return s.tapOf(i)
		}
	}
	return Tap{}, newFieldError(field(nicList), name, "no interface of this name")
}

func (s *state) tapOf(i int) (Tap, error) {
	s.problems = nil // those of the rest of the VMI do not matter here
	name := s.vmi.Spec.Domain.Devices.Interfaces[i].Name
	if s.decideNIC(i) != tapNIC {
		if len(s.problems) > 0 {
			return Tap{}, s.problems[0]
		}
		return Tap{}, newFieldError(fieldAt(nicList, i, "name"), name, "the interface sits on no tap")
	}
	link := s.likelyLink(s.networkOf(name))
	if link == "" {
		return Tap{}, newFieldError(fieldAt(nicList, i, "name"), name, "the interface's network has no link in the pod, want a pod or multus network")
	}
	tap, err := tapName(link, isPrimaryNetwork(s.networkOf(name)))
	if err != nil {
		return Tap{}, newFieldError(fieldAt(nicList, i, "name"), name, err.Error())
	}
	return Tap{Name: tap, Queues: s.tapQueues(i)}, nil
}

// likelyLink is the pod's link of a network by the scheme that the pod seems to use.
func (s *state) likelyLink(n *v1.Network) string {
	names := s.podLinkNames(n)
	switch {
	case names == nil:
		return ""
	case !isPrimaryNetwork(n) && s.usesOrdinalLinks():
		return names[1]
	}
	return names[0]
}

// tapQueues is the number of queues the tap of the i-th NIC is made with.
func (s *state) tapQueues(i int) uint {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	if !isVirtioNIC(nic) {
		return 1
	}
	status, _ := s.nicStatus(nic.Name)
	if status != nil && hasSource(status, "domain") && status.QueueCount > 0 {
		return uint(status.QueueCount)
	}
	return max(s.nicQueues(), 1)
}

// hasSource tells whether something is known of a NIC from that source.
func hasSource(status *v1.VirtualMachineInstanceNetworkInterface, source string) bool {
	for _, s := range strings.Split(status.InfoSource, ", ") {
		if s == source {
			return true
		}
	}
	return false
}
