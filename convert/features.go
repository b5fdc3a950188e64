package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// features switches what the hypervisor offers to the guest (compute.md 14, and
// 9.4 for dedicated CPUs). A feature that is named is on unless it says no.
func (s *state) features() {
	if f := s.vmi.Spec.Domain.Features; f != nil {
		s.platformFeatures(f)
		s.hyperV(f)
	}
	s.kvmFeatures()
	s.pmu()
	if *s.dom.Features == (libvirtxml.DomainFeatureList{}) {
		s.part("").because("features", "the guest is given no feature, not even ACPI", field("spec.domain.features.acpi.enabled"))
	}
}

// platformFeatures are the features without a hypervisor of their own.
// apic.endOfInterrupt changes nothing, as upstream.
func (s *state) platformFeatures(f *v1.Features) {
	x, d := s.dom.Features, s.part("features")
	if !isFalse(f.ACPI.Enabled) {
		x.ACPI = &libvirtxml.DomainFeature{}
		d.because("acpi", "the guest has ACPI tables unless it wants none", field("spec.domain.features.acpi.enabled"))
	}
	if f.APIC != nil && !isFalse(f.APIC.Enabled) {
		x.APIC = &libvirtxml.DomainFeatureAPIC{}
		d.because("apic", "the guest has an APIC", field("spec.domain.features.apic"))
	}
	if f.SMM != nil && !isFalse(f.SMM.Enabled) {
		x.SMM = &libvirtxml.DomainFeatureSMM{}
		d.because("smm", "the guest has system management mode", field("spec.domain.features.smm"))
	}
	if f.Pvspinlock != nil {
		x.PVSpinlock = featureState(f.Pvspinlock)
		d.because("pvspinlock/@state", "paravirtual spinlocks are on unless said otherwise", field("spec.domain.features.pvspinlock.enabled"))
	}
	if s.amd64() {
		x.VMPort = &libvirtxml.DomainFeatureState{State: "off"}
		d.policy("vmport/@state", "the VMware port is a part of the emulated PC that no guest here needs", fact("node.architecture"))
	}
}

// kvmFeatures hides KVM from the guest, or tells it that its CPUs are its own. It
// is the architecture that the VMI names that decides about the latter.
func (s *state) kvmFeatures() {
	f, c := s.vmi.Spec.Domain.Features, s.vmi.Spec.Domain.CPU
	hides := f != nil && f.KVM != nil
	dedicated := c != nil && c.DedicatedCPUPlacement && s.vmi.Spec.Architecture == "amd64"
	if !hides && !dedicated {
		return
	}
	x, d := &libvirtxml.DomainFeatureKVM{}, s.part("features/kvm")
	s.dom.Features.KVM = x
	if hides {
		x.Hidden = &libvirtxml.DomainFeatureState{State: onOff(f.KVM.Hidden)}
		d.because("hidden/@state", "whether the guest may see that it runs under KVM", field("spec.domain.features.kvm.hidden"))
	}
	if dedicated {
		x.HintDedicated = &libvirtxml.DomainFeatureState{State: "on"}
		d.because("hint-dedicated/@state", "the guest's CPUs are its own, so it may spin instead of yielding",
			field("spec.domain.cpu.dedicatedCpuPlacement"), field("spec.architecture"))
	}
}

// pmu switches the performance counters off where they leak or disturb.
func (s *state) pmu() {
	tdx, realtime := s.tdx() && s.vmi.Spec.Domain.Features != nil, s.realtime()
	if !tdx && !realtime {
		return
	}
	s.dom.Features.PMU = &libvirtxml.DomainFeatureState{State: "off"}
	d, latency := s.part("features"), field("spec.domain.cpu.realtime")
	switch confidential := field("spec.domain.launchSecurity.tdx"); {
	case !tdx:
		d.because("pmu/@state", "performance counters make the latency of a realtime guest unsteady", latency)
	case !realtime:
		d.because("pmu/@state", "a TDX guest has no performance counters", confidential)
	default:
		d.because("pmu/@state", "neither a TDX guest nor a realtime guest has performance counters", confidential, latency)
	}
}

// realtime says whether the guest's CPUs are tuned for low latency, which they can
// be only if they are its own.
func (s *state) realtime() bool {
	c := s.vmi.Spec.Domain.CPU
	return c != nil && c.DedicatedCPUPlacement && c.Realtime != nil
}

// featureState is the state of a feature that may be absent.
func featureState(f *v1.FeatureState) *libvirtxml.DomainFeatureState {
	if f == nil {
		return nil
	}
	return &libvirtxml.DomainFeatureState{State: onOff(!isFalse(f.Enabled))}
}
