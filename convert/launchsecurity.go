package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// qgsSocketAnnotation names the socket of TDX's quote generation service.
const qgsSocketAnnotation = "kubevirt.io/qgs-socket-path"

// The kinds of guest whose memory the host cannot read and that choose their
// firmware by it.
const (
	kindSEV = "SEV"
	kindSNP = "SEV-SNP"
	kindTDX = "TDX"
)

// confidentialKind is what decides about a guest's firmware, "" for an ordinary
// guest. SEV-SNP goes first where several are asked for.
func confidentialKind(vmi *v1.VirtualMachineInstance) string {
	switch l := vmi.Spec.Domain.LaunchSecurity; {
	case l == nil:
		return ""
	case l.SNP != nil:
		return kindSNP
	case l.SEV != nil:
		return kindSEV
	case l.TDX != nil:
		return kindTDX
	}
	return ""
}

// statelessEFI says whether the guest's firmware keeps no variables.
func (s *state) statelessEFI() bool {
	kind := confidentialKind(s.vmi)
	return kind == kindSNP || kind == kindTDX
}

// confidentialField is the field that makes the guest a confidential one.
func (s *state) confidentialField() ref {
	if confidentialKind(s.vmi) == kindSNP {
		return field("spec.domain.launchSecurity.snp")
	}
	return field("spec.domain.launchSecurity.tdx")
}

// Bits of the policies that a confidential guest starts with.
const (
	sevNoDebug        = 1 << 0
	sevEncryptedState = 1 << 2 // SEV-ES: registers are encrypted, too

	snpAllowSMT = 1 << 16
	snpReserved = 1 << 17 // has to be one
)

// launchSecurity asks for guest memory that the host cannot read (compute.md 16).
// Only amd64 has an element for it; IBM Secure Execution shows in the virtio
// devices alone.
func (s *state) launchSecurity() {
	l := s.vmi.Spec.Domain.LaunchSecurity
	if l == nil || !s.amd64() {
		return
	}
	switch {
	case l.SEV != nil:
		s.dom.LaunchSecurity = &libvirtxml.DomainLaunchSecurity{SEV: s.launchSEV(l.SEV)}
	case l.SNP != nil:
		s.dom.LaunchSecurity = &libvirtxml.DomainLaunchSecurity{SEVSNP: s.launchSNP()}
	case l.TDX != nil:
		s.dom.LaunchSecurity = &libvirtxml.DomainLaunchSecurity{TDX: s.launchTDX()}
	}
}

// launchSEV is SEV, or SEV-ES where the VMI wants encrypted registers.
func (s *state) launchSEV(sev *v1.SEV) *libvirtxml.DomainLaunchSecuritySEV {
	policy := uint(sevNoDebug)
	if sev.Policy != nil && isTrue(sev.Policy.EncryptedState) {
		policy |= sevEncryptedState
	}
	d := s.part("launchSecurity")
	d.because("@type", "guest memory is encrypted by SEV", field("spec.domain.launchSecurity.sev"))
	d.because("policy", "no debugging by the host, and encrypted registers if asked for",
		field("spec.domain.launchSecurity.sev.policy.encryptedState"))
	if sev.DHCert != "" {
		d.because("dhCert", "the guest owner's certificate", field("spec.domain.launchSecurity.sev.dhCert"))
	}
	if sev.Session != "" {
		d.because("session", "the guest owner's session", field("spec.domain.launchSecurity.sev.session"))
	}
	return &libvirtxml.DomainLaunchSecuritySEV{Policy: &policy, DHCert: sev.DHCert, Session: sev.Session}
}

func (s *state) launchSNP() *libvirtxml.DomainLaunchSecuritySEVSNP {
	policy := uint64(snpAllowSMT | snpReserved)
	d, snp := s.part("launchSecurity"), field("spec.domain.launchSecurity.snp")
	d.because("@type", "guest memory is encrypted and protected by SEV-SNP", snp)
	d.policy("policy", "hosts with simultaneous multithreading are allowed, debugging is not", snp)
	return &libvirtxml.DomainLaunchSecuritySEVSNP{Policy: &policy}
}

// launchTDX has the quote generation service even where nobody names its socket:
// libvirt then looks for it in its usual place.
func (s *state) launchTDX() *libvirtxml.DomainLaunchSecurityTDX {
	d, tdx := s.part("launchSecurity"), field("spec.domain.launchSecurity.tdx")
	d.because("@type", "guest memory is encrypted by TDX", tdx)
	d.policy("quoteGenerationService", "the guest can be attested", tdx)
	socket := s.vmi.Annotations[qgsSocketAnnotation]
	if socket != "" {
		d.because("quoteGenerationService/@path", "the socket of the quote generation service", annotation(qgsSocketAnnotation))
	}
	return &libvirtxml.DomainLaunchSecurityTDX{QuoteGenerationService: &libvirtxml.DomainLaunchSecurityTDXQGS{Path: socket}}
}
