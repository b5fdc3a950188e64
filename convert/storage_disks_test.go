package convert

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// storageOf runs the steps of storage over a VMI.
func storageOf(t testing.TB, vmi, ctx string) *state {
	t.Helper()
	s := testState(t, vmi, ctx)
	s.filesystems()
	s.ioThreadCount()
	s.disks()
	if len(s.problems) == 0 {
		s.preStart()
	}
	return s
}

// oneDiskVMI is a VMI with a disk and a volume of the same name, root.
func oneDiskVMI(disk, source string) string {
	return "metadata: {name: vm-a, namespace: shop}\nspec: {domain: {devices: {disks: [{name: root, " + disk + "}]}}, volumes: [{name: root, " + source + "}]}\n"
}

func problemsOf(s *state) string {
	var list []string
	for _, p := range s.problems {
		list = append(list, p.Error())
	}
	return strings.Join(list, "\n")
}

func diskXML(t testing.TB, disks ...libvirtxml.DomainDisk) string {
	t.Helper()
	var b strings.Builder
	for i := range disks {
		text, err := xml.MarshalIndent(&disks[i], "", "  ")
		require.NoError(t, err)
		b.Write(text)
		b.WriteString("\n")
	}
	return b.String()
}

// assertDisks compares the disks as libvirt reads them.
func assertDisks(t *testing.T, s *state, want, reason string) {
	t.Helper()
	assert.Empty(t, problemsOf(s), reason)
	wrap := func(text string) []string {
		return strings.Split(canonical(t, "<domain><devices>"+text+"</devices></domain>", false), "\n")
	}
	if diff := cmp.Diff(wrap(want), wrap(diskXML(t, s.dom.Devices.Disks...))); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

func TestSources(t *testing.T) {
	const (
		image  = "/var/run/kubevirt-private/vmi-disks/root/disk.img"
		claim  = "persistentVolumeClaim: {claimName: c}"
		hot    = "status: {volumeStatus: [{name: root, phase: Ready, target: '', hotplugVolume: {}}]}"
		track  = "status: {changedBlockTracking: {state: %s}}"
		cbt    = "/var/lib/libvirt/qemu/cbt/root.qcow2"
		cbtHot = "status: {changedBlockTracking: {state: Enabled}, volumeStatus: [{name: root, phase: Ready, target: '', hotplugVolume: {}}]}"
		block  = "volumes: {root: {mode: Block}}"
	)
	for _, c := range []struct {
		reason, source, status, ctx string
		want                        string // driver type, then the source, then what is below
	}{
		{"a claim is a file unless someone says it is a block device", claim, "", "", "raw file " + image},
		{"a block claim", claim, "", block, "raw block /dev/root"},
		{"the status knows the mode of the claim", claim, "status: {volumeStatus: [{name: root, target: '', persistentVolumeClaimInfo: {volumeMode: Block}}]}", "", "raw block /dev/root"},
		{"the fact counts more than the status", claim, "status: {volumeStatus: [{name: root, target: '', persistentVolumeClaimInfo: {volumeMode: Block}}]}", "volumes: {root: {mode: Filesystem}}", "raw file " + image},
		{"a claim that virt-handler turns into a host disk is a file whatever the fact says", claim,
			"status: {volumeStatus: [{name: root, target: '', persistentVolumeClaimInfo: {volumeMode: Filesystem, capacity: {storage: 1Gi}}}]}", block, "raw file " + image},
		{"a DataVolume is a claim", "dataVolume: {name: d}", "", block, "raw block /dev/root"},
		{"a hotplugged file", claim, hot, "", "raw file /var/run/kubevirt/hotplug-disks/root.img"},
		{"a hotplugged block device", "dataVolume: {name: d}", hot, block, "raw block /var/run/kubevirt/hotplug-disks/root"},
		{"a hotplugged host disk is looked for among the hotplugged files", "hostDisk: {path: /srv/a.img, type: Disk}", hot, block, "raw file /var/run/kubevirt/hotplug-disks/root.img"},
		{"a host disk is named after its file", "hostDisk: {path: /srv/images/a.img, type: Disk}", "", "", "raw file /var/run/kubevirt-private/vmi-disks/root/a.img"},
		{"a container disk is an overlay over its image", "containerDisk: {image: i}", "", "volumes: {root: {format: qcow2}}",
			"qcow2 file /var/run/kubevirt-ephemeral-disks/disk-data/root/disk.qcow2 over qcow2 file /var/run/kubevirt/container-disks/disk_0.img"},
		{"an ephemeral disk is an overlay over its claim", "ephemeral: {" + claim + "}", "", "",
			"qcow2 file /var/run/kubevirt-ephemeral-disks/disk-data/root/disk.qcow2 over raw file " + image},
		{"an ephemeral disk over a block device", "ephemeral: {" + claim + "}", "", block,
			"qcow2 file /var/run/kubevirt-ephemeral-disks/disk-data/root/disk.qcow2 over raw block /dev/root"},
		{"an empty disk", "emptyDisk: {capacity: 1Gi}", "", block, "qcow2 file /var/run/libvirt/empty-disks/root.qcow2"},
		{"cloud-init, by the VMI's name", "cloudInitNoCloud: {userData: x}", "", "", "raw file /var/run/kubevirt-ephemeral-disks/cloud-init-data/shop/vm-a/noCloud.iso"},
		{"cloud-init for a config drive", "cloudInitConfigDrive: {userData: x}", "", "", "raw file /var/run/kubevirt-ephemeral-disks/cloud-init-data/shop/vm-a/configdrive.iso"},
		{"sysprep", "sysprep: {secret: {name: s}}", "", "", "raw file /var/run/kubevirt-private/sysprep-disks/root.iso"},
		{"a config map", "configMap: {name: m}", "", "", "raw file /var/run/kubevirt-private/config-map-disks/root.iso"},
		{"a secret", "secret: {secretName: s}", "", "", "raw file /var/run/kubevirt-private/secret-disks/root.iso"},
		{"the downward API", "downwardAPI: {fields: []}", "", "", "raw file /var/run/kubevirt-private/downwardapi-disks/root.iso"},
		{"the pod has one service account", "serviceAccount: {serviceAccountName: a}", "", "", "raw file /var/run/kubevirt-private/service-account-disk/service-account.iso"},
		{"the pod has one image of metrics", "downwardMetrics: {}", "", "", "raw file /var/run/kubevirt-private/downwardapi-disks/vhostmd0"},
		{"tracked blocks", claim, strings.Replace(track, "%s", "Enabled", 1), "", "qcow2 file " + cbt + " store raw file " + image},
		{"tracked blocks, being set up", "dataVolume: {name: d}", strings.Replace(track, "%s", "Initializing", 1), block, "qcow2 file " + cbt + " store raw block /dev/root"},
		{"tracking that waits for a restart", claim, strings.Replace(track, "%s", "PendingRestart", 1), "", "raw file " + image},
		{"tracked blocks in a pod that does not run as root", claim, "status: {runtimeUser: 107, changedBlockTracking: {state: Enabled}}", "",
			"qcow2 file /var/run/kubevirt-private/libvirt/qemu/cbt/root.qcow2 store raw file " + image},
		{"tracked blocks of a hotplugged device", claim, cbtHot, block, "qcow2 file " + cbt + " store raw block /var/run/kubevirt/hotplug-disks/root"},
		{"tracked blocks of a hotplugged file", claim, cbtHot, "", "qcow2 file " + cbt + " store raw file /var/run/kubevirt/hotplug-disks/root.img"},
		{"tracked blocks of a host disk", "hostDisk: {path: /srv/a.img, type: Disk}", strings.Replace(track, "%s", "Enabled", 1), "",
			"qcow2 file " + cbt + " store raw file /var/run/kubevirt-private/vmi-disks/root/a.img"},
		{"a known overlay is enough", claim, "", "volumes: {root: {changedBlockTracking: /srv/o.qcow2}}", "qcow2 file /srv/o.qcow2 store raw file " + image},
		{"blocks of an empty disk are not tracked", "emptyDisk: {capacity: 1Gi}", strings.Replace(track, "%s", "Enabled", 1),
			"volumes: {root: {changedBlockTracking: /srv/o.qcow2}}", "qcow2 file /var/run/libvirt/empty-disks/root.qcow2"},
	} {
		s := storageOf(t, oneDiskVMI("disk: {bus: virtio}", c.source)+c.status, c.ctx)
		require.Empty(t, problemsOf(s), c.reason)
		require.Len(t, s.dom.Devices.Disks, 1, c.reason)
		assert.Equal(t, c.want, sourceText(&s.dom.Devices.Disks[0]), c.reason)
	}
}

func sourceText(d *libvirtxml.DomainDisk) string {
	text := d.Driver.Type + placeText(d.Source)
	if store := d.Source.DataStore; store != nil {
		text += " store " + store.Format.Type + placeText(store.Source)
	}
	if b := d.BackingStore; b != nil {
		text += " over " + b.Format.Type + placeText(b.Source)
	}
	return text
}

func placeText(s *libvirtxml.DomainDiskSource) string {
	if s.Block != nil {
		return " block " + s.Block.Dev
	}
	return " file " + s.File.File
}

func TestContainerDisksAreNumberedByVolume(t *testing.T) {
	s := storageOf(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: tools, disk: {bus: virtio}}, {name: os, disk: {bus: virtio}}]}}
  volumes: [{name: os, containerDisk: {image: i}}, {name: seed, configMap: {name: m}}, {name: tools, containerDisk: {image: j}}]`,
		"volumes: {os: {format: raw}, tools: {format: raw}}")
	require.Empty(t, problemsOf(s))
	assert.Equal(t, "/var/run/kubevirt/container-disks/disk_2.img", s.dom.Devices.Disks[0].BackingStore.Source.File.File)
	assert.Equal(t, "/var/run/kubevirt/container-disks/disk_0.img", s.dom.Devices.Disks[1].BackingStore.Source.File.File)
}

func TestDiscard(t *testing.T) {
	const (
		claim     = "persistentVolumeClaim: {claimName: c}"
		hot       = "status: {volumeStatus: [{name: root, target: '', phase: Ready, hotplugVolume: {}}]}"
		rewritten = "status: {volumeStatus: [{name: root, target: '', persistentVolumeClaimInfo: {volumeMode: Filesystem, requests: {storage: 1Gi}}}]}"
		thick     = "preallocated: true"
	)
	for _, c := range []struct{ reason, source, status, fact, disk, thickDisk, cdrom, thickCDROM string }{
		{"a block device", claim, "", "mode: Block", "unmap", "", "unmap", ""},
		{"a file", claim, "", "", "unmap", "", "unmap", ""},
		{"a hotplugged file", claim, hot, "", "unmap", "", "unmap", ""},
		{"a claim that virt-handler turns into a host disk", claim, rewritten, "", "unmap", "", "", ""},
		{"a host disk", "hostDisk: {path: /a.img, type: Disk}", "", "", "unmap", "", "", ""},
		{"a container disk's overlay", "containerDisk: {image: i}", "", "format: raw", "unmap", "unmap", "unmap", "unmap"},
		{"an ephemeral disk's overlay", "ephemeral: {" + claim + "}", "", "", "unmap", "unmap", "unmap", "unmap"},
		{"an empty disk", "emptyDisk: {capacity: 1Gi}", "", "", "unmap", "unmap", "unmap", "unmap"},
		{"an image of a config map", "configMap: {name: m}", "", "", "unmap", "", "", ""},
		{"an image of cloud-init", "cloudInitNoCloud: {userData: x}", "", "", "unmap", "", "", ""},
		{"an image of sysprep", "sysprep: {secret: {name: s}}", "", "", "unmap", "", "", ""},
		{"metrics", "downwardMetrics: {}", "", "", "", "", "", ""},
	} {
		for _, v := range []struct{ kind, fact, want string }{
			{"disk: {bus: virtio}", "", c.disk}, {"disk: {bus: virtio}", thick, c.thickDisk},
			{"cdrom: {bus: scsi}", "", c.cdrom}, {"cdrom: {bus: scsi}", thick, c.thickCDROM},
		} {
			facts := strings.Trim(c.fact+", "+v.fact, ", ")
			s := storageOf(t, oneDiskVMI(v.kind, c.source)+c.status, "volumes: {root: {"+facts+"}}")
			require.Empty(t, problemsOf(s), c.reason)
			assert.Equal(t, v.want, s.dom.Devices.Disks[0].Driver.Discard, "%s, %s, %s", c.reason, v.kind, v.fact)
		}
	}
}

func TestDiscardOfLUNs(t *testing.T) {
	const lun, claim = "lun: {bus: scsi}", "persistentVolumeClaim: {claimName: c}"
	s := storageOf(t, oneDiskVMI(lun, claim), "volumes: {root: {mode: Block}}")
	assert.Equal(t, "unmap", s.dom.Devices.Disks[0].Driver.Discard)
	s = storageOf(t, oneDiskVMI(lun, claim)+"status: {volumeStatus: [{name: root, target: '', persistentVolumeClaimInfo: {volumeMode: Block, preallocated: true}}]}", "")
	assert.Empty(t, s.dom.Devices.Disks[0].Driver.Discard, "the status says that the storage is preallocated")
}

func TestEmitted(t *testing.T) {
	for _, c := range []struct{ reason, status, want string }{
		{"without any status every disk is there", "", "perm late tray"},
		{"without a permanent volume in the status every disk is there", "{name: late, phase: Bound, target: '', hotplugVolume: {}}", "perm late tray"},
		{"a volume is on its way", "{name: perm, target: vda}, {name: late, phase: AttachedToNode, target: '', hotplugVolume: {}}", "perm tray"},
		{"a volume is on its way out", "{name: perm, target: vda}, {name: late, phase: Detaching, target: vdb, hotplugVolume: {}}", "perm tray"},
		{"a volume has arrived", "{name: perm, target: vda}, {name: late, phase: MountedToPod, target: '', hotplugVolume: {}}", "perm late tray"},
		{"a volume is in use", "{name: perm, target: vda}, {name: late, phase: Ready, target: vdb, hotplugVolume: {}}", "perm late tray"},
		{"a disk without status is not there", "{name: perm, target: vda}", "perm tray"},
		{"the status of a volume without a disk counts", "{name: other, target: ''}", "tray"},
	} {
		s := storageOf(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: perm, disk: {bus: virtio}}, {name: late, disk: {bus: virtio}}, {name: tray, cdrom: {bus: sata}}]}}
  volumes: [{name: perm, emptyDisk: {capacity: 1Gi}}, {name: late, persistentVolumeClaim: {claimName: c}}]
status: {volumeStatus: [`+c.status+`]}`, "")
		require.Empty(t, problemsOf(s), c.reason)
		var names []string
		for _, d := range s.dom.Devices.Disks {
			names = append(names, strings.TrimPrefix(d.Alias.Name, "ua-"))
		}
		assert.Equal(t, c.want, strings.Join(names, " "), c.reason)
	}
}

func storageVMI(t testing.TB, text string) *v1.VirtualMachineInstance {
	t.Helper()
	vmi, err := ParseVMI("vmi.yaml", []byte("apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\n"+text))
	require.NoError(t, err)
	return vmi
}
