package convert

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	v1 "kubevirt.io/api/core/v1"
)

// Obstacle is one reason why the guest could not be migrated while it runs. It
// does not keep the VMI from being converted.
type Obstacle struct {
	Field  string `json:"field"` // where, as in a FieldError
	Value  string `json:"value,omitempty"`
	Reason string `json:"reason"`
	Clears string `json:"clears"` // what would clear it
	// CopyStorage marks what a migration that copies storage would clear.
	CopyStorage bool `json:"copyStorage,omitempty"`
}

// Obstacles lists, in the order of the VMI, what keeps it from being migrated
// while it runs (migration.md B1.1, network.md 14), all at once and before
// anything has been tried.
func Obstacles(vmi *v1.VirtualMachineInstance, ctx Context) ([]Obstacle, error) {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return nil, err
	}
	o := obstacles{state: s}
	o.cpu()
	o.features()
	o.launchSecurity()
	o.hostDevices()
	o.network()
	o.volumes()
	return o.list, nil
}

type obstacles struct {
	*state
	list []Obstacle
}

func (o *obstacles) add(where ref, value, reason, clears string) *Obstacle {
	o.list = append(o.list, Obstacle{Field: where.String(), Value: value, Reason: reason, Clears: clears})
	return &o.list[len(o.list)-1]
}

func (o *obstacles) cpu() {
	hints := o.vmi.Status.TopologyHints
	if hints != nil && hints.TSCFrequency != nil && *hints.TSCFrequency > 0 || o.vmi.Spec.Domain.CPU == nil {
		return
	}
	for i, f := range o.vmi.Spec.Domain.CPU.Features {
		if f.Name == "invtsc" && (f.Policy == "require" || f.Policy == "force") {
			o.add(fieldAt("spec.domain.cpu.features", i, "policy"), f.Policy, "an invariant TSC cannot move to a node whose TSC may run at another frequency",
				"a frequency in status.topologyHints.tscFrequency, or the feature left out")
		}
	}
}

func (o *obstacles) features() {
	if f := o.vmi.Spec.Domain.Features; f != nil && f.HypervPassthrough != nil && isTrue(f.HypervPassthrough.Enabled) {
		o.add(field("spec.domain.features.hypervPassthrough.enabled"), "true", "the guest sees whatever Hyper-V features this node has, and the next may have others",
			"the features wanted, named in spec.domain.features.hyperv")
	}
}

func (o *obstacles) launchSecurity() {
	var at ref
	switch l := o.vmi.Spec.Domain.LaunchSecurity; {
	case l == nil:
		return
	case l.SEV != nil:
		at = field("spec.domain.launchSecurity.sev")
	case l.SNP != nil:
		at = field("spec.domain.launchSecurity.snp")
	case l.TDX != nil:
		at = field("spec.domain.launchSecurity.tdx")
	case o.secureExecution():
		at = field("spec.domain.launchSecurity")
	default:
		return
	}
	o.add(at, "", "the host cannot read the guest's memory to send it", "no launch security")
}

var gateVGPULiveMigration = featureGate{name: "VGPULiveMigration"}

func (o *obstacles) hostDevices() {
	d := &o.vmi.Spec.Domain.Devices
	for i, h := range d.HostDevices {
		o.add(fieldAt("spec.domain.devices.hostDevices", i, "deviceName"), h.DeviceName, "a device of this node is passed through to the guest", "the device left out, or a guest that is stopped and started")
	}
	for i, g := range d.GPUs {
		at := fieldAt("spec.domain.devices.gpus", i, "deviceName")
		switch {
		case len(o.ctx.HostDevices[g.DeviceName].MDev) == 0:
			o.add(at, g.DeviceName, "a whole GPU of this node is passed through to the guest", "a virtual GPU, or none")
		case len(d.GPUs) > 1:
			o.add(at, g.DeviceName, "only a single virtual GPU can be moved", "one GPU, or none")
		case !o.enabled(gateVGPULiveMigration):
			o.add(at, g.DeviceName, "moving a virtual GPU takes feature gate "+gateVGPULiveMigration.name+", which is off",
				"context.cluster.developerConfiguration.featureGates "+gateVGPULiveMigration.name+", or no GPU")
		}
	}
}

const podBridgeAnnotation = "kubevirt.io/allow-pod-bridge-network-live-migration"

// network looks at the primary NIC; others never stand in the way.
func (o *obstacles) network() {
	for n := range o.vmi.Spec.Networks {
		if o.vmi.Spec.Networks[n].Pod == nil || len(o.vmi.Spec.Domain.Devices.Interfaces) == 0 {
			continue
		}
		name := o.vmi.Spec.Networks[n].Name
		i := slices.IndexFunc(o.vmi.Spec.Domain.Devices.Interfaces, func(c v1.Interface) bool { return c.Name == name })
		if i < 0 {
			o.add(fieldAt("spec.networks", n, "name"), name, "the pod network has no interface", "an interface of that name, or no pod network")
			continue
		}
		o.primary(i)
	}
}

func (o *obstacles) primary(i int) {
	c := &o.vmi.Spec.Domain.Devices.Interfaces[i]
	at := "spec.domain.devices.interfaces"
	switch {
	case c.Masquerade != nil || c.PasstBinding != nil:
	case c.Bridge != nil:
		if _, allowed := o.vmi.Annotations[podBridgeAnnotation]; !allowed {
			o.add(fieldAt(at, i, "bridge"), "", "a bridge gives the guest the address of its pod, and the target pod has another",
				"masquerade, or annotation "+podBridgeAnnotation+" where the address may change")
		}
	case c.Binding != nil:
		if n := o.ctx.Cluster.NetworkConfiguration; n == nil || n.Binding[c.Binding.Name].Migration == nil {
			o.add(fieldAt(at, i, "binding.name"), c.Binding.Name, "the binding plugin is not registered as one that can move",
				"migration in the registration of the plugin (context.cluster.network.binding), or masquerade")
		}
	default:
		o.add(fieldAt(at, i, "name"), c.Name, "the primary NIC has a binding that cannot move", "masquerade")
	}
}

// volumes looks for storage that only this node has. What a pod makes for itself,
// such as a container disk or a cloud-init image, is copied or made anew.
func (o *obstacles) volumes() {
	moved := map[string]bool{}
	for _, m := range o.vmi.Status.MigratedVolumes {
		moved[m.VolumeName] = true
	}
	for i := range o.vmi.Spec.Volumes {
		v := &o.vmi.Spec.Volumes[i]
		var at ref
		switch {
		case moved[v.Name]:
			continue
		case v.PersistentVolumeClaim != nil:
			at = fieldAt("spec.volumes", i, "persistentVolumeClaim.claimName")
		case v.DataVolume != nil:
			at = fieldAt("spec.volumes", i, "dataVolume.name")
		case v.HostDisk != nil && !isTrue(v.HostDisk.Shared):
			o.add(fieldAt("spec.volumes", i, "hostDisk.path"), v.HostDisk.Path, "the disk is a file of this node", "hostDisk.shared for one that all nodes see, or a copy of the storage").CopyStorage = true
			continue
		default:
			continue
		}
		o.claim(v, at)
	}
}

func (o *obstacles) claim(v *v1.Volume, at ref) {
	name := ""
	if v.PersistentVolumeClaim != nil {
		name = v.PersistentVolumeClaim.ClaimName
	} else {
		name = v.DataVolume.Name
	}
	switch shared := o.sharedClaim(v.Name); {
	case shared == nil:
		o.add(at, name, "it is not known whether several nodes may use the claim at once", "context.volumes."+v.Name+".shared, or a copy of the storage").CopyStorage = true
	case !*shared:
		o.add(at, name, "only one node at a time may use the claim", "access mode ReadWriteMany, or a copy of the storage").CopyStorage = true
	}
}

// sharedClaim says whether source and target may use the claim at once; nil where
// neither the context nor the status tells.
func (o *obstacles) sharedClaim(name string) *bool {
	if f := o.ctx.Volumes[name]; f.Shared != nil {
		return f.Shared
	}
	for i := range o.vmi.Status.VolumeStatus {
		st := &o.vmi.Status.VolumeStatus[i]
		if st.Name == name && st.PersistentVolumeClaimInfo != nil && len(st.PersistentVolumeClaimInfo.AccessModes) > 0 {
			return newBool(slices.Contains(st.PersistentVolumeClaimInfo.AccessModes, corev1.ReadWriteMany))
		}
	}
	return nil
}
