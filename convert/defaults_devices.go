package convert

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	v1 "kubevirt.io/api/core/v1"
)

// defaultPullPolicy is not read by the conversion; it belongs to the VMI that
// hooks and callers see (defaults.md 3.1, step 6).
func (s *state) defaultPullPolicy() {
	shared := true
	for i := range s.vmi.Spec.Volumes {
		c := s.vmi.Spec.Volumes[i].ContainerDisk
		if c == nil || c.ImagePullPolicy != "" {
			continue
		}
		if shared {
			s.vmi.Spec.Volumes, shared = slices.Clone(s.vmi.Spec.Volumes), false
		}
		c = own(&s.vmi.Spec.Volumes[i].ContainerDisk)
		c.ImagePullPolicy = corev1.PullIfNotPresent
		if strings.HasSuffix(c.Image, ":latest") || !strings.ContainsAny(c.Image, ":@") {
			c.ImagePullPolicy = corev1.PullAlways
		}
		s.why.defaulted(fieldAt("spec.volumes", i, "containerDisk.imagePullPolicy"), "by the tag of the image", fieldAt("spec.volumes", i, "containerDisk.image"))
	}
}

// defaultNetwork connects a VMI that says nothing about networks to the pod's
// (step 8).
func (s *state) defaultNetwork() {
	d := &s.vmi.Spec.Domain.Devices
	if isFalse(d.AutoattachPodInterface) || len(d.Interfaces) > 0 || len(s.vmi.Spec.Networks) > 0 {
		return
	}
	kind := v1.NetworkInterfaceType("bridge")
	setting := fact("cluster.network.defaultNetworkInterface")
	permitted := true
	if n := s.ctx.Cluster.NetworkConfiguration; n != nil {
		if n.NetworkInterface != "" {
			kind = v1.NetworkInterfaceType(n.NetworkInterface)
		}
		permitted = !isFalse(n.PermitBridgeInterfaceOnPodNetwork)
	}
	nic := v1.Interface{Name: "default"}
	switch kind {
	case "bridge":
		if !permitted {
			s.refuse(fact("cluster.network.permitBridgeInterfaceOnPodNetwork"), false,
				"the VMI names no network and the cluster's default interface is a bridge, which it does not permit on the pod network; name an interface or change the cluster's default")
			return
		}
		nic.Bridge = &v1.InterfaceBridge{}
	case "masquerade":
		nic.Masquerade = &v1.InterfaceMasquerade{}
	default:
		s.refuse(setting, kind, "the VMI names no network and this default interface does not exist; want bridge or masquerade")
		return
	}
	d.Interfaces = []v1.Interface{nic}
	s.vmi.Spec.Networks = []v1.Network{{Name: "default", NetworkSource: v1.NetworkSource{Pod: &v1.PodNetwork{}}}}
	s.why.defaulted(fieldAt("spec.domain.devices.interfaces", 0, ""), "no network and no interface is given, so the pod network is attached",
		setting, field("spec.domain.devices.autoattachPodInterface"))
	s.why.defaulted(fieldAt("spec.networks", 0, ""), "no network and no interface is given, so the pod network is attached",
		field("spec.domain.devices.autoattachPodInterface"))
}

// defaultMissingDisks shows every volume to the guest that is not shown in
// another way (step 9).
func (s *state) defaultMissingDisks() {
	d := &s.vmi.Spec.Domain.Devices
	shown := newNameSet(len(d.Disks) + len(d.Filesystems))
	for i := range d.Disks {
		shown.add(d.Disks[i].Name)
	}
	for i := range d.Filesystems {
		shown.add(d.Filesystems[i].Name)
	}
	for i := range s.vmi.Spec.Volumes {
		name := s.vmi.Spec.Volumes[i].Name
		if shown.has(name) || s.vmi.Spec.Volumes[i].MemoryDump != nil {
			continue // a memory dump joins a running guest and is never a disk (storage.md Q26)
		}
		shown.add(name)
		s.why.defaulted(fieldAt("spec.domain.devices.disks", len(d.Disks), ""), "the volume is shown by no disk and no filesystem", fieldAt("spec.volumes", i, "name"))
		d.Disks = append(d.Disks, v1.Disk{Name: name})
	}
}

// defaultObjects fills in the defaults that belong to the types themselves
// (defaults.md 3.3).
func (s *state) defaultObjects() {
	d := &s.vmi.Spec.Domain
	if d.Firmware == nil {
		d.Firmware = &v1.Firmware{}
	}
	s.defaultUUID(d.Firmware)
	s.defaultInputs()
	s.defaultDisks()
	s.defaultGPUs()
	s.defaultTimers()
	s.defaultFeatures()
	defaultProbe(s.vmi.Spec.LivenessProbe)
	defaultProbe(s.vmi.Spec.ReadinessProbe)
}

func (s *state) defaultInputs() {
	for i := range s.vmi.Spec.Domain.Devices.Inputs {
		in := &s.vmi.Spec.Domain.Devices.Inputs[i]
		if in.Bus == "" {
			in.Bus = v1.InputBusUSB
			s.why.defaulted(fieldAt("spec.domain.devices.inputs", i, "bus"), "inputs are on usb unless they say otherwise")
		}
		if in.Type == "" {
			in.Type = v1.InputTypeTablet
			s.why.defaulted(fieldAt("spec.domain.devices.inputs", i, "type"), "a tablet is the only type there is")
		}
	}
}

func (s *state) defaultDisks() {
	for i := range s.vmi.Spec.Domain.Devices.Disks {
		k := &s.vmi.Spec.Domain.Devices.Disks[i]
		if k.Disk == nil && k.LUN == nil && k.CDRom == nil {
			k.Disk = &v1.DiskTarget{}
			s.why.defaulted(fieldAt("spec.domain.devices.disks", i, "disk"), "neither disk, lun nor cdrom is given")
		}
		if c := k.CDRom; c != nil && c.ReadOnly == nil {
			c = own(&k.CDRom)
			c.ReadOnly = newBool(true)
			s.why.defaulted(fieldAt("spec.domain.devices.disks", i, "cdrom.readonly"), "a CD-ROM is read-only unless it says otherwise")
		}
		if c := k.CDRom; c != nil && c.Tray == "" {
			own(&k.CDRom).Tray = v1.TrayStateClosed
			s.why.defaulted(fieldAt("spec.domain.devices.disks", i, "cdrom.tray"), "a tray is closed unless it says otherwise")
		}
		if b := k.BlockSize; b != nil && b.MatchVolume != nil && b.MatchVolume.Enabled == nil {
			s.enable(own(&own(&k.BlockSize).MatchVolume), fieldAt("spec.domain.devices.disks", i, "blockSize.matchVolume.enabled"))
		}
	}
}

func (s *state) defaultGPUs() {
	shared := true
	gpus := &s.vmi.Spec.Domain.Devices.GPUs
	for i := range *gpus {
		o := (*gpus)[i].VirtualGPUOptions
		if o != nil && o.Display != nil && o.Display.RamFB != nil && o.Display.RamFB.Enabled == nil {
			if shared {
				*gpus, shared = slices.Clone(*gpus), false
			}
			display := own(&own(&(*gpus)[i].VirtualGPUOptions).Display)
			s.enable(own(&display.RamFB), fieldAt("spec.domain.devices.gpus", i, "virtualGPUOptions.display.ramFB.enabled"))
		}
	}
}

func newBool(b bool) *bool { return &b }

// enable turns a feature on that is there and says neither on nor off.
func (s *state) enable(f *v1.FeatureState, at ref) {
	if f != nil && f.Enabled == nil {
		f.Enabled = newBool(true)
		s.why.defaulted(at, "what is there is enabled unless it says otherwise")
	}
}

// defaultProbe has nothing to do with the domain; it belongs to the VMI that
// hooks and callers see.
func defaultProbe(p *v1.Probe) {
	if p == nil {
		return
	}
	for _, f := range []struct {
		value    *int32
		fallback int32
	}{{&p.TimeoutSeconds, 1}, {&p.PeriodSeconds, 10}, {&p.SuccessThreshold, 1}, {&p.FailureThreshold, 3}} {
		if *f.value < 1 {
			*f.value = f.fallback
		}
	}
}
