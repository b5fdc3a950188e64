package pathmap

import (
	"path"
	"slices"
	"strconv"
)

// A Layout says where one pod mounts each volume of a guest and keeps its
// sockets, logs and state. Its methods know the places; nothing else in the
// project does. They are those of KubeVirt v1.9.0.
//
// A fact that is not known stays empty, and the places that depend on it are
// then not known either. Names become path components, so a name that is not
// exactly one is never made a path: the methods answer false for it, and Check
// and Between say what is wrong. Roots are taken as they are; Check and Between
// judge them too.
type Layout struct {
	Namespace string // of the VMI; cloud-init and ignition depend on it and on the name
	Name      string // of the VMI; the firmware's variables depend on it too
	UID       string // metadata.uid of the VMI; sockets and logs depend on it
	NonRoot   bool   // the launcher runs as another user than root: status.runtimeUser is not 0, or annotation kubevirt.io/nonroot
	Roots     Roots
	Volumes   []Volume
}

// Paths returns the places that a volume has in this pod. The volume need not
// be one of l.Volumes. The error joins the *LayoutErrors of the volume.
func (l Layout) Paths(v Volume) (Paths, error) {
	if problems := l.checkVolume(v, "volume"); len(problems) > 0 {
		return Paths{}, joinLayout("", problems)
	}
	roots := l.Roots.withDefaults()
	paths := roots.paths(v)
	if v.isCloudInit() {
		dir, _ := l.CloudInitDir()
		paths.Disk = dir + "/" + paths.Disk
	}
	if v.CBT && sources[v.Source].claim {
		paths.Overlay = roots.cbt(l.NonRoot, v.Name)
	}
	return paths, nil
}

// Disk returns the place of a volume's storage: the device or image that its
// disk shows, or the data store beneath it if there is a changed block tracking
// overlay. It answers false for an unknown volume and for one that is no disk.
func (l Layout) Disk(volume string) (path string, ok bool) {
	for _, v := range l.Volumes {
		if v.Name == volume {
			paths, err := l.Paths(v)
			return paths.Disk, err == nil && paths.Disk != ""
		}
	}
	return "", false
}

// CloudInitDir returns the directory of the guest's cloud-init images,
// noCloud.iso and configdrive.iso.
func (l Layout) CloudInitDir() (path string, ok bool) {
	return l.ownDir(l.Roots.withDefaults().CloudInit)
}

// IgnitionDir returns the directory of the guest's ignition file, data.ign.
func (l Layout) IgnitionDir() (path string, ok bool) {
	return l.ownDir(l.Roots.withDefaults().Ignition)
}

// ownDir returns the guest's directory, by namespace and name, below root.
func (l Layout) ownDir(root string) (string, bool) {
	if badName(l.Namespace) != "" || badName(l.Name) != "" {
		return "", false
	}
	return root + "/" + l.Namespace + "/" + l.Name, true
}

// UIDDir returns the directory of the guest's sockets and logs.
func (l Layout) UIDDir() (path string, ok bool) {
	if badName(l.UID) != "" || slices.Contains(privateNames, l.UID) {
		return "", false
	}
	return l.Roots.withDefaults().Private + "/" + l.UID, true
}

// VNCSocket returns the socket that VNC listens on.
func (l Layout) VNCSocket() (path string, ok bool) { return l.inUIDDir("virt-vnc") }

// SerialSocket returns the socket of a serial port, from 0.
func (l Layout) SerialSocket(port int) (path string, ok bool) {
	return l.inUIDDir("virt-serial" + strconv.Itoa(port))
}

// SerialLog returns the log file of a serial port, from 0.
func (l Layout) SerialLog(port int) (path string, ok bool) {
	return l.inUIDDir("virt-serial" + strconv.Itoa(port) + "-log")
}

// USBRedirSocket returns the socket of a USB redirection slot, from 0 (KubeVirt
// makes four).
func (l Layout) USBRedirSocket(slot int) (path string, ok bool) {
	return l.inUIDDir("virt-usbredir-" + strconv.Itoa(slot))
}

func (l Layout) inUIDDir(file string) (string, bool) {
	dir, ok := l.UIDDir()
	if !ok {
		return "", false
	}
	return dir + "/" + file, true
}

// NVRAM returns the file of the firmware's variables.
func (l Layout) NVRAM() (path string, ok bool) {
	if badName(l.Name) != "" {
		return "", false
	}
	return l.Roots.withDefaults().nvram(l.NonRoot, l.Name), true
}

// TPMDir returns the directory of the state of emulated TPMs, which libvirt
// names after the domain's UUID.
func (l Layout) TPMDir() string { return l.Roots.withDefaults().tpm(l.NonRoot) }

// KernelBootFile returns where the kernel or initrd lies that has the given path
// in its container image. Only the last element counts.
func (l Layout) KernelBootFile(imagePath string) (file string, ok bool) {
	base := path.Base(imagePath)
	if imagePath == "" || badName(base) != "" {
		return "", false
	}
	return l.Roots.withDefaults().kernelBoot() + "/" + base, true
}

// VirtiofsSocket returns the socket of a shared file system.
func (l Layout) VirtiofsSocket(fileSystem string) (path string, ok bool) {
	if badName(fileSystem) != "" {
		return "", false
	}
	return l.Roots.withDefaults().virtiofs() + "/" + fileSystem + ".sock", true
}

// PRHelperSocket returns the socket of the helper for persistent reservations.
func (l Layout) PRHelperSocket() string { return l.Roots.withDefaults().prHelper() }

// DownwardMetricsSocket returns the socket of the downwardMetrics channel. (The
// image of a downwardMetrics volume is that volume's Disk.)
func (l Layout) DownwardMetricsSocket() string { return l.Roots.withDefaults().downwardMetrics() }

// FirmwareLog returns the pipe of the firmware's debug output.
func (l Layout) FirmwareLog() string { return l.Roots.withDefaults().firmwareLog() }

// PasstLog returns the log file of passt.
func (l Layout) PasstLog() string { return l.Roots.withDefaults().passtLog() }
