package convert

import (
	"fmt"
	"strconv"

	"libvirt.org/go/libvirtxml"
)

// pciAddressForm is what a PCI address in a VMI or a context looks like; every message
// about a malformed one names it.
const pciAddressForm = "DDDD:BB:SS.F (hexadecimal domain, bus and slot, function 0-7)"

// parsePCIAddress reads a PCI address written as DDDD:BB:SS.F (network.md 12.1): four, two
// and two hexadecimal digits and one digit from 0 to 7, nothing before and nothing after.
// Slots above 1f do not exist; libvirt refuses them, so they are refused here.
func parsePCIAddress(text string) (*libvirtxml.DomainAddressPCI, error) {
	if len(text) != len("0000:00:00.0") || text[4] != ':' || text[7] != ':' || text[10] != '.' {
		return nil, fmt.Errorf("want %s", pciAddressForm)
	}
	var parts [4]uint
	for i, digits := range []string{text[:4], text[5:7], text[8:10], text[11:]} {
		n, err := hexDigits(digits)
		if err != nil {
			return nil, fmt.Errorf("want %s", pciAddressForm)
		}
		parts[i] = n
	}
	if parts[3] > 7 {
		return nil, fmt.Errorf("function %d does not exist, want %s", parts[3], pciAddressForm)
	}
	if parts[2] > maxPCISlot {
		return nil, fmt.Errorf("slot 0x%02x does not exist, the last slot of a bus is 0x%02x", parts[2], maxPCISlot)
	}
	return pciAddress(parts[0], parts[1], parts[2], parts[3]), nil
}

// maxPCISlot is the last slot a PCI bus has.
const maxPCISlot = 0x1f

// hexDigits reads text that consists of hexadecimal digits alone. ParseUint would take a
// sign or an underscore under some bases; base 16 takes neither, but it is said here.
func hexDigits(text string) (uint, error) {
	n, err := strconv.ParseUint(text, 16, 16)
	return uint(n), err
}

// pciAddress is the libvirtxml form of a complete PCI address.
func pciAddress(domain, bus, slot, function uint) *libvirtxml.DomainAddressPCI {
	return &libvirtxml.DomainAddressPCI{Domain: &domain, Bus: &bus, Slot: &slot, Function: &function}
}

// guestPCIAddress reads the place on the guest's PCI bus that a device asks for.
func (s *state) guestPCIAddress(where ref, text string, d element) *libvirtxml.DomainAddress {
	address, err := parsePCIAddress(text)
	if err != nil {
		s.refuse(where, text, err.Error())
		return nil
	}
	d.because("address", "the PCI address asked for", where)
	return &libvirtxml.DomainAddress{PCI: address}
}
