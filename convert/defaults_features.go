package convert

import v1 "kubevirt.io/api/core/v1"

// defaultFeaturesS390x turns ACPI off, which s390x machines do not have, before
// the general defaults turn it on (defaults.md 3.2). Who asks for it gets it.
func (s *state) defaultFeaturesS390x() {
	d := &s.vmi.Spec.Domain
	if d.Features == nil {
		d.Features = &v1.Features{}
	}
	if d.Features.ACPI.Enabled == nil {
		d.Features.ACPI.Enabled = newBool(false)
		s.why.defaulted(field("spec.domain.features.acpi.enabled"), "s390x machines have no ACPI", field("spec.architecture"))
	}
}

func (s *state) defaultFeatures() {
	d := &s.vmi.Spec.Domain
	if d.Features == nil {
		d.Features = &v1.Features{}
	}
	f := d.Features
	s.enable(&f.ACPI, field("spec.domain.features.acpi.enabled"))
	s.enable(f.SMM, field("spec.domain.features.smm.enabled"))
	s.enable(f.Pvspinlock, field("spec.domain.features.pvspinlock.enabled"))
	if f.APIC != nil {
		s.enable(&f.APIC.FeatureState, field("spec.domain.features.apic.enabled"))
	}
	if f.Hyperv != nil {
		s.defaultHyperV(f.Hyperv)
	}
}

func (s *state) defaultHyperV(h *v1.FeatureHyperv) {
	s.enable(h.Relaxed, field("spec.domain.features.hyperv.relaxed.enabled"))
	s.enable(h.VAPIC, field("spec.domain.features.hyperv.vapic.enabled"))
	s.enable(h.VPIndex, field("spec.domain.features.hyperv.vpindex.enabled"))
	s.enable(h.Runtime, field("spec.domain.features.hyperv.runtime.enabled"))
	s.enable(h.SyNIC, field("spec.domain.features.hyperv.synic.enabled"))
	s.enable(h.Reset, field("spec.domain.features.hyperv.reset.enabled"))
	s.enable(h.Frequencies, field("spec.domain.features.hyperv.frequencies.enabled"))
	s.enable(h.Reenlightenment, field("spec.domain.features.hyperv.reenlightenment.enabled"))
	s.enable(h.IPI, field("spec.domain.features.hyperv.ipi.enabled"))
	s.enable(h.EVMCS, field("spec.domain.features.hyperv.evmcs.enabled"))
	if p := h.Spinlocks; p != nil {
		s.enable(&p.FeatureState, field("spec.domain.features.hyperv.spinlocks.enabled"))
		if *p.Enabled && p.Retries == nil {
			retries := uint32(4096)
			p.Retries = &retries
			s.why.defaulted(field("spec.domain.features.hyperv.spinlocks.spinlocks"), "the smallest number of retries there is")
		}
	}
	if t := h.SyNICTimer; t != nil {
		s.enable(&t.FeatureState, field("spec.domain.features.hyperv.synictimer.enabled"))
		s.enable(t.Direct, field("spec.domain.features.hyperv.synictimer.direct.enabled"))
	}
	if v := h.VendorID; v != nil {
		s.enable(&v.FeatureState, field("spec.domain.features.hyperv.vendorid.enabled"))
	}
	if t := h.TLBFlush; t != nil {
		s.enable(&t.FeatureState, field("spec.domain.features.hyperv.tlbflush.enabled"))
		s.enable(t.Direct, field("spec.domain.features.hyperv.tlbflush.direct.enabled"))
		s.enable(t.Extended, field("spec.domain.features.hyperv.tlbflush.extended.enabled"))
	}
}

// defaultHyperVDependencies turns on what an enabled Hyper-V feature needs
// (defaults.md 3.5). Where that is turned off by hand, the rest is left as it is:
// admission refuses such a VMI.
func (s *state) defaultHyperVDependencies() {
	if s.vmi.Spec.Domain.Features == nil || s.vmi.Spec.Domain.Features.Hyperv == nil {
		return
	}
	h := s.vmi.Spec.Domain.Features.Hyperv
	var timer *v1.FeatureState
	if h.SyNICTimer != nil {
		timer = &h.SyNICTimer.FeatureState
	}
	var flush *v1.FeatureState
	if h.TLBFlush != nil {
		flush = &h.TLBFlush.FeatureState
	}
	rules := [...]struct {
		enabled **v1.FeatureState
		needs   **v1.FeatureState
		from    string
		filled  string
	}{
		{&h.EVMCS, &h.VAPIC, "spec.domain.features.hyperv.evmcs", "spec.domain.features.hyperv.vapic"},
		{&h.IPI, &h.VPIndex, "spec.domain.features.hyperv.ipi", "spec.domain.features.hyperv.vpindex"},
		{&flush, &h.VPIndex, "spec.domain.features.hyperv.tlbflush", "spec.domain.features.hyperv.vpindex"},
		{&timer, &h.SyNIC, "spec.domain.features.hyperv.synictimer", "spec.domain.features.hyperv.synic"},
		{&h.SyNIC, &h.VPIndex, "spec.domain.features.hyperv.synic", "spec.domain.features.hyperv.vpindex"},
	}
	for _, r := range rules {
		switch {
		case !enabled(*r.enabled) || enabled(*r.needs):
		case *r.needs == nil:
			*r.needs = &v1.FeatureState{Enabled: newBool(true)}
			s.why.defaulted(field(r.filled), "another Hyper-V feature needs it", field(r.from))
		default:
			return
		}
	}
	if enabled(h.EVMCS) {
		s.requireVMX()
	}
}

// enabled says whether a feature is there and on.
func enabled(f *v1.FeatureState) bool { return f != nil && !isFalse(f.Enabled) }

func (s *state) requireVMX() {
	d := &s.vmi.Spec.Domain
	if d.CPU == nil {
		d.CPU = &v1.CPU{}
	}
	at := -1
	for i := range d.CPU.Features {
		if d.CPU.Features[i].Name == "vmx" {
			at = i
		}
	}
	switch {
	case at < 0:
		at = len(d.CPU.Features)
		d.CPU.Features = append(d.CPU.Features, v1.CPUFeature{Name: "vmx", Policy: "require"})
	case d.CPU.Features[at].Policy == "require":
		return
	default:
		d.CPU.Features[at].Policy = "require"
	}
	s.why.defaulted(fieldAt("spec.domain.cpu.features", at, ""), "enlightened VMCS needs it", field("spec.domain.features.hyperv.evmcs"))
}

// defaultTimers turns on the timers that are there.
func (s *state) defaultTimers() {
	c := s.vmi.Spec.Domain.Clock
	if c == nil || c.Timer == nil {
		return
	}
	t := c.Timer
	if t.HPET != nil {
		s.timerPresent(&t.HPET.Enabled, field("spec.domain.clock.timer.hpet.present"))
	}
	if t.KVM != nil {
		s.timerPresent(&t.KVM.Enabled, field("spec.domain.clock.timer.kvm.present"))
	}
	if t.PIT != nil {
		s.timerPresent(&t.PIT.Enabled, field("spec.domain.clock.timer.pit.present"))
	}
	if t.RTC != nil {
		s.timerPresent(&t.RTC.Enabled, field("spec.domain.clock.timer.rtc.present"))
	}
	if t.Hyperv != nil {
		s.timerPresent(&t.Hyperv.Enabled, field("spec.domain.clock.timer.hyperv.present"))
	}
}

func (s *state) timerPresent(b **bool, at ref) {
	if *b == nil {
		*b = newBool(true)
		s.why.defaulted(at, "a timer that is named is present unless it says otherwise")
	}
}

// defaultForArchitecture fills in what differs between architectures
// (defaults.md 3.6).
func (s *state) defaultForArchitecture() {
	d := &s.vmi.Spec.Domain
	a := s.guestArch()
	s.defaultBuses(a)
	s.defaultWatchdog(a)
	if !a.arm64() {
		return
	}
	if d.CPU.Model == "" {
		d.CPU.Model = v1.CPUModeHostPassthrough
		s.why.defaulted(field("spec.domain.cpu.model"), "the only CPU model of arm64 guests", field("spec.architecture"))
	}
	if d.Firmware.Bootloader == nil {
		d.Firmware.Bootloader = &v1.Bootloader{EFI: &v1.EFI{}}
		s.why.defaulted(field("spec.domain.firmware.bootloader"), "arm64 guests start by EFI", field("spec.architecture"))
	}
	if e := d.Firmware.Bootloader.EFI; e != nil && e.SecureBoot == nil {
		e.SecureBoot = newBool(false)
		s.why.defaulted(field("spec.domain.firmware.bootloader.efi.secureBoot"), "arm64 guests have no secure boot unless they ask for it", field("spec.architecture"))
	}
}

func (s *state) defaultBuses(a arch) {
	bus := v1.DiskBusVirtio
	if a.amd64() {
		bus = v1.DiskBusSATA
	}
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		k := &s.vmi.Spec.Domain.Devices.Disks[i]
		if k.Disk != nil && k.Disk.Bus == "" {
			own(&k.Disk).Bus = bus
			s.busDefaulted(i, "disk.bus")
		}
		if k.LUN != nil && k.LUN.Bus == "" {
			own(&k.LUN).Bus = bus
			s.busDefaulted(i, "lun.bus")
		}
		if k.CDRom != nil && k.CDRom.Bus == "" {
			own(&k.CDRom).Bus = bus
			s.busDefaulted(i, "cdrom.bus")
		}
	}
}

func (s *state) busDefaulted(i int, at string) {
	s.why.defaulted(fieldAt("spec.domain.devices.disks", i, at), "the usual bus of the architecture", field("spec.architecture"))
}

func (s *state) defaultWatchdog(a arch) {
	w := s.vmi.Spec.Domain.Devices.Watchdog
	if w == nil {
		return
	}
	switch {
	case a.amd64():
		if w.I6300ESB == nil {
			w.I6300ESB = &v1.I6300ESBWatchdog{}
			s.why.defaulted(field("spec.domain.devices.watchdog.i6300esb"), "the watchdog of the architecture", field("spec.architecture"))
		}
		if w.I6300ESB.Action == "" {
			w.I6300ESB.Action = v1.WatchdogActionReset
			s.why.defaulted(field("spec.domain.devices.watchdog.i6300esb.action"), "a watchdog resets the guest unless it says otherwise")
		}
	case a.s390x():
		if w.Diag288 == nil {
			w.Diag288 = &v1.Diag288Watchdog{}
			s.why.defaulted(field("spec.domain.devices.watchdog.diag288"), "the watchdog of the architecture", field("spec.architecture"))
		}
		if w.Diag288.Action == "" {
			w.Diag288.Action = v1.WatchdogActionReset
			s.why.defaulted(field("spec.domain.devices.watchdog.diag288.action"), "a watchdog resets the guest unless it says otherwise")
		}
	}
}
