package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

const (
	cpuHostModel       = "host-model"
	cpuHostPassthrough = "host-passthrough"
)

// cpu shapes what the guest sees of its CPUs: topology, spare sockets, model and
// features (compute.md 8).
func (s *state) cpu() {
	s.vcpuCount()
	s.cpuModel()
	s.cpuFeatures()
}

// vcpuCount writes the topology and the number of vCPUs, with the list of those
// to be plugged in later.
func (s *state) vcpuCount() {
	t, hotplug := s.fullTopology()
	n := t.vcpus()
	if n > maxCPUs {
		s.refusef(field("spec.domain.cpu"), nil, "%d sockets of %d cores of %d threads are too many CPUs, libvirt takes %d",
			t.sockets, t.cores, t.threads, maxCPUs)
		return
	}
	sockets := field("spec.domain.cpu.sockets")
	cores, threads := field("spec.domain.cpu.cores"), field("spec.domain.cpu.threads")
	total := "sockets times cores times threads"
	if hotplug {
		sockets = field("spec.domain.cpu.maxSockets")
		total = "sockets that may ever be plugged in, times cores times threads"
	}

	s.dom.CPU.Topology = &libvirtxml.DomainCPUTopology{Sockets: int(t.sockets), Cores: int(t.cores), Threads: int(t.threads)}
	d := s.part("cpu/topology")
	d.because("@sockets", "sockets of the guest, with room for those to be plugged in later", sockets)
	d.because("@cores", "cores of each socket, one unless given", cores)
	d.because("@threads", "threads of each core, one unless given", threads)

	s.dom.VCPU = &libvirtxml.DomainVCPU{Placement: "static", Value: n}
	v := s.part("vcpu")
	v.because("", total, sockets, cores, threads)
	v.policy("@placement", "CPUs are placed by the pod's cpuset and by pins, not by a balancing daemon")

	if hotplug {
		s.vcpuList(t)
	}
}

// vcpuList lists every vCPU that could ever be there. Those of the first socket
// cannot be unplugged, those beyond the sockets asked for are not there yet.
func (s *state) vcpuList(full topology) {
	enabled, firstSocket := s.topology().vcpus(), topology{1, full.cores, full.threads}.vcpus()
	ids := make([]uint, full.vcpus())
	list := make([]libvirtxml.DomainVCPUsVCPU, len(ids))
	for i := range ids {
		id := uint(i)
		ids[i] = id
		list[i] = libvirtxml.DomainVCPUsVCPU{
			Id:           &ids[i],
			Enabled:      yesNo(id < enabled),
			Hotpluggable: yesNo(id >= firstSocket),
		}
	}
	s.dom.VCPUs = &libvirtxml.DomainVCPUs{VCPU: list}
	s.explainVCPUList(enabled, firstSocket)
}

func (s *state) explainVCPUList(enabled, firstSocket uint) {
	d := s.part("vcpus")
	if !d.on() {
		return
	}
	d.policy("vcpu[*]/@id", "vCPUs are numbered from 0")
	d.policy("vcpu[1]/@enabled", "no guest starts without a CPU")
	d.policy("vcpu[1]/@hotpluggable", "the first CPU stays")
	cores, threads := field("spec.domain.cpu.cores"), field("spec.domain.cpu.threads")
	for i := range s.dom.VCPUs.VCPU {
		v, id := d.child("vcpu", i), uint(i)
		switch {
		case id == 0:
		case id < enabled:
			v.because("@enabled", "one of the CPUs the guest starts with", field("spec.domain.cpu.sockets"), cores, threads)
		default:
			v.because("@enabled", "a CPU that may be plugged in later", field("spec.domain.cpu.maxSockets"), field("spec.domain.cpu.sockets"))
		}
		switch {
		case id == 0:
		case id < firstSocket:
			v.because("@hotpluggable", "the first socket stays", cores, threads)
		default:
			v.because("@hotpluggable", "sockets beyond the first can be unplugged",
				field("spec.domain.cpu.maxSockets"), field("spec.domain.cpu.sockets"), cores, threads)
		}
	}
}

// cpuModel chooses between the host's CPU and a named model (compute.md 8.3).
func (s *state) cpuModel() {
	model := ""
	if c := s.vmi.Spec.Domain.CPU; c != nil {
		model = c.Model
	}
	d, from := s.part("cpu"), field("spec.domain.cpu.model")
	switch model {
	case "":
		s.dom.CPU.Mode = cpuHostModel
		d.because("@mode", "no CPU model is given: the one closest to the node's", from)
	case cpuHostModel, cpuHostPassthrough:
		s.dom.CPU.Mode = model
		d.because("@mode", "the guest sees the node's CPU this way", from)
	default:
		s.dom.CPU.Mode = "custom"
		s.dom.CPU.Model = &libvirtxml.DomainCPUModel{Value: model}
		d.because("@mode", "a named CPU model is given", from)
		d.because("model", "the CPU model given", from)
	}
}

// cpuFeatures lists the CPU features in the VMI's order (compute.md 8.4). A
// feature without a policy is one to require, for libvirt as well; its schema
// wants that spelt out.
func (s *state) cpuFeatures() {
	c := s.vmi.Spec.Domain.CPU
	if c == nil {
		return
	}
	d := s.part("cpu")
	for i := range c.Features {
		f := &c.Features[i]
		policy := f.Policy
		if policy == "" {
			policy = "require"
		}
		s.oneOf(fieldAt("spec.domain.cpu.features", i, "policy"), policy, "force", "require", "optional", "disable", "forbid")
		if !isName(f.Name, "-_.") {
			s.refuse(fieldAt("spec.domain.cpu.features", i, "name"), f.Name, "want the name of a CPU feature")
		}
		s.dom.CPU.Features = append(s.dom.CPU.Features, libvirtxml.DomainCPUFeature{Name: f.Name, Policy: policy})
		e := d.child("feature", i)
		e.because("@name", "a CPU feature of the VMI's list", fieldAt("spec.domain.cpu.features", i, "name"))
		e.because("@policy", "its policy, require unless given", fieldAt("spec.domain.cpu.features", i, "policy"))
		if f.Name == "vmx" && s.nestsHyperV() {
			e.because("@policy", "the eVMCS enlightenment requires it", field("spec.domain.features.hyperv.evmcs.enabled"))
		}
	}
	if s.disablesMPX(c) {
		e := d.child("feature", len(s.dom.CPU.Features))
		s.dom.CPU.Features = append(s.dom.CPU.Features, libvirtxml.DomainCPUFeature{Name: "mpx", Policy: "disable"})
		e.policy("", "hosts have lost MPX, which libvirt still counts among the features of older CPU models", field("spec.domain.cpu.model"))
	}
}

// disablesMPX says whether the guest's CPU model may bring the MPX feature and
// the VMI does not decide about it.
func (s *state) disablesMPX(c *v1.CPU) bool {
	if !s.amd64() || c.Model == cpuHostModel || c.Model == cpuHostPassthrough {
		return false
	}
	for i := range c.Features {
		if c.Features[i].Name == "mpx" {
			return false
		}
	}
	return true
}
