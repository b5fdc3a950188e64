package convert

import "net"

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

// specMAC spells the MAC address of a NIC whose host side is not known (phase A): as the
// VMI writes it where libvirt can read that, which is with colons, otherwise as phase B
// would write it.
func specMAC(text string) (mac string, ok bool) {
	mac, ok = normalMAC(text)
	if ok && len(text) == len(mac) && text[2] == ':' {
		return text, true
	}
	return mac, ok
}
