package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

const nicList = "spec.domain.devices.interfaces"

// nicKind is what a NIC of the VMI becomes.
type nicKind int

const (
	noNIC         nicKind = iota // nothing: absent, brought by a plugin, or refused
	tapNIC                       // an interface on a tap
	passtNIC                     // an interface served by passt
	hostDeviceNIC                // a PCI device of the host
)

// tapAttachment is the attachment of NICs that sit on a tap.
const tapAttachment = "tap"

// interfaces adds a device for each NIC that is an interface to libvirt, in the order
// of the VMI (network.md 2.2).
func (s *state) interfaces() {
	s.nics = make([]nicKind, len(s.vmi.Spec.Domain.Devices.Interfaces))
	for i := range s.nics {
		kind := s.decideNIC(i)
		s.nics[i] = kind
		if kind != tapNIC && kind != passtNIC {
			continue
		}
		at := len(s.dom.Devices.Interfaces)
		s.dom.Devices.Interfaces = append(s.dom.Devices.Interfaces, libvirtxml.DomainInterface{})
		s.nic(i, kind, &s.dom.Devices.Interfaces[at], s.device("interface", at))
	}
}

// decideNIC says what the i-th NIC becomes, and refuses one that cannot become
// anything. An absent NIC needs no network.
func (s *state) decideNIC(i int) nicKind {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	if nic.State == v1.InterfaceStateAbsent {
		return noNIC
	}
	if s.networkOf(nic.Name) == nil {
		s.refuse(fieldAt(nicList, i, "name"), nic.Name, "no network of that name, want one in spec.networks")
		return noNIC
	}
	if s.discontinued(i) {
		return noNIC
	}
	if nic.SRIOV != nil {
		return hostDeviceNIC
	}
	attachment := s.attachment(i)
	switch {
	case attachment == tapAttachment:
		return tapNIC
	case nic.Binding != nil:
		return noNIC // the plugin's hook adds the device
	case nic.PasstBinding != nil:
		return passtNIC
	}
	s.refuseNIC(i, attachment)
	return noNIC
}

// discontinued refuses a NIC with a binding that KubeVirt no longer has.
func (s *state) discontinued(i int) bool {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	name := ""
	switch {
	case nic.DeprecatedSlirp != nil:
		name = "slirp"
	case nic.DeprecatedMacvtap != nil:
		name = "macvtap"
	case nic.DeprecatedPasst != nil:
		name = "passt"
	default:
		return false
	}
	s.refuse(fieldAt(nicList, i, name), "", "the binding is discontinued, want bridge, masquerade, sriov, passtBinding or binding")
	return true
}

// refuseNIC says why a NIC has no device. Upstream writes an interface without a type.
func (s *state) refuseNIC(i int, attachment string) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	if attachment != "" {
		s.refuse(factOf("network.attachments", nic.Name, ""), attachment,
			"the binding of interface "+nic.Name+" needs a tap, want "+tapAttachment)
		return
	}
	s.refuse(fieldAt(nicList, i, "name"), nic.Name,
		"the interface has no binding that works, want bridge, masquerade, sriov, passtBinding or binding")
}

// networkOf is the network of a NIC: the one of the same name.
func (s *state) networkOf(name string) *v1.Network {
	networks := s.vmi.Spec.Networks
	if len(networks) > fewNames {
		if s.networkAt == nil {
			s.networkAt = positions(networks, func(n *v1.Network) string { return n.Name })
		}
		if i, found := s.networkAt[name]; found {
			return &networks[i]
		}
		return nil
	}
	for i := range networks {
		if networks[i].Name == name {
			return &networks[i]
		}
	}
	return nil
}

// attachment is how the i-th NIC meets the pod's network (network.md 2.1): as the
// context says, taken literally, otherwise by its binding. A plugin's managed tap is a
// tap to the domain. A plugin that nobody has registered is refused, as no hook would
// bring the device.
func (s *state) attachment(i int) string {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	if word, stated := s.ctx.Network.Attachments[nic.Name]; stated {
		return word
	}
	switch {
	case nic.Masquerade != nil, nic.Bridge != nil:
		return tapAttachment
	case nic.Binding != nil:
		plugin, registered := s.bindingPlugin(nic.Binding.Name)
		if !registered {
			s.refuse(fieldAt(nicList, i, "binding.name"), nic.Binding.Name,
				"no such plugin, want one registered in context.cluster.network.binding or an entry in context.network.attachments")
		}
		if plugin.DomainAttachmentType == v1.ManagedTap {
			return tapAttachment
		}
		return string(plugin.DomainAttachmentType)
	}
	return ""
}

// bindingPlugin is the plugin registered in the cluster under that name.
func (s *state) bindingPlugin(name string) (plugin v1.InterfaceBindingPlugin, registered bool) {
	if n := s.ctx.Cluster.NetworkConfiguration; n != nil {
		plugin, registered = n.Binding[name]
	}
	return plugin, registered
}

// nic fills in the device of the i-th NIC (network.md 3).
func (s *state) nic(i int, kind nicKind, x *libvirtxml.DomainInterface, d element) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	x.Alias = s.alias("", nic.Name, fieldAt(nicList, i, "name"), d)
	s.nicModel(i, x, d)
	s.nicDriver(i, kind, x, d)
	s.nicAddress(i, x, d)
	s.nicBootOrder(i, x, d)
	if kind == passtNIC {
		s.passt(i, x, d)
		return
	}
	s.tap(i, x, d)
}

// nicModel sets the card the guest sees.
func (s *state) nicModel(i int, x *libvirtxml.DomainInterface, d element) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	if isVirtioNIC(nic) {
		x.Model = &libvirtxml.DomainInterfaceModel{Type: s.virtioModel()}
		if d.on() {
			d.because("model", s.virtioReason(), fieldAt(nicList, i, "model"),
				field("spec.domain.devices.useVirtioTransitional"), fact("node.architecture"))
		}
		return
	}
	if !isName(nic.Model, "-_") {
		s.refuse(fieldAt(nicList, i, "model"), nic.Model, "want a card's name of letters, digits, - and _, such as virtio or e1000e")
	}
	x.Model = &libvirtxml.DomainInterfaceModel{Type: nic.Model}
	d.because("model", "the card asked for", fieldAt(nicList, i, "model"))
}

// isVirtioNIC tells whether a NIC is a virtio one, which is also what a NIC is that
// names no model.
func isVirtioNIC(nic *v1.Interface) bool {
	return nic.Model == "" || nic.Model == "virtio"
}

// nicDriver sets what only virtio NICs have: queues, and the IOMMU in front of memory
// that the host may not read (network.md 5, 6).
func (s *state) nicDriver(i int, kind nicKind, x *libvirtxml.DomainInterface, d element) {
	if !isVirtioNIC(&s.vmi.Spec.Domain.Devices.Interfaces[i]) {
		if s.nicQueues() > 0 {
			d.absent("driver/@queues", "only virtio cards have several queues", fieldAt(nicList, i, "model"))
		}
		return
	}
	queues, iommu := uint(0), s.iommuDriver()
	if kind == tapNIC {
		queues = s.nicQueues()
	}
	if queues == 0 && iommu == "" {
		return
	}
	x.Driver = &libvirtxml.DomainInterfaceDriver{Name: "vhost", Queues: queues, IOMMU: iommu}
	if d.on() {
		s.nicDriverCauses(x.Driver, d)
	}
}

func (s *state) nicDriverCauses(driver *libvirtxml.DomainInterfaceDriver, d element) {
	var brought []ref
	if driver.Queues > 0 {
		brought = append(brought, field("spec.domain.devices.networkInterfaceMultiqueue"))
		d.because("driver/@queues", "one queue for each vCPU the guest starts with, 256 at most",
			append(brought, cpuCountFields...)...)
	}
	if driver.IOMMU != "" {
		brought = append(brought, field("spec.domain.launchSecurity"))
		d.because("driver/@iommu", iommuReason, field("spec.domain.launchSecurity"))
	}
	d.policy("driver/@name", "queues and the IOMMU are settings of the vhost back end", brought...)
}

// nicAddress places the card on the guest's PCI bus and gives it the index that the
// guest's firmware tells it (network.md 12.1, 3 rules 5 and 6).
func (s *state) nicAddress(i int, x *libvirtxml.DomainInterface, d element) {
	nic := &s.vmi.Spec.Domain.Devices.Interfaces[i]
	where := fieldAt(nicList, i, "pciAddress")
	if nic.PciAddress != "" {
		if s.s390x() { // upstream leaves this to libvirt
			s.refuse(where, nic.PciAddress, "NICs of s390x sit on the channel subsystem and have no PCI address, want none")
		}
		x.Address = s.guestPCIAddress(where, nic.PciAddress, d)
	}
	x.ACPI = s.nicACPIIndex(i, d)
}

// maxACPIIndex is the highest index a guest's firmware can tell.
const maxACPIIndex = 16383

func (s *state) nicACPIIndex(i int, d element) *libvirtxml.DomainDeviceACPI {
	index, where := s.vmi.Spec.Domain.Devices.Interfaces[i].ACPIIndex, fieldAt(nicList, i, "acpiIndex")
	if index <= 0 {
		return nil
	}
	if index > maxACPIIndex {
		s.refuse(where, index, "want at most 16383, the highest index that firmware can hand to a guest")
	}
	d.because("acpi", "the index asked for", where)
	return &libvirtxml.DomainDeviceACPI{Index: uint(index)}
}

// nicBootOrder lets the guest boot from the NIC. libvirt counts from 1.
func (s *state) nicBootOrder(i int, x *libvirtxml.DomainInterface, d element) {
	x.Boot = s.bootOrder(fieldAt(nicList, i, "bootOrder"), s.vmi.Spec.Domain.Devices.Interfaces[i].BootOrder, d)
}

// maxBootOrder is the last order libvirt can count to.
const maxBootOrder = 1<<32 - 1

// bootOrder is the boot element of a device, if it has an order.
func (s *state) bootOrder(where ref, order *uint, d element) *libvirtxml.DomainDeviceBoot {
	if order == nil {
		return nil
	}
	if *order == 0 || *order > maxBootOrder {
		s.refuse(where, *order, "want an order from 1 to 4294967295")
	}
	d.because("boot", "the boot order asked for", where)
	return &libvirtxml.DomainDeviceBoot{Order: *order}
}
