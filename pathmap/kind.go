package pathmap

// Kind says what in a [Layout] a place or an entry comes from, and so what a
// difference between two pods is due to. The empty Kind is an entry that
// somebody gave by hand.
type Kind string

// The kinds of places. Rule ids are those of the rule catalogue in package
// migrate that have to do with such a place.
const (
	// The storage of claims, DataVolumes and host disks (rules D-6 to D-9).
	// Between gives the first kind that applies.
	KindVolumeMode    Kind = "volume mode"   // block device in one pod, image file in the other (D-7, D-8)
	KindVolumeHotplug Kind = "hotplug"       // same mode, but hotplugged in one pod only (D-7, D-8)
	KindHostDisk      Kind = "host disk"     // named after the last element of the path on the host
	KindVolume        Kind = "claim"         // by volume name alone (D-9)
	KindCBT           Kind = "CBT overlay"   // by volume name, and whether the pod runs as root (D-21)
	KindContainerDisk Kind = "containerDisk" // base image, by position in the list of volumes (D-13a)

	// What the pod makes for a volume, by volume name.
	KindOverlay   Kind = "overlay"         // what the guest writes above a containerDisk or ephemeral claim (D-13a)
	KindEmptyDisk Kind = "emptyDisk"       // image that lives as long as the pod
	KindGenerated Kind = "generated image" // ISO of a configMap, secret, downwardAPI, serviceAccount or sysprep
	KindFiles     Kind = "directory"       // files of a volume that is no disk, or of which an ISO is made (F-4)

	// Identity of the guest.
	KindCloudInit Kind = "cloud-init" // by namespace and name (D-3, D-3a)
	KindIgnition  Kind = "ignition"   // by namespace and name
	KindNVRAM     Kind = "NVRAM"      // by name, and whether the pod runs as root (F-2)
	KindUID       Kind = "UID"        // sockets and logs, by UID (ID-3, T-2)

	// Places that every pod has under the same name.
	KindTPM             Kind = "TPM state"       // by whether the pod runs as root (TP-1)
	KindKernelBoot      Kind = "kernel boot"     // kernel and initrd (F-4)
	KindVirtiofs        Kind = "virtiofs"        // sockets, by name of the file system (FS-1)
	KindPRHelper        Kind = "pr-helper"       // socket for persistent reservations (D-17)
	KindDownwardMetrics Kind = "downwardMetrics" // image and channel socket
	KindFirmwareLog     Kind = "firmware log"    // pipe of the firmware's debug output
	KindPasstLog        Kind = "passt log"
)

// Depends names what a place of this kind depends on, to complete a sentence
// such as "the path differs with …". It is empty for a Kind that Layout does
// not make.
func (k Kind) Depends() string { return depends[k] }

var depends = map[Kind]string{
	KindVolumeMode:      "the volume mode (block or file)",
	KindVolumeHotplug:   "whether the volume is hotplugged",
	KindHostDisk:        "the volume name and the last element of the path on the host",
	KindVolume:          "the volume name",
	KindCBT:             "the volume name and whether the pod runs as root",
	KindContainerDisk:   "the position in the list of volumes",
	KindOverlay:         "the volume name",
	KindEmptyDisk:       "the volume name",
	KindGenerated:       "the volume name",
	KindFiles:           "the volume name",
	KindCloudInit:       "the namespace and the name",
	KindIgnition:        "the namespace and the name",
	KindNVRAM:           "the name and whether the pod runs as root",
	KindUID:             "the UID",
	KindTPM:             "whether the pod runs as root",
	KindKernelBoot:      "the root of container disks",
	KindVirtiofs:        "the name of the file system",
	KindPRHelper:        "the root of shared places",
	KindDownwardMetrics: "the root of private places",
	KindFirmwareLog:     "the root of private places",
	KindPasstLog:        "the root of shared places",
}
