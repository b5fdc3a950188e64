package convert

import (
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

// usbRedirections is how many USB devices a client can lend to the guest at a time.
const usbRedirections = 4

// usbRedirection lets a client lend USB devices to the guest (compute.md 20.12). It does so
// on s390x as well, where no guest has a USB controller; upstream does the same.
func (s *state) usbRedirection() {
	if s.vmi.Spec.Domain.Devices.ClientPassthrough == nil {
		return
	}
	for i := range usbRedirections {
		d := s.device("redirdev", len(s.dom.Devices.RedirDevs))
		s.dom.Devices.RedirDevs = append(s.dom.Devices.RedirDevs, libvirtxml.DomainRedirDev{
			Bus:    "usb",
			Source: unixSocket(s.podFile(func(l pathmap.Layout) (string, bool) { return l.USBRedirSocket(i) })),
		})
		d.policy("", "a client can lend four USB devices at a time, each over a socket of its own",
			field("spec.domain.devices.clientPassthrough"))
		d.because("source/@path", podFileReason, field("metadata.uid"))
	}
}
