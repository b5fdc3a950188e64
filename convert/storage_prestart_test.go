package convert

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPreStart(t *testing.T) {
	const (
		claim     = "persistentVolumeClaim: {claimName: c}"
		container = "containerDisk: {image: i}"
		ephemeral = "ephemeral: {persistentVolumeClaim: {claimName: c}}"
	)
	for _, c := range []struct{ reason, disk, source, facts, cache, io string }{
		{"without facts nothing is added", "", claim, "", "", ""},
		{"a file with direct I/O", "", claim, "directIO: true", "none", ""},
		{"a file without direct I/O", "", claim, "directIO: false", "writethrough", ""},
		{"a file without holes", "", claim, "directIO: true, allocated: true", "none", "native"},
		{"a file without holes that is cached", "", claim, "directIO: false, allocated: true", "writethrough", ""},
		{"a block device", "", claim, "directIO: true, mode: Block", "none", "native"},
		{"a block device without direct I/O", "", claim, "directIO: false, mode: Block", "writethrough", ""},
		{"the user's cache mode stays", "cache: writeback", claim, "directIO: true, mode: Block", "writeback", ""},
		{"the user's I/O mode stays", "io: threads", claim, "directIO: true, mode: Block", "none", "threads"},
		{"the user's choice of no cache, checked", "cache: none", claim, "directIO: true, allocated: true", "none", "native"},
		{"the user's choice of no cache, not checked", "cache: none", claim, "mode: Block", "none", ""},
		{"a shareable disk, checked", "shareable: true", claim, "directIO: true, mode: Block", "none", "native"},
		{"tracked blocks on a device", "", claim, "directIO: true, mode: Block, changedBlockTracking: /srv/o.qcow2", "none", "native"},
		{"tracked blocks on a file", "", claim, "directIO: true, changedBlockTracking: /srv/o.qcow2", "none", ""},
		{"an overlay over an image, both with direct I/O", "", container, "format: raw, directIO: true, baseDirectIO: true", "none", ""},
		{"an overlay over an image without direct I/O", "", container, "format: raw, directIO: true, baseDirectIO: false", "writethrough", ""},
		{"an overlay without direct I/O", "", container, "format: raw, directIO: false", "writethrough", ""},
		{"an overlay over an image of which nothing is known", "", container, "format: raw, directIO: true", "", ""},
		{"an overlay over a device: the device is asked too", "", ephemeral, "mode: Block, directIO: true, baseDirectIO: true", "none", ""},
	} {
		s := storageOf(t, oneDiskVMI(strings.Trim("disk: {bus: virtio}, "+c.disk, ", "), c.source), "volumes: {root: {"+c.facts+"}}")
		require.Empty(t, problemsOf(s), c.reason)
		driver := s.dom.Devices.Disks[0].Driver
		assert.Equal(t, c.cache, driver.Cache, c.reason)
		assert.Equal(t, c.io, driver.IO, c.reason)
	}
}

func TestPreStartOfTheEmittedOnly(t *testing.T) {
	s := storageOf(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: late, disk: {bus: virtio}, cache: none}, {name: tray, cdrom: {bus: sata}}, {name: root, disk: {bus: virtio}}]}}
  volumes: [{name: root, persistentVolumeClaim: {claimName: c}}, {name: late, persistentVolumeClaim: {claimName: d}}]
status: {volumeStatus: [{name: root, target: ''}, {name: late, target: '', phase: Bound, hotplugVolume: {}}]}`,
		"volumes: {root: {directIO: true}, late: {directIO: false}, tray: {directIO: true}}")
	require.Empty(t, problemsOf(s), "a disk that is not there cannot be wrong")
	require.Len(t, s.dom.Devices.Disks, 2)
	assert.Empty(t, s.dom.Devices.Disks[0].Driver.Cache, "an empty tray")
	assert.Equal(t, "none", s.dom.Devices.Disks[1].Driver.Cache)
}

func TestBlockSizeOfTheVolume(t *testing.T) {
	for _, c := range []struct {
		reason            string
		fact              BlockSizeFacts
		logical, physical uint
		discard           uint
	}{
		{"as the device says", BlockSizeFacts{512, 4096, 8192}, 512, 4096, 8192},
		{"no discarding", BlockSizeFacts{512, 4096, 0}, 512, 4096, 0},
		{"a file system's block size for all", BlockSizeFacts{4096, 4096, 4096}, 4096, 4096, 4096},
		{"one size stands for the other", BlockSizeFacts{0, 4096, 0}, 4096, 4096, 0},
		{"and the other way round", BlockSizeFacts{512, 0, 0}, 512, 512, 0},
		{"a granularity that does not fit", BlockSizeFacts{512, 4096, 1000}, 512, 4096, 4096},
		{"a granularity that does not fit, and no physical size", BlockSizeFacts{512, 0, 1000}, 512, 512, 512},
	} {
		b := c.fact.blockIO()
		assert.Equal(t, c.logical, b.LogicalBlockSize, c.reason)
		assert.Equal(t, c.physical, b.PhysicalBlockSize, c.reason)
		assert.Equal(t, c.discard, *b.DiscardGranularity, c.reason)
	}
}

func TestMatchVolume(t *testing.T) {
	const claim, match = "persistentVolumeClaim: {claimName: c}", "disk: {bus: virtio}, blockSize: {matchVolume: {}}"
	const sizes = "volumes: {root: {blockSize: {logical: 512, physical: 4096, discardGranularity: 0}}}"
	s := storageOf(t, oneDiskVMI(match, claim), sizes)
	assertDisks(t, s, `
<disk type="file" device="disk" model="virtio-non-transitional">
  <driver name="qemu" type="raw" error_policy="stop" discard="unmap"/>
  <source file="/var/run/kubevirt-private/vmi-disks/root/disk.img"/>
  <blockio logical_block_size="512" physical_block_size="4096" discard_granularity="0"/>
  <target dev="vda" bus="virtio"/>
  <alias name="ua-root"/>
</disk>`, "the sizes that were found")

	s = storageOf(t, oneDiskVMI("disk: {bus: virtio}, blockSize: {matchVolume: {enabled: false}}", claim), sizes)
	assert.Nil(t, s.dom.Devices.Disks[0].BlockIO, "switched off")

	s = storageOf(t, oneDiskVMI(match, claim)+"status: {volumeStatus: [{name: other, target: ''}, {name: root, target: '', phase: Bound, hotplugVolume: {}}]}", "")
	assert.Empty(t, problemsOf(s), "a volume that is not there yet does not keep the guest from starting")
}

func TestProbes(t *testing.T) {
	list, err := Probes(storageVMI(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [
    {name: root, disk: {bus: virtio}}, {name: tray, cdrom: {bus: sata}}, {name: fast, disk: {bus: scsi}, blockSize: {matchVolume: {}}},
    {name: tracked, disk: {bus: scsi}}, {name: golden, disk: {bus: scsi}}, {name: lost, disk: {bus: scsi}}]}}
  volumes:
  - {name: root, containerDisk: {image: i}}
  - {name: fast, persistentVolumeClaim: {claimName: a}}
  - {name: tracked, persistentVolumeClaim: {claimName: b}}
  - {name: golden, ephemeral: {persistentVolumeClaim: {claimName: c}}}`),
		Context{Volumes: map[string]VolumeFacts{"root": {Format: "raw"}, "fast": {Mode: "Block"}, "tracked": {ChangedBlockTracking: "/srv/o.qcow2"}, "golden": {Mode: "Block"}}})
	require.NoError(t, err)
	const overlays = "/var/run/kubevirt-ephemeral-disks/disk-data/"
	assert.Equal(t, []Probe{
		{Volume: "root", Path: overlays + "root/disk.qcow2", Base: "/var/run/kubevirt/container-disks/disk_0.img"},
		{Volume: "fast", Path: "/dev/fast", Block: true},
		{Volume: "tracked", Path: "/var/run/kubevirt-private/vmi-disks/tracked/disk.img"},
		{Volume: "golden", Path: overlays + "golden/disk.qcow2", Base: "/dev/golden"},
	}, list, "a fact that is still missing does not hide where to look for it; an empty tray and a lost disk have no place")
}
