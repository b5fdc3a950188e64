package convert

import "libvirt.org/go/libvirtxml"

// virtiofsQueue is the length of the request queue of a shared file system.
const virtiofsQueue = 1024

// filesystems shares folders of the pod with the guest (storage.md 15.1). What is
// shared is the business of the process behind the socket. KubeVirt writes accessMode and
// an empty dir, which libvirt ignores; here it is libvirt's spelling.
func (s *state) filesystems() {
	shared := s.vmi.Spec.Domain.Devices.Filesystems
	for i := range shared {
		if shared[i].Virtiofs != nil {
			s.filesystem(i, shared[i].Name)
		}
	}
}

func (s *state) filesystem(i int, name string) {
	from := fieldAt(filesystemsField, i, "name")
	socket, ok := s.layout().VirtiofsSocket(name)
	if !ok {
		s.refuse(from, name, "want a name that can be part of a path")
		return
	}
	why := s.device("filesystem", len(s.dom.Devices.Filesystems))
	s.dom.Devices.Filesystems = append(s.dom.Devices.Filesystems, libvirtxml.DomainFilesystem{
		AccessMode: "passthrough",
		Driver:     &libvirtxml.DomainFilesystemDriver{Type: "virtiofs", Queue: virtiofsQueue},
		Source:     &libvirtxml.DomainFilesystemSource{Mount: &libvirtxml.DomainFilesystemSourceMount{Socket: socket}},
		Target:     &libvirtxml.DomainFilesystemTarget{Dir: name},
	})
	virtiofs := fieldAt(filesystemsField, i, "virtiofs")
	why.policy("", "how virtiofs shares a folder of the pod", virtiofs, from)
	why.because("source/@socket", "where the process that serves the folder listens, by name", from)
	why.because("target/@dir", "the tag by which the guest mounts it", from)
}
