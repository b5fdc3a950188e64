package convert

import (
	"strconv"

	"libvirt.org/go/libvirtxml"
)

// firstGuestCID is the lowest context id a guest can have.
const firstGuestCID = 3

// vsock adds the socket to the host under the context id that the controller has chosen
// (compute.md 20.5). The model is that of PCI on every architecture, s390x included,
// where libvirt refuses it; upstream does the same.
func (s *state) vsock() {
	cid := s.vmi.Status.VSOCKCID
	if cid == nil {
		return
	}
	if *cid < firstGuestCID {
		s.refuse(field("status.VSOCKCID"), *cid, "the host keeps the ids below 3 to itself, want 3 or more")
	}
	s.dom.Devices.VSock = &libvirtxml.DomainVSock{
		Model: "virtio-non-transitional",
		CID:   &libvirtxml.DomainVSockCID{Auto: "no", Address: strconv.FormatUint(uint64(*cid), 10)},
	}
	d := s.device("vsock", 0)
	d.policy("", "the id is chosen for the whole cluster, so the host must not choose", field("status.VSOCKCID"))
	d.because("cid/@address", "the id chosen for this VMI", field("status.VSOCKCID"))
}
