package convert

import (
	"github.com/migxml/migxml/pathmap"
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// firmware chooses what the machine starts with before the guest's own boot
// loader (compute.md 12).
func (s *state) firmware() {
	os, d := s.dom.OS, s.part("os")
	if !s.s390x() {
		os.SMBios = &libvirtxml.DomainSMBios{Mode: "sysinfo"}
		d.policy("smbios/@mode", "the guest reads the SMBIOS values of this domain, not the host's", fact("node.architecture"))
	}
	if start := s.vmi.Spec.StartStrategy; start != nil && *start == v1.StartStrategyPaused {
		os.BootMenu = &libvirtxml.DomainBootMenu{Enable: "yes", Timeout: "10000"}
		d.because("bootmenu", "a guest that starts paused leaves time to choose what to boot from", field("spec.startStrategy"))
	}
	f := s.vmi.Spec.Domain.Firmware
	if f == nil {
		return
	}
	if b := f.Bootloader; b != nil {
		s.bios(b.BIOS)
		s.efi(b.EFI)
	}
	s.kernelBoot(f.KernelBoot)
	s.acpiTables(f.ACPI)
}

// bios sends the messages of a BIOS to the serial console.
func (s *state) bios(b *v1.BIOS) {
	if b == nil || !isTrue(b.UseSerial) {
		return
	}
	s.dom.OS.BIOS = &libvirtxml.DomainBIOS{UseSerial: "yes"}
	s.part("os").because("bios/@useserial", "the BIOS writes to the serial console", field("spec.domain.firmware.bootloader.bios.useSerial"))
}

// efi takes the EFI build stated for the node. Without one there is no loader, and
// no error either: defaulting asks for EFI on every arm64 VMI.
func (s *state) efi(e *v1.EFI) {
	facts := s.ctx.Firmware
	switch {
	case e == nil:
		return
	case facts == nil:
		s.part("os").unknown("loader", "the EFI build on the node, which the guest starts with", fact("firmware"))
		return
	}
	if facts.AutoSelect {
		s.autoSelectEFI()
		return
	}
	if facts.Code == "" {
		s.refuseFirmware()
		return
	}
	s.absolute(fact("firmware.code"), facts.Code)
	kind := "pflash"
	if s.statelessEFI() {
		kind = "rom"
	}
	s.dom.OS.Loader = &libvirtxml.DomainLoader{Path: facts.Code, Readonly: "yes", Secure: yesNo(facts.SecureLoader), Type: kind}
	d, code, efi := s.part("os/loader"), fact("firmware.code"), field("spec.domain.firmware.bootloader.efi")
	d.because("", "the EFI build found on the node", code, efi)
	d.policy("@readonly", "guests share the firmware", code, efi)
	d.because("@secure", "whether the build insists on secure boot", fact("firmware.secureLoader"))
	if s.statelessEFI() {
		d.because("@type", "SEV-SNP and TDX measure firmware that keeps no variables", s.confidentialField(), code)
		return
	}
	d.policy("@type", "EFI firmware with variables comes as flash memory", code, efi)
	s.nvram(facts.Vars)
}

// autoSelectEFI leaves the choice of a secure-boot build to libvirt. On arm64 it
// names the file of variables as well.
func (s *state) autoSelectEFI() {
	os, d := s.dom.OS, s.part("os")
	os.Firmware = "efi"
	os.FirmwareInfo = &libvirtxml.DomainOSFirmwareInfo{Features: []libvirtxml.DomainOSFirmwareFeature{
		{Enabled: "yes", Name: "secure-boot"},
		{Enabled: "yes", Name: "enrolled-keys"},
	}}
	auto, efi := fact("firmware.autoSelect"), field("spec.domain.firmware.bootloader.efi")
	d.because("@firmware", "libvirt chooses the EFI build", auto, efi)
	d.because("firmware", "the build libvirt chooses has to know secure boot, with keys", auto, efi)
	if s.vmi.Spec.Architecture == "arm64" {
		return
	}
	if s.nvram(""); os.NVRam != nil {
		os.NVRam.Format = "raw"
		d.policy("nvram/@format", "variables are kept in a raw image", auto)
	}
}

// nvram names the file of the guest's EFI variables, and what it starts as.
func (s *state) nvram(template string) {
	path, ok := s.layout().NVRAM()
	if !ok {
		s.refuse(field("metadata.name"), s.vmi.Name, "the file of EFI variables is named after the VMI, want a name that a file can have")
		return
	}
	s.dom.OS.NVRam = &libvirtxml.DomainNVRam{NVRam: path, Template: template}
	d := s.part("os")
	d.because("nvram", "the guest's EFI variables lie where the user that runs libvirt may write, named after the VMI",
		field("metadata.name"), field("status.runtimeUser"), annotation(v1.DeprecatedNonRootVMIAnnotation), fact("firmware"))
	if template != "" {
		s.absolute(fact("firmware.vars"), template)
		d.because("nvram/@template", "what the variables start as", fact("firmware.vars"))
	}
}

// kernelBoot starts a kernel from a container image, without a boot loader.
func (s *state) kernelBoot(k *v1.KernelBoot) {
	if k == nil {
		return
	}
	os, d := s.dom.OS, s.part("os")
	if c := k.Container; c != nil {
		os.Kernel = s.bootFile(c.KernelPath, "kernel", field("spec.domain.firmware.kernelBoot.container.kernelPath"))
		os.Initrd = s.bootFile(c.InitrdPath, "initrd", field("spec.domain.firmware.kernelBoot.container.initrdPath"))
	}
	if k.KernelArgs != "" {
		os.Cmdline = k.KernelArgs
		d.because("cmdline", "arguments of the kernel", field("spec.domain.firmware.kernelBoot.kernelArgs"))
	}
}

// bootFile is where the pod sees a file of the boot container: under its base
// name. A path that names no file is refused; it would lead out of the directory.
func (s *state) bootFile(file, leaf string, from ref) string {
	if file == "" {
		return ""
	}
	path, ok := s.layout().KernelBootFile(file)
	if !ok {
		s.refuse(from, file, "want the path of a file in the boot container")
		return ""
	}
	s.part("os").because(leaf, "a file of the boot container, where the pod sees it", from)
	return path
}

// acpiTables hands ACPI tables with a licence to the guest, from volumes that hold
// secrets.
func (s *state) acpiTables(a *v1.ACPI) {
	if a == nil {
		return
	}
	if a.SlicNameRef == "" && a.MsdmNameRef == "" {
		s.refuse(field("spec.domain.firmware.acpi"), nil, "want at least one table, slicNameRef or msdmNameRef")
		return
	}
	s.acpiTable("slic", a.SlicNameRef, field("spec.domain.firmware.acpi.slicNameRef"))
	s.acpiTable("msdm", a.MsdmNameRef, field("spec.domain.firmware.acpi.msdmNameRef"))
}

// acpiTable adds the table of that kind from the volume of that name.
func (s *state) acpiTable(kind, name string, from ref) {
	if name == "" {
		return
	}
	volume, _ := s.volume(name)
	if volume == nil {
		s.refusef(from, name, "the volume of the %s table does not exist, want the name of a secret volume of the VMI", kind)
		return
	}
	if volume.Secret == nil {
		s.refusef(from, name, "only a secret volume can hold the %s table", kind)
		return
	}
	paths, err := s.layout().Paths(pathmap.Volume{Name: name, Source: pathmap.SourceSecret})
	if err != nil {
		s.refuse(from, name, err.Error())
		return
	}
	if s.dom.OS.ACPI == nil {
		s.dom.OS.ACPI = &libvirtxml.DomainACPI{}
	}
	d := s.part("os/acpi").child("table", len(s.dom.OS.ACPI.Tables))
	s.dom.OS.ACPI.Tables = append(s.dom.OS.ACPI.Tables, libvirtxml.DomainACPITable{
		Type: kind,
		Path: paths.Files + "/" + kind + ".bin",
	})
	d.because("", "the table that the secret volume holds, where the pod sees it", from)
}
