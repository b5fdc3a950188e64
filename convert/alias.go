package convert

import "libvirt.org/go/libvirtxml"

// userAlias marks an alias as given by the user; libvirt keeps only such ones.
const userAlias = "ua-"

// alias is the name under which a device of the VMI is found in the domain: the name it
// has in the VMI behind a prefix that tells its kind. libvirt knows no alias with other
// characters.
func (s *state) alias(prefix, name string, where ref, d element) *libvirtxml.DomainAlias {
	if !isAlias(name) {
		s.refuse(where, name, "the device is found by this name, want letters, digits, -, _ and . alone")
	}
	d.because("alias", "the name of the device in the VMI", where)
	return &libvirtxml.DomainAlias{Name: userAlias + prefix + name}
}

// isAlias tells whether libvirt takes text as part of an alias.
func isAlias(text string) bool {
	for i := range len(text) {
		if text[i] != '.' && !isWordByte(text[i]) {
			return false
		}
	}
	return true
}

// isWord tells whether text is a name of letters, digits, - and _, and not empty.
func isWord(text string) bool {
	for i := range len(text) {
		if !isWordByte(text[i]) {
			return false
		}
	}
	return text != ""
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}
