package convert

import (
	"k8s.io/apimachinery/pkg/api/resource"
	"libvirt.org/go/libvirtxml"
)

// showsHostCells says whether the guest sees the host cells that its CPUs belong
// to (compute.md 10.2). Where the host's cells are not known it does not.
func (s *state) showsHostCells() bool {
	c := s.vmi.Spec.Domain.CPU
	return c != nil && c.DedicatedCPUPlacement && c.NUMA != nil && c.NUMA.GuestMappingPassthrough != nil && len(s.ctx.Node.NUMA) > 0
}

// numa gives the guest a NUMA cell for each host cell that its vCPUs are pinned
// to, with an equal share of memory in huge pages of that host cell.
func (s *state) numa() {
	if !s.showsHostCells() {
		return
	}
	page := s.numaPageSize()
	if page == 0 || s.dom.CPUTune == nil || len(s.dom.CPUTune.VCPUPin) == 0 {
		return // refused
	}
	host := s.hostCells()
	cells, ok := s.pinnedCells(host)
	if !ok {
		return
	}
	q, from := s.guestMemory()
	total := s.numaMemory(q, from, page, len(cells))
	if total == 0 {
		return
	}
	s.numaTune(cells)
	s.numaCells(cells, splitMemory(total, page, len(cells)))
	s.numaPages(page, len(cells))
}

// numaPageSize is the size of the huge pages in bytes, 0 if there are none.
func (s *state) numaPageSize() uint64 {
	if !s.hugePages() {
		s.refuse(field("spec.domain.memory.hugepages"), nil, "a guest that sees host NUMA nodes needs huge pages, want a page size")
		return 0
	}
	text := s.vmi.Spec.Domain.Memory.Hugepages.PageSize
	q, err := resource.ParseQuantity(text)
	if err != nil || q.Sign() <= 0 || wholeBytes(q) == 0 {
		s.refuse(field("spec.domain.memory.hugepages.pageSize"), text, "want the size of a huge page, such as 2Mi or 1Gi")
		return 0
	}
	return wholeBytes(q)
}

// pinnedCells finds the host cells of the pinned vCPUs.
func (s *state) pinnedCells(host []hostCell) (cells []guestCell, ok bool) {
	pins := make([]int, 0, len(s.dom.CPUTune.VCPUPin))
	for i := range s.dom.CPUTune.VCPUPin {
		ids, err := parseCPUList(s.dom.CPUTune.VCPUPin[i].CPUSet)
		if err != nil || len(ids) != 1 {
			return nil, false
		}
		pins = append(pins, ids[0])
	}
	cells, stray := guestCells(pins, host)
	for _, vcpu := range stray {
		s.refusef(fact("node.numa"), nil, "vCPU %d is pinned to CPU %d, which belongs to no NUMA cell", vcpu, pins[vcpu])
	}
	return cells, len(stray) == 0
}

// numaMemory is the guest's memory in bytes if it can be shared out to n cells in
// whole pages, else 0.
func (s *state) numaMemory(q resource.Quantity, from ref, page uint64, n int) uint64 {
	total := wholeBytes(q)
	switch size := s.vmi.Spec.Domain.Memory.Hugepages.PageSize; {
	case total/page < uint64(n):
		s.refusef(from, q.String(), "too little memory for one huge page of %s on each of %d NUMA nodes", size, n)
		return 0
	case total%page != 0:
		s.refusef(from, q.String(), "memory has to be divisible by the size of its huge pages, %s", size)
		return 0
	}
	return total
}

// pinnedBy are the places that decide which host cells a guest sees.
func pinnedBy() []ref {
	return []ref{field("spec.domain.cpu.numa.guestMappingPassthrough"), fact("node.cpuSet"), fact("node.numa")}
}

// numaTune binds the memory of each guest cell to its host cell.
func (s *state) numaTune(cells []guestCell) {
	tune := &libvirtxml.DomainNUMATune{}
	ids := make([]int, len(cells))
	for i, cell := range cells {
		ids[i] = cell.host
		tune.MemNodes = append(tune.MemNodes, libvirtxml.DomainNUMATuneMemNode{
			CellID: uint(i), Mode: "strict", Nodeset: formatCPUs([]int{cell.host}),
		})
	}
	tune.Memory = &libvirtxml.DomainNUMATuneMemory{Mode: "strict", Nodeset: formatCPUs(ids)}
	s.dom.NUMATune = tune
	if d := s.part("numatune"); d.on() {
		passthrough := field("spec.domain.cpu.numa.guestMappingPassthrough")
		d.policy("memory/@mode", "memory never comes from another host cell", passthrough)
		d.because("memory/@nodeset", "the host cells that the guest's CPUs belong to", pinnedBy()...)
		d.policy("memnode[*]/@cellid", "guest cells are numbered from 0", passthrough)
		d.policy("memnode[*]/@mode", "memory never comes from another host cell", passthrough)
		d.because("memnode[*]/@nodeset", "the host cell of the CPUs of this guest cell", pinnedBy()...)
	}
}

// numaCells writes the guest cells in place of the one that a memfd brings.
func (s *state) numaCells(cells []guestCell, memory []uint64) {
	ids := make([]uint, len(cells))
	list := make([]libvirtxml.DomainCell, len(cells))
	for i := range cells {
		ids[i] = uint(i)
		list[i] = libvirtxml.DomainCell{ID: &ids[i], CPUs: formatCPUs(cells[i].vcpus), Memory: uint(memory[i]), Unit: "b"}
	}
	s.dom.CPU.Numa = &libvirtxml.DomainNuma{Cell: list}
	if d := s.part("cpu/numa"); d.on() {
		passthrough := field("spec.domain.cpu.numa.guestMappingPassthrough")
		_, from := s.guestMemory()
		d.policy("cell[*]/@id", "guest cells are numbered from 0, in the order of host cells")
		d.because("cell[*]/@cpus", "the vCPUs that are pinned to this host cell", pinnedBy()...)
		d.because("cell[*]/@memory", "an equal share of the guest's memory, in whole huge pages",
			from, field("spec.domain.memory.hugepages.pageSize"), fact("node.cpuSet"))
		d.policy("cell[*]/@unit", "memory is written in bytes", passthrough)
	}
}

// numaPages wants the pages of each guest cell at once, so that a guest either
// starts with all of its memory in place or not at all.
func (s *state) numaPages(page uint64, cells int) {
	b := s.dom.MemoryBacking
	if b == nil || b.MemoryHugePages == nil {
		return
	}
	for i := range cells {
		b.MemoryHugePages.Hugepages = append(b.MemoryHugePages.Hugepages, libvirtxml.DomainMemoryHugepage{
			Size: uint(page), Unit: "b", Nodeset: formatCPUs([]int{i}),
		})
	}
	b.MemoryAllocation = &libvirtxml.DomainMemoryAllocation{Mode: "immediate"}
	d, passthrough := s.part("memoryBacking"), field("spec.domain.cpu.numa.guestMappingPassthrough")
	d.because("hugepages/page[*]/@size", "the size of huge pages asked for, in bytes", field("spec.domain.memory.hugepages.pageSize"))
	d.policy("hugepages/page[*]/@unit", "sizes are written in bytes", passthrough)
	d.policy("hugepages/page[*]/@nodeset", "the guest cell that uses these pages", passthrough)
	d.policy("allocation/@mode", "pages of a host cell may be gone later", passthrough)
	if s.realtime() {
		b.MemoryNosharepages = &libvirtxml.DomainMemoryNosharepages{}
		d.because("nosharepages", "merged pages would make a realtime guest wait", field("spec.domain.cpu.realtime"))
	}
}
