package pathmap

// Roots are the directories below which a pod keeps the places of a guest. An
// empty field has the value of KubeVirt v1.9.0's launcher, given beside it.
type Roots struct {
	Run     string // shared with helpers: /var/run/kubevirt
	Private string // the launcher's own: /var/run/kubevirt-private
	Libvirt string // libvirt's state in a pod that runs as root: /var/lib/libvirt
	Devices string // block volumes: /dev

	Ephemeral  string // overlays, cloud-init, ignition: /var/run/kubevirt-ephemeral-disks
	EmptyDisks string // /var/run/libvirt/empty-disks

	ContainerDisks string // below Run: container-disks
	HotplugDisks   string // below Run: hotplug-disks

	// Below Ephemeral: cloud-init-data and ignition-data. Left empty, the older
	// places, which a launcher without a directory of its own uses, are known
	// too: /var/run/libvirt/cloud-init-dir and /var/run/libvirt/ignition-dir.
	CloudInit string
	Ignition  string
}

const (
	olderCloudInit = "/var/run/libvirt/cloud-init-dir"
	olderIgnition  = "/var/run/libvirt/ignition-dir"

	// Where Kubernetes mounts the service account's token in every pod.
	dirToken = "/var/run/secrets/kubernetes.io/serviceaccount"
)

// Names in the private root. No UID may be one of them, since the directory of
// sockets and logs, named after the UID, lies beside them.
const (
	dirVMIDisks        = "vmi-disks"
	dirSysprepISO      = "sysprep-disks"
	dirSysprep         = "sysprep"
	dirConfigMapISO    = "config-map-disks"
	dirConfigMap       = "config-map"
	dirSecretISO       = "secret-disks"
	dirSecret          = "secret"
	dirDownwardAPIISO  = "downwardapi-disks"
	dirDownwardAPI     = "downwardapi"
	dirServiceAccount  = "service-account-disk"
	dirDownwardChannel = "downwardmetrics-channel"
	dirLibvirt         = "libvirt"
	pipeFirmwareLog    = "QEMUSeaBiosDebugPipe"
)

var privateNames = []string{
	dirVMIDisks, dirSysprepISO, dirSysprep, dirConfigMapISO, dirConfigMap, dirSecretISO, dirSecret,
	dirDownwardAPIISO, dirDownwardAPI, dirServiceAccount, dirDownwardChannel, dirLibvirt, pipeFirmwareLog,
}

// defaultRoots are made once: almost every pod has them, and convert asks for
// the places of each disk.
var defaultRoots = Roots{}.filled()

// withDefaults fills the empty fields and cleans the others.
func (r Roots) withDefaults() Roots {
	if r == (Roots{}) {
		return defaultRoots
	}
	return r.filled()
}

func (r Roots) filled() Roots {
	fill := func(field *string, value string) {
		if *field == "" {
			*field = value
		} else if clean, err := cleanPath(*field); err == nil {
			*field = clean
		}
	}
	fill(&r.Run, "/var/run/kubevirt")
	fill(&r.Private, "/var/run/kubevirt-private")
	fill(&r.Libvirt, "/var/lib/libvirt")
	fill(&r.Devices, "/dev")
	fill(&r.Ephemeral, "/var/run/kubevirt-ephemeral-disks")
	fill(&r.EmptyDisks, "/var/run/libvirt/empty-disks")
	fill(&r.ContainerDisks, r.Run+"/container-disks")
	fill(&r.HotplugDisks, r.Run+"/hotplug-disks")
	fill(&r.CloudInit, r.Ephemeral+"/cloud-init-data")
	fill(&r.Ignition, r.Ephemeral+"/ignition-data")
	return r
}

// check refuses roots that are no path or the root directory itself.
func (r Roots) check() []*LayoutError {
	var problems []*LayoutError
	for _, root := range []struct{ field, path string }{
		{"run", r.Run}, {"private", r.Private}, {"libvirt", r.Libvirt}, {"devices", r.Devices},
		{"ephemeral", r.Ephemeral}, {"emptyDisks", r.EmptyDisks},
		{"containerDisks", r.ContainerDisks}, {"hotplugDisks", r.HotplugDisks},
		{"cloudInit", r.CloudInit}, {"ignition", r.Ignition},
	} {
		if root.path == "" {
			continue
		}
		clean, err := cleanPath(root.path)
		if err == nil && clean == "" {
			err = &PathError{Path: root.path, Reason: reasonRoot}
		}
		if err != nil {
			problems = append(problems, &LayoutError{Field: "roots." + root.field, Value: root.path, Reason: err.Reason})
		}
	}
	return problems
}

// The places below roots whose fields are filled.

// state returns a place of libvirt's state, which a pod keeps elsewhere if it
// does not run as root.
func (r Roots) state(nonRoot bool, place string) string {
	if nonRoot {
		return r.Private + "/" + dirLibvirt + "/" + place
	}
	return r.Libvirt + "/" + place
}

func (r Roots) cbt(nonRoot bool, volume string) string {
	return r.state(nonRoot, "qemu/cbt/"+volume+".qcow2")
}

func (r Roots) nvram(nonRoot bool, name string) string {
	return r.state(nonRoot, "qemu/nvram/"+name+"_VARS.fd")
}

func (r Roots) tpm(nonRoot bool) string {
	if nonRoot {
		return r.state(nonRoot, "qemu/swtpm")
	}
	return r.state(nonRoot, "swtpm")
}

func (r Roots) kernelBoot() string { return r.ContainerDisks + "/kernel-boot" }
func (r Roots) virtiofs() string   { return r.Run + "/virtiofs-containers" }
func (r Roots) prHelper() string   { return r.Run + "/daemons/pr/pr-helper.sock" }
func (r Roots) passtLog() string   { return r.Run + "/passt.log" }
func (r Roots) downwardMetrics() string {
	return r.Private + "/" + dirDownwardChannel + "/downwardmetrics.sock"
}
func (r Roots) firmwareLog() string { return r.Private + "/" + pipeFirmwareLog }
