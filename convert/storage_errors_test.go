package convert

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStorageErrors has the errors of storage.md 16 by their numbers, and what this
// project refuses beyond them.
func TestStorageErrors(t *testing.T) {
	const (
		claim  = "persistentVolumeClaim: {claimName: c}"
		virtio = "disk: {bus: virtio}"
		disk0  = "spec.domain.devices.disks[0]."
		info   = "status: {volumeStatus: [{name: root, target: '', persistentVolumeClaimInfo: {%s}}]}"
		hot    = "status: {volumeStatus: [{name: root, target: '', phase: Ready, hotplugVolume: {}}]}"
	)
	for _, c := range []struct {
		reason, vmi, ctx string
		field            string
		words            []string // the message has them
	}{
		{"E1: no volume", strings.Replace(oneDiskVMI(virtio, claim), "{name: root, p", "{name: other, p", 1), "",
			disk0 + "name", []string{"root", "no volume"}},
		{"E2: shareable and cached", oneDiskVMI(virtio+", shareable: true, cache: writethrough", claim), "",
			disk0 + "cache", []string{"root", "shareable", "writethrough", "none"}},
		{"E3: a SCSI disk has no PCI address", oneDiskVMI("disk: {bus: scsi, pciAddress: '0000:81:01.0'}", claim), "",
			disk0 + "disk.pciAddress", []string{"virtio", "scsi"}},
		{"E4: function 9", oneDiskVMI("disk: {bus: virtio, pciAddress: '0000:00:1d.9'}", claim), "",
			disk0 + "disk.pciAddress", []string{"0000:00:1d.9", "DDDD:BB:SS.F"}},
		{"E4: a colon for the dot", oneDiskVMI("disk: {bus: virtio, pciAddress: '0000:81:11:1'}", claim), "", disk0 + "disk.pciAddress", nil},
		{"E4: a space", oneDiskVMI("disk: {bus: virtio, pciAddress: ' 05EA:Fc:1d.6'}", claim), "", disk0 + "disk.pciAddress", nil},
		{"E4: a letter that is no digit", oneDiskVMI("disk: {bus: virtio, pciAddress: '00Z0:00:1d.6'}", claim), "", disk0 + "disk.pciAddress", nil},
		{"E5: unknown error policy", oneDiskVMI(virtio+", errorPolicy: explode", claim), "",
			disk0 + "errorPolicy", []string{"explode", "stop, ignore, report or enospace"}},
		{"E6: large blocks on s390x", oneDiskVMI(virtio+", blockSize: {custom: {logical: 512, physical: 8192}}", claim), "node: {architecture: s390x}",
			disk0 + "blockSize.custom", []string{"root", "512", "8192", "4096", "s390x"}},
		{"E7: nobody knows the block size", oneDiskVMI(virtio+", blockSize: {matchVolume: {}}", claim), "",
			disk0 + "blockSize.matchVolume", []string{"root", "context.volumes.root.blockSize"}},
		{"E7: the storage has no block size", oneDiskVMI(virtio+", blockSize: {matchVolume: {enabled: true}}", claim), "volumes: {root: {blockSize: {}}}",
			"context.volumes.root.blockSize", []string{"root", "0"}},
		{"E7: an empty tray", "spec: {domain: {devices: {disks: [{name: root, cdrom: {bus: sata}, blockSize: {matchVolume: {}}}]}}}", "",
			disk0 + "blockSize.matchVolume", []string{"root", "empty"}},
		{"E8: a pool without threads", strings.Replace(oneDiskVMI(virtio, claim), "{devices", "{ioThreadsPolicy: supplementalPool, devices", 1), "",
			"spec.domain.ioThreads.supplementalPoolThreadCount", []string{"number of threads"}},
		{"E8: a pool of no threads", strings.Replace(oneDiskVMI(virtio, claim), "{devices", "{ioThreadsPolicy: supplementalPool, ioThreads: {supplementalPoolThreadCount: 0}, devices", 1), "",
			"spec.domain.ioThreads.supplementalPoolThreadCount", nil},
		{"a pool that would fill the document", strings.Replace(oneDiskVMI(virtio, claim), "{devices", "{ioThreadsPolicy: supplementalPool, ioThreads: {supplementalPoolThreadCount: 4294967295}, devices", 1), "",
			"spec.domain.ioThreads.supplementalPoolThreadCount", []string{"4294967295", "1024"}},
		{"E9: a hotplugged container disk", oneDiskVMI(virtio, "containerDisk: {image: i}") + hot, "volumes: {root: {format: raw}}",
			disk0 + "name", []string{"root", "containerDisk", "hotplugged"}},
		{"E9: a memory dump", oneDiskVMI(virtio, "memoryDump: {claimName: c}") + hot, "", disk0 + "name", []string{"memoryDump"}},
		{"E10: a memory dump", oneDiskVMI(virtio, "memoryDump: {claimName: c}"), "", disk0 + "name", []string{"root", "memoryDump"}},
		{"E10: a path of the pod", oneDiskVMI(virtio, "containerPath: {path: /srv}"), "", disk0 + "name", []string{"root", "containerPath"}},
		{"E10: no source", "spec: {domain: {devices: {disks: [{name: root, disk: {bus: virtio}}]}}, volumes: [{name: root}]}", "", disk0 + "name", []string{"root"}},
		{"E11: the format is not known", oneDiskVMI(virtio, "containerDisk: {image: i}"), "",
			"context.volumes.root.format", []string{"root", "raw or qcow2"}},
		{"E12: another format", oneDiskVMI(virtio, "containerDisk: {image: i}"), "volumes: {root: {format: vmdk}}",
			"context.volumes.root.format", []string{"root", "vmdk"}},
		{"E15: no direct I/O", oneDiskVMI(virtio+", cache: none", claim), "volumes: {root: {directIO: false}}",
			disk0 + "cache", []string{"root", "direct I/O", "context.volumes.root.directIO"}},
		{"E15: no direct I/O for a shared disk", oneDiskVMI(virtio+", shareable: true", claim), "volumes: {root: {directIO: false}}",
			disk0 + "shareable", []string{"root", "direct I/O"}},
		{"E15: no direct I/O below", oneDiskVMI(virtio+", cache: none", "ephemeral: {"+claim+"}"), "volumes: {root: {directIO: true, baseDirectIO: false}}",
			disk0 + "cache", []string{"context.volumes.root.baseDirectIO"}},
		{"E20: no size", oneDiskVMI(virtio, claim) + strings.Replace(info, "%s", "volumeMode: Filesystem", 1), "",
			"status.volumeStatus[0].persistentVolumeClaimInfo", []string{"root", "size"}},
		{"E21: no room", oneDiskVMI(virtio, claim) + strings.Replace(info, "%s", "requests: {storage: 900Ki}, capacity: {storage: 1Gi}", 1), "",
			"status.volumeStatus[0].persistentVolumeClaimInfo", []string{"root", "900Ki", "1Mi"}},
		{"E22: no empty disk", oneDiskVMI(virtio, "emptyDisk: {capacity: 1000k}"), "",
			"spec.volumes[0].emptyDisk.capacity", []string{"1Mi"}},

		{"an unknown bus", oneDiskVMI("disk: {bus: ide}", claim), "", disk0 + "disk.bus", []string{"ide", "virtio, scsi, sata or usb"}},
		{"USB on s390x", oneDiskVMI("cdrom: {bus: usb}", claim), "node: {architecture: s390x}", disk0 + "cdrom.bus", []string{"usb", "s390x"}},
		{"a device name that libvirt does not take", strings.Replace(oneDiskVMI(virtio, claim)+"\n"+hot, "target: ''", "target: 0000:00:02.0", 1), "",
			"status.volumeStatus[0].target", []string{"0000:00:02.0", "vda"}},
		{"two disks of one name", "metadata: {name: vm-a, namespace: shop}\nspec: {domain: {devices: {disks: [{name: a, disk: {bus: virtio}}, {name: b, disk: {bus: virtio}}]}}, volumes: [{name: a, " + claim + "}, {name: b, " + claim + "}]}\n" +
			"status: {volumeStatus: [{name: a, target: vdb}, {name: b, target: vdb}]}", "", "status.volumeStatus[1].target", []string{"a", "b", "vdb"}},
		{"a pin of another prefix takes the drive unit of another disk", "metadata: {name: vm-a, namespace: shop}\nspec: {domain: {devices: {disks: [{name: a, disk: {bus: scsi}}, {name: b, disk: {bus: scsi}}]}}, volumes: [{name: a, " + claim + "}, {name: b, " + claim + "}]}\n" +
			"status: {volumeStatus: [{name: a, target: vda}, {name: b}]}", "", "status.volumeStatus[0].target", []string{"a", "b", "unit 0"}},
		{"a LUN on an image", oneDiskVMI("lun: {bus: scsi}", "emptyDisk: {capacity: 1Gi}"), "", disk0 + "lun", []string{"root", "emptyDisk"}},
		{"a LUN on a claim with a file system", oneDiskVMI("lun: {bus: scsi}", claim), "", disk0 + "lun", []string{"root", "context.volumes.root.mode", "Block"}},
		{"a LUN whose blocks are tracked", oneDiskVMI("lun: {bus: scsi}", claim), "volumes: {root: {mode: Block, changedBlockTracking: /srv/o.qcow2}}", disk0 + "lun", []string{"root", "tracked"}},
		{"a boot order of 0", oneDiskVMI(virtio+", bootOrder: 0", claim), "", disk0 + "bootOrder", nil},
		{"a cache mode that libvirt does not know", oneDiskVMI(virtio+", cache: lots", claim), "", disk0 + "cache", []string{"lots", "writethrough"}},
		{"an I/O mode that libvirt does not know", oneDiskVMI(virtio+", io: default", claim), "", disk0 + "io", []string{"default", "native"}},
		{"a tray that libvirt does not know", oneDiskVMI("cdrom: {bus: sata, tray: ajar}", claim), "", disk0 + "cdrom.tray", []string{"ajar", "open or closed"}},
		{"a serial number that QEMU does not take", oneDiskVMI(virtio+", serial: 'a,b=c'", claim), "", disk0 + "serial", []string{"a,b=c"}},
		{"a name that libvirt does not take as an alias", strings.ReplaceAll(oneDiskVMI(virtio, claim), "root", "my disk"), "", disk0 + "name", []string{"my disk", "letters"}},
		{"an overlay that is no path", oneDiskVMI(virtio, claim), "volumes: {root: {changedBlockTracking: o.qcow2}}", "context.volumes.root.changedBlockTracking", []string{"absolute"}},
		{"an unknown volume mode", oneDiskVMI(virtio, claim), "volumes: {root: {mode: block}}", "context.volumes.root.mode", []string{"block", "Block"}},
		{"a name that leads out of its folder", strings.ReplaceAll(oneDiskVMI(virtio, claim), "root", "../root"), "", disk0 + "name", []string{"../root"}},
		{"a host disk that names no file", oneDiskVMI(virtio, "hostDisk: {path: /srv/.., type: Disk}"), "", "spec.volumes[0].hostDisk.path", []string{"/srv/.."}},
		{"a shared folder whose name leads out", "spec: {domain: {devices: {filesystems: [{name: a/b, virtiofs: {}}]}}, volumes: []}", "",
			"spec.domain.devices.filesystems[0].name", []string{"a/b"}},
	} {
		s := storageOf(t, c.vmi, c.ctx)
		found := ""
		for _, p := range s.problems {
			var e *FieldError
			require.True(t, errors.As(p, &e), c.reason)
			if e.Field == c.field {
				found = e.Error()
			}
		}
		if !assert.NotEmpty(t, found, "%s: no problem of %s among\n%s", c.reason, c.field, problemsOf(s)) {
			continue
		}
		for _, w := range c.words {
			assert.Contains(t, found, w, c.reason)
		}
		assert.NotContains(t, found, "\n", c.reason)
	}
}

func TestStorageReportsAllProblems(t *testing.T) {
	_, err := VMI(storageVMI(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {memory: {guest: 512Mi}, devices: {disks: [
    {name: a, disk: {bus: ide}, errorPolicy: explode},
    {name: b, disk: {bus: virtio}},
    {name: c, disk: {bus: sata, pciAddress: x}, shareable: true, cache: writeback}]}}
  volumes: [{name: a, emptyDisk: {capacity: 1}}, {name: c, containerDisk: {image: i}}]`), Context{})
	require.Error(t, err)
	for _, field := range []string{
		"disks[0].disk.bus", "disks[0].errorPolicy", "volumes[0].emptyDisk.capacity", "disks[1].name",
		"disks[2].disk.pciAddress", "disks[2].cache", "context.volumes.c.format",
	} {
		assert.ErrorContains(t, err, field)
	}
}
