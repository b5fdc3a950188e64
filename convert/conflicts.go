package convert

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// wish is something a device asks for that only one device can have.
type wish struct {
	key        string // equal for equal wishes
	value      string // as the VMI has it
	kind, name string // of the device
	where      ref
}

// conflicts refuses two devices of one boot order, one place on the guest's PCI bus or one
// index told by firmware; libvirt would not start such a domain. Gaps in the boot order are
// left as they are. Devices that are not in the domain do not count.
func (s *state) conflicts() {
	var orders, places, indexes []wish
	disks := s.vmi.Spec.Domain.Devices.Disks
	for _, i := range s.storage().emitted {
		orders = wishOrder(orders, disks[i].BootOrder, "disk", disks[i].Name, fieldAt(disksField, i, "bootOrder"))
		if disk := disks[i].Disk; disk != nil {
			places = wishPlace(places, disk.PciAddress, "disk", disks[i].Name, fieldAt(disksField, i, "disk.pciAddress"))
		}
	}
	nics := s.vmi.Spec.Domain.Devices.Interfaces
	for i := range nics {
		nic := &nics[i]
		if s.nics[i] == noNIC {
			continue
		}
		orders = wishOrder(orders, nic.BootOrder, "interface", nic.Name, fieldAt(nicList, i, "bootOrder"))
		places = wishPlace(places, nic.PciAddress, "interface", nic.Name, fieldAt(nicList, i, "pciAddress"))
		if nic.ACPIIndex > 0 {
			index := strconv.Itoa(nic.ACPIIndex)
			indexes = append(indexes, wish{index, index, "interface", nic.Name, fieldAt(nicList, i, "acpiIndex")})
		}
	}
	s.refuseConflicts(orders, "boot order")
	s.refuseConflicts(places, "PCI address")
	s.refuseConflicts(indexes, "ACPI index")
}

// wishOrder adds the boot order of a device, if it has one; 0 is refused with the device.
func wishOrder(orders []wish, order *uint, kind, name string, where ref) []wish {
	if order == nil || *order == 0 {
		return orders
	}
	text := strconv.FormatUint(uint64(*order), 10)
	return append(orders, wish{text, text, kind, name, where})
}

func wishPlace(places []wish, address, kind, name string, where ref) []wish {
	if address == "" {
		return places
	}
	return append(places, wish{strings.ToLower(address), address, kind, name, where})
}

// refuseConflicts refuses every wish but the first of equal ones.
func (s *state) refuseConflicts(wishes []wish, what string) {
	if len(wishes) < 2 {
		return
	}
	slices.SortStableFunc(wishes, func(a, b wish) int { return cmp.Compare(a.key, b.key) })
	first := 0
	for i := 1; i < len(wishes); i++ {
		if wishes[i].key != wishes[first].key {
			first = i
			continue
		}
		a, b := &wishes[i], &wishes[first]
		s.refuse(a.where, a.value, a.kind+" "+a.name+" and "+b.kind+" "+b.name+" have the same "+what+", want each once")
	}
}
