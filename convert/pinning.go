package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// evenParityAnnotation asks for a second CPU for the emulator thread where the
// guest would otherwise own an odd number of CPUs.
const evenParityAnnotation = "alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity"

// pinning gives each vCPU a CPU of its own, and one to each helper thread that the
// VMI wants apart from them (compute.md 9).
func (s *state) pinning() {
	c := s.vmi.Spec.Domain.CPU
	if c == nil || !c.DedicatedCPUPlacement {
		return
	}
	host, owned, ok := s.hostCPUs()
	if !ok {
		return
	}
	s.dom.CPUTune = &libvirtxml.DomainCPUTune{}
	pool := newCPUPool(host, owned, int(s.startTopology().threads))
	if !s.pinVCPUs(pool, len(owned)) {
		return
	}
	s.pinThreadPool(pool)
	if c.IsolateEmulatorThread {
		s.pinEmulator(pool)
	}
	s.pinIOThreads(c, owned)
}

// startTopology is the CPUs that are there and pinned when the guest starts: those
// asked for, but no more sockets than there may ever be.
func (s *state) startTopology() topology {
	t := s.topology()
	if full, hotplug := s.fullTopology(); hotplug {
		t.sockets = min(t.sockets, full.sockets)
	}
	return t
}

// pinVCPUs pins the vCPUs, numbered in the order in which they find a place. Of a
// guest core of several threads none is left without one: upstream pins only some
// of the vCPUs where fewer threads are missing than a core has.
func (s *state) pinVCPUs(pool *cpuPool, owned int) bool {
	t := s.startTopology()
	if t.vcpus() > maxCPUs {
		return false // refused with the topology
	}
	cores := topology{t.sockets, t.cores, 1}.vcpus()
	showsCells := s.showsHostCells()
	cpus, unplaced := pool.takeCores(int(cores), !showsCells)
	if unplaced > 0 {
		s.refuseCores(t, unplaced, owned, showsCells)
		return false
	}
	pins := make([]libvirtxml.DomainCPUTuneVCPUPin, len(cpus))
	for i := range cpus {
		pins[i] = libvirtxml.DomainCPUTuneVCPUPin{VCPU: uint(i), CPUSet: formatCPUs(cpus[i : i+1])}
	}
	s.dom.CPUTune.VCPUPin = pins
	d := s.part("cputune")
	d.policy("vcpupin[*]/@vcpu", "vCPUs are numbered in the order in which they find a place", field("spec.domain.cpu.dedicatedCpuPlacement"))
	d.because("vcpupin[*]/@cpuset", "each vCPU has one of the pod's CPUs, with the threads of a guest core on one host core if possible",
		field("spec.domain.cpu.dedicatedCpuPlacement"), fact("node.cpuSet"), fact("node.numa"), fact("node.siblings"))
	return true
}

// refuseCores says why guest cores found no place.
func (s *state) refuseCores(t topology, unplaced, owned int, showsCells bool) {
	cores := t.sockets * t.cores
	if showsCells && t.vcpus() <= uint(owned) {
		s.refusef(field("spec.domain.cpu.numa.guestMappingPassthrough"), nil,
			"%d of %d guest cores cannot be placed on the pod's CPUs (%s) without one of them spanning host NUMA nodes",
			unplaced, cores, s.ctx.Node.CPUSet)
		return
	}
	s.refusef(fact("node.cpuSet"), s.ctx.Node.CPUSet,
		"the pod has too few exclusive CPUs, %d: %d of %d guest cores of %d threads are left without a place, want %d CPUs",
		owned, unplaced, cores, t.threads, t.vcpus())
}

// pinThreadPool gives each thread of the supplemental pool of I/O threads a CPU.
func (s *state) pinThreadPool(pool *cpuPool) {
	n := s.ioThreads().pool
	d := s.part("cputune")
	for thread := 1; thread <= n; thread++ {
		id, ok := pool.takeThread()
		if !ok {
			s.refusef(fact("node.cpuSet"), s.ctx.Node.CPUSet, "no CPU is left for I/O thread %d of %d", thread, n)
			return
		}
		e := d.child("iothreadpin", len(s.dom.CPUTune.IOThreadPin))
		s.pinIOThread(thread, []int{id})
		e.because("@cpuset", "each I/O thread of the pool has a CPU beside those of the vCPUs",
			field("spec.domain.ioThreads.supplementalPoolThreadCount"), fact("node.cpuSet"), fact("node.numa"), fact("node.siblings"))
		e.policy("@iothread", "I/O threads are numbered from 1", field("spec.domain.ioThreads.supplementalPoolThreadCount"))
	}
}

// pinEmulator gives the emulator thread a CPU, or two if an annotation wants the
// guest to own an even number of CPUs.
func (s *state) pinEmulator(pool *cpuPool) {
	own := s.topology().vcpus() + uint(s.ioThreads().pool)
	_, even := s.vmi.Annotations[evenParityAnnotation]
	id, ok := pool.takeThread()
	if !ok {
		s.refuse(fact("node.cpuSet"), s.ctx.Node.CPUSet, "no CPU is left for the emulator thread")
		return
	}
	cpus := []int{id}
	if even && own%2 == 0 {
		if id, ok = pool.takeThread(); !ok {
			s.refuse(fact("node.cpuSet"), s.ctx.Node.CPUSet, "no CPU is left for the second CPU of the emulator thread, which makes the number of CPUs even")
			return
		}
		cpus = append(cpus, id)
	}
	s.dom.CPUTune.EmulatorPin = &libvirtxml.DomainCPUTuneEmulatorPin{CPUSet: formatCPUs(cpus)}
	s.part("cputune").because("emulatorpin/@cpuset", "the emulator thread has CPUs of its own, apart from those of the vCPUs",
		field("spec.domain.cpu.isolateEmulatorThread"), annotation(evenParityAnnotation), fact("node.cpuSet"), fact("node.numa"), fact("node.siblings"))
}

// pinIOThreads pins the I/O threads that are no supplemental pool: the first one to
// the emulator's CPUs if it has some of its own, as upstream, else all of them to
// those of the pod's CPUs that come first in its cpuset, whether a vCPU runs there
// or not. Without I/O threads there is nothing to pin, which upstream takes for an
// error.
func (s *state) pinIOThreads(c *v1.CPU, owned []int) {
	plan := s.ioThreads()
	if plan.pool > 0 || plan.total == 0 {
		return
	}
	if c.IsolateEmulatorThread {
		if s.dom.CPUTune.EmulatorPin != nil {
			s.dom.CPUTune.IOThreadPin = []libvirtxml.DomainCPUTuneIOThreadPin{{IOThread: 1, CPUSet: s.dom.CPUTune.EmulatorPin.CPUSet}}
			e := s.part("cputune").child("iothreadpin", 0)
			e.because("", "the first I/O thread runs beside the emulator thread",
				field("spec.domain.cpu.isolateEmulatorThread"), fact("node.cpuSet"))
		}
		return
	}
	vcpus := int(s.topology().vcpus())
	if vcpus > len(owned) {
		s.refusef(fact("node.cpuSet"), s.ctx.Node.CPUSet, "the pod has too few exclusive CPUs for I/O threads, want %d", vcpus)
		return
	}
	for i, cpus := range spreadThreads(plan.total, owned[:vcpus]) {
		s.pinIOThread(i+1, cpus)
	}
	d := s.part("cputune")
	d.policy("iothreadpin[*]/@iothread", "I/O threads are numbered from 1", field("spec.domain.cpu.dedicatedCpuPlacement"))
	d.because("iothreadpin[*]/@cpuset", "I/O threads share the first of the pod's CPUs, as many as the guest has, in equal parts",
		field("spec.domain.cpu.dedicatedCpuPlacement"), fact("node.cpuSet"))
}

func (s *state) pinIOThread(thread int, cpus []int) {
	s.dom.CPUTune.IOThreadPin = append(s.dom.CPUTune.IOThreadPin,
		libvirtxml.DomainCPUTuneIOThreadPin{IOThread: uint(thread), CPUSet: formatCPUs(cpus)})
}

// spreadThreads shares the CPUs out to n threads numbered from 1: in runs as equal
// as can be, the longer ones first, or, where there is not a CPU for each, thread t
// on CPU t, counted round.
func spreadThreads(n int, cpus []int) [][]int {
	shares := make([][]int, n)
	if n >= len(cpus) {
		for i := range shares {
			at := (i + 1) % len(cpus)
			shares[i] = cpus[at : at+1]
		}
		return shares
	}
	each, longer := len(cpus)/n, len(cpus)%n
	for i := range shares {
		size := each
		if i < longer {
			size++
		}
		shares[i], cpus = cpus[:size], cpus[size:]
	}
	return shares
}
