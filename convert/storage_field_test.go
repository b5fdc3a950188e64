package convert

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// These tests have the numbers of the requirements that stem from faults users met.

func explainStorage(t *testing.T, vmi string, ctx Context) *Explanation {
	t.Helper()
	e, err := Explain(storageVMI(t, vmi), ctx)
	require.NoError(t, err)
	return e
}

// why is the one cause of a leaf.
func why(t *testing.T, e *Explanation, path string) Cause {
	t.Helper()
	list := e.Why(path)
	require.Len(t, list, 1, path)
	return list[0]
}

func absent(t *testing.T, e *Explanation, path string) Absent {
	t.Helper()
	for _, a := range e.Absent {
		if a.Path == path {
			return a
		}
	}
	t.Fatalf("nothing tells why %s is not there, only of %v", path, e.Absent)
	return Absent{}
}

func TestCase01TwoBusesShareNames(t *testing.T) {
	e := explainStorage(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: root, disk: {bus: scsi}}, {name: tools, cdrom: {bus: sata}}, {name: data, disk: {bus: scsi}}]}}
  volumes: [{name: root, persistentVolumeClaim: {claimName: a}}, {name: tools, persistentVolumeClaim: {claimName: b}}, {name: data, persistentVolumeClaim: {claimName: c}}]`, Context{})
	assert.Equal(t, "sda", why(t, e, "devices/disk[1]/target/@dev").Value)
	assert.Equal(t, "sdb", why(t, e, "devices/disk[2]/target/@dev").Value)
	data := why(t, e, "devices/disk[3]/target/@dev")
	assert.Equal(t, "sdc", data.Value)
	assert.Equal(t, "the first free name of sata, scsi and usb disks; sdb is disk tools", data.Reason)
	assert.Equal(t, []string{"spec.domain.devices.disks[2].disk.bus"}, data.Fields)
	assert.Equal(t, "2", why(t, e, "devices/disk[3]/address/@unit").Value, "the unit goes with the name, so that libvirt's own for the CD-ROM cannot be the same")
}

func TestCase03AChoiceIsNotOverridden(t *testing.T) {
	vmi := strings.Replace(oneDiskVMI("disk: {bus: scsi}, io: native", "persistentVolumeClaim: {claimName: c}"), "{devices", "{ioThreadsPolicy: shared, devices", 1)
	for _, facts := range []VolumeFacts{{Mode: "Block"}, {Mode: "Block", DirectIO: new(bool)}} {
		e := explainStorage(t, vmi, Context{Volumes: map[string]VolumeFacts{"root": facts}})
		io := why(t, e, "devices/disk/driver/@io")
		assert.Equal(t, "native", io.Value)
		assert.Equal(t, OriginField, io.Origin)
		assert.Equal(t, []string{"spec.domain.devices.disks[0].io"}, io.Fields)
		assert.Equal(t, "only virtio disks have I/O threads", absent(t, e, "/domain/devices/disk/driver/@iothread").Reason)
	}
}

func TestCase06FreedSpace(t *testing.T) {
	vmi := `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: thin, disk: {bus: virtio}}, {name: thick, disk: {bus: virtio}}]}}
  volumes: [{name: thin, persistentVolumeClaim: {claimName: a}}, {name: thick, persistentVolumeClaim: {claimName: b}}]
status: {volumeStatus: [{name: thin, target: '', %s}, {name: thick, target: '', %s}, {name: other, target: ''}]}`
	for _, status := range []string{"phase: ''", "phase: Ready, hotplugVolume: {}"} {
		e := explainStorage(t, strings.ReplaceAll(vmi, "%s", status), Context{Volumes: map[string]VolumeFacts{"thick": {Preallocated: true}}})
		thin := why(t, e, "devices/disk[1]/driver/@discard")
		assert.Equal(t, "unmap", thin.Value)
		assert.Equal(t, []string{"context.volumes.thin.preallocated"}, thin.Fields)
		assert.NotEmpty(t, thin.Assumed)
		thick := absent(t, e, "/domain/devices/disk[2]/driver/@discard")
		assert.Equal(t, []string{"context.volumes.thick.preallocated"}, thick.Fields)
		assert.Contains(t, thick.Reason, "preallocated")
	}
}

func TestCase09And10FileAndDevice(t *testing.T) {
	vmi := `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: plain, disk: {bus: virtio}}, {name: late, disk: {bus: virtio}}]}}
  volumes: [{name: plain, persistentVolumeClaim: {claimName: a}}, {name: late, persistentVolumeClaim: {claimName: b}}]
status: {volumeStatus: [{name: plain, target: ''}, {name: late, target: '', phase: Ready, hotplugVolume: {}}]}`
	for mode, want := range map[string][2]string{
		"Block":      {"raw block /dev/plain", "raw block /var/run/kubevirt/hotplug-disks/late"},
		"Filesystem": {"raw file /var/run/kubevirt-private/vmi-disks/plain/disk.img", "raw file /var/run/kubevirt/hotplug-disks/late.img"},
	} {
		e := explainStorage(t, vmi, Context{Volumes: map[string]VolumeFacts{"plain": {Mode: mode}, "late": {Mode: mode}}})
		for i := range want {
			assert.Equal(t, want[i], sourceText(&e.Domain.Devices.Disks[i]))
		}
		c := why(t, e, "devices/disk[2]/@type")
		assert.Contains(t, c.Fields, "context.volumes.late.mode")
		assert.Empty(t, c.Assumed)
	}
}

func TestCase18EmptyDrive(t *testing.T) {
	e := explainStorage(t, "metadata: {name: vm-a, namespace: shop}\nspec: {domain: {devices: {disks: [{name: tray, cdrom: {bus: sata}}]}}}", Context{})
	text, err := e.XML()
	require.NoError(t, err)
	assert.Contains(t, text, `<disk type="block" device="cdrom">`)
	assert.NotContains(t, text, "<source></source>", "an empty element is not needed")
	assert.Empty(t, e.Why("devices/disk/source"))
}

func TestWhyADiskIsNotThere(t *testing.T) {
	e := explainStorage(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: late, disk: {bus: virtio}}, {name: root, disk: {bus: virtio}}, {name: new, disk: {bus: virtio}}]}}
  volumes: [{name: root, persistentVolumeClaim: {claimName: a}}, {name: late, persistentVolumeClaim: {claimName: b}}, {name: new, persistentVolumeClaim: {claimName: c}}]
status: {volumeStatus: [{name: root, target: vda}, {name: late, target: '', phase: AttachedToNode, hotplugVolume: {}}]}`, Context{})
	late := absent(t, e, "/domain/devices/disk[2]")
	assert.Contains(t, late.Reason, "disk late is left out")
	assert.Equal(t, []string{"status.volumeStatus[1].phase"}, late.Fields)
	assert.Contains(t, absent(t, e, "/domain/devices/disk[3]").Reason, "no status")
}

func TestWhoHasTheNameBefore(t *testing.T) {
	e := explainStorage(t, `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [{name: new, disk: {bus: virtio}}, {name: newer, disk: {bus: scsi}}, {name: root, disk: {bus: virtio}}]}}
  volumes: [{name: root, emptyDisk: {capacity: 1Gi}}, {name: new, emptyDisk: {capacity: 1Gi}}, {name: newer, emptyDisk: {capacity: 1Gi}}]
status: {volumeStatus: [{name: root, target: vda}, {name: new, target: ''}, {name: newer, target: ''}, {name: gone, target: sda, hotplugVolume: {}}]}`, Context{})
	assert.Equal(t, "the first free name of virtio disks; vda is disk root", why(t, e, "devices/disk[1]/target/@dev").Reason)
	assert.Equal(t, "the first free name of sata, scsi and usb disks; sda is a disk that is leaving the guest", why(t, e, "devices/disk[2]/target/@dev").Reason)
	assert.Equal(t, "the running guest knows the disk as vda", why(t, e, "devices/disk[3]/target/@dev").Reason)
}

func TestWhatAProbeWouldSettle(t *testing.T) {
	vmi := oneDiskVMI("disk: {bus: virtio}", "containerDisk: {image: i}")
	direct := true
	for _, c := range []struct {
		facts VolumeFacts
		want  string
	}{
		{VolumeFacts{Format: "raw"}, "context.volumes.root.directIO"},
		{VolumeFacts{Format: "raw", DirectIO: &direct}, "context.volumes.root.baseDirectIO"},
	} {
		var facts []string
		for _, u := range explainStorage(t, vmi, Context{Volumes: map[string]VolumeFacts{"root": c.facts}}).Unknown {
			if strings.Contains(u.Path, "/driver/") {
				facts = append(facts, u.Path+" "+u.Fact)
			}
		}
		assert.Equal(t, []string{"/domain/devices/disk/driver/@cache " + c.want, "/domain/devices/disk/driver/@io " + c.want}, facts)
	}
}
