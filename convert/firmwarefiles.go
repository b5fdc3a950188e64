package convert

import (
	v1 "kubevirt.io/api/core/v1"
)

// FirmwareError says that a VMI asks for an EFI firmware that the node does not
// have. Trying again does not help; it takes another node, or another VMI.
type FirmwareError struct {
	FieldError
}

// Unwrap gives the FieldError that it is.
func (e *FirmwareError) Unwrap() error { return &e.FieldError }

// refuseFirmware notes that the node has no firmware for what the VMI asks for.
func (s *state) refuseFirmware() {
	s.problems = append(s.problems, &FirmwareError{*noFirmware(s.vmi)})
}

func noFirmware(vmi *v1.VirtualMachineInstance) *FieldError {
	boot := "without secure boot"
	if wantsSecureBoot(vmi) {
		boot = "with secure boot"
	}
	kind := confidentialKind(vmi)
	if kind != "" {
		boot += " for " + kind
	}
	return newFieldError(field("spec.domain.firmware.bootloader.efi"), nil,
		"no suitable EFI firmware is installed "+boot+", want a build for it in context.firmware.code")
}

// EFIFirmware lists the EFI builds that can start vmi, the best first; the node's
// firmware is the first of them whose files are all there, to be stated as
// Context.Firmware. Nothing is probed here. vmi must have its defaults; dir is
// where the node keeps its builds. The list is empty for a VMI that does not ask
// for EFI. A *FirmwareError says that there is no such build at all
// (compute.md 12.2).
func EFIFirmware(vmi *v1.VirtualMachineInstance, dir string, autoSelect bool) ([]FirmwareFacts, error) {
	f := vmi.Spec.Domain.Firmware
	if f == nil || f.Bootloader == nil || f.Bootloader.EFI == nil {
		return nil, nil
	}
	secure, kind := wantsSecureBoot(vmi), confidentialKind(vmi)
	if secure && kind == "" && autoSelect {
		return []FirmwareFacts{{AutoSelect: true}}, nil
	}
	var list []FirmwareFacts
	for _, b := range efiBuilds {
		if b.arm == (vmi.Spec.Architecture == "arm64") && b.kind == kind && b.secure == secure {
			list = append(list, b.facts(dir))
		}
	}
	if len(list) == 0 || vmi.Spec.Architecture == "s390x" {
		return nil, &FirmwareError{*noFirmware(vmi)}
	}
	return list, nil
}

// efiBuild is a file of EFI code, the file its variables start as ("" for one that
// keeps none), and what it is for.
type efiBuild struct {
	arm        bool
	kind       string
	secure     bool
	code, vars string
}

// efiBuilds are all that KubeVirt's images may hold. No build for SEV starts a
// guest with secure boot, and none for Arm.
var efiBuilds = []efiBuild{
	{false, "", true, "OVMF_CODE.secboot.fd", "OVMF_VARS.secboot.fd"},
	{false, "", false, "OVMF_CODE.secboot.fd", "OVMF_VARS.fd"},
	{false, "", false, "OVMF_CODE.fd", "OVMF_VARS.fd"},
	{true, "", false, "AAVMF_CODE.fd", "AAVMF_VARS.fd"},
	{false, kindSEV, false, "OVMF_CODE.cc.fd", "OVMF_VARS.fd"},
	{false, kindSNP, false, "OVMF.amdsev.fd", ""},
	{false, kindTDX, true, "OVMF.inteltdx.secboot.fd", ""},
	{false, kindTDX, false, "OVMF.inteltdx.fd", ""},
}

func (b efiBuild) facts(dir string) FirmwareFacts {
	f := FirmwareFacts{Code: dir + "/" + b.code, SecureLoader: b.secure && b.kind != kindTDX}
	if b.vars != "" {
		f.Vars = dir + "/" + b.vars
	}
	return f
}

// wantsSecureBoot says whether an EFI guest boots signed code only, which is so
// unless it says otherwise.
func wantsSecureBoot(vmi *v1.VirtualMachineInstance) bool {
	return !isFalse(vmi.Spec.Domain.Firmware.Bootloader.EFI.SecureBoot)
}
