package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const allGates = "cluster: {developerConfiguration: {featureGates: [HostDisk, DownwardMetrics, EnableVirtioFsStorageVolumes]}, persistentReservationConfiguration: {enabled: true}}"

// storageWarnings is what admission would refuse, as "field: message" lines, of the
// storage alone.
func storageWarnings(t *testing.T, vmi, ctx string) []string {
	t.Helper()
	c, err := ParseContext("context.yaml", []byte(ctx))
	require.NoError(t, err)
	var list []string
	for _, e := range Admission(storageVMI(t, vmi), c) {
		for _, mine := range [...]string{disksField, volumesField, filesystemsField, ioPolicyField} {
			if strings.HasPrefix(e.Field, mine) {
				list = append(list, e.Error())
			}
		}
	}
	return list
}

// TestStorageAdmission has a row for each rule of storage.md, appendix B, that
// conversion does not enforce itself.
func TestStorageAdmission(t *testing.T) {
	const (
		claim  = "persistentVolumeClaim: {claimName: c}"
		virtio = "disk: {bus: virtio}"
		disk0  = "spec.domain.devices.disks[0]"
		vol0   = "spec.volumes[0]"
		hot    = "status: {volumeStatus: [{name: root, target: '', phase: Ready, hotplugVolume: {}}]}"
	)
	two := func(a, b string) string {
		return "metadata: {name: vm-a, namespace: shop}\nspec: {domain: {devices: {disks: [{name: a, disk: {bus: virtio}}, {name: b, disk: {bus: virtio}}]}}, volumes: [{name: a, " + a + "}, {name: b, " + b + "}]}"
	}
	for _, c := range []struct{ reason, vmi, ctx, field, words string }{
		{"one name twice", "spec: {domain: {devices: {disks: [{name: a, disk: {bus: virtio}}, {name: a, disk: {bus: virtio}}]}}, volumes: [{name: a, " + claim + "}]}", allGates, "spec.domain.devices.disks[1].name", "once"},
		{"no DNS label", strings.ReplaceAll(oneDiskVMI(virtio, claim), "root", "Root"), allGates, disk0 + ".name", "DNS label"},
		{"two kinds", oneDiskVMI("disk: {bus: virtio}, cdrom: {bus: sata}", claim), allGates, disk0, "one of"},
		{"a virtio CD-ROM", oneDiskVMI("cdrom: {bus: virtio}", claim), allGates, disk0 + ".cdrom.bus", "virtio"},
		{"SATA on arm64", oneDiskVMI("disk: {bus: sata}", claim), "node: {architecture: arm64}", disk0 + ".disk.bus", "arm64"},
		{"a read-only SATA disk", oneDiskVMI("disk: {bus: sata, readonly: true}", claim), allGates, disk0 + ".disk.readonly", "SATA"},
		{"a thread for a SCSI disk", oneDiskVMI("disk: {bus: scsi}, dedicatedIOThread: true", claim), allGates, disk0 + ".dedicatedIOThread", "virtio"},
		{"a serial number with a space", oneDiskVMI(virtio+", serial: a b", claim), allGates, disk0 + ".serial", "letters"},
		{"a long serial number", oneDiskVMI(virtio+", serial: "+strings.Repeat("a", 257), claim), allGates, disk0 + ".serial", "257"},
		{"an unknown cache mode", oneDiskVMI(virtio+", cache: unsafe", claim), allGates, disk0 + ".cache", "none, writethrough or writeback"},
		{"an unknown I/O mode", oneDiskVMI(virtio+", io: io_uring", claim), allGates, disk0 + ".io", "native or threads"},
		{"sizes and matchVolume", oneDiskVMI(virtio+", blockSize: {matchVolume: {}, custom: {logical: 512, physical: 512}}", claim), allGates, disk0 + ".blockSize.custom", "not both"},
		{"logical above physical", oneDiskVMI(virtio+", blockSize: {custom: {logical: 4096, physical: 512}}", claim), allGates, disk0 + ".blockSize.custom", "4096"},
		{"4096 on SATA", oneDiskVMI("disk: {bus: sata}, blockSize: {custom: {logical: 4096, physical: 4096}}", claim), allGates, disk0 + ".blockSize.custom.logical", "512"},
		{"a granularity that does not fit", oneDiskVMI(virtio+", blockSize: {custom: {logical: 512, physical: 512, discardGranularity: 700}}", claim), allGates, disk0 + ".blockSize.custom.discardGranularity", "multiple"},
		{"no power of two", oneDiskVMI(virtio+", blockSize: {custom: {logical: 1234, physical: 1234}}", claim), allGates, disk0 + ".blockSize.custom.logical", "power of two"},
		{"too large", oneDiskVMI(virtio+", blockSize: {custom: {logical: 512, physical: 4194304}}", claim), allGates, disk0 + ".blockSize.custom.physical", "2097152"},
		{"an empty tray without declarative hotplug", "spec: {domain: {devices: {disks: [{name: root, cdrom: {bus: sata}}]}}}", "cluster: {developerConfiguration: {disabledFeatureGates: [DeclarativeHotplugVolumes]}}", disk0 + ".name", "DeclarativeHotplugVolumes"},
		{"reservations are off", oneDiskVMI("lun: {bus: scsi, reservation: true}", claim), "", disk0 + ".lun.reservation", "persistentReservationConfiguration"},
		{"metrics are off", oneDiskVMI(virtio, "downwardMetrics: {}"), "", vol0 + ".downwardMetrics", "DownwardMetrics"},
		{"metrics under SEV", strings.Replace(oneDiskVMI(virtio, "downwardMetrics: {}"), "{devices", "{launchSecurity: {sev: {}}, devices", 1), allGates, vol0 + ".downwardMetrics", "encrypted"},
		{"metrics twice", two("downwardMetrics: {}", "downwardMetrics: {}"), allGates, "spec.volumes[1].downwardMetrics", "one"},
		{"metrics on a CD-ROM", oneDiskVMI("cdrom: {bus: sata}", "downwardMetrics: {}"), allGates, disk0 + ".cdrom", "disk"},
		{"metrics on SATA", oneDiskVMI("disk: {bus: sata}", "downwardMetrics: {}"), allGates, disk0 + ".disk.bus", "virtio"},
		{"one volume name twice", "spec: {volumes: [{name: a, " + claim + "}, {name: a, " + claim + "}]}", allGates, "spec.volumes[1].name", "once"},
		{"two sources", oneDiskVMI(virtio, claim+", emptyDisk: {capacity: 1Gi}"), allGates, vol0, "2 sources"},
		{"two service accounts", two("serviceAccount: {serviceAccountName: a}", "serviceAccount: {serviceAccountName: a}"), allGates, "spec.volumes[1].serviceAccount", "one"},
		{"two memory dumps", two("memoryDump: {claimName: a}", "memoryDump: {claimName: a}"), allGates, "spec.volumes[1].memoryDump", "one"},
		{"a DataVolume without a name", oneDiskVMI(virtio, "dataVolume: {name: ''}"), allGates, vol0 + ".dataVolume.name", "name"},
		{"a config map without a name", oneDiskVMI(virtio, "configMap: {}"), allGates, vol0 + ".configMap.name", "name"},
		{"a secret without a name", oneDiskVMI(virtio, "secret: {}"), allGates, vol0 + ".secret.secretName", "name"},
		{"a service account without a name", oneDiskVMI(virtio, "serviceAccount: {}"), allGates, vol0 + ".serviceAccount.serviceAccountName", "name"},
		{"cloud-init without data", oneDiskVMI(virtio, "cloudInitNoCloud: {}"), allGates, vol0 + ".cloudInitNoCloud", "user data"},
		{"user data twice", oneDiskVMI(virtio, "cloudInitConfigDrive: {userData: x, userDataBase64: eA==}"), allGates, vol0 + ".cloudInitConfigDrive", "one source"},
		{"no base64", oneDiskVMI(virtio, "cloudInitNoCloud: {networkDataBase64: '*'}"), allGates, vol0 + ".cloudInitNoCloud", "base64"},
		{"too much data", oneDiskVMI(virtio, "cloudInitNoCloud: {userData: "+strings.Repeat("a", 2049)+"}"), allGates, vol0 + ".cloudInitNoCloud", "2049"},
		{"host disks are off", oneDiskVMI(virtio, "hostDisk: {path: /a, type: Disk}"), "", vol0 + ".hostDisk", "HostDisk"},
		{"an unknown type of host disk", oneDiskVMI(virtio, "hostDisk: {path: /a, type: Other}"), allGates, vol0 + ".hostDisk.type", "DiskOrCreate"},
		{"capacity of what exists", oneDiskVMI(virtio, "hostDisk: {path: /a, type: Disk, capacity: 1Gi}"), allGates, vol0 + ".hostDisk.capacity", "1Gi"},
		{"the root of an image", oneDiskVMI(virtio, "containerDisk: {image: i, path: /}"), allGates, vol0 + ".containerDisk.path", "absolute"},
		{"a path with dots", oneDiskVMI(virtio, "containerDisk: {image: i, path: /disk/../a}"), allGates, vol0 + ".containerDisk.path", "absolute"},
		{"a folder without a file system", oneDiskVMI(virtio, "containerPath: {path: /srv}"), allGates, vol0 + ".name", "file system"},
		{"a folder of the pod", "spec: {domain: {devices: {filesystems: [{name: root, virtiofs: {}}]}}, volumes: [{name: root, containerPath: {path: /var/run/kubevirt/x}}]}", allGates, vol0 + ".containerPath.path", "pod"},
		{"an unknown thread policy", strings.Replace(oneDiskVMI(virtio, claim), "{devices", "{ioThreadsPolicy: many, devices", 1), allGates, "spec.domain.ioThreadsPolicy", "shared, auto or supplementalPool"},
		{"a shared claim", "spec: {domain: {devices: {filesystems: [{name: root, virtiofs: {}}]}}, volumes: [{name: root, " + claim + "}]}", "", "spec.domain.devices.filesystems[0].virtiofs", "EnableVirtioFsStorageVolumes"},
		{"a shared nothing", "spec: {domain: {devices: {filesystems: [{name: root, virtiofs: {}}]}}}", "", "spec.domain.devices.filesystems[0].name", "no volume"},
		{"a hotplugged SATA disk", oneDiskVMI("disk: {bus: sata}", claim) + hot, allGates, disk0 + ".disk.bus", "hotplugged"},
		{"a hotplugged virtio LUN", oneDiskVMI("lun: {bus: virtio}", claim) + hot, allGates, disk0 + ".lun.bus", "hotplugged"},
	} {
		found := false
		list := storageWarnings(t, c.vmi, c.ctx)
		for _, w := range list {
			found = found || strings.HasPrefix(w, c.field+":") && strings.Contains(w, c.words)
		}
		assert.True(t, found, "%s: no warning of %s with %q among %q", c.reason, c.field, c.words, list)
	}
}

func TestStorageAdmissionTakesWhatIsGood(t *testing.T) {
	assert.Empty(t, storageWarnings(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    ioThreadsPolicy: auto
    devices:
      filesystems: [{name: shared, virtiofs: {}}]
      disks:
      - {name: system, serial: "A_b.1+2-3", cache: none, io: native, dedicatedIOThread: true, disk: {bus: virtio}, blockSize: {custom: {logical: 512, physical: 4096, discardGranularity: 1024}}}
      - {name: raw, lun: {bus: scsi, reservation: true}}
      - {name: tray, cdrom: {bus: sata}}
      - {name: metrics, disk: {bus: virtio}}
      - {name: added, disk: {bus: scsi}}
  volumes:
  - {name: system, containerDisk: {image: i, path: /disk/os.qcow2}}
  - {name: raw, persistentVolumeClaim: {claimName: c}}
  - {name: metrics, downwardMetrics: {}}
  - {name: added, dataVolume: {name: d}}
  - {name: shared, persistentVolumeClaim: {claimName: s}}
  - {name: seed, cloudInitNoCloud: {secretRef: {name: s}, networkData: x}}
status: {volumeStatus: [{name: added, target: "", phase: Ready, hotplugVolume: {}}]}
`, allGates))
}

func TestFilesystems(t *testing.T) {
	s := storageOf(t, "metadata: {name: vm-a, namespace: shop}\nspec: {domain: {devices: {filesystems: [{name: a, virtiofs: {}}, {name: b}, {name: c, virtiofs: {}}]}}, volumes: [{name: a, configMap: {name: m}}]}", "")
	require.Empty(t, problemsOf(s))
	require.Len(t, s.dom.Devices.Filesystems, 2, "what is not shared by virtiofs is no device")
	for i, name := range []string{"a", "c"} {
		text, err := s.dom.Devices.Filesystems[i].Marshal()
		require.NoError(t, err)
		assert.Equal(t, fmt.Sprintf(`<filesystem type="mount" accessmode="passthrough">
  <driver type="virtiofs" queue="1024"></driver>
  <source socket="/var/run/kubevirt/virtiofs-containers/%s.sock"></source>
  <target dir="%s"></target>
</filesystem>`, name, name), text)
	}
	assert.Empty(t, s.dom.Devices.Disks, "a volume that is a shared folder is no disk")
}
