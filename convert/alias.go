package convert

import "libvirt.org/go/libvirtxml"

// userAlias marks an alias as given by the user; libvirt keeps only such ones.
const userAlias = "ua-"

// alias is the name under which a device of the VMI is found in the domain: the name it
// has in the VMI behind a prefix that tells its kind. libvirt knows no alias with other
// characters.
func (s *state) alias(prefix, name string, where ref, d element) *libvirtxml.DomainAlias {
	if name != "" && !isName(name, "-_.") {
		s.refuse(where, name, "the device is found by this name, want letters, digits, -, _ and . alone")
	}
	d.because("alias", "the name of the device in the VMI", where)
	return &libvirtxml.DomainAlias{Name: userAlias + prefix + name}
}
