package convert

import (
	"path"
	"slices"

	v1 "kubevirt.io/api/core/v1"
)

// What KubeVirt's admission refuses about firmware, launch security and Hyper-V,
// although it can be converted (compute.md 26).

var (
	gateSEV = featureGate{name: "WorkloadEncryptionSEV", beta: true}
	gateTDX = featureGate{name: "WorkloadEncryptionTDX"}
)

func (s *state) admitFirmware() {
	f := s.vmi.Spec.Domain.Firmware
	if f == nil {
		return
	}
	if f.Bootloader != nil {
		s.admitBootLoader(f.Bootloader)
	}
	if f.KernelBoot != nil {
		s.admitKernelBoot(f.KernelBoot)
	}
}

func (s *state) admitBootLoader(b *v1.Bootloader) {
	if b.EFI != nil && b.BIOS != nil {
		s.refuse(field("spec.domain.firmware.bootloader"), nil, "want either EFI or BIOS")
	}
	if b.BIOS != nil && s.vmi.Spec.Architecture == "arm64" {
		s.refuse(field("spec.domain.firmware.bootloader.bios"), nil, "there is no BIOS on arm64, want EFI")
	}
	if b.EFI != nil && !isFalse(b.EFI.SecureBoot) && !s.hasSMM() && !s.tdx() {
		s.refuse(field("spec.domain.firmware.bootloader.efi.secureBoot"), nil, "secure boot needs features.smm, want that enabled or secureBoot off")
	}
}

func (s *state) hasSMM() bool {
	f := s.vmi.Spec.Domain.Features
	return f != nil && f.SMM != nil && isTrue(f.SMM.Enabled)
}

func (s *state) admitKernelBoot(k *v1.KernelBoot) {
	c, at := k.Container, "spec.domain.firmware.kernelBoot."
	if c == nil {
		if k.KernelArgs != "" {
			s.refuse(field(at+"kernelArgs"), k.KernelArgs, "want a container with a kernel as well")
		}
		return
	}
	if c.Image == "" {
		s.refuse(field(at+"container.image"), nil, "want an image")
	}
	if c.KernelPath == "" && c.InitrdPath == "" {
		s.refuse(field(at+"container"), nil, "want kernelPath, initrdPath or both")
	}
	s.admitBootPath(field(at+"container.kernelPath"), c.KernelPath)
	s.admitBootPath(field(at+"container.initrdPath"), c.InitrdPath)
}

func (s *state) admitBootPath(where ref, file string) {
	if file != "" && (!path.IsAbs(file) || file == "/" || path.Clean(file) != file) {
		s.refuse(where, file, "want the absolute path of a file, without .., . or // in it")
	}
}

func (s *state) admitLaunchSecurity() {
	l := s.vmi.Spec.Domain.LaunchSecurity
	if l == nil || s.vmi.Spec.Architecture == "s390x" {
		return
	}
	where := field("spec.domain.launchSecurity")
	if s.vmi.Spec.Architecture != "amd64" {
		s.refuse(where, nil, "there is none on "+s.vmi.Spec.Architecture+", want amd64 or s390x")
		return
	}
	kinds := 0
	for _, set := range [...]bool{l.SEV != nil, l.SNP != nil, l.TDX != nil} {
		if set {
			kinds++
		}
	}
	if kinds != 1 {
		s.refuse(where, nil, "want just one of sev, snp and tdx")
	}
	if s.sev() {
		s.needs(gateSEV, where)
	}
	if l.TDX != nil {
		s.needs(gateTDX, field("spec.domain.launchSecurity.tdx"))
		if s.hasSMM() {
			s.refuse(field("spec.domain.features.smm"), nil, "TDX has no system management mode, want it off")
		}
	}
	if l.SEV != nil && l.SEV.Attestation != nil && (s.vmi.Spec.StartStrategy == nil || *s.vmi.Spec.StartStrategy != v1.StartStrategyPaused) {
		s.refuse(field("spec.domain.launchSecurity.sev.attestation"), nil, "want startStrategy Paused, so that the guest can be attested before it starts")
	}
	s.admitConfidentialEFI(l)
}

// admitConfidentialEFI wants the firmware that goes with launch security.
func (s *state) admitConfidentialEFI(l *v1.LaunchSecurity) {
	at := "spec.domain.firmware.bootloader.efi"
	f := s.vmi.Spec.Domain.Firmware
	if f == nil || f.Bootloader == nil || f.Bootloader.EFI == nil {
		s.refuse(field(at), nil, "launch security needs EFI")
		return
	}
	efi := f.Bootloader.EFI
	if s.sev() && !isFalse(efi.SecureBoot) {
		s.refuse(field(at+".secureBoot"), nil, "SEV has no secure boot, want false")
	}
	if (l.SNP != nil || l.TDX != nil) && isTrue(efi.Persistent) {
		s.refuse(field(at+".persistent"), true, "SEV-SNP and TDX keep no EFI variables, want false")
	}
}

// hyperVNeeds are the enlightenments that others need.
var hyperVNeeds = []struct {
	feature, needs string
	of, dependency func(*v1.FeatureHyperv) *v1.FeatureState
}{
	{"evmcs", "vapic", func(h *v1.FeatureHyperv) *v1.FeatureState { return h.EVMCS }, func(h *v1.FeatureHyperv) *v1.FeatureState { return h.VAPIC }},
	{"ipi", "vpindex", func(h *v1.FeatureHyperv) *v1.FeatureState { return h.IPI }, func(h *v1.FeatureHyperv) *v1.FeatureState { return h.VPIndex }},
	{"tlbflush", "vpindex", hyperVTLBFlushState, func(h *v1.FeatureHyperv) *v1.FeatureState { return h.VPIndex }},
	{"synictimer", "synic", hyperVTimerState, func(h *v1.FeatureHyperv) *v1.FeatureState { return h.SyNIC }},
	{"synic", "vpindex", func(h *v1.FeatureHyperv) *v1.FeatureState { return h.SyNIC }, func(h *v1.FeatureHyperv) *v1.FeatureState { return h.VPIndex }},
}

func hyperVTLBFlushState(h *v1.FeatureHyperv) *v1.FeatureState {
	if h.TLBFlush == nil {
		return nil
	}
	return &h.TLBFlush.FeatureState
}

func hyperVTimerState(h *v1.FeatureHyperv) *v1.FeatureState {
	if h.SyNICTimer == nil {
		return nil
	}
	return &h.SyNICTimer.FeatureState
}

func isOn(f *v1.FeatureState) bool { return f != nil && isTrue(f.Enabled) }

func (s *state) admitHyperV() {
	f := s.vmi.Spec.Domain.Features
	if f == nil || f.Hyperv == nil {
		return
	}
	if f.HypervPassthrough != nil && isTrue(f.HypervPassthrough.Enabled) {
		s.refuse(field("spec.domain.features.hypervPassthrough"), nil, "want either named enlightenments or all of the host's")
	}
	for _, n := range hyperVNeeds {
		if isOn(n.of(f.Hyperv)) && !isOn(n.dependency(f.Hyperv)) {
			s.refuse(field("spec.domain.features.hyperv."+n.needs), false, "the enlightenment "+n.feature+" needs it, want both on or both off")
		}
	}
	if isOn(f.Hyperv.EVMCS) && !s.requiresVMX() {
		s.refuse(field("spec.domain.features.hyperv.evmcs"), true, "want the CPU feature vmx with policy require as well")
	}
}

func (s *state) requiresVMX() bool {
	c := s.vmi.Spec.Domain.CPU
	return c != nil && slices.ContainsFunc(c.Features, func(f v1.CPUFeature) bool { return f.Name == "vmx" && f.Policy == "require" })
}
