package convert

import (
	"strings"

	"libvirt.org/go/libvirtxml"
)

// identity names the domain (compute.md 6). The uid in the metadata stays empty:
// KubeVirt keeps it in the launcher's memory.
func (s *state) identity() {
	meta := &s.vmi.ObjectMeta
	switch {
	case meta.Name == "":
		s.refuse(field("metadata.name"), "", "is missing; the domain is called after it")
	case !plainName(meta.Name):
		s.refuse(field("metadata.name"), meta.Name, "want a plain name; files of the guest are called after it")
	}
	if !plainName(meta.Namespace) {
		s.refuse(field("metadata.namespace"), meta.Namespace, "want a plain name; files of the guest are called after it")
	}
	s.dom.Name = meta.Namespace + "_" + meta.Name
	s.dom.Metadata = &libvirtxml.DomainMetadata{XML: `<kubevirt xmlns="http://kubevirt.io"><uid></uid></kubevirt>`}
	d := s.part("")
	d.because("name", "namespace and name of the VMI, which libvirt must not see twice", field("metadata.namespace"), field("metadata.name"))
	d.policy("metadata", "marks the domain as one of KubeVirt's; the launcher keeps the uid itself")
}

// plainName says whether a name can be one component of a path.
func plainName(name string) bool {
	return name != "." && name != ".." && !strings.ContainsAny(name, "/\x00")
}
