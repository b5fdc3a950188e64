package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// Interface converts vmi as VMI does and returns the interface of that name, for attaching
// it to the running domain (network.md 13.1). NICs of SR-IOV are host devices, and those
// that a plugin brings are none of the domain's: asking for one is a FieldError.
func Interface(vmi *v1.VirtualMachineInstance, ctx Context, name string) (*libvirtxml.DomainInterface, error) {
	r, err := VMI(vmi, ctx)
	if err != nil {
		return nil, err
	}
	list := r.Domain.Devices.Interfaces
	for i := range list {
		if list[i].Alias.Name == userAlias+name {
			return &list[i], nil
		}
	}
	return nil, newFieldError(field(nicList), name, "no interface of this name becomes an interface of the domain")
}

// HostDevice converts vmi as VMI does and returns the host device of that alias without
// its leading "ua-", for attaching it to the running domain (network.md 10.4): "sriov-NAME"
// of an SR-IOV NIC, "gpu-NAME", "hostdevice-NAME", "usb-host-NAME", "dra-gpu-NAME",
// "dra-hostdevice-NAME".
func HostDevice(vmi *v1.VirtualMachineInstance, ctx Context, alias string) (*libvirtxml.DomainHostdev, error) {
	r, err := VMI(vmi, ctx)
	if err != nil {
		return nil, err
	}
	list := r.Domain.Devices.Hostdevs
	for i := range list {
		if list[i].Alias.Name == userAlias+alias {
			return &list[i], nil
		}
	}
	return nil, newFieldError(field("spec.domain.devices"), alias, "no host device of the domain has this alias, want one such as sriov-NAME or gpu-NAME")
}
