package convert

import (
	"maps"
	"slices"

	v1 "kubevirt.io/api/core/v1"
)

// Doubts lists what is hardly meant and yet no reason to refuse: facts about things that
// the VMI does not have, which a typo makes of good ones, and a firmware that the VMI asks
// for and the context does not give. The domain is as it is with them; somebody should look.
func Doubts(vmi *v1.VirtualMachineInstance, ctx Context) []*FieldError {
	var list []*FieldError
	doubt := func(where ref, value any, reason string) { list = append(list, newFieldError(where, value, reason)) }

	volumes := positions(vmi.Spec.Volumes, func(v *v1.Volume) string { return v.Name })
	for _, name := range unknownNames(ctx.Volumes, volumes) {
		doubt(factOf("volumes", name, ""), nil, "the VMI has no volume of this name, so the fact changes nothing")
	}
	nics := positions(vmi.Spec.Domain.Devices.Interfaces, func(n *v1.Interface) string { return n.Name })
	for _, name := range unknownNames(ctx.SRIOV, nics) {
		doubt(factOf("sriov", name, ""), ctx.SRIOV[name], "the VMI has no interface of this name, so the fact changes nothing")
	}
	for _, name := range unknownNames(ctx.Network.Attachments, nics) {
		doubt(factOf("network.attachments", name, ""), ctx.Network.Attachments[name], "the VMI has no interface of this name, so the fact changes nothing")
	}
	firmware := vmi.Spec.Domain.Firmware
	if firmware == nil || firmware.Bootloader == nil || firmware.Bootloader.EFI == nil {
		return list
	}
	switch {
	case ctx.Firmware == nil:
		doubt(fact("firmware"), nil, "the VMI asks for EFI and nobody says which build the node has: the domain starts with the BIOS")
	case wantsSecureBoot(vmi) && ctx.Firmware.Code != "" && !ctx.Firmware.SecureLoader:
		doubt(fact("firmware.secureLoader"), false, "the VMI asks for secure boot, and the build does not insist on it")
	}
	return list
}

// unknownNames are the keys of facts that nothing in the VMI has as its name, sorted. The
// implied NIC of a VMI without any is called default.
func unknownNames[T any](facts map[string]T, known map[string]int) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		if _, ok := known[name]; !ok && name != v1.DefaultPodNetwork().Name {
			names = append(names, name)
		}
	}
	return names
}
