package convert

import (
	"libvirt.org/go/libvirtxml"
)

// smbios writes how the machine names itself (compute.md 13), on s390x as well,
// where libvirt takes the domain's UUID from it. Upstream's empty bios, baseBoard
// and chassis elements are left out: libvirt's schema has no empty ones.
func (s *state) smbios() {
	tables := &libvirtxml.DomainSysInfoSMBIOS{}
	s.dom.SysInfo = append(s.dom.SysInfo, libvirtxml.DomainSysInfo{SMBIOS: tables})
	s.part("sysinfo").policy("", "the names of the machine are SMBIOS ones")

	system := smbiosEntries{at: s.part("sysinfo/system")}
	if f := s.vmi.Spec.Domain.Firmware; f != nil {
		if u := string(f.UUID); !isUUID(u) {
			s.refuse(field("spec.domain.firmware.uuid"), u, "want a UUID")
		}
		system.add("uuid", string(f.UUID), "UUID of the machine, which is the domain's", field("spec.domain.firmware.uuid"))
		if f.Serial != "" {
			system.add("serial", f.Serial, "serial number of the machine", field("spec.domain.firmware.serial"), field("spec.domain.firmware.serial"))
		}
	}
	if f := s.ctx.SMBIOS; f != nil {
		const reason = "how the cluster names its machines"
		system.add("manufacturer", f.Manufacturer, reason, fact("smbios.manufacturer"), fact("smbios"))
		system.add("family", f.Family, reason, fact("smbios.family"), fact("smbios"))
		system.add("product", f.Product, reason, fact("smbios.product"), fact("smbios"))
		system.add("sku", f.SKU, reason, fact("smbios.sku"), fact("smbios"))
		system.add("version", f.Version, reason, fact("smbios.version"), fact("smbios"))
	}
	if s.ctx.SMBIOS == nil {
		s.part("sysinfo/system").unknown("entry", "how the cluster names its machines", fact("smbios"))
	}
	if len(system.list) > 0 {
		tables.System = &libvirtxml.DomainSysInfoSystem{Entry: system.list}
	}
	if c := s.vmi.Spec.Domain.Chassis; c != nil {
		const reason = "how the VMI names the machine's case"
		chassis := smbiosEntries{at: s.part("sysinfo/chassis")}
		chassis.add("manufacturer", c.Manufacturer, reason, field("spec.domain.chassis.manufacturer"), field("spec.domain.chassis"))
		chassis.add("version", c.Version, reason, field("spec.domain.chassis.version"), field("spec.domain.chassis"))
		chassis.add("serial", c.Serial, reason, field("spec.domain.chassis.serial"), field("spec.domain.chassis"))
		chassis.add("asset", c.Asset, reason, field("spec.domain.chassis.asset"), field("spec.domain.chassis"))
		chassis.add("sku", c.Sku, reason, field("spec.domain.chassis.sku"), field("spec.domain.chassis"))
		tables.Chassis = &libvirtxml.DomainSysInfoChassis{Entry: chassis.list}
	}
}

// smbiosEntries is the list of entries of one SMBIOS table under way.
type smbiosEntries struct {
	at   element
	list []libvirtxml.DomainSysInfoEntry
}

// add appends an entry, whose value is from that place; brings is what the entry is
// there for at all.
func (e *smbiosEntries) add(name, value, reason string, from ref, brings ...ref) {
	d := e.at.child("entry", len(e.list))
	d.because("", reason, from)
	d.policy("@name", "entries stand in a fixed order", brings...)
	e.list = append(e.list, libvirtxml.DomainSysInfoEntry{Name: name, Value: value})
}
