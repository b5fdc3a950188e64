package convert

import (
	"strings"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

const (
	disablePCIHole64  = "kubevirt.io/disablePCIHole64"
	clientPassthrough = "spec.domain.devices.clientPassthrough"
)

// controllers adds the controllers that devices of the VMI need or that later devices may
// be plugged into, in a fixed order (compute.md 18).
func (s *state) controllers() {
	s.usbController()
	s.scsiController()
	s.pciRoot()
	s.virtioSerialController()
}

// controller adds a controller of index 0.
func (s *state) controller(x libvirtxml.DomainController) element {
	x.Index = new(uint)
	d := s.device("controller", len(s.dom.Devices.Controllers))
	s.dom.Devices.Controllers = append(s.dom.Devices.Controllers, x)
	d.policy("@index", "the first controller of its kind")
	return d
}

// usbController adds the USB controller, or says that there is none, as libvirt would add
// one itself (compute.md 18.1).
func (s *state) usbController() {
	model := "none"
	if s.needsUSB() {
		model = "qemu-xhci"
	}
	d := s.controller(libvirtxml.DomainController{Type: "usb", Model: model})
	if !d.on() {
		return
	}
	d.policy("", "libvirt adds a USB controller of its own to a guest that says nothing")
	reason := "a device of the guest needs USB"
	switch {
	case s.arm64():
		reason = "arm64 guests have USB for pointer and keyboard"
	case s.s390x():
		reason = "s390x has no USB"
	case model == "none":
		reason = "no device of the guest needs USB"
	}
	d.because("@model", reason, s.usbRefs()...)
}

// needsUSB says whether the guest has a USB controller. CD-ROMs and LUNs on USB count as
// disks do; upstream forgets them, and libvirt then refuses the domain.
func (s *state) needsUSB() bool {
	if !s.amd64() {
		return s.arm64()
	}
	devices := &s.vmi.Spec.Domain.Devices
	if devices.ClientPassthrough != nil {
		return true
	}
	for i := range devices.Inputs {
		if inputBus(&devices.Inputs[i]) == "usb" {
			return true
		}
	}
	for i := range devices.Disks {
		if diskBus(&devices.Disks[i]) == "usb" {
			return true
		}
	}
	for i := range devices.HostDevices {
		if s.ctx.HostDevices[devices.HostDevices[i].DeviceName].USB != nil {
			return true
		}
	}
	return false
}

// usbRefs are the places that decide whether the guest has a USB controller: those that ask
// for one, or where none does, one that could.
func (s *state) usbRefs() (refs []ref) {
	if !s.amd64() {
		return []ref{fact("node.architecture")}
	}
	devices := &s.vmi.Spec.Domain.Devices
	if devices.ClientPassthrough != nil {
		refs = append(refs, field(clientPassthrough))
	}
	for i := range devices.Inputs {
		if inputBus(&devices.Inputs[i]) == "usb" {
			refs = append(refs, fieldAt(inputList, i, "bus"))
		}
	}
	for i := range devices.Disks {
		if diskBus(&devices.Disks[i]) == "usb" {
			refs = append(refs, busField(devices.Disks, i))
		}
	}
	for i := range devices.HostDevices {
		if name := devices.HostDevices[i].DeviceName; s.ctx.HostDevices[name].USB != nil {
			refs = append(refs, factOf("hostDevices", name, "usb"))
		}
	}
	if refs == nil {
		refs = []ref{field(clientPassthrough), field(inputList), field(disksField)}
	}
	return refs
}

// scsiController adds the controller for disks on SCSI, which disks plugged in later sit on
// as well (compute.md 18.2).
func (s *state) scsiController() {
	if s.vmi.Spec.Domain.Devices.DisableHotplug && !s.hasSCSIDisk() {
		return
	}
	x := libvirtxml.DomainController{Type: "scsi", Model: s.virtioModel(), Driver: s.scsiDriver()}
	if s.s390x() {
		x.Model = "virtio-scsi"
	}
	d := s.controller(x)
	if d.on() {
		s.scsiCauses(d)
	}
}

func (s *state) scsiCauses(d element) {
	var from []ref
	reason := "a disk sits on SCSI"
	disks := s.vmi.Spec.Domain.Devices.Disks
	for i := range disks {
		if diskBus(&disks[i]) == "scsi" {
			from = append(from, busField(disks, i))
		}
	}
	if !s.vmi.Spec.Domain.Devices.DisableHotplug {
		from = append(from, field("spec.domain.devices.disableHotplug"))
		reason = "disks plugged in later sit on it"
	}
	d.policy("", reason, from...)
	s.virtioCauses(d)
	const threadReason = "a SCSI disk wants an I/O thread of its own, and only the controller can have one"
	if disk := s.threadedSCSIDisk(); disk >= 0 {
		thread := fieldAt(disksField, disk, "dedicatedIOThread")
		d.because("driver/@iothread", threadReason, thread, field("spec.domain.ioThreadsPolicy"))
		d.because("driver/@queues", "one queue for each vCPU the guest starts with", append([]ref{thread}, cpuCountFields...)...)
	}
	d.because("driver/@iommu", iommuReason, field("spec.domain.launchSecurity"))
}

// scsiDriver is the driver element of the SCSI controller, if it has one. The I/O thread
// is the one whose turn it is after the virtio disks that share threads.
func (s *state) scsiDriver() *libvirtxml.DomainControllerDriver {
	x := libvirtxml.DomainControllerDriver{IOMMU: s.iommuDriver()}
	threads := s.ioThreads()
	if threads.shared > 0 && s.threadedSCSIDisk() >= 0 {
		queues := max(s.topology().vcpus(), 1)
		x.IOThread, x.Queues = uint(1+s.sharingDisks()%threads.shared), &queues
	}
	if x.IOMMU == "" && x.IOThread == 0 {
		return nil
	}
	return &x
}

func (s *state) hasSCSIDisk() bool {
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		if diskBus(&s.vmi.Spec.Domain.Devices.Disks[i]) == "scsi" {
			return true
		}
	}
	return false
}

// busField is the place that says which bus the i-th disk is on.
func busField(disks []v1.Disk, i int) ref {
	return fieldAt(disksField, i, diskKindOf(&disks[i]).busField())
}

// threadedSCSIDisk is the first disk on SCSI that wants an I/O thread of its own, or -1.
func (s *state) threadedSCSIDisk() int {
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		d := &s.vmi.Spec.Domain.Devices.Disks[i]
		if diskBus(d) == "scsi" && isTrue(d.DedicatedIOThread) {
			return i
		}
	}
	return -1
}

// sharingDisks is the number of virtio disks that share I/O threads.
func (s *state) sharingDisks() (n int) {
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		d := &s.vmi.Spec.Domain.Devices.Disks[i]
		if diskBus(d) == "virtio" && !isTrue(d.DedicatedIOThread) {
			n++
		}
	}
	return n
}

// pciRoot leaves out the hole for 64-bit PCI addresses, which some old guests cannot
// survive (compute.md 18.4). Only amd64 has a choice.
func (s *state) pciRoot() {
	if !s.amd64() || !s.noPCIHole64() {
		return
	}
	d := s.controller(libvirtxml.DomainController{
		Type:  "pci",
		Model: "pcie-root",
		PCI:   &libvirtxml.DomainControllerPCI{Hole64: &libvirtxml.DomainControllerPCIHole64{Size: 0, Unit: "KiB"}},
	})
	d.policy("", "the guest is to have no hole for 64-bit PCI addresses", annotation(disablePCIHole64))
}

// noPCIHole64 tells whether the VMI wants no hole for 64-bit PCI addresses. Case does not
// count anywhere; upstream compares strictly in one of two places.
func (s *state) noPCIHole64() bool {
	return strings.EqualFold(s.vmi.Annotations[disablePCIHole64], "true")
}

// virtioSerialController adds the controller of the serial console's companions. The guest
// agent's channel is there without it, and libvirt then adds one itself (compute.md 18.3).
func (s *state) virtioSerialController() {
	if isFalse(s.vmi.Spec.Domain.Devices.AutoattachSerialConsole) {
		return
	}
	x := libvirtxml.DomainController{Type: "virtio-serial", Model: s.virtioModel()}
	if iommu := s.iommuDriver(); iommu != "" {
		x.Driver = &libvirtxml.DomainControllerDriver{IOMMU: iommu}
	}
	d := s.controller(x)
	d.policy("", "comes with the serial console", field(serialField))
	s.virtioCauses(d)
}
