package pathmap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const uid = "3d2c1b0a-7f60-4f6e-9b1d-2f4c6a8e0b12"

// TestPaths goes through every source, block device or file, hotplugged or not.
func TestPaths(t *testing.T) {
	const (
		private   = "/var/run/kubevirt-private"
		hotplug   = "/var/run/kubevirt/hotplug-disks"
		ephemeral = "/var/run/kubevirt-ephemeral-disks"
	)
	for _, test := range []struct {
		reason string
		volume Volume
		want   Paths
	}{
		{"a claim is an image file", Volume{Source: SourcePersistentVolumeClaim}, Paths{Disk: private + "/vmi-disks/vol/disk.img"}},
		{"a claim as block device", Volume{Source: SourcePersistentVolumeClaim, Block: true}, Paths{Disk: "/dev/vol"}},
		{"a claim hotplugged", Volume{Source: SourcePersistentVolumeClaim, Hotplugged: true}, Paths{Disk: hotplug + "/vol.img"}},
		{"a claim hotplugged as block device", Volume{Source: SourcePersistentVolumeClaim, Hotplugged: true, Block: true}, Paths{Disk: hotplug + "/vol"}},
		{"a DataVolume is a claim", Volume{Source: SourceDataVolume}, Paths{Disk: private + "/vmi-disks/vol/disk.img"}},
		{"a DataVolume as block device", Volume{Source: SourceDataVolume, Block: true}, Paths{Disk: "/dev/vol"}},
		{"a DataVolume hotplugged", Volume{Source: SourceDataVolume, Hotplugged: true}, Paths{Disk: hotplug + "/vol.img"}},
		{"a DataVolume hotplugged as block device", Volume{Source: SourceDataVolume, Hotplugged: true, Block: true}, Paths{Disk: hotplug + "/vol"}},
		{"a host disk keeps its file name", Volume{Source: SourceHostDisk, HostPath: "/data/vms/a.raw"}, Paths{Disk: private + "/vmi-disks/vol/a.raw"}},
		{"a host path may end in a slash", Volume{Source: SourceHostDisk, HostPath: "/data/a.raw/"}, Paths{Disk: private + "/vmi-disks/vol/a.raw"}},
		{"a host disk hotplugged is looked for as a claim", Volume{Source: SourceHostDisk, HostPath: "/data/a.raw", Hotplugged: true}, Paths{Disk: hotplug + "/vol.img"}},
		{
			"a container disk is an overlay above an image named by position", Volume{Source: SourceContainerDisk, Position: 3},
			Paths{Disk: ephemeral + "/disk-data/vol/disk.qcow2", Base: "/var/run/kubevirt/container-disks/disk_3.img"},
		},
		{
			"an ephemeral claim is an overlay above the claim", Volume{Source: SourceEphemeral},
			Paths{Disk: ephemeral + "/disk-data/vol/disk.qcow2", Base: private + "/vmi-disks/vol/disk.img"},
		},
		{
			"the same above a block device", Volume{Source: SourceEphemeral, Block: true},
			Paths{Disk: ephemeral + "/disk-data/vol/disk.qcow2", Base: "/dev/vol"},
		},
		{"an empty disk", Volume{Source: SourceEmptyDisk}, Paths{Disk: "/var/run/libvirt/empty-disks/vol.qcow2"}},
		{"cloud-init by namespace and name", Volume{Source: SourceCloudInitNoCloud}, Paths{Disk: ephemeral + "/cloud-init-data/shop/vm-a/noCloud.iso"}},
		{"config drive by namespace and name", Volume{Source: SourceCloudInitConfigDrive}, Paths{Disk: ephemeral + "/cloud-init-data/shop/vm-a/configdrive.iso"}},
		{"sysprep", Volume{Source: SourceSysprep}, Paths{Disk: private + "/sysprep-disks/vol.iso", Files: private + "/sysprep/vol"}},
		{"configMap", Volume{Source: SourceConfigMap}, Paths{Disk: private + "/config-map-disks/vol.iso", Files: private + "/config-map/vol"}},
		{"secret", Volume{Source: SourceSecret}, Paths{Disk: private + "/secret-disks/vol.iso", Files: private + "/secret/vol"}},
		{"downwardAPI", Volume{Source: SourceDownwardAPI}, Paths{Disk: private + "/downwardapi-disks/vol.iso", Files: private + "/downwardapi/vol"}},
		{
			"one image for every serviceAccount", Volume{Source: SourceServiceAccount},
			Paths{Disk: private + "/service-account-disk/service-account.iso", Files: "/var/run/secrets/kubernetes.io/serviceaccount"},
		},
		{"one image of metrics", Volume{Source: SourceDownwardMetrics}, Paths{Disk: private + "/downwardapi-disks/vhostmd0"}},
		{"a memory dump is a directory", Volume{Source: SourceMemoryDump, Hotplugged: true}, Paths{Files: hotplug + "/vol"}},
		{"a utility volume is a directory", Volume{Source: SourceUtility, Hotplugged: true}, Paths{Files: hotplug + "/vol"}},
		{
			"CBT writes through an overlay", Volume{Source: SourceDataVolume, CBT: true},
			Paths{Disk: private + "/vmi-disks/vol/disk.img", Overlay: "/var/lib/libvirt/qemu/cbt/vol.qcow2"},
		},
		{
			"CBT on a hotplugged block device", Volume{Source: SourcePersistentVolumeClaim, CBT: true, Hotplugged: true, Block: true},
			Paths{Disk: hotplug + "/vol", Overlay: "/var/lib/libvirt/qemu/cbt/vol.qcow2"},
		},
		{
			"CBT on a host disk", Volume{Source: SourceHostDisk, HostPath: "/a.raw", CBT: true},
			Paths{Disk: private + "/vmi-disks/vol/a.raw", Overlay: "/var/lib/libvirt/qemu/cbt/vol.qcow2"},
		},
		{"CBT has no effect elsewhere", Volume{Source: SourceEmptyDisk, CBT: true}, Paths{Disk: "/var/run/libvirt/empty-disks/vol.qcow2"}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			test.volume.Name = "vol"
			layout := Layout{Namespace: "shop", Name: "vm-a", Volumes: []Volume{test.volume}}
			require.NoError(t, layout.Check())
			got, err := layout.Paths(test.volume)
			require.NoError(t, err)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("paths (-want +got):\n%s", diff)
			}
			disk, ok := layout.Disk("vol")
			require.Equal(t, test.want.Disk, disk)
			require.Equal(t, test.want.Disk != "", ok)
		})
	}
}

func TestEverySourceIsTested(t *testing.T) {
	for source := range sources {
		v := Volume{Name: "vol", Source: source, HostPath: "/a.raw"}
		paths, err := Layout{Namespace: "shop", Name: "vm-a"}.Paths(v)
		require.NoError(t, err, source)
		require.NotEqual(t, Paths{}, paths, source)
	}
}

func TestIdentityPlaces(t *testing.T) {
	layout := Layout{Namespace: "shop", Name: "vm-a", UID: uid}
	got := func(path string, ok bool) string {
		require.True(t, ok)
		return path
	}
	for want, place := range map[string]string{
		"/var/run/kubevirt-ephemeral-disks/cloud-init-data/shop/vm-a":            got(layout.CloudInitDir()),
		"/var/run/kubevirt-ephemeral-disks/ignition-data/shop/vm-a":              got(layout.IgnitionDir()),
		"/var/run/kubevirt-private/" + uid:                                       got(layout.UIDDir()),
		"/var/run/kubevirt-private/" + uid + "/virt-vnc":                         got(layout.VNCSocket()),
		"/var/run/kubevirt-private/" + uid + "/virt-serial0":                     got(layout.SerialSocket(0)),
		"/var/run/kubevirt-private/" + uid + "/virt-serial0-log":                 got(layout.SerialLog(0)),
		"/var/run/kubevirt-private/" + uid + "/virt-usbredir-3":                  got(layout.USBRedirSocket(3)),
		"/var/lib/libvirt/qemu/nvram/vm-a_VARS.fd":                               got(layout.NVRAM()),
		"/var/lib/libvirt/swtpm":                                                 layout.TPMDir(),
		"/var/run/kubevirt/container-disks/kernel-boot/vmlinuz":                  got(layout.KernelBootFile("/boot/vmlinuz")),
		"/var/run/kubevirt/virtiofs-containers/fs.sock":                          got(layout.VirtiofsSocket("fs")),
		"/var/run/kubevirt/daemons/pr/pr-helper.sock":                            layout.PRHelperSocket(),
		"/var/run/kubevirt/passt.log":                                            layout.PasstLog(),
		"/var/run/kubevirt-private/QEMUSeaBiosDebugPipe":                         layout.FirmwareLog(),
		"/var/run/kubevirt-private/downwardmetrics-channel/downwardmetrics.sock": layout.DownwardMetricsSocket(),
	} {
		require.Equal(t, want, place)
	}
	layout.NonRoot = true
	require.Equal(t, "/var/run/kubevirt-private/libvirt/qemu/nvram/vm-a_VARS.fd", got(layout.NVRAM()))
	require.Equal(t, "/var/run/kubevirt-private/libvirt/qemu/swtpm", layout.TPMDir())
	paths, err := layout.Paths(Volume{Name: "vol", Source: SourceDataVolume, CBT: true})
	require.NoError(t, err)
	require.Equal(t, "/var/run/kubevirt-private/libvirt/qemu/cbt/vol.qcow2", paths.Overlay)
}

// TestBadNamesMakeNoPath tries to leave the directories by way of a name.
func TestBadNamesMakeNoPath(t *testing.T) {
	for _, bad := range []string{"", "..", ".", "../x", "a/b", "/", "a\x00b"} {
		layout := Layout{
			Namespace: bad, Name: bad, UID: bad,
			Volumes: []Volume{{Name: bad, Source: SourceDataVolume}},
		}
		require.Error(t, layout.Check(), "%q", bad)
		require.Nil(t, layout.Places(), "%q", bad)
		ask := []func() (string, bool){
			layout.CloudInitDir, layout.IgnitionDir, layout.UIDDir, layout.VNCSocket, layout.NVRAM,
			func() (string, bool) { return layout.SerialSocket(0) },
			func() (string, bool) { return layout.SerialLog(0) },
			func() (string, bool) { return layout.USBRedirSocket(0) },
			func() (string, bool) { return layout.VirtiofsSocket(bad) },
			func() (string, bool) { return layout.Disk(bad) },
		}
		for i, place := range ask {
			path, ok := place()
			require.False(t, ok, "%q, place %d", bad, i)
			require.Empty(t, path, "%q, place %d", bad, i)
		}
	}
	for _, bad := range []string{"", "/", "..", "/boot/..", "a\x00"} {
		path, ok := Layout{}.KernelBootFile(bad)
		require.False(t, ok, "%q gives %q", bad, path)
	}
	path, ok := Layout{UID: "vmi-disks"}.UIDDir()
	require.False(t, ok, "a UID that is the name of another directory: %q", path)
}

func TestCheck(t *testing.T) {
	claim := Volume{Name: "data", Source: SourceDataVolume}
	for _, test := range []struct {
		reason string
		layout Layout
		want   []string
	}{
		{"a layout without facts is fine", Layout{}, nil},
		{
			"names that are no path component, all at once",
			Layout{Namespace: "a/b", Name: "..", UID: "u\x00", Volumes: []Volume{{Name: "", Source: SourceSecret}, {Name: "../x", Source: SourceDataVolume}}},
			[]string{
				`pod layout, namespace: "a/b": contains "/"; want one path component`,
				`pod layout, name: "..": names a directory relative to another; want a name of its own`,
				`pod layout, uid: "u\x00": contains a NUL byte; want a name that a file can have`,
				`pod layout, volumes[0].name: "": empty; want a name`,
				`pod layout, volumes[1].name: "../x": contains "/"; want one path component`,
			},
		},
		{
			"a UID that is another directory's name would move that directory", Layout{UID: "vmi-disks"},
			[]string{`pod layout, uid: "vmi-disks": is the name of another directory of the pod; want the UID of the VMI`},
		},
		{
			"names are like any other", Layout{Namespace: "kubevirt", Name: "run", UID: "dev", Volumes: []Volume{{Name: "a..b c,&'ü", Source: SourceDataVolume}}},
			nil,
		},
		{
			"roots are absolute paths", Layout{Roots: Roots{Ephemeral: "disks", Devices: "/", Private: "/a/../b"}},
			[]string{
				`pod layout, roots.private: "/a/../b": contains ".."; want a path that means the same without following links`,
				`pod layout, roots.devices: "/": is the root directory; want a path below it, where a pod can keep something`,
				`pod layout, roots.ephemeral: "disks": relative; want an absolute path`,
			},
		},
		{
			"each volume once", Layout{Volumes: []Volume{claim, {Name: "x", Source: SourceEmptyDisk}, claim}},
			[]string{`pod layout, volumes[2].name: "data": is the name of volumes[0] too; want each name once`},
		},
		{
			"each place once", Layout{Volumes: []Volume{{Name: "a", Source: SourceContainerDisk, Position: 1}, {Name: "b", Source: SourceContainerDisk, Position: 1}}},
			[]string{`pod layout, volumes[1]: "b": has the place "/var/run/kubevirt/container-disks/disk_1.img", like volume "a"; want a place for each`},
		},
		{
			"but some images are one for all",
			Layout{Namespace: "shop", Name: "vm-a", Volumes: []Volume{
				{Name: "a", Source: SourceCloudInitNoCloud}, {Name: "b", Source: SourceCloudInitNoCloud},
				{Name: "c", Source: SourceServiceAccount}, {Name: "d", Source: SourceServiceAccount},
			}},
			nil,
		},
		{
			"cloud-init needs an identity", Layout{Name: "vm-a", Volumes: []Volume{{Name: "seed", Source: SourceCloudInitNoCloud}}},
			[]string{`pod layout, volumes[0].name: "seed": is a cloud-init image, whose place depends on namespace and name; want both`},
		},
		{
			"facts that contradict the source",
			Layout{Volumes: []Volume{
				{Name: "a", Source: "gitRepo"},
				{Name: "b", Source: SourceEmptyDisk, Block: true, Hotplugged: true},
				{Name: "c", Source: SourceContainerDisk, Position: -1},
				{Name: "d", Source: SourceHostDisk},
				{Name: "e", Source: SourceHostDisk, HostPath: "/", Block: true},
				{Name: "f", Source: SourceEphemeral, Block: true, Hotplugged: true},
				{Name: "g"},
			}},
			[]string{
				`pod layout, volumes[0].source: "gitRepo": unknown; want a volume source, such as persistentVolumeClaim`,
				`pod layout, volumes[1].block: "true": a volume of source emptyDisk is a file; want false`,
				`pod layout, volumes[1].hotplugged: "true": a volume of source emptyDisk is there from the start; want false`,
				`pod layout, volumes[2].position: "-1": negative; want the place in the list of volumes, from 0`,
				`pod layout, volumes[3].hostPath: "": its last element names no file; want the path of an image on the host`,
				`pod layout, volumes[4].block: "true": a volume of source hostDisk is a file; want false`,
				`pod layout, volumes[4].hostPath: "/": its last element names no file; want the path of an image on the host`,
				`pod layout, volumes[5].hotplugged: "true": a volume of source ephemeral is there from the start; want false`,
				`pod layout, volumes[6].source: "": unknown; want a volume source, such as persistentVolumeClaim`,
			},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			err := test.layout.Check()
			if test.want == nil {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, strings.Join(test.want, "\n"))
			var layout *LayoutError
			require.ErrorAs(t, err, &layout)
			require.Nil(t, test.layout.Places())
		})
	}
}

func TestPlaces(t *testing.T) {
	layout := Layout{
		Namespace: "shop", Name: "vm-a", UID: "u1", NonRoot: true,
		Roots: Roots{Run: "/r", Private: "/p/", Libvirt: "/l", Devices: "/d", Ephemeral: "/e", Ignition: "/ign"},
		Volumes: []Volume{
			{Name: "data", Source: SourceDataVolume, CBT: true},
			{Name: "os", Source: SourceContainerDisk, Position: 1},
			{Name: "slic", Source: SourceSecret},
		},
	}
	want := []Place{
		{Path: "/e/cloud-init-data/shop/vm-a", Kind: KindCloudInit},
		{Path: "/var/run/libvirt/cloud-init-dir/shop/vm-a", Kind: KindCloudInit, Alternate: true},
		{Path: "/ign/shop/vm-a", Kind: KindIgnition},
		{Path: "/p/u1", Kind: KindUID},
		{Path: "/p/libvirt/qemu/nvram/vm-a_VARS.fd", Kind: KindNVRAM},
		{Path: "/l/qemu/nvram/vm-a_VARS.fd", Kind: KindNVRAM, Alternate: true},
		{Path: "/p/libvirt/qemu/swtpm", Kind: KindTPM},
		{Path: "/l/swtpm", Kind: KindTPM, Alternate: true},
		{Path: "/r/container-disks/kernel-boot", Kind: KindKernelBoot},
		{Path: "/r/virtiofs-containers", Kind: KindVirtiofs},
		{Path: "/r/daemons/pr/pr-helper.sock", Kind: KindPRHelper},
		{Path: "/p/downwardmetrics-channel/downwardmetrics.sock", Kind: KindDownwardMetrics},
		{Path: "/p/QEMUSeaBiosDebugPipe", Kind: KindFirmwareLog},
		{Path: "/r/passt.log", Kind: KindPasstLog},
		{Path: "/p/vmi-disks/data/disk.img", Volume: "data", Kind: KindVolume},
		{Path: "/p/libvirt/qemu/cbt/data.qcow2", Volume: "data", Kind: KindCBT},
		{Path: "/l/qemu/cbt/data.qcow2", Volume: "data", Kind: KindCBT, Alternate: true},
		{Path: "/e/disk-data/os/disk.qcow2", Volume: "os", Kind: KindOverlay},
		{Path: "/r/container-disks/disk_1.img", Volume: "os", Kind: KindContainerDisk},
		{Path: "/p/secret-disks/slic.iso", Volume: "slic", Kind: KindGenerated},
		{Path: "/p/secret/slic", Volume: "slic", Kind: KindFiles},
	}
	if diff := cmp.Diff(want, layout.Places()); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}
