package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

const sriovFact = "sriov"

// sriovDevices adds the NICs that are virtual functions of a card of the host (network.md
// 10): first those whose function the network plugin chose, then those of resource claims.
func (s *state) sriovDevices() {
	nics := s.vmi.Spec.Domain.Devices.Interfaces
	for claimed := range 2 {
		for i := range nics {
			nic := &nics[i]
			if nic.SRIOV == nil || nic.State == v1.InterfaceStateAbsent {
				continue
			}
			network := s.networkOf(nic.Name)
			if network != nil && (network.ResourceClaim != nil) == (claimed == 1) {
				s.addSRIOV(i, network)
			}
		}
	}
}

// addSRIOV adds the i-th NIC. Its MAC address is set on the function itself; model, queues
// and link state are the hardware's. The index told by firmware is kept, which upstream
// drops.
func (s *state) addSRIOV(i int, network *v1.Network) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	address, source := s.sriovAddress(i, network)
	d := s.device("hostdev", len(s.dom.Devices.Hostdevs))
	device := pciHostDevice(address)
	device.Alias = s.alias(sriovPrefix, nic.Name, fieldAt(nicList, i, "name"), d)
	if nic.PciAddress != "" {
		device.Address = s.guestPCIAddress(fieldAt(nicList, i, "pciAddress"), nic.PciAddress, d)
	}
	device.Boot = s.bootOrder(fieldAt(nicList, i, "bootOrder"), nic.BootOrder, d)
	device.ACPI = s.nicACPIIndex(i, d)
	s.dom.Devices.Hostdevs = append(s.dom.Devices.Hostdevs, device)
	if d.on() {
		d.policy("", "the virtual function is handed to the guest as the pod was given it", fieldAt(nicList, i, "sriov"))
		d.policy("@managed", unmanagedReason, fieldAt(nicList, i, "sriov"))
		d.because("source", "the virtual function the pod was given for this network", source)
	}
}

// sriovAddress is the host address of the i-th NIC's virtual function, and where it stands.
func (s *state) sriovAddress(i int, network *v1.Network) (*libvirtxml.DomainAddressPCI, ref) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	if network.ResourceClaim != nil {
		return s.claimedFunction(network)
	}
	source := factOf(sriovFact, nic.Name, "")
	address, known := s.ctx.SRIOV[nic.Name]
	if !known {
		s.refuse(source, "", "the virtual function of SR-IOV interface "+nic.Name+" is not known, want its PCI address on the host")
		return nil, source
	}
	return s.hostPCIAddress(address, source), source
}
