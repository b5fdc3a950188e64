package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCase05ClockZones(t *testing.T) {
	runComputeRows(t, "clock", []computeRow{
		{"clock: {timezone: Europe/Berlin}", "", "@offset=timezone @timezone=Europe/Berlin", "a named zone"},
		{"clock: {utc: {offsetSeconds: 3600}}", "", "@offset=utc @adjustment=3600", "seconds from UTC, and no zone"},
		{"clock: {utc: {}}", "", "@offset=utc @adjustment=reset", "UTC at each boot, and no zone"},
	})
}

func TestCase07NoDefaultWeight(t *testing.T) {
	runComputeRows(t, "cputune", []computeRow{
		{"cpu: {sockets: 12}", "", "", "twelve vCPUs bring neither a weight nor an empty element"},
	})
}

// TestCase11PinsComeFromTheFacts: the pins of the target are those of its own CPUs, and what
// the guest sees stays.
func TestCase11PinsComeFromTheFacts(t *testing.T) {
	const domain = "cpu: {sockets: 1, cores: 2, maxSockets: 1, dedicatedCpuPlacement: true, isolateEmulatorThread: true, numa: {guestMappingPassthrough: {}}}\n" +
		"    memory: {guest: 64Mi, hugepages: {pageSize: 2Mi}}"
	source := "node: {cpuSet: 4-6, numa: [{id: 0, cpus: 0-7}]}"
	target := "node: {cpuSet: 10-12, numa: [{id: 0, cpus: 0-7}, {id: 1, cpus: 8-15}]}"
	runComputeRows(t, "cputune", []computeRow{
		{domain, source, "vcpupin/@vcpu=0 vcpupin/@cpuset=4 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=5 emulatorpin/@cpuset=6", "pins of the source"},
		{domain, target, "vcpupin/@vcpu=0 vcpupin/@cpuset=10 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=11 emulatorpin/@cpuset=12", "pins of the target"},
	})
	runComputeRows(t, "numatune/memnode", []computeRow{
		{domain, source, "@cellid=0 @mode=strict @nodeset=0", "memory of the source"},
		{domain, target, "@cellid=0 @mode=strict @nodeset=1", "memory of the target"},
	})
	for _, part := range []string{"cpu", "vcpu", "memory"} {
		at := computeRow{domain: domain, context: source}
		there := computeRow{domain: domain, context: target}
		if diff := cmp.Diff(partLeaves(t, at, part), partLeaves(t, there, part)); diff != "" {
			t.Errorf("what the guest sees of %s changes (-source +target):\n%s", part, diff)
		}
	}
	runRefusals(t, []computeRow{
		{domain, "node: {cpuSet: 10-11, numa: [{id: 1, cpus: 8-15}]}", `context.node.cpuSet: "10-11": no CPU is left for the emulator thread`, "a CPU short"},
		{domain, "node: {cpuSet: '10', numa: [{id: 1, cpus: 8-15}]}",
			`context.node.cpuSet: "10": the pod has too few exclusive CPUs, 1: 1 of 2 guest cores of 1 threads are left without a place, want 2 CPUs`, "both counts are told"},
		{domain, "", `context.node.cpuSet: dedicated CPUs are asked for, want the CPUs that are the pod's own
context.node.numa: dedicated CPUs are asked for, want the host's NUMA cells with their CPUs`, "a pinned VM and nothing known of the host"},
	})
}

// TestCase25ComputeWithoutFacts: a manifest alone gives a domain, and what only a host could
// settle is named; facts change that and nothing else.
func TestCase25ComputeWithoutFacts(t *testing.T) {
	row := computeRow{domain: "firmware: {bootloader: {efi: {secureBoot: false}}}"}
	explain := func(context string) (*Explanation, []string) {
		t.Helper()
		s := testState(t, row.vmi(), context)
		e, err := Explain(s.vmi, *s.ctx)
		if err != nil {
			t.Fatal(err)
		}
		var unknown []string
		for _, u := range e.Unknown {
			for _, of := range []string{"context.smbios", "context.firmware", "context.node"} {
				if strings.HasPrefix(u.Fact, of) {
					unknown = append(unknown, u.Path+" "+u.Fact)
				}
			}
		}
		return e, unknown
	}
	alone, unknown := explain("")
	want := []string{"/domain/sysinfo/system/entry context.smbios", "/domain/os/type/@machine context.node.machines.q35", "/domain/os/loader context.firmware"}
	if diff := cmp.Diff(want, unknown); diff != "" {
		t.Errorf("unknown (-want +got):\n%s", diff)
	}
	told, unknown := explain("{firmware: {code: /fw/code.fd}, smbios: {product: P}, node: {machines: {q35: pc-q35-10.0}}}")
	if len(unknown) > 0 {
		t.Errorf("still unknown: %v", unknown)
	}
	before := map[string]string{}
	for _, c := range alone.Causes {
		before[c.Path] = c.Value
	}
	for _, c := range told.Causes {
		if strings.HasPrefix(c.Path, "/domain/os/loader") || strings.HasPrefix(c.Path, "/domain/os/nvram") || strings.HasPrefix(c.Path, "/domain/sysinfo/system/entry") {
			continue
		}
		if v, ok := before[c.Path]; !ok || v != c.Value {
			t.Errorf("%s = %q, without the facts %q", c.Path, c.Value, v)
		}
	}
}
