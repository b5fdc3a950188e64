package pathmap

import (
	"fmt"
	"path"
	"strconv"
)

// SourceKind says what a volume comes from. The values are the names of the
// fields of spec.volumes[] of a VirtualMachineInstance.
type SourceKind string

const (
	SourcePersistentVolumeClaim SourceKind = "persistentVolumeClaim"
	SourceDataVolume            SourceKind = "dataVolume"
	SourceHostDisk              SourceKind = "hostDisk"
	SourceContainerDisk         SourceKind = "containerDisk"
	SourceEphemeral             SourceKind = "ephemeral"
	SourceEmptyDisk             SourceKind = "emptyDisk"
	SourceCloudInitNoCloud      SourceKind = "cloudInitNoCloud"
	SourceCloudInitConfigDrive  SourceKind = "cloudInitConfigDrive"
	SourceSysprep               SourceKind = "sysprep"
	SourceConfigMap             SourceKind = "configMap"
	SourceSecret                SourceKind = "secret"
	SourceDownwardAPI           SourceKind = "downwardAPI"
	SourceServiceAccount        SourceKind = "serviceAccount"
	SourceDownwardMetrics       SourceKind = "downwardMetrics"
	SourceMemoryDump            SourceKind = "memoryDump"    // a directory, no disk
	SourceUtility               SourceKind = "utilityVolume" // an entry of spec.utilityVolumes[]: a directory, no disk
)

// traits says what else a volume of a source can be.
type traits struct {
	claim   bool // lies where claims lie, so that one of these can stand for another in the other pod
	block   bool // can be a block device
	hotplug bool // can be added to a running guest
	shared  bool // the pod has one such image, whatever the volumes are called
}

var sources = map[SourceKind]traits{
	SourcePersistentVolumeClaim: {claim: true, block: true, hotplug: true},
	SourceDataVolume:            {claim: true, block: true, hotplug: true},
	SourceHostDisk:              {claim: true, hotplug: true}, // an image, also where a hotplugged one is looked for as a claim
	SourceContainerDisk:         {},
	SourceEphemeral:             {block: true},
	SourceEmptyDisk:             {},
	SourceCloudInitNoCloud:      {shared: true},
	SourceCloudInitConfigDrive:  {shared: true},
	SourceSysprep:               {},
	SourceConfigMap:             {},
	SourceSecret:                {},
	SourceDownwardAPI:           {},
	SourceServiceAccount:        {shared: true},
	SourceDownwardMetrics:       {shared: true},
	SourceMemoryDump:            {hotplug: true},
	SourceUtility:               {hotplug: true},
}

// A Volume is what a Layout needs to know about one volume of a guest. A volume
// that is only shared by virtiofs has no place of its own in the pod, but a
// socket: see [Layout.VirtiofsSocket].
type Volume struct {
	Name       string // also the name of its disk: the alias without "ua-"
	Source     SourceKind
	Block      bool   // volume mode Block, else Filesystem. For claims, DataVolumes and ephemeral claims
	Hotplugged bool   // added to the running guest. For claims, DataVolumes and host disks
	CBT        bool   // written through a changed block tracking overlay. Has no effect on sources other than those
	Position   int    // of a containerDisk: its place in spec.volumes, from 0, counting all volumes
	HostPath   string // of a hostDisk: path of the image on the host, of which the last element counts
}

// check returns the fields of which no place can be made. field is where the
// volume is, for messages.
func (v Volume) check(field string) []*LayoutError {
	var problems []*LayoutError
	report := func(name, value, reason string) {
		problems = append(problems, &LayoutError{Field: field + "." + name, Value: value, Reason: reason})
	}
	if reason := badName(v.Name); reason != "" {
		report("name", v.Name, reason)
	}
	can, known := sources[v.Source]
	if !known {
		report("source", string(v.Source), "unknown; want a volume source, such as persistentVolumeClaim")
		return problems
	}
	if v.Block && !can.block {
		report("block", "true", fmt.Sprintf("a volume of source %s is a file; want false", v.Source))
	}
	if v.Hotplugged && !can.hotplug {
		report("hotplugged", "true", fmt.Sprintf("a volume of source %s is there from the start; want false", v.Source))
	}
	if v.Source == SourceContainerDisk && v.Position < 0 {
		report("position", strconv.Itoa(v.Position), "negative; want the place in the list of volumes, from 0")
	}
	if v.Source == SourceHostDisk && (v.HostPath == "" || badName(path.Base(v.HostPath)) != "") {
		report("hostPath", v.HostPath, "its last element names no file; want the path of an image on the host")
	}
	return problems
}

// Paths are the places of one volume in one pod. A place that the volume does
// not have is empty.
type Paths struct {
	Disk    string // device or image that its disk shows; with an Overlay, that is the overlay's data store
	Overlay string // changed block tracking: the image that the disk shows instead
	Base    string // of a containerDisk or ephemeral claim: what lies beneath the image that is Disk
	Files   string // directory: what an ISO is made of, or a volume that is no disk
}

func (v Volume) isCloudInit() bool {
	return v.Source == SourceCloudInitNoCloud || v.Source == SourceCloudInitConfigDrive
}

// paths returns the places of a good volume below roots whose fields are filled.
// Of a cloud-init image it gives the name alone: the directory is the guest's.
func (r Roots) paths(v Volume) Paths {
	switch v.Source {
	case SourcePersistentVolumeClaim, SourceDataVolume, SourceHostDisk:
		return Paths{Disk: r.claim(v)}
	case SourceContainerDisk:
		return Paths{Disk: r.overlay(v), Base: r.ContainerDisks + "/disk_" + strconv.Itoa(v.Position) + ".img"}
	case SourceEphemeral:
		return Paths{Disk: r.overlay(v), Base: r.claim(v)}
	case SourceEmptyDisk:
		return Paths{Disk: r.EmptyDisks + "/" + v.Name + ".qcow2"}
	case SourceCloudInitNoCloud:
		return Paths{Disk: "noCloud.iso"}
	case SourceCloudInitConfigDrive:
		return Paths{Disk: "configdrive.iso"}
	case SourceSysprep:
		return r.iso(v, dirSysprepISO, dirSysprep)
	case SourceConfigMap:
		return r.iso(v, dirConfigMapISO, dirConfigMap)
	case SourceSecret:
		return r.iso(v, dirSecretISO, dirSecret)
	case SourceDownwardAPI:
		return r.iso(v, dirDownwardAPIISO, dirDownwardAPI)
	case SourceServiceAccount:
		return Paths{Disk: r.Private + "/" + dirServiceAccount + "/service-account.iso", Files: dirToken}
	case SourceDownwardMetrics:
		return Paths{Disk: r.Private + "/" + dirDownwardAPIISO + "/vhostmd0"}
	}
	return Paths{Files: r.HotplugDisks + "/" + v.Name} // memory dump or utility volume
}

// claim returns where the storage of a claim, DataVolume or host disk is.
func (r Roots) claim(v Volume) string {
	switch {
	case v.Hotplugged && v.Block:
		return r.HotplugDisks + "/" + v.Name
	case v.Hotplugged:
		return r.HotplugDisks + "/" + v.Name + ".img"
	case v.Block:
		return r.Devices + "/" + v.Name
	case v.Source == SourceHostDisk:
		return r.Private + "/" + dirVMIDisks + "/" + v.Name + "/" + path.Base(v.HostPath)
	}
	return r.Private + "/" + dirVMIDisks + "/" + v.Name + "/disk.img"
}

// overlay returns the image that takes what the guest writes to storage which
// stays as it is.
func (r Roots) overlay(v Volume) string {
	return r.Ephemeral + "/disk-data/" + v.Name + "/disk.qcow2"
}

func (r Roots) iso(v Volume, images, files string) Paths {
	return Paths{Disk: r.Private + "/" + images + "/" + v.Name + ".iso", Files: r.Private + "/" + files + "/" + v.Name}
}
