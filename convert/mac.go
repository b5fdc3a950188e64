package convert

import (
	"net"
	"regexp"
)

// libvirtMAC is the only spelling of a unicast MAC address libvirt reads: colons, and an
// even first octet.
var libvirtMAC = regexp.MustCompile(`^[0-9A-Fa-f][02468ACEace](:[0-9A-Fa-f]{2}){5}$`)

// normalMAC spells a MAC address as phase B does: lower case, colons. It takes every
// spelling the API takes (colons, dashes, dots) and refuses what is no unicast Ethernet
// address of six octets.
func normalMAC(text string) (mac string, ok bool) {
	hw, err := net.ParseMAC(text)
	if err != nil || len(hw) != 6 || hw[0]&1 != 0 {
		return "", false
	}
	return hw.String(), true
}

// specMAC spells the MAC address of an interface whose host side is not known (phase A): as
// the VMI writes it where libvirt can read that, otherwise as phase B would write it.
func specMAC(text string) (mac string, ok bool) {
	if libvirtMAC.MatchString(text) {
		return text, true
	}
	return normalMAC(text)
}
