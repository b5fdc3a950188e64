package pathmap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// moved returns the entries that say that something moves, one line each.
func moved(m *Map) []string {
	var lines []string
	for _, e := range m.All() {
		if e.Source != e.Target {
			lines = append(lines, e.String())
		}
	}
	return lines
}

func TestBetween(t *testing.T) {
	shop := Layout{Namespace: "shop", Name: "vm-a", UID: "u1"}
	claim := func(name string, change ...func(*Volume)) Volume {
		v := Volume{Name: name, Source: SourcePersistentVolumeClaim}
		for _, c := range change {
			c(&v)
		}
		return v
	}
	block := func(v *Volume) { v.Block = true }
	hot := func(v *Volume) { v.Hotplugged = true }
	cbt := func(v *Volume) { v.CBT = true }
	with := func(l Layout, volumes ...Volume) Layout {
		l.Volumes = volumes
		return l
	}
	const (
		cloudInit = `"/var/run/kubevirt-ephemeral-disks/cloud-init-data/`
		ignition  = `"/var/run/kubevirt-ephemeral-disks/ignition-data/`
		private   = `"/var/run/kubevirt-private/`
	)
	for _, test := range []struct {
		reason         string
		source, target Layout
		want           []string
	}{
		{"nothing differs, nothing moves", shop, shop, nil},
		{"nothing known, nothing moves", Layout{}, Layout{}, nil},
		{
			"another identity", shop, Layout{Namespace: "shop-dr", Name: "vm-b", UID: "u2"},
			[]string{
				`"/var/lib/libvirt/qemu/nvram/vm-a_VARS.fd" -> "/var/lib/libvirt/qemu/nvram/vm-b_VARS.fd" (NVRAM)`,
				cloudInit + `shop/vm-a" -> ` + cloudInit + `shop-dr/vm-b" (cloud-init)`,
				ignition + `shop/vm-a" -> ` + ignition + `shop-dr/vm-b" (ignition)`,
				private + `libvirt/qemu/nvram/vm-a_VARS.fd" -> ` + private + `libvirt/qemu/nvram/vm-b_VARS.fd" (NVRAM)`,
				private + `u1" -> ` + private + `u2" (UID)`,
				`"/var/run/libvirt/cloud-init-dir/shop/vm-a" -> "/var/run/libvirt/cloud-init-dir/shop-dr/vm-b" (cloud-init)`,
				`"/var/run/libvirt/ignition-dir/shop/vm-a" -> "/var/run/libvirt/ignition-dir/shop-dr/vm-b" (ignition)`,
			},
		},
		{
			"only the UID differs", shop, Layout{Namespace: "shop", Name: "vm-a", UID: "u2"},
			[]string{private + `u1" -> ` + private + `u2" (UID)`},
		},
		{"an unknown UID moves no sockets", shop, Layout{Namespace: "shop", Name: "vm-a"}, nil},
		{"an unknown namespace moves no cloud-init", shop, Layout{Name: "vm-a", UID: "u1"}, nil},
		{
			"namespaces and names that are directories as well",
			Layout{Namespace: "run", Name: "var", UID: "dev"}, Layout{Namespace: "kubevirt", Name: "var", UID: "dev"},
			[]string{
				cloudInit + `run/var" -> ` + cloudInit + `kubevirt/var" (cloud-init)`,
				ignition + `run/var" -> ` + ignition + `kubevirt/var" (ignition)`,
				`"/var/run/libvirt/cloud-init-dir/run/var" -> "/var/run/libvirt/cloud-init-dir/kubevirt/var" (cloud-init)`,
				`"/var/run/libvirt/ignition-dir/run/var" -> "/var/run/libvirt/ignition-dir/kubevirt/var" (ignition)`,
			},
		},
		{
			"a target with one directory takes what either source directory has",
			Layout{Namespace: "shop", Name: "vm-a"},
			Layout{Namespace: "shop", Name: "vm-a", Roots: Roots{CloudInit: "/ci", Ignition: "/ign"}},
			[]string{
				cloudInit + `shop/vm-a" -> "/ci/shop/vm-a" (cloud-init)`,
				ignition + `shop/vm-a" -> "/ign/shop/vm-a" (ignition)`,
				`"/var/run/libvirt/cloud-init-dir/shop/vm-a" -> "/ci/shop/vm-a" (cloud-init)`,
				`"/var/run/libvirt/ignition-dir/shop/vm-a" -> "/ign/shop/vm-a" (ignition)`,
			},
		},
		{
			"a source that says it uses the older directory moves to the target's usual one",
			Layout{Namespace: "shop", Name: "vm-a", Roots: Roots{CloudInit: "/var/run/libvirt/cloud-init-dir"}},
			Layout{Namespace: "shop", Name: "vm-a"},
			[]string{`"/var/run/libvirt/cloud-init-dir/shop/vm-a" -> ` + cloudInit + `shop/vm-a" (cloud-init)`},
		},
		{
			"a block volume becomes a file and back", with(shop, claim("vol1", block), claim("vol2")), with(shop, claim("vol1"), claim("vol2", block)),
			[]string{
				`"/dev/vol1" -> ` + private + `vmi-disks/vol1/disk.img" (volume "vol1": volume mode)`,
				private + `vmi-disks/vol2/disk.img" -> "/dev/vol2" (volume "vol2": volume mode)`,
			},
		},
		{
			"the same with one plain and one hotplugged volume",
			with(shop, claim("vol1", block), claim("hp", block, hot)), with(shop, claim("vol1"), claim("hp", hot)),
			[]string{
				`"/dev/vol1" -> ` + private + `vmi-disks/vol1/disk.img" (volume "vol1": volume mode)`,
				`"/var/run/kubevirt/hotplug-disks/hp" -> "/var/run/kubevirt/hotplug-disks/hp.img" (volume "hp": volume mode)`,
			},
		},
		{
			"hotplugged in one pod, there from the start in the other", with(shop, claim("hp", hot)), with(shop, claim("hp")),
			[]string{`"/var/run/kubevirt/hotplug-disks/hp.img" -> ` + private + `vmi-disks/hp/disk.img" (volume "hp": hotplug)`},
		},
		{
			"container disks trade places when a volume is put before them",
			with(shop, Volume{Name: "a", Source: SourceContainerDisk}, Volume{Name: "b", Source: SourceContainerDisk, Position: 1}),
			with(shop, Volume{Name: "a", Source: SourceContainerDisk, Position: 1}, Volume{Name: "b", Source: SourceContainerDisk}),
			[]string{
				`"/var/run/kubevirt/container-disks/disk_0.img" -> "/var/run/kubevirt/container-disks/disk_1.img" (volume "a": containerDisk)`,
				`"/var/run/kubevirt/container-disks/disk_1.img" -> "/var/run/kubevirt/container-disks/disk_0.img" (volume "b": containerDisk)`,
			},
		},
		{
			"an ephemeral claim of another mode moves beneath its overlay",
			with(shop, Volume{Name: "e", Source: SourceEphemeral}), with(shop, Volume{Name: "e", Source: SourceEphemeral, Block: true}),
			[]string{private + `vmi-disks/e/disk.img" -> "/dev/e" (volume "e": volume mode)`},
		},
		{
			"a host disk of another file name",
			with(shop, Volume{Name: "h", Source: SourceHostDisk, HostPath: "/x/a.raw"}), with(shop, Volume{Name: "h", Source: SourceHostDisk, HostPath: "/y/b.raw"}),
			[]string{private + `vmi-disks/h/a.raw" -> ` + private + `vmi-disks/h/b.raw" (volume "h": host disk)`},
		},
		{
			"a host disk becomes a claim", with(shop, Volume{Name: "h", Source: SourceHostDisk, HostPath: "/x/a.raw"}), with(shop, claim("h")),
			[]string{private + `vmi-disks/h/a.raw" -> ` + private + `vmi-disks/h/disk.img" (volume "h": host disk)`},
		},
		{
			"a CBT overlay is equal on both sides, its data store may move", with(shop, claim("d", cbt, block)), with(shop, claim("d", cbt)),
			[]string{`"/dev/d" -> ` + private + `vmi-disks/d/disk.img" (volume "d": volume mode)`},
		},
		{
			"a target that does not run as root keeps libvirt's state elsewhere",
			with(Layout{Name: "vm-a"}, claim("d", cbt)), with(Layout{Name: "vm-a", NonRoot: true}, claim("d", cbt)),
			[]string{
				`"/var/lib/libvirt/qemu/cbt/d.qcow2" -> ` + private + `libvirt/qemu/cbt/d.qcow2" (volume "d": CBT overlay)`,
				`"/var/lib/libvirt/qemu/nvram/vm-a_VARS.fd" -> ` + private + `libvirt/qemu/nvram/vm-a_VARS.fd" (NVRAM)`,
				`"/var/lib/libvirt/swtpm" -> ` + private + `libvirt/qemu/swtpm" (TPM state)`,
			},
		},
		{"volumes that only the target has are fine", with(shop, claim("a")), with(shop, claim("b"), claim("a")), nil},
		{
			"other roots", with(Layout{UID: "u1", Roots: Roots{Private: "/srv/pods/a"}}, claim("d")), with(Layout{UID: "u2", Roots: Roots{Private: "/srv/pods/b"}}, claim("d")),
			[]string{
				`"/srv/pods/a/QEMUSeaBiosDebugPipe" -> "/srv/pods/b/QEMUSeaBiosDebugPipe" (firmware log)`,
				`"/srv/pods/a/downwardmetrics-channel/downwardmetrics.sock" -> "/srv/pods/b/downwardmetrics-channel/downwardmetrics.sock" (downwardMetrics)`,
				`"/srv/pods/a/libvirt/qemu/swtpm" -> "/srv/pods/b/libvirt/qemu/swtpm" (TPM state)`,
				`"/srv/pods/a/u1" -> "/srv/pods/b/u2" (UID)`,
				`"/srv/pods/a/vmi-disks/d/disk.img" -> "/srv/pods/b/vmi-disks/d/disk.img" (volume "d": claim)`,
			},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			m, err := Between(test.source, test.target)
			require.NoError(t, err)
			if diff := cmp.Diff(test.want, moved(m)); diff != "" {
				t.Errorf("entries that move (-want +got):\n%s", diff)
			}
		})
	}
}

// TestBetweenKnowsEveryPlace asks for each place of a pod with every source.
func TestBetweenKnowsEveryPlace(t *testing.T) {
	source := Layout{Namespace: "shop", Name: "vm-a", UID: "u1"}
	for kind := range sources {
		source.Volumes = append(source.Volumes, Volume{Name: "v-" + string(kind), Source: kind, HostPath: "/x/a.raw", CBT: true})
	}
	target := source
	target.Namespace, target.Name, target.UID = "shop-dr", "vm-b", "u2"
	m, err := Between(source, target)
	require.NoError(t, err)
	targets := make(map[string]bool)
	for _, place := range target.Places() {
		targets[place.Path] = true
	}
	for _, place := range source.Places() {
		match, err := m.Rewrite(place.Path)
		require.NoError(t, err)
		require.True(t, targets[match.Target], "%s of %q became %s", place.Path, place.Volume, match.Target)
		require.Equal(t, place.Kind, match.Entry.Kind)
		require.NotEmpty(t, match.Entry.Kind.Depends())
	}
	inverse, err := m.Inverse()
	require.NoError(t, err)
	back, err := Between(target, source)
	require.NoError(t, err)
	if diff := cmp.Diff(back.All(), inverse.All()); diff != "" {
		t.Errorf("the way back and the inverse (-between +inverse):\n%s", diff)
	}
}

// TestOnlyThePlaceMoves is the namespace called like a directory: replacing text
// would break the path.
func TestOnlyThePlaceMoves(t *testing.T) {
	for _, ns := range []string{"run", "var", "dev", "kubevirt", "libvirt", "cloud-init-data"} {
		source := Layout{Namespace: ns, Name: ns, UID: ns + "-uid", Volumes: []Volume{{Name: ns, Source: SourceDataVolume, Block: true}}}
		if ns == "libvirt" {
			source.UID = "u-1" // a directory of that name lies beside it
		}
		target := source
		target.Namespace, target.Name = "prod", "web"
		m, err := Between(source, target)
		require.NoError(t, err)
		got, err := m.Rewrite("/var/run/kubevirt-ephemeral-disks/cloud-init-data/" + ns + "/" + ns + "/noCloud.iso")
		require.NoError(t, err)
		require.Equal(t, "/var/run/kubevirt-ephemeral-disks/cloud-init-data/prod/web/noCloud.iso", got.Target)
		same, err := m.Rewrite("/dev/" + ns)
		require.NoError(t, err)
		require.False(t, same.Moved)
		_, err = m.Rewrite("/var/run/kubevirt-ephemeral-disks/cloud-init-data/" + ns + "/other/noCloud.iso")
		var unknown *UnknownPathError
		require.ErrorAs(t, err, &unknown, "another guest of the namespace is no business of the map")
	}
}

func TestBetweenRefuses(t *testing.T) {
	claim := Volume{Name: "data", Source: SourceDataVolume}
	for _, test := range []struct {
		reason         string
		source, target Layout
		want           []string
	}{
		{
			"volumes that the target lacks, all of them",
			Layout{Volumes: []Volume{claim, {Name: "scratch", Source: SourceEmptyDisk}}}, Layout{},
			[]string{
				`volume "data": of source dataVolume in the source pod, missing in the target pod; want a volume of that name there`,
				`volume "scratch": of source emptyDisk in the source pod, missing in the target pod; want a volume of that name there`,
			},
		},
		{
			"another kind of volume under the same name",
			Layout{Volumes: []Volume{claim}}, Layout{Volumes: []Volume{{Name: "data", Source: SourceEmptyDisk}}},
			[]string{`volume "data": of source dataVolume in the source pod, of source emptyDisk in the target pod; want the same`},
		},
		{
			"an overlay that the target does not have",
			Layout{Volumes: []Volume{{Name: "data", Source: SourceDataVolume, CBT: true}}}, Layout{Volumes: []Volume{claim}},
			[]string{`volume "data": has a changed block tracking overlay in the source pod only; want one in the target pod`},
		},
		{
			"bad facts of both sides, with the side",
			Layout{UID: "a/b", Volumes: []Volume{claim}}, Layout{Name: ".."},
			[]string{
				`source pod layout, uid: "a/b": contains "/"; want one path component`,
				`target pod layout, name: "..": names a directory relative to another; want a name of its own`,
				`volume "data": of source dataVolume in the source pod, missing in the target pod; want a volume of that name there`,
			},
		},
		{
			"roots that lie in each other so that one place would go to two",
			Layout{UID: "u1", Volumes: []Volume{{Name: "u1", Source: SourceDataVolume, Block: true}}, Roots: Roots{Devices: "/var/run/kubevirt-private"}},
			Layout{UID: "u2", Volumes: []Volume{{Name: "u1", Source: SourceDataVolume, Block: true}}},
			[]string{
				`path map: source "/var/run/kubevirt-private/u1" has two targets: "/var/run/kubevirt-private/u1" -> "/var/run/kubevirt-private/u2" (UID), ` +
					`and "/var/run/kubevirt-private/u1" -> "/dev/u1" (volume "u1": claim); want one`,
			},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			m, err := Between(test.source, test.target)
			require.Nil(t, m)
			require.EqualError(t, err, strings.Join(test.want, "\n"))
		})
	}
}
