package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

const (
	hostDeviceList = "spec.domain.devices.hostDevices"
	gpuList        = "spec.domain.devices.gpus"

	hostDevicesFact    = "hostDevices"
	resourceClaimsFact = "resourceClaims"
)

// Prefixes of aliases tell the kinds of host devices apart.
const (
	hostDevicePrefix = "hostdevice-"
	gpuPrefix        = "gpu-"
	sriovPrefix      = "sriov-"
	usbPrefix        = "usb-host-"
	claimedPrefix    = "dra-hostdevice-"
	claimedGPUPrefix = "dra-gpu-"
)

// Models of mediated devices: how the guest drives them.
const (
	vfioPCI = "vfio-pci"
	vfioAP  = "vfio-ap"
)

// hostDevices adds the devices of the host that the guest drives itself (compute.md 21):
// generic ones, GPUs, then NICs; in each group those of device plugins (PCI, mediated,
// USB), then those of resource claims.
func (s *state) hostDevices() {
	devices := &s.vmi.Spec.Domain.Devices
	if len(devices.HostDevices) > 0 || len(devices.GPUs) > 0 {
		s.pooledDevices()
	}
	s.sriovDevices()
}

// request is a host device as the VMI asks for it.
type request struct {
	list  string // of the VMI
	index int
	name  string

	resource string           // of a device plugin, or
	claim    *v1.ClaimRequest // a resource claim

	gpu     bool
	display *v1.VGPUDisplayOptions

	mediated int // 1 + its place among the domain's host devices if it is a mediated one
}

func (r *request) where(rest string) ref { return fieldAt(r.list, r.index, rest) }

// asked is the place that asks for the device.
func (r *request) asked() ref {
	if r.claimed() {
		return r.where("requestName")
	}
	return r.where("deviceName")
}

// claimed tells whether a resource claim brings the device, not a device plugin.
func (r *request) claimed() bool { return r.resource == "" && r.claim != nil }

func (s *state) genericRequests() []request {
	list := s.vmi.Spec.Domain.Devices.HostDevices
	requests := make([]request, len(list))
	for i := range list {
		requests[i] = request{list: hostDeviceList, index: i, name: list[i].Name,
			resource: list[i].DeviceName, claim: list[i].ClaimRequest}
	}
	return requests
}

func (s *state) gpuRequests() []request {
	list := s.vmi.Spec.Domain.Devices.GPUs
	requests := make([]request, len(list))
	for i := range list {
		requests[i] = request{list: gpuList, index: i, name: list[i].Name,
			resource: list[i].DeviceName, claim: list[i].ClaimRequest, gpu: true}
		if o := list[i].VirtualGPUOptions; o != nil {
			requests[i].display = o.Display
		}
	}
	return requests
}

// pooledDevices adds all host devices but NICs. Generic devices and GPUs take from the same
// addresses; upstream lets each list take from a copy, so that a resource named in both
// gives one device to the guest twice.
func (s *state) pooledDevices() {
	pool := addressPool{facts: s.ctx.HostDevices}
	generic, gpus := s.genericRequests(), s.gpuRequests()
	s.pluginDevices(generic, &pool)
	s.claimedDevices(generic)
	s.pluginDevices(gpus, &pool)
	s.claimedDevices(gpus)
	s.defaultDisplay(gpus, false)
	s.defaultDisplay(gpus, true)
}

// pluginDevices adds the devices of one list that device plugins bring, by kind. Each must
// get exactly one address; upstream counts them all together, so that one device may get
// two and another none.
func (s *state) pluginDevices(requests []request, pool *addressPool) {
	taken := make([]bool, len(requests))
	for kind := pciDevice; kind <= usbDevice; kind++ {
		for i := range requests {
			r := &requests[i]
			if r.claimed() || kind == usbDevice && r.gpu {
				continue
			}
			address, where, found := pool.take(kind, r.resource)
			switch {
			case !found:
			case taken[i]:
				s.refuse(r.where("deviceName"), r.resource, "the resource has devices of several kinds, want one kind")
			default:
				taken[i] = true
				s.addHostDevice(r, kind, address, where)
			}
		}
	}
	for i := range requests {
		if r := &requests[i]; !r.claimed() && !taken[i] {
			s.refuse(r.where("deviceName"), r.resource,
				"the pod was given no device of this resource for "+r.name+", want one address for each device in context.hostDevices")
		}
	}
}

// addHostDevice adds the device at an address of the host, which stands at source.
func (s *state) addHostDevice(r *request, kind deviceKind, address string, source ref) {
	switch kind {
	case pciDevice:
		s.addPCIDevice(r, address, source)
	case mediatedDevice:
		s.addMediatedDevice(r, address, vfioPCI, source)
	case usbDevice:
		s.addUSBDevice(r, address, source)
	}
}

// prefix begins the alias of a PCI or mediated device.
func (r *request) prefix() string {
	switch {
	case r.gpu && r.claimed():
		return claimedGPUPrefix
	case r.gpu:
		return gpuPrefix
	case r.claimed():
		return claimedPrefix
	}
	return hostDevicePrefix
}

func (s *state) addPCIDevice(r *request, address string, source ref) {
	d := s.device("hostdev", len(s.dom.Devices.Hostdevs))
	device := pciHostDevice(s.hostPCIAddress(address, source))
	s.pciDisplay(r, device.SubsysPCI, d)
	device.Alias = s.alias(r.prefix(), r.name, r.where("name"), d)
	s.dom.Devices.Hostdevs = append(s.dom.Devices.Hostdevs, device)
	s.hostDeviceCauses(r, source, d)
}

// pciHostDevice hands a PCI device of the host to the guest.
func pciHostDevice(host *libvirtxml.DomainAddressPCI) libvirtxml.DomainHostdev {
	return libvirtxml.DomainHostdev{
		Managed:   "no",
		SubsysPCI: &libvirtxml.DomainHostdevSubsysPCI{Source: &libvirtxml.DomainHostdevSubsysPCISource{Address: host}},
	}
}

// hostPCIAddress reads the host address of a PCI device.
func (s *state) hostPCIAddress(text string, source ref) *libvirtxml.DomainAddressPCI {
	address, err := parsePCIAddress(text)
	if err != nil {
		s.refuse(source, text, err.Error())
	}
	return address
}

func (s *state) addMediatedDevice(r *request, uuid, model string, source ref) {
	if !isUUID(uuid) {
		s.refuse(source, uuid, "want the UUID of a mediated device")
	}
	d := s.device("hostdev", len(s.dom.Devices.Hostdevs))
	device := libvirtxml.DomainHostdev{SubsysMDev: &libvirtxml.DomainHostdevSubsysMDev{
		Model:  model,
		Source: &libvirtxml.DomainHostdevSubsysMDevSource{Address: &libvirtxml.DomainAddressMDev{UUID: uuid}},
	}}
	s.mediatedDisplay(r, device.SubsysMDev, d)
	device.Alias = s.alias(r.prefix(), r.name, r.where("name"), d)
	s.dom.Devices.Hostdevs = append(s.dom.Devices.Hostdevs, device)
	r.mediated = len(s.dom.Devices.Hostdevs)
	s.hostDeviceCauses(r, source, d)
}

func (s *state) addUSBDevice(r *request, address string, source ref) {
	usb, ok := parseUSBAddress(address)
	if !ok {
		s.refuse(source, address, "want the bus and the device of a USB device, as BUS:DEVICE")
	}
	d := s.device("hostdev", len(s.dom.Devices.Hostdevs))
	s.dom.Devices.Hostdevs = append(s.dom.Devices.Hostdevs, libvirtxml.DomainHostdev{
		SubsysUSB: &libvirtxml.DomainHostdevSubsysUSB{Source: &libvirtxml.DomainHostdevSubsysUSBSource{Address: usb}},
		Alias:     s.alias(usbPrefix, r.name, r.where("name"), d),
	})
	s.hostDeviceCauses(r, source, d)
}

// unmanagedReason is why libvirt is told to leave the host's driver alone.
const unmanagedReason = "the node has bound the device for passthrough already"

// hostDeviceCauses notes why a host device is there and why it is that one.
func (s *state) hostDeviceCauses(r *request, source ref, d element) {
	if !d.on() {
		return
	}
	d.policy("", "the device is handed to the guest as the pod was given it", r.asked())
	d.policy("@managed", unmanagedReason, r.asked())
	if r.claimed() && s.s390x() {
		d.policy("@model", "a mediated device that a claim brings on s390x is a crypto domain", r.asked(), fact("node.architecture"))
	}
	d.because("@type", "the kind of device the pod was given", source, r.asked())
	d.because("source", "the device of the host that the pod was given for this one", source)
}
