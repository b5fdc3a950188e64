package convert

import v1 "kubevirt.io/api/core/v1"

// bootOrders refuses two devices of one boot order, which libvirt does not start. Gaps are
// left as they are. Devices that are not in the domain do not count.
func (s *state) bootOrders() {
	nics, disks := s.vmi.Spec.Domain.Devices.Interfaces, s.vmi.Spec.Domain.Devices.Disks
	var seen []bootDevice
	for _, i := range s.storage().emitted {
		seen = s.bootDevice(seen, disks[i].BootOrder, "disk "+disks[i].Name, fieldAt(disksField, i, "bootOrder"))
	}
	for i := range nics {
		if nics[i].State != v1.InterfaceStateAbsent {
			seen = s.bootDevice(seen, nics[i].BootOrder, "interface "+nics[i].Name, fieldAt(nicList, i, "bootOrder"))
		}
	}
}

// bootDevice is a device the guest may boot from.
type bootDevice struct {
	order uint
	name  string
}

func (s *state) bootDevice(seen []bootDevice, order *uint, name string, where ref) []bootDevice {
	if order == nil || *order == 0 { // 0 is refused with the device
		return seen
	}
	for i := range seen {
		if seen[i].order == *order {
			s.refuse(where, *order, name+" and "+seen[i].name+" have the same boot order, want each once")
			return seen
		}
	}
	return append(seen, bootDevice{*order, name})
}
