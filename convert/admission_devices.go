package convert

import (
	"slices"
	"strings"

	v1 "kubevirt.io/api/core/v1"
)

// What KubeVirt's admission refuses about devices other than disks and NICs, although it
// can be converted (compute.md 26).

var (
	gateHostDevices        = featureGate{name: "HostDevices"}
	gateGPUsWithDRA        = featureGate{name: "GPUsWithDRA", beta: true}
	gateHostDevicesWithDRA = featureGate{name: "HostDevicesWithDRA", beta: true}
	gateVSOCK              = featureGate{name: "VSOCK"}
	gateIgnition           = featureGate{name: "ExperimentalIgnitionSupport"}
)

// videoTypes are the video devices admission takes on each architecture.
var videoTypes = map[string][]string{
	"amd64": {"vga", "cirrus", "virtio", "ramfb", "bochs"},
	"arm64": {"virtio", "ramfb"},
	"s390x": {"virtio"},
}

func (s *state) admitDevices() {
	d := &s.vmi.Spec.Domain.Devices
	if isTrue(d.AutoattachVSOCK) {
		s.needs(gateVSOCK, field("spec.domain.devices.autoattachVSOCK"))
	}
	if d.DownwardMetrics != nil {
		s.needs(gateDownwardMetrics, field("spec.domain.devices.downwardMetrics"))
	}
	if s.vmi.Annotations[ignitionAnnotation] != "" {
		s.needs(gateIgnition, annotation(ignitionAnnotation))
	}
	if w := d.Watchdog; w != nil && w.I6300ESB != nil && w.Diag288 != nil {
		s.refuse(field(watchdogField), w.Name, "want one kind of watchdog")
	}
	s.admitSound()
	s.admitVideo()
	if s.s390x() && len(d.PanicDevices) > 0 {
		s.refuse(field(panicList), len(d.PanicDevices), "s390x has no panic device to choose, want none")
	}
}

func (s *state) admitSound() {
	card := s.vmi.Spec.Domain.Devices.Sound
	if card == nil {
		return
	}
	if card.Name == "" {
		s.refuse(field("spec.domain.devices.sound.name"), "", "want a name")
	}
	if s.arm64() {
		s.refuse(field("spec.domain.devices.sound"), card.Name, "arm64 has no sound card, want none")
	}
}

func (s *state) admitVideo() {
	video := s.vmi.Spec.Domain.Devices.Video
	if video == nil {
		return
	}
	if isFalse(s.vmi.Spec.Domain.Devices.AutoattachGraphicsDevice) {
		s.refuse(field(videoField), video.Type, "the guest has no display, want no video device")
	}
	if types := videoTypes[s.name]; video.Type != "" && !slices.Contains(types, video.Type) {
		s.refuse(field(videoField+".type"), video.Type, "want "+strings.Join(types, ", ")+" on "+s.name)
	}
}

func (s *state) admitHostDevices() {
	d := &s.vmi.Spec.Domain.Devices
	if len(d.HostDevices) > 0 {
		s.needs(gateHostDevices, field(hostDeviceList))
	}
	taken := map[v1.ClaimRequest]string{}
	for _, list := range [...][]request{s.genericRequests(), s.gpuRequests()} {
		for i := range list {
			s.admitRequest(&list[i], taken)
		}
	}
	s.admitGPUs()
	s.admitClaims()
}

// admitRequest looks at one host device; taken are the requests of those before it.
func (s *state) admitRequest(r *request, taken map[v1.ClaimRequest]string) {
	if (r.resource == "") == (r.claim == nil) {
		s.refuse(r.where(""), r.name, "want either deviceName or claimName and requestName")
	}
	if r.claim == nil {
		return
	}
	gate := gateHostDevicesWithDRA
	if r.gpu {
		gate = gateGPUsWithDRA
	}
	s.needs(gate, r.where("claimName"))
	s.admitClaim(r.where("claimName"), r.claim)
	if other, found := taken[*r.claim]; found {
		s.refuse(r.where("requestName"), r.claim.RequestName, "device "+other+" takes the same request, want another")
	}
	taken[*r.claim] = r.name
}

// admitClaim takes a request of a claim that the VMI has.
func (s *state) admitClaim(where ref, c *v1.ClaimRequest) {
	if c.ClaimName == "" || c.RequestName == "" {
		s.refuse(where, c.ClaimName+"/"+c.RequestName, "want both claimName and requestName")
		return
	}
	if s.claimAt == nil {
		s.claimAt = positions(s.vmi.Spec.ResourceClaims, func(c *v1.VirtualMachineInstanceResourceClaim) string { return c.Name })
	}
	if positionOf(s.claimAt, c.ClaimName) < 0 {
		s.refuse(where, c.ClaimName, "no resource claim of that name, want one in "+claimList)
	}
}

const claimList = "spec.resourceClaims"

func (s *state) admitClaims() {
	names := map[string]bool{}
	for i := range s.vmi.Spec.ResourceClaims {
		c := &s.vmi.Spec.ResourceClaims[i]
		if c.Name == "" || names[c.Name] {
			s.refuse(fieldAt(claimList, i, "name"), c.Name, "want a name, and each once")
		}
		names[c.Name] = true
		if (c.ResourceClaimName == nil) == (c.ResourceClaimTemplateName == nil) {
			s.refuse(fieldAt(claimList, i, ""), c.Name, "want either resourceClaimName or resourceClaimTemplateName")
		}
	}
}

func (s *state) admitGPUs() {
	gpus := s.vmi.Spec.Domain.Devices.GPUs
	claimed, plugged, ramfb := 0, 0, 0
	for i := range gpus {
		if gpus[i].ClaimRequest != nil {
			claimed++
		}
		if gpus[i].DeviceName != "" {
			plugged++
		}
		if showsRAMFB(&gpus[i]) {
			ramfb++
		}
	}
	if claimed > 0 && plugged > 0 {
		s.refuse(field(gpuList), len(gpus), "want GPUs of resource claims or of device plugins, not both")
	}
	if ramfb > 1 {
		s.refuse(field(gpuList), ramfb, "want one GPU at most that shows the boot screen")
	}
}

func showsRAMFB(g *v1.GPU) bool {
	if g.VirtualGPUOptions == nil || g.VirtualGPUOptions.Display == nil {
		return false
	}
	d := g.VirtualGPUOptions.Display
	return !isFalse(d.Enabled) && (d.RamFB == nil || !isFalse(d.RamFB.Enabled))
}
