package convert

import (
	"crypto/sha1"
	"encoding/hex"

	"k8s.io/apimachinery/pkg/types"
	v1 "kubevirt.io/api/core/v1"
)

// defaults fills in on the copy of the VMI what KubeVirt's admission fills in
// when a VMI is created, in its order, of which several steps see the result of
// earlier ones (defaults.md 3). What is set stays, so a VMI that has been through
// it comes out as it went in.
func (s *state) defaults() {
	s.defaultNamespace()
	s.defaultFromVM()
	s.defaultArchitecture()
	s.defaultMachine()
	s.defaultCPURequest()
	s.defaultGuestMemory()
	s.defaultTopology()
	s.defaultPullPolicy()
	s.defaultEviction()
	s.defaultNetwork()
	s.defaultMissingDisks()
	if s.vmi.Spec.Architecture == "s390x" {
		s.defaultFeaturesS390x()
	}
	s.defaultObjects()
	s.defaultHyperVDependencies()
	s.defaultForArchitecture()
	s.defaultCPUModel()
	s.defaultStatus()
}

// Defaulted is vmi with admission's defaults applied: what the conversion works
// on. vmi itself is not written to.
func Defaulted(vmi *v1.VirtualMachineInstance, ctx Context) (*v1.VirtualMachineInstance, error) {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return nil, err
	}
	return s.vmi.DeepCopy(), nil
}

// ownedByVM says whether the VMI is a VirtualMachine's.
func (s *state) ownedByVM() bool {
	for i := range s.vmi.OwnerReferences {
		if s.vmi.OwnerReferences[i].Kind == kindVM {
			return true
		}
	}
	return false
}

// defaultFromVM does what only a VirtualMachine does for its VMI (defaults.md 1,
// stage B): one input if one is wanted and none is given.
func (s *state) defaultFromVM() {
	d := &s.vmi.Spec.Domain.Devices
	if !isTrue(d.AutoattachInputDevice) || len(d.Inputs) > 0 || !s.ownedByVM() {
		return
	}
	d.Inputs = []v1.Input{{Name: "default-0"}}
	s.why.defaulted(fieldAt("spec.domain.devices.inputs", 0, ""), "an input device is to be attached and none is given",
		field("spec.domain.devices.autoattachInputDevice"))
}

// defaultNamespace does what the API server does for a manifest without one.
func (s *state) defaultNamespace() {
	if s.vmi.Namespace == "" {
		s.vmi.Namespace = "default"
		s.why.defaulted(field("metadata.namespace"), "the namespace of objects that name none")
	}
}

func (s *state) defaultArchitecture() {
	if s.vmi.Spec.Architecture == "" {
		s.vmi.Spec.Architecture = s.name
		s.why.defaulted(field("spec.architecture"), "the cluster's default architecture", fact("node.architecture"))
	}
}

// guestArch is the architecture that the VMI names, for those defaults that
// follow it; any unknown one is treated like amd64.
func (s *state) guestArch() arch {
	if a, ok := archOf(s.vmi.Spec.Architecture); ok {
		return a
	}
	return arches[0]
}

func (s *state) defaultMachine() {
	d := &s.vmi.Spec.Domain
	if d.Machine != nil && d.Machine.Type != "" {
		return
	}
	machine, from := s.clusterMachine()
	d.Machine = &v1.Machine{Type: machine}
	s.why.defaulted(field("spec.domain.machine.type"), "the cluster's machine type for the architecture", from, field("spec.architecture"))
}

// clusterMachine is the cluster's machine type and where it is set.
func (s *state) clusterMachine() (string, ref) {
	c := &s.ctx.Cluster
	if c.MachineType != "" {
		return c.MachineType, fact("cluster.machineType")
	}
	a := s.guestArch()
	var set *v1.ArchSpecificConfiguration
	var from ref
	if all := c.ArchitectureConfiguration; all != nil {
		set = all.Amd64
		switch {
		case a.arm64():
			set = all.Arm64
		case a.s390x():
			set = all.S390x
		}
	}
	switch a.name {
	case "amd64":
		from = fact("cluster.architectureConfiguration.amd64.machineType")
	case "arm64":
		from = fact("cluster.architectureConfiguration.arm64.machineType")
	default:
		from = fact("cluster.architectureConfiguration.s390x.machineType")
	}
	if set != nil && set.MachineType != "" {
		return set.MachineType, from
	}
	return a.machine, from
}

func (s *state) defaultEviction() {
	if s.vmi.Spec.EvictionStrategy != nil {
		return
	}
	strategy := v1.EvictionStrategyNone
	if c := s.ctx.Cluster.EvictionStrategy; c != nil {
		strategy = *c
	}
	s.vmi.Spec.EvictionStrategy = &strategy
	s.why.defaulted(field("spec.evictionStrategy"), "the cluster's eviction strategy", fact("cluster.evictionStrategy"))
}

// defaultUUID derives the firmware UUID where nobody named one, so that the same
// VMI is the same machine on every start. KubeVirt draws it at random for a VMI
// of its own (our deviation), and derives it like this from the name of a
// VirtualMachine.
func (s *state) defaultUUID(f *v1.Firmware) {
	if f.UUID != "" {
		return
	}
	at := field("spec.domain.firmware.uuid")
	if s.ownedByVM() {
		f.UUID = types.UID(nameUUID(namespaceOfVMs, s.vmi.Name))
		s.why.defaulted(at, "derived from the name of the VirtualMachine", field("metadata.name"))
		return
	}
	f.UUID = types.UID(nameUUID(namespaceOfVMIs, s.vmi.Namespace+"/"+s.vmi.Name))
	s.why.defaulted(at, "derived from namespace and name", field("metadata.namespace"), field("metadata.name"))
}

// The namespaces of derived UUIDs: KubeVirt's for VirtualMachines
// (defaults.md 1, stage B), and our own.
var (
	namespaceOfVMs  = [16]byte{0x6a, 0x1a, 0x24, 0xa1, 0x40, 0x61, 0x46, 0x07, 0x8b, 0xf4, 0xa3, 0x96, 0x3d, 0x0c, 0x58, 0x95}
	namespaceOfVMIs = [16]byte{0x9c, 0x0e, 0x6a, 0x3b, 0x5d, 0x27, 0x4e, 0x81, 0xa4, 0x60, 0x1f, 0x7b, 0x33, 0xd8, 0x42, 0xc6}
)

// nameUUID is the UUID of version 5 of a name in a namespace (RFC 9562).
func nameUUID(namespace [16]byte, name string) string {
	h := sha1.New()
	h.Write(namespace[:])
	h.Write([]byte(name))
	var sum [sha1.Size]byte
	u := h.Sum(sum[:0])[:16]
	u[6] = u[6]&0x0f | 0x50
	u[8] = u[8]&0x3f | 0x80
	var text [36]byte
	hex.Encode(text[:8], u[:4])
	hex.Encode(text[9:13], u[4:6])
	hex.Encode(text[14:18], u[6:8])
	hex.Encode(text[19:23], u[8:10])
	hex.Encode(text[24:], u[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
