package convert

import (
	"strings"
	"unicode/utf8"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// maxHyperVVendor is how many bytes of a vendor name the guest can read.
const maxHyperVVendor = 12

// hyperV makes the guest believe that it runs under Hyper-V (compute.md 14): with
// the enlightenments that the VMI names, or else with all the host has. What one
// of them needs of another is settled by defaulting.
func (s *state) hyperV(f *v1.Features) {
	if f.Hyperv == nil {
		if p := f.HypervPassthrough; p != nil && isTrue(p.Enabled) {
			s.dom.Features.HyperV = &libvirtxml.DomainFeatureHyperV{Mode: "passthrough"}
			s.part("features/hyperv").because("@mode", "the guest gets every enlightenment the host has",
				field("spec.domain.features.hypervPassthrough.enabled"))
		}
		return
	}
	h := f.Hyperv
	x := &libvirtxml.DomainFeatureHyperV{
		Relaxed:         featureState(h.Relaxed),
		VAPIC:           featureState(h.VAPIC),
		Spinlocks:       s.hyperVSpinlocks(h.Spinlocks),
		VPIndex:         featureState(h.VPIndex),
		Runtime:         featureState(h.Runtime),
		Synic:           featureState(h.SyNIC),
		STimer:          s.hyperVTimer(h.SyNICTimer),
		Reset:           featureState(h.Reset),
		VendorId:        s.hyperVVendor(h.VendorID),
		Frequencies:     featureState(h.Frequencies),
		ReEnlightenment: featureState(h.Reenlightenment),
		TLBFlush:        s.hyperVTLBFlush(h.TLBFlush),
		IPI:             featureState(h.IPI),
		EVMCS:           featureState(h.EVMCS),
	}
	s.dom.Features.HyperV = x
	s.hyperVCauses(h)
}

// hyperVCauses notes for each enlightenment that the VMI names it, and whether it
// is on.
func (s *state) hyperVCauses(h *v1.FeatureHyperv) {
	d := s.part("features/hyperv")
	if !d.on() {
		return
	}
	d.because("", "the VMI names no enlightenment", field("spec.domain.features.hyperv"))
	for _, e := range [...]struct {
		leaf, key string
		present   bool
	}{
		{"relaxed", "relaxed", h.Relaxed != nil},
		{"vapic", "vapic", h.VAPIC != nil},
		{"spinlocks", "spinlocks", h.Spinlocks != nil},
		{"vpindex", "vpindex", h.VPIndex != nil},
		{"runtime", "runtime", h.Runtime != nil},
		{"synic", "synic", h.SyNIC != nil},
		{"stimer", "synictimer", h.SyNICTimer != nil},
		{"reset", "reset", h.Reset != nil},
		{"vendor_id", "vendorid", h.VendorID != nil},
		{"frequencies", "frequencies", h.Frequencies != nil},
		{"reenlightenment", "reenlightenment", h.Reenlightenment != nil},
		{"tlbflush", "tlbflush", h.TLBFlush != nil},
		{"ipi", "ipi", h.IPI != nil},
		{"evmcs", "evmcs", h.EVMCS != nil},
	} {
		if e.present {
			d.because(e.leaf+"/@state", "an enlightenment that is named is on unless said otherwise",
				field("spec.domain.features.hyperv."+e.key+".enabled"))
		}
	}
}

func (s *state) hyperVSpinlocks(f *v1.FeatureSpinlocks) *libvirtxml.DomainFeatureHyperVSpinlocks {
	if f == nil {
		return nil
	}
	x := &libvirtxml.DomainFeatureHyperVSpinlocks{DomainFeatureState: *featureState(&f.FeatureState)}
	if f.Retries != nil && *f.Retries != 0 {
		x.Retries = uint(*f.Retries)
		s.part("features/hyperv/spinlocks").because("@retries", "attempts before the guest tells the hypervisor that it waits",
			field("spec.domain.features.hyperv.spinlocks.spinlocks"))
	}
	return x
}

func (s *state) hyperVTimer(f *v1.SyNICTimer) *libvirtxml.DomainFeatureHyperVSTimer {
	if f == nil {
		return nil
	}
	s.hyperVDetail("stimer", "direct", f.Direct, "spec.domain.features.hyperv.synictimer.direct.enabled")
	return &libvirtxml.DomainFeatureHyperVSTimer{
		DomainFeatureState: *featureState(&f.FeatureState),
		Direct:             featureState(f.Direct),
	}
}

func (s *state) hyperVTLBFlush(f *v1.TLBFlush) *libvirtxml.DomainFeatureHyperVTLBFlush {
	if f == nil {
		return nil
	}
	s.hyperVDetail("tlbflush", "direct", f.Direct, "spec.domain.features.hyperv.tlbflush.direct.enabled")
	s.hyperVDetail("tlbflush", "extended", f.Extended, "spec.domain.features.hyperv.tlbflush.extended.enabled")
	return &libvirtxml.DomainFeatureHyperVTLBFlush{
		DomainFeatureState: *featureState(&f.FeatureState),
		Direct:             featureState(f.Direct),
		Extended:           featureState(f.Extended),
	}
}

// hyperVDetail notes why a part of an enlightenment is on or off.
func (s *state) hyperVDetail(element, child string, f *v1.FeatureState, from string) {
	if d := s.part("features/hyperv"); d.on() && f != nil {
		d.because(element+"/"+child+"/@state", "a part of the enlightenment that is on unless said otherwise", field(from))
	}
}

// hyperVVendor is the name of the hypervisor that the guest reads. The guest has
// twelve bytes for it, and QEMU's command line no way to write a comma.
func (s *state) hyperVVendor(f *v1.FeatureVendorID) *libvirtxml.DomainFeatureHyperVVendorId {
	if f == nil {
		return nil
	}
	from := field("spec.domain.features.hyperv.vendorid.vendorid")
	if strings.Contains(f.VendorID, ",") || utf8.RuneCountInString(f.VendorID) > maxHyperVVendor {
		s.refuse(from, f.VendorID, "want a vendor name of at most 12 characters without a comma")
	}
	if f.VendorID != "" {
		s.part("features/hyperv").because("vendor_id/@value", "the vendor name given", from)
	}
	return &libvirtxml.DomainFeatureHyperVVendorId{
		DomainFeatureState: *featureState(&f.FeatureState),
		Value:              f.VendorID,
	}
}

// nestsHyperV says whether the guest is to run Hyper-V guests of its own fast.
func (s *state) nestsHyperV() bool {
	f := s.vmi.Spec.Domain.Features
	return f != nil && f.Hyperv != nil && f.Hyperv.EVMCS != nil && isTrue(f.Hyperv.EVMCS.Enabled)
}
