package convert

import (
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	v1 "kubevirt.io/api/core/v1"
)

// What KubeVirt's admission refuses about machine, CPUs and memory, although it can
// be converted (compute.md 26). That maxGuest needs room to grow is left out: it is
// checked of a VirtualMachine's template only.

var (
	gateRebootPolicy     = featureGate{name: "RebootPolicy", beta: true}
	gateReservedOverhead = featureGate{name: "ReservedOverheadMemlock"}
)

func (s *state) admitMachine() {
	if _, ok := archOf(s.vmi.Spec.Architecture); !ok {
		s.refuse(field("spec.architecture"), s.vmi.Spec.Architecture, "want amd64, arm64 or s390x")
	}
	if m := s.vmi.Spec.Domain.Machine; m != nil && m.Type != "" {
		if patterns := s.emulatedMachines(); !matchesAny(patterns, m.Type) {
			s.refuse(field("spec.domain.machine.type"), m.Type, "the cluster does not offer this machine, want "+strings.Join(patterns, " or "))
		}
	}
	if s.vmi.Spec.Domain.RebootPolicy != nil {
		s.needs(gateRebootPolicy, field("spec.domain.rebootPolicy"))
	}
	switch start := s.vmi.Spec.StartStrategy; {
	case start == nil:
	case *start != v1.StartStrategyPaused:
		s.refuse(field("spec.startStrategy"), *start, "want Paused or none")
	case s.vmi.Spec.LivenessProbe != nil:
		s.refuse(field("spec.startStrategy"), *start, "a guest that starts paused would fail its liveness probe, want one of them")
	}
}

// emulatedMachines are the patterns of machine types that the cluster offers.
func (s *state) emulatedMachines() []string {
	c := &s.ctx.Cluster
	if len(c.EmulatedMachines) > 0 {
		return c.EmulatedMachines
	}
	if a := c.ArchitectureConfiguration; a != nil {
		for _, own := range [...]struct {
			name   string
			config *v1.ArchSpecificConfiguration
		}{{"amd64", a.Amd64}, {"arm64", a.Arm64}, {"s390x", a.S390x}} {
			if own.name == s.vmi.Spec.Architecture && own.config != nil && len(own.config.EmulatedMachines) > 0 {
				return own.config.EmulatedMachines
			}
		}
	}
	switch s.vmi.Spec.Architecture {
	case "arm64":
		return []string{"virt*"}
	case "s390x":
		return []string{"s390-ccw-virtio*"}
	}
	return []string{"q35*", "pc-q35*"}
}

func matchesAny(patterns []string, text string) bool {
	for _, p := range patterns {
		if ok, err := path.Match(p, text); err == nil && ok {
			return true
		}
	}
	return false
}

func (s *state) admitMemory() {
	r, m := &s.vmi.Spec.Domain.Resources, s.vmi.Spec.Domain.Memory
	request, limit := r.Requests["memory"], r.Limits["memory"]
	s.admitRange("memory", request, limit)
	if request.Sign() > 0 && request.Cmp(resource.MustParse("1M")) < 0 {
		s.refuse(field("spec.domain.resources.requests.memory"), request.String(), "want at least 1M")
	}
	if m != nil && m.ReservedOverhead != nil {
		s.needs(gateReservedOverhead, field("spec.domain.memory.reservedOverhead"))
	}
	guest := request
	if m != nil && m.Guest != nil {
		guest = *m.Guest
	}
	if guest.IsZero() && limit.IsZero() && (m == nil || m.Hugepages == nil) {
		s.refuse(field("spec.domain.memory.guest"), nil, "want memory: memory.guest, a request or limit, or huge pages")
	}
	if !s.liveUpdates() && limit.Sign() > 0 && guest.Cmp(limit) > 0 {
		s.refuse(field("spec.domain.memory.guest"), guest.String(), "want no more than the limit, "+limit.String())
	}
	if m != nil && m.Hugepages != nil {
		s.admitHugePages(m)
	}
}

// liveUpdates says whether a running guest takes over changes of its VM.
func (s *state) liveUpdates() bool {
	r := s.ctx.Cluster.VMRolloutStrategy
	return r == nil || *r == v1.VMRolloutStrategyLiveUpdate
}

// admitRange takes a request up to a limit.
func (s *state) admitRange(name string, request, limit resource.Quantity) {
	requests, limits := field("spec.domain.resources.requests."+name), field("spec.domain.resources.limits."+name)
	if request.Sign() < 0 {
		s.refuse(requests, request.String(), "want no negative request")
	}
	if limit.Sign() < 0 {
		s.refuse(limits, limit.String(), "want no negative limit")
	}
	if limit.Sign() > 0 && request.Cmp(limit) > 0 {
		s.refuse(requests, request.String(), "want no more than the limit, "+limit.String())
	}
}

func (s *state) admitHugePages(m *v1.Memory) {
	where := field("spec.domain.memory.hugepages.pageSize")
	page, err := resource.ParseQuantity(m.Hugepages.PageSize)
	if err != nil || page.Sign() <= 0 {
		s.refuse(where, m.Hugepages.PageSize, "want the size of a huge page, such as 2Mi or 1Gi")
		return
	}
	r := &s.vmi.Spec.Domain.Resources
	memory := r.Requests["memory"]
	if memory.IsZero() && m.Guest != nil {
		memory = *m.Guest
	}
	if memory.IsZero() {
		memory = r.Limits["memory"]
	}
	size, total := page.Value(), memory.Value()
	if total < size || total%size != 0 {
		s.refuse(where, m.Hugepages.PageSize, "want a page size that memory, "+memory.String()+", is a multiple of")
	}
}

func (s *state) admitCPU() {
	c, r := s.vmi.Spec.Domain.CPU, &s.vmi.Spec.Domain.Resources
	s.admitRange("cpu", r.Requests["cpu"], r.Limits["cpu"])
	if c == nil {
		return
	}
	if c.MaxSockets != 0 && c.Sockets > c.MaxSockets {
		s.refuse(field("spec.domain.cpu.sockets"), c.Sockets, "want no more than maxSockets")
	}
	if s.vmi.Spec.Architecture == "arm64" && c.Model != cpuHostPassthrough {
		s.refuse(field("spec.domain.cpu.model"), c.Model, "arm64 guests see the host's CPU, want "+cpuHostPassthrough)
	}
	passthrough := c.NUMA != nil && c.NUMA.GuestMappingPassthrough != nil
	if c.DedicatedCPUPlacement {
		s.admitDedicated(c)
	} else {
		s.admitWithoutDedicated(c, passthrough)
	}
	if passthrough && !s.hugePages() {
		s.refuse(field("spec.domain.cpu.numa.guestMappingPassthrough"), nil, "want huge pages as well")
	}
	if c.Realtime != nil && !passthrough {
		s.refuse(field("spec.domain.cpu.realtime"), nil, "want numa.guestMappingPassthrough as well")
	}
}

// admitWithoutDedicated wants dedicated CPUs for what cannot do without.
func (s *state) admitWithoutDedicated(c *v1.CPU, passthrough bool) {
	const want = "want dedicatedCpuPlacement as well"
	if c.IsolateEmulatorThread {
		s.refuse(field("spec.domain.cpu.isolateEmulatorThread"), true, want)
	}
	if passthrough {
		s.refuse(field("spec.domain.cpu.numa.guestMappingPassthrough"), nil, want)
	}
	if c.Realtime != nil {
		s.refuse(field("spec.domain.cpu.realtime"), nil, want)
	}
}

// admitDedicated wants the pod to get just the CPUs and the memory it asks for.
func (s *state) admitDedicated(c *v1.CPU) {
	r := &s.vmi.Spec.Domain.Resources
	request, requested := r.Requests["cpu"]
	limit, limited := r.Limits["cpu"]
	for _, q := range [...]struct {
		where string
		cpus  resource.Quantity
	}{{"spec.domain.resources.requests.cpu", request}, {"spec.domain.resources.limits.cpu", limit}} {
		if q.cpus.CmpInt64(q.cpus.Value()) != 0 {
			s.refuse(field(q.where), q.cpus.String(), "dedicated CPUs come whole, want an integer")
		}
	}
	if requested && limited && request.Cmp(limit) != 0 {
		s.refuse(field("spec.domain.resources.requests.cpu"), request.String(), "dedicated CPUs want the limit to be the same, "+limit.String())
	}
	vcpus := int64(s.topology().vcpus())
	counts := make([]int64, 0, 2)
	if requested {
		counts = append(counts, request.Value())
	}
	if limited {
		counts = append(counts, limit.Value())
	}
	if len(counts) > 0 && !slices.Contains(counts, vcpus) {
		s.refuse(field("spec.domain.cpu"), vcpus, "want as many CPUs as the pod requests or is limited to")
	}
	memory, memoryLimit := r.Requests["memory"], r.Limits["memory"]
	if !memory.IsZero() && !memoryLimit.IsZero() && memory.Cmp(memoryLimit) != 0 {
		s.refuse(field("spec.domain.resources.requests.memory"), memory.String(), "dedicated CPUs want the limit to be the same, "+memoryLimit.String())
	}
	most := uint32(2)
	if s.vmi.Spec.Architecture == "arm64" {
		most = 1
	}
	if c.Threads > most {
		s.refusef(field("spec.domain.cpu.threads"), c.Threads, "want at most %d with dedicated CPUs", most)
	}
}
