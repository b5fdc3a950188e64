package convert

import (
	"strconv"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// clock sets the guest's clock and timers (compute.md 15). A guest without clock
// settings has libvirt's.
func (s *state) clock() {
	c := s.vmi.Spec.Domain.Clock
	frequency := s.tscFrequency()
	if c == nil && frequency == 0 {
		return
	}
	s.dom.Clock = &libvirtxml.DomainClock{}
	if c == nil {
		c = &v1.Clock{}
	}
	s.clockOffset(c)
	if c.Timer != nil {
		s.timers(c.Timer)
	}
	if frequency > 0 {
		d := s.part("clock").child("timer", len(s.dom.Clock.Timer))
		s.dom.Clock.Timer = append(s.dom.Clock.Timer, libvirtxml.DomainTimer{Name: "tsc", Frequency: frequency})
		d.because("", "the guest counts on a TSC of a stable frequency, which is the one its nodes have",
			field("status.topologyHints.tscFrequency"))
	}
}

// clockOffset writes what the guest's clock shows at boot. libvirt takes a clock
// without an offset for one in UTC; its schema wants that spelt out, so that is
// done here, unlike upstream.
func (s *state) clockOffset(c *v1.Clock) {
	x, d := s.dom.Clock, s.part("clock")
	zone := field("spec.domain.clock.timezone")
	switch {
	case c.UTC != nil:
		x.Offset, x.Adjustment = "utc", "reset"
		const reason = "the clock shows UTC"
		if s.tscFrequency() == 0 {
			d.because("@offset", reason, field("spec.domain.clock.utc"), field("spec.domain.clock"))
		} else { // which brings a clock as well
			d.because("@offset", reason, field("spec.domain.clock.utc"), field("spec.domain.clock"), field("status.topologyHints.tscFrequency"))
		}
		if n := c.UTC.OffsetSeconds; n != nil {
			x.Adjustment = strconv.Itoa(*n)
		}
		d.because("@adjustment", "seconds from UTC; without any the clock is set to UTC at each boot",
			field("spec.domain.clock.utc.offsetSeconds"))
	case c.Timezone != nil:
		x.Offset, x.TimeZone = "timezone", string(*c.Timezone)
		if !isName(x.TimeZone, "_.+-/") {
			s.refuse(zone, x.TimeZone, "want the name of a time zone, such as Europe/Berlin")
		}
		d.because("@offset", "the clock shows the time of a time zone", zone)
		d.because("@timezone", "the time zone given", zone)
	default:
		x.Offset = "utc"
		d.policy("@offset", "the clock shows UTC when no offset is given")
	}
}

// timers lists the timers that the VMI names, in a fixed order.
func (s *state) timers(t *v1.Timer) {
	if t.RTC != nil {
		s.timer("rtc", "rtc", string(t.RTC.TickPolicy), string(t.RTC.Track), t.RTC.Enabled)
	}
	if t.PIT != nil {
		s.timer("pit", "pit", string(t.PIT.TickPolicy), "", t.PIT.Enabled)
	}
	if t.KVM != nil {
		s.timer("kvm", "kvmclock", "", "", t.KVM.Enabled)
	}
	if t.HPET != nil {
		s.timer("hpet", "hpet", string(t.HPET.TickPolicy), "", t.HPET.Enabled)
	}
	if t.Hyperv != nil {
		s.timer("hyperv", "hypervclock", "", "", t.Hyperv.Enabled)
	}
}

// timer adds one timer; key is its name in the VMI.
func (s *state) timer(key, name, tickPolicy, track string, present *bool) {
	at := "spec.domain.clock.timer." + key
	d := s.part("clock").child("timer", len(s.dom.Clock.Timer))
	if tickPolicy != "" {
		s.oneOf(field(at+".tickPolicy"), tickPolicy, "delay", "catchup", "merge", "discard")
		d.because("@tickpolicy", "what becomes of ticks the guest missed", field(at+".tickPolicy"))
	}
	if track != "" {
		s.oneOf(field(at+".track"), track, "boot", "guest", "wall", "realtime")
		d.because("@track", "what the timer follows", field(at+".track"))
	}
	s.dom.Clock.Timer = append(s.dom.Clock.Timer, libvirtxml.DomainTimer{
		Name: name, TickPolicy: tickPolicy, Track: track, Present: yesNo(!isFalse(present)),
	})
	d.because("@name", "a timer that the VMI names", field(at))
	d.because("@present", "a timer that is named is there unless said otherwise", field(at+".present"))
}

// tscFrequency is the frequency of the TSC in Hz that the guest has to find
// everywhere, 0 if it does not care or if that is not known.
func (s *state) tscFrequency() uint64 {
	hints := s.vmi.Status.TopologyHints
	if hints == nil || hints.TSCFrequency == nil || *hints.TSCFrequency <= 0 || !s.needsStableTSC() {
		return 0
	}
	return uint64(*hints.TSCFrequency)
}

// needsStableTSC says whether the guest relies on a TSC of constant frequency.
func (s *state) needsStableTSC() bool {
	d := &s.vmi.Spec.Domain
	if d.CPU != nil {
		for i := range d.CPU.Features {
			f := &d.CPU.Features[i]
			if f.Name == "invtsc" && (f.Policy == "require" || f.Policy == "force") {
				return true
			}
		}
	}
	return d.Features != nil && d.Features.Hyperv != nil && d.Features.Hyperv.Reenlightenment != nil &&
		isTrue(d.Features.Hyperv.Reenlightenment.Enabled)
}
