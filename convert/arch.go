package convert

import v1 "kubevirt.io/api/core/v1"

// arch is what differs between the architectures of the guest.
type arch struct {
	name        string // amd64, arm64, s390x
	xmlName     string // as libvirt spells it
	machine     string // the machine when nobody names one
	virtio      string // model of virtio devices
	virtioTrans string // the same for guests with old drivers
	pci         bool   // devices sit on PCI, whose placement can be shaped
}

var arches = []arch{
	{"amd64", "x86_64", "q35", "virtio-non-transitional", "virtio-transitional", true},
	{"arm64", "aarch64", "virt", "virtio-non-transitional", "virtio-transitional", true},
	{"s390x", "s390x", "s390-ccw-virtio", "virtio", "virtio", false},
}

func archOf(name string) (arch, bool) {
	if name == "" {
		return arches[0], true
	}
	for _, a := range arches {
		if a.name == name {
			return a, true
		}
	}
	return arch{}, false
}

func (a arch) amd64() bool { return a.name == "amd64" }
func (a arch) arm64() bool { return a.name == "arm64" }
func (a arch) s390x() bool { return a.name == "s390x" }

// virtioModel is the model of virtio devices that have one (compute.md 7).
func (s *state) virtioModel() string {
	if isTrue(s.vmi.Spec.Domain.Devices.UseVirtioTransitional) {
		return s.virtioTrans
	}
	return s.virtio
}

// sev says whether guest memory is encrypted by AMD SEV, SEV-ES or SEV-SNP.
func (s *state) sev() bool {
	l := s.vmi.Spec.Domain.LaunchSecurity
	return l != nil && (l.SEV != nil || l.SNP != nil)
}

// tdx says whether the guest is an Intel TDX one.
func (s *state) tdx() bool {
	l := s.vmi.Spec.Domain.LaunchSecurity
	return l != nil && l.TDX != nil
}

// secureExecution says whether the guest runs under IBM Secure Execution, which an
// empty launchSecurity is enough to ask for.
func (s *state) secureExecution() bool {
	return s.vmi.Spec.Domain.LaunchSecurity != nil && s.vmi.Spec.Architecture == "s390x"
}

// iommuDriver is the iommu attribute of virtio devices whose memory the host may
// not read directly (compute.md 7): "on" or nothing.
func (s *state) iommuDriver() string {
	if s.sev() || s.secureExecution() {
		return "on"
	}
	return ""
}

// volume is the volume of that name and its position, or nil and -1.
func (s *state) volume(name string) (*v1.Volume, int) {
	for i := range s.vmi.Spec.Volumes {
		if s.vmi.Spec.Volumes[i].Name == name {
			return &s.vmi.Spec.Volumes[i], i
		}
	}
	return nil, -1
}

func isTrue(b *bool) bool { return b != nil && *b }

// isFalse is not the opposite of isTrue: nil is neither.
func isFalse(b *bool) bool { return b != nil && !*b }

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
