package convert

import (
	"maps"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	v1 "kubevirt.io/api/core/v1"
)

// defaultCPURequest fills in the CPU request (defaults.md 3.1, step 3).
func (s *state) defaultCPURequest() {
	r := &s.vmi.Spec.Domain.Resources
	at := field("spec.domain.resources.requests.cpu")
	limit, limited := r.Limits[corev1.ResourceCPU]
	request, requested := r.Requests[corev1.ResourceCPU]
	if limited && !limit.IsZero() && request.IsZero() {
		setRequest(r, limit)
		s.why.defaulted(at, "the CPU limit", field("spec.domain.resources.limits.cpu"))
		return
	}
	cluster := s.ctx.Cluster.CPURequest
	if cluster == nil || requested || cluster.Cmp(stockCPURequest) == 0 || s.dedicatedCPUs() {
		return
	}
	setRequest(r, *cluster)
	s.why.defaulted(at, "the cluster's CPU request", fact("cluster.cpuRequest"))
}

// stockCPURequest is KubeVirt's own setting; the pod gets it later, the VMI never.
var stockCPURequest = resource.MustParse("100m")

func setRequest(r *v1.ResourceRequirements, q resource.Quantity) {
	requests := make(corev1.ResourceList, len(r.Requests)+1)
	maps.Copy(requests, r.Requests)
	r.Requests = requests
	r.Requests[corev1.ResourceCPU] = q.DeepCopy()
}

func (s *state) dedicatedCPUs() bool {
	return s.vmi.Spec.Domain.CPU != nil && s.vmi.Spec.Domain.CPU.DedicatedCPUPlacement
}

// defaultGuestMemory fills in the guest memory (step 4).
func (s *state) defaultGuestMemory() {
	d := &s.vmi.Spec.Domain
	if d.Memory == nil {
		d.Memory = &v1.Memory{}
	}
	if d.Memory.Guest != nil {
		return
	}
	at := field("spec.domain.memory.guest")
	if q, ok := d.Resources.Requests[corev1.ResourceMemory]; ok && !q.IsZero() {
		d.Memory.Guest = copyOf(q)
		s.why.defaulted(at, "the memory request", field("spec.domain.resources.requests.memory"))
		return
	}
	if q, ok := d.Resources.Limits[corev1.ResourceMemory]; ok && !q.IsZero() {
		d.Memory.Guest = copyOf(q)
		s.why.defaulted(at, "the memory limit", field("spec.domain.resources.limits.memory"))
		return
	}
	if h := d.Memory.Hugepages; h != nil {
		if q, err := resource.ParseQuantity(h.PageSize); err == nil {
			d.Memory.Guest = &q
			s.why.defaulted(at, "the size of one huge page", field("spec.domain.memory.hugepages.pageSize"))
		}
	}
}

func copyOf(q resource.Quantity) *resource.Quantity {
	c := q.DeepCopy()
	return &c
}

// defaultTopology gives a VMI without any CPU topology a socket for each CPU it
// may use (step 5). A topology that is given in part is left as it is.
func (s *state) defaultTopology() {
	d := &s.vmi.Spec.Domain
	if c := d.CPU; c != nil && (c.Cores != 0 || c.Sockets != 0 || c.Threads != 0) {
		return
	}
	if d.CPU == nil {
		d.CPU = &v1.CPU{}
	}
	d.CPU.Cores, d.CPU.Threads, d.CPU.Sockets = 1, 1, 1
	s.why.defaulted(field("spec.domain.cpu.cores"), "no CPU topology is given")
	s.why.defaulted(field("spec.domain.cpu.threads"), "no CPU topology is given")
	sockets := field("spec.domain.cpu.sockets")
	if q, ok := d.Resources.Limits[corev1.ResourceCPU]; ok {
		d.CPU.Sockets = socketsFor(q)
		s.why.defaulted(sockets, "no CPU topology is given; one socket for each CPU of the limit", field("spec.domain.resources.limits.cpu"))
		return
	}
	if q, ok := d.Resources.Requests[corev1.ResourceCPU]; ok {
		d.CPU.Sockets = socketsFor(q)
		s.why.defaulted(sockets, "no CPU topology is given; one socket for each CPU of the request", field("spec.domain.resources.requests.cpu"))
		return
	}
	s.why.defaulted(sockets, "no CPU topology, limit or request is given")
}

// socketsFor rounds up. An explicit 0 stays 0, which conversion counts as 1.
func socketsFor(q resource.Quantity) uint32 {
	n := q.Value()
	if n < 0 {
		return 0
	}
	return uint32(min(n, 1<<32-1))
}

// defaultCPUModel names the CPU model (defaults.md 3.7).
func (s *state) defaultCPUModel() {
	d := &s.vmi.Spec.Domain
	if d.CPU == nil {
		d.CPU = &v1.CPU{}
	}
	if d.CPU.Model != "" {
		return
	}
	d.CPU.Model = v1.CPUModeHostModel
	if m := s.ctx.Cluster.CPUModel; m != "" {
		d.CPU.Model = m
	}
	s.why.defaulted(field("spec.domain.cpu.model"), "the cluster's CPU model, host-model unless it is set", fact("cluster.cpuModel"))
}

// defaultStatus notes what the guest starts with, and prepares for more CPUs and
// memory to be plugged in later (defaults.md 3.8 and 3.9). A VMI that has its CPU
// topology in the status was created before, under a cluster configuration that
// need not be this one: what it was not prepared for then it does not get now.
func (s *state) defaultStatus() {
	d, status := &s.vmi.Spec.Domain, &s.vmi.Status
	if d.Memory != nil && d.Memory.Guest != nil && status.Memory == nil {
		g := d.Memory.Guest
		status.Memory = &v1.MemoryStatus{GuestAtBoot: copyOf(*g), GuestCurrent: copyOf(*g), GuestRequested: copyOf(*g)}
	}
	if status.CurrentCPUTopology != nil {
		return
	}
	status.CurrentCPUTopology = &v1.CPUTopology{Sockets: d.CPU.Sockets, Cores: d.CPU.Cores, Threads: d.CPU.Threads}
	if s.vmi.Spec.Architecture == "arm64" {
		return
	}
	if r := s.ctx.Cluster.VMRolloutStrategy; r != nil && *r != v1.VMRolloutStrategyLiveUpdate {
		return
	}
	s.defaultMaxSockets()
	s.defaultMaxGuest()
}

// hotplugRatio is how many times its size a guest may grow to.
func (s *state) hotplugRatio() uint32 {
	if l := s.ctx.Cluster.LiveUpdateConfiguration; l != nil && l.MaxHotplugRatio != 0 {
		return l.MaxHotplugRatio
	}
	return 4
}

// maxHotplugVCPUs is where KubeVirt stops growing a guest on its own accord.
const maxHotplugVCPUs = 512

func (s *state) defaultMaxSockets() {
	c := s.vmi.Spec.Domain.CPU
	if c.MaxSockets != 0 {
		return
	}
	at := field("spec.domain.cpu.maxSockets")
	if l := s.ctx.Cluster.LiveUpdateConfiguration; l != nil && l.MaxCpuSockets != nil && *l.MaxCpuSockets != 0 {
		c.MaxSockets = max(*l.MaxCpuSockets, c.Sockets)
		s.why.defaulted(at, "the cluster's maximum of sockets, so that CPUs can be added to the running guest",
			fact("cluster.liveUpdateConfiguration.maxCpuSockets"), field("spec.domain.cpu.sockets"))
		return
	}
	ratio := uint64(s.hotplugRatio())
	sockets, inSocket := uint64(c.Sockets), uint64(c.Cores)*uint64(c.Threads)
	most := sockets * ratio
	if inSocket > 0 && most > maxHotplugVCPUs/inSocket {
		most = max(maxHotplugVCPUs/inSocket, sockets)
	}
	c.MaxSockets = uint32(min(most, 1<<32-1))
	s.why.defaulted(at, "room to add CPUs to the running guest: the sockets times the cluster's hotplug ratio, at most 512 vCPUs",
		field("spec.domain.cpu.sockets"), fact("cluster.liveUpdateConfiguration.maxHotplugRatio"))
}

// defaultMaxGuest prepares for memory to be added, where everything that it
// takes is given; otherwise the guest simply cannot grow.
func (s *state) defaultMaxGuest() {
	d := &s.vmi.Spec.Domain
	if d.Memory == nil || d.Memory.MaxGuest != nil || d.Memory.Guest == nil {
		return
	}
	if c := d.CPU; c.Realtime != nil || c.NUMA != nil && c.NUMA.GuestMappingPassthrough != nil || d.LaunchSecurity != nil {
		return
	}
	from := fact("cluster.liveUpdateConfiguration.maxHotplugRatio")
	var most *resource.Quantity
	if l := s.ctx.Cluster.LiveUpdateConfiguration; l != nil && l.MaxGuest != nil {
		most, from = l.MaxGuest, fact("cluster.liveUpdateConfiguration.maxGuest")
	} else {
		most = times(d.Memory.Guest, int64(s.hotplugRatio()))
	}
	block := int64(2 << 20)
	if h := d.Memory.Hugepages; h != nil && h.PageSize == "1Gi" {
		block = 1 << 30
	}
	guest, limit := d.Memory.Guest.Value(), most.Value()
	if guest > limit || guest%block != 0 || limit%block != 0 || guest < 1<<30 || s.vmi.Spec.Architecture != "amd64" {
		return
	}
	d.Memory.MaxGuest = copyOf(*most)
	s.why.defaulted(field("spec.domain.memory.maxGuest"), "room to add memory to the running guest: the cluster's maximum, or the guest's memory times its hotplug ratio",
		from, field("spec.domain.memory.guest"))
}

// times keeps the notation of q: four times 2Gi is 8Gi.
func times(q *resource.Quantity, n int64) *resource.Quantity {
	product := q.DeepCopy()
	product.Mul(n)
	return &product
}
