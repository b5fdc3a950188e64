package convert

import (
	"strconv"
	"strings"

	"libvirt.org/go/libvirtxml"
)

// deviceKind is a kind of host device, in the order in which pools are asked.
type deviceKind int

const (
	pciDevice deviceKind = iota
	mediatedDevice
	usbDevice
)

// kindKeys are the kinds as the context spells them.
var kindKeys = [...]string{pciDevice: "pci", mediatedDevice: "mdev", usbDevice: "usb"}

// addressPool hands out the host addresses that device plugins have given to the pod,
// each once, even where two resources list it (compute.md 21.1).
type addressPool struct {
	facts map[string]HostAddresses
	kinds [usbDevice + 1]handedOut
}

// handedOut is what a pool has given away of one kind.
type handedOut struct {
	used map[string]bool // addresses
	next map[string]int  // by resource, the first address that may be free
}

// take hands out the next address of a resource and says where it stands.
func (p *addressPool) take(kind deviceKind, resource string) (address string, where ref, found bool) {
	list, out := p.facts[resource].of(kind), &p.kinds[kind]
	if len(list) == 0 {
		return "", ref{}, false
	}
	if out.used == nil {
		*out = handedOut{map[string]bool{}, map[string]int{}}
	}
	for i := out.next[resource]; i < len(list); i++ {
		if out.used[list[i]] {
			continue
		}
		out.used[list[i]] = true
		out.next[resource] = i + 1
		return list[i], factOf(hostDevicesFact, resource, kindKeys[kind]).at(i, ""), true
	}
	out.next[resource] = len(list)
	return "", ref{}, false
}

func (a HostAddresses) of(kind deviceKind) []string {
	switch kind {
	case pciDevice:
		return a.PCI
	case mediatedDevice:
		return a.MDev
	}
	return a.USB
}

// parseUSBAddress reads the bus and the device number of a USB device, BUS:DEVICE in
// decimal digits.
func parseUSBAddress(text string) (*libvirtxml.DomainAddressUSB, bool) {
	busText, deviceText, found := strings.Cut(text, ":")
	bus, busOK := decimal(busText)
	device, deviceOK := decimal(deviceText)
	if !found || !busOK || !deviceOK {
		return nil, false
	}
	return &libvirtxml.DomainAddressUSB{Bus: &bus, Device: &device}, true
}

// decimal reads a number of one to three digits.
func decimal(text string) (uint, bool) {
	n, err := strconv.ParseUint(text, 10, 16)
	return uint(n), err == nil && len(text) <= 3
}
