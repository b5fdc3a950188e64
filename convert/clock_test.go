package convert

import "testing"

func TestClock(t *testing.T) {
	const tsc = "\n---\nstatus: {topologyHints: {tscFrequency: 2100000000}}"
	runComputeRows(t, "clock", []computeRow{
		{"rebootPolicy: Reboot", "", "", "a VMI without a clock leaves it to libvirt"},
		{"clock: {timezone: Europe/Berlin}", "", "@offset=timezone @timezone=Europe/Berlin", "a zone by name"},
		{"clock: {utc: {offsetSeconds: 3600}}", "", "@offset=utc @adjustment=3600", "an hour ahead of UTC, and no zone"},
		{"clock: {utc: {offsetSeconds: 0}}", "", "@offset=utc @adjustment=0", "zero seconds are not no seconds"},
		{"clock: {utc: {}}", "", "@offset=utc @adjustment=reset", "UTC at each boot"},
		{"clock: {utc: {}, timezone: Europe/Berlin}", "", "@offset=utc @adjustment=reset", "UTC goes before a zone"},
		{"clock: {}", "", "@offset=utc", "libvirt's own default, spelt out for its schema"},
		{"clock: {utc: {}, timer: {hyperv: {present: false}, kvm: {}, rtc: {tickPolicy: catchup, track: wall}, pit: {tickPolicy: delay}, hpet: {present: true, tickPolicy: merge}}}", "", `
			@offset=utc @adjustment=reset
			timer/@name=rtc timer/@track=wall timer/@tickpolicy=catchup timer/@present=yes
			timer[2]/@name=pit timer[2]/@tickpolicy=delay timer[2]/@present=yes
			timer[3]/@name=kvmclock timer[3]/@present=yes
			timer[4]/@name=hpet timer[4]/@tickpolicy=merge timer[4]/@present=yes
			timer[5]/@name=hypervclock timer[5]/@present=no`, "timers in a fixed order; one that is named is there unless it says no"},
		{"cpu: {features: [{name: invtsc, policy: require}]}" + tsc, "", "@offset=utc timer/@name=tsc timer/@frequency=2100000000", "invtsc needs the frequency everywhere"},
		{"cpu: {features: [{name: invtsc, policy: optional}]}" + tsc, "", "", "not if it is only an option"},
		{"cpu: {features: [{name: invtsc, policy: require}]}", "", "", "without a known frequency there is none to promise"},
		{"features: {hyperv: {reenlightenment: {}}}" + tsc, "", "@offset=utc timer/@name=tsc timer/@frequency=2100000000", "re-enlightenment needs it as well"},
		{"features: {hyperv: {reenlightenment: {enabled: false}}}" + tsc, "", "", "unless it is off"},
		{"clock: {timezone: UTC, timer: {kvm: {}}}\n    cpu: {features: [{name: invtsc, policy: force}]}" + tsc, "",
			"@offset=timezone @timezone=UTC timer/@name=kvmclock timer/@present=yes timer[2]/@name=tsc timer[2]/@frequency=2100000000",
			"the TSC comes last, beside what the VMI names"},
	})
	runRefusals(t, []computeRow{
		{`clock: {timezone: "Berlin, Europe", timer: {rtc: {tickPolicy: never, track: moon}}}`, "", `spec.domain.clock.timezone: "Berlin, Europe": want the name of a time zone, such as Europe/Berlin
spec.domain.clock.timer.rtc.tickPolicy: "never": want delay, catchup, merge or discard
spec.domain.clock.timer.rtc.track: "moon": want boot, guest, wall or realtime`, "what libvirt cannot read is refused, all of it"},
	})
}
