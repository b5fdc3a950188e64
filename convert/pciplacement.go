package convert

// placeOnRootComplex asks for devices on the root complex itself.
const placeOnRootComplex = "kubevirt.io/placePCIDevicesOnRootComplex"

// pciPlacement places PCI devices that the VMI leaves to libvirt (compute.md 19): host
// devices near their NUMA node, then, where asked for, everything on the root complex.
// s390x has no PCI to place on.
func (s *state) pciPlacement() {
	if aliases := s.graceAliases(); len(aliases) > 0 {
		s.placeGrace(aliases)
		return
	}
	if !s.pci {
		return
	}
	if s.dedicatedCPUs() {
		s.placeByNUMA()
	}
	if s.onRootComplex() {
		s.placeOnRoot()
	}
}

// onRootComplex tells whether the VMI wants its devices on the root complex.
func (s *state) onRootComplex() bool { return s.vmi.Annotations[placeOnRootComplex] == "true" }
