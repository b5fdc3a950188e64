package convert

import (
	"errors"

	v1 "kubevirt.io/api/core/v1"

	"github.com/migxml/migxml/pathmap"
)

// volumeSource says what a volume comes from. A volume with several sources is
// taken for the first of this order (storage.md 9.1). ok is false for a source that
// cannot be behind a disk.
func volumeSource(v *v1.Volume) (source pathmap.SourceKind, ok bool) {
	switch {
	case v.ContainerDisk != nil:
		return pathmap.SourceContainerDisk, true
	case v.CloudInitNoCloud != nil:
		return pathmap.SourceCloudInitNoCloud, true
	case v.CloudInitConfigDrive != nil:
		return pathmap.SourceCloudInitConfigDrive, true
	case v.Sysprep != nil:
		return pathmap.SourceSysprep, true
	case v.HostDisk != nil:
		return pathmap.SourceHostDisk, true
	case v.PersistentVolumeClaim != nil:
		return pathmap.SourcePersistentVolumeClaim, true
	case v.DataVolume != nil:
		return pathmap.SourceDataVolume, true
	case v.Ephemeral != nil:
		return pathmap.SourceEphemeral, true
	case v.EmptyDisk != nil:
		return pathmap.SourceEmptyDisk, true
	}
	return objectSource(v)
}

// objectSource is volumeSource for what shows other objects of the cluster, and for
// what is no disk.
func objectSource(v *v1.Volume) (source pathmap.SourceKind, ok bool) {
	switch {
	case v.ConfigMap != nil:
		return pathmap.SourceConfigMap, true
	case v.Secret != nil:
		return pathmap.SourceSecret, true
	case v.DownwardAPI != nil:
		return pathmap.SourceDownwardAPI, true
	case v.ServiceAccount != nil:
		return pathmap.SourceServiceAccount, true
	case v.DownwardMetrics != nil:
		return pathmap.SourceDownwardMetrics, true
	case v.MemoryDump != nil:
		return pathmap.SourceMemoryDump, false
	case v.ContainerPath != nil:
		return "containerPath", false
	}
	return "source unknown", false
}

// hotplugSource is volumeSource for a volume that is added to the running guest.
func hotplugSource(v *v1.Volume) (source pathmap.SourceKind, ok bool) {
	switch {
	case v.HostDisk != nil:
		return pathmap.SourceHostDisk, true
	case v.PersistentVolumeClaim != nil:
		return pathmap.SourcePersistentVolumeClaim, true
	case v.DataVolume != nil:
		return pathmap.SourceDataVolume, true
	}
	source, _ = volumeSource(v)
	return source, false
}

// findSource decides what is behind the disk, or refuses it.
func (d *diskShape) findSource() bool {
	var ok bool
	if d.hotplug {
		if d.src, ok = hotplugSource(d.vol); !ok {
			d.refuse(d.at("name"), d.in.Name, "its volume is being hotplugged and is a "+string(d.src)+", want a persistentVolumeClaim, dataVolume or hostDisk")
		}
		return ok
	}
	if d.src, ok = volumeSource(d.vol); !ok {
		d.refuse(d.at("name"), d.in.Name, "its volume ("+string(d.src)+") cannot be shown as a disk")
	}
	return ok
}

// claim says whether the volume is a claim, by itself or as a DataVolume.
func (d *diskShape) claim() bool {
	return d.src == pathmap.SourcePersistentVolumeClaim || d.src == pathmap.SourceDataVolume
}

// blockVolume says whether the volume is a block device: the fact counts, else what
// the status knows about the claim (storage.md 1.2). Only claims can be one, below an
// ephemeral disk too.
func (d *diskShape) blockVolume() bool {
	if !d.claim() && d.src != pathmap.SourceEphemeral || d.rewritten {
		return false
	}
	switch d.facts.Mode {
	case "Block":
		return true
	case "":
		return claimIsBlock(d.claimInfo())
	case "Filesystem":
		return false
	}
	d.refuse(d.fact("mode"), d.facts.Mode, "want Block or Filesystem")
	return false
}

// modeAt names the place that decides whether the volume is a block device.
func (d *diskShape) modeAt() ref {
	switch {
	case !d.claim() && d.src != pathmap.SourceEphemeral:
		return d.sourceAt()
	case d.rewritten || d.facts.Mode == "" && d.block:
		return d.statusAt("persistentVolumeClaimInfo.volumeMode")
	}
	return d.fact("mode")
}

// claimInfo is what the status knows about the claim, or nil.
func (d *diskShape) claimInfo() *v1.PersistentVolumeClaimInfo {
	if d.statusIndex < 0 {
		return nil
	}
	return d.vmi.Status.VolumeStatus[d.statusIndex].PersistentVolumeClaimInfo
}

func claimIsBlock(info *v1.PersistentVolumeClaimInfo) bool {
	return info != nil && info.VolumeMode != nil && *info.VolumeMode == "Block"
}

// rewrittenClaim says whether virt-handler turns the claim into a host disk before
// KubeVirt converts the VMI (storage.md 1.4). It does so for claims with a file
// system that were there from the start, once it knows about them.
func (d *diskShape) rewrittenClaim() bool {
	info := d.claimInfo()
	if !d.claim() || d.hotplug || info == nil || claimIsBlock(info) {
		return false
	}
	if d.src == pathmap.SourceDataVolume && d.vol.DataVolume.Name == "" {
		return false
	}
	for i := range d.vmi.Spec.Domain.Devices.Filesystems {
		if d.vmi.Spec.Domain.Devices.Filesystems[i].Name == d.vol.Name {
			return false
		}
	}
	return true
}

// findPaths asks where the pod has the volume.
func (d *diskShape) findPaths() bool {
	v := pathmap.Volume{Name: d.vol.Name, Source: d.src, Block: d.block, Hotplugged: d.hotplug, CBT: d.tracked(), Position: d.volumeIndex}
	if d.src == pathmap.SourceHostDisk {
		v.HostPath = d.vol.HostDisk.Path
	}
	var err error
	if d.paths, err = d.layout().Paths(v); err != nil {
		d.refusePaths(err)
		return false
	}
	if v.CBT && d.facts.ChangedBlockTracking != "" {
		d.absolute(d.fact("changedBlockTracking"), d.facts.ChangedBlockTracking)
		d.paths.Overlay = d.facts.ChangedBlockTracking
	}
	return true
}

// layout is the pod, as far as the places of volumes depend on it.
func (s *state) layout() *pathmap.Layout {
	if s.pod == nil {
		_, nonRoot := s.vmi.Annotations[v1.DeprecatedNonRootVMIAnnotation]
		s.pod = &pathmap.Layout{
			Namespace: s.vmi.Namespace, Name: s.vmi.Name, UID: string(s.vmi.UID),
			NonRoot: nonRoot || s.vmi.Status.RuntimeUser != 0,
		}
	}
	return s.pod
}

// refusePaths says which name cannot be part of a path.
func (d *diskShape) refusePaths(err error) {
	var problem *pathmap.LayoutError
	switch {
	case !errors.As(err, &problem):
		d.refuse(d.at("name"), d.in.Name, err.Error())
	case problem.Field == "volume.hostPath":
		d.refuse(d.volumeAt("hostDisk.path"), problem.Value, problem.Reason)
	case d.src == pathmap.SourceCloudInitNoCloud || d.src == pathmap.SourceCloudInitConfigDrive:
		d.refuse(field("metadata.namespace"), d.vmi.Namespace, "disk "+d.in.Name+" "+problem.Reason)
	case isName(d.in.Name, nameMarks): // else that is said already
		d.refuse(d.at("name"), problem.Value, problem.Reason)
	}
}

// checkLUN refuses a LUN on an image file, which libvirt does not take: SCSI commands
// go to a device. KubeVirt means to refuse some of these and refuses none.
func (d *diskShape) checkLUN() {
	const commands = " passes SCSI commands on to a block device, but "
	switch {
	case d.kind != lunKind:
	case !d.claim():
		d.refuse(d.at("lun"), nil, "disk "+d.in.Name+commands+"its volume is a "+string(d.src)+", want a persistentVolumeClaim or dataVolume")
	case !d.block:
		d.refuse(d.at("lun"), nil, "disk "+d.in.Name+commands+"its claim has a file system, want "+d.modeAt().String()+" Block")
	case d.tracked():
		d.refuse(d.at("lun"), nil, "disk "+d.in.Name+commands+"its changed blocks are tracked in an image file, want a disk or no tracking")
	}
}
