package convert

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"libvirt.org/go/libvirtxml"
)

const hotplugVMI = `metadata: {name: vm-a, namespace: shop}
spec:
  domain: {devices: {disks: [
    {name: root, disk: {bus: virtio}},
    {name: tray, cdrom: {bus: sata}},
    {name: used, disk: {bus: scsi}},
    {name: late, disk: {bus: scsi}, serial: ABC-1},
    {name: odd, disk: {bus: ide}}]}}
  volumes:
  - {name: root, containerDisk: {image: i}}
  - {name: used, persistentVolumeClaim: {claimName: a}}
  - {name: late, persistentVolumeClaim: {claimName: b, hotpluggable: true}}
  - {name: odd, emptyDisk: {capacity: 1}}
status:
  volumeStatus:
  - {name: root, target: vda}
  - {name: used, target: sdc}
  - {name: late, target: "", phase: MountedToPod, hotplugVolume: {}}
`

func TestDisk(t *testing.T) {
	ctx := Context{Volumes: map[string]VolumeFacts{"late": {DirectIO: new(bool)}}}
	*ctx.Volumes["late"].DirectIO = true
	d, err := Disk(storageVMI(t, hotplugVMI), ctx, "late")
	require.NoError(t, err, "what is wrong with other disks does not matter")
	assert.Equal(t, `<disk type="file" device="disk">
  <driver name="qemu" type="raw" cache="none" error_policy="stop" discard="unmap"></driver>
  <source file="/var/run/kubevirt/hotplug-disks/late.img"></source>
  <target dev="sdb" bus="scsi"></target>
  <serial>ABC-1</serial>
  <alias name="ua-late"></alias>
  <address type="drive" controller="0" bus="0" unit="1"></address>
</disk>
`, diskXML(t, *d), "beside the names that are taken")
}

func TestDiskRefuses(t *testing.T) {
	for _, c := range []struct{ reason, name, old, new, field string }{
		{"a disk that nobody knows", "none", "", "", "spec.domain.devices.disks"},
		{"a volume that is not there yet", "late", "MountedToPod", "Bound", "status.volumeStatus[2].phase"},
		{"a volume without status", "odd", "", "", "status.volumeStatus[3].phase"},
		{"a disk that is wrong itself", "late", "{bus: scsi}, serial", "{bus: scsi}, errorPolicy: x, serial", "spec.domain.devices.disks[3].errorPolicy"},
	} {
		_, err := Disk(storageVMI(t, strings.Replace(hotplugVMI, c.old, c.new, 1)), Context{}, c.name)
		var e *FieldError
		require.ErrorAs(t, err, &e, c.reason)
		assert.Equal(t, c.field, e.Field, c.reason)
	}
}

func TestMedium(t *testing.T) {
	const (
		hotFile  = "/var/run/kubevirt/hotplug-disks/tray.img"
		hotBlock = "/var/run/kubevirt/hotplug-disks/tray"
		ready    = "{name: tray, target: sda, phase: Ready, hotplugVolume: {}}"
		pending  = "{name: tray, target: sda, phase: Bound, hotplugVolume: {}}"
		claim    = "{name: tray, persistentVolumeClaim: {claimName: m, hotpluggable: true}}"
	)
	file, block := fileSource(hotFile), blockSource(hotBlock)
	for _, c := range []struct {
		reason, volume, status string
		facts                  VolumeFacts
		device                 string
		live                   *libvirtxml.DomainDiskSource
		want                   string // driver type and source; "" for no change
	}{
		{"insert a file", claim, ready, VolumeFacts{}, "cdrom", nil, "raw file " + hotFile},
		{"insert into a tray written as an empty block device", claim, ready, VolumeFacts{}, "cdrom", blockSource(""), "raw file " + hotFile},
		{"swap a file for a device", claim, ready, VolumeFacts{Mode: "Block"}, "cdrom", file, "raw block " + hotBlock},
		{"swap a device for a file", claim, ready, VolumeFacts{}, "cdrom", block, "raw file " + hotFile},
		{"insert a tracked medium, which is an overlay", claim, ready, VolumeFacts{ChangedBlockTracking: "/srv/o.qcow2"}, "cdrom", nil, "qcow2 file /srv/o.qcow2 store raw file " + hotFile},
		{"eject", "", "", VolumeFacts{}, "cdrom", file, "raw block "},
		{"the next medium is not there yet: eject the old one", claim, pending, VolumeFacts{}, "cdrom", block, "raw block "},
		{"the same medium", claim, ready, VolumeFacts{}, "cdrom", file, ""},
		{"an empty tray that stays empty", "", "", VolumeFacts{}, "cdrom", nil, ""},
		{"a medium that was there from the start", "", "", VolumeFacts{}, "cdrom", fileSource("/var/run/kubevirt-private/vmi-disks/tray/disk.img"), ""},
		{"a medium that will be there from the start", "{name: tray, emptyDisk: {capacity: 1Gi}}", "{name: tray, target: sda}", VolumeFacts{}, "cdrom", file, ""},
		{"no CD-ROM", claim, ready, VolumeFacts{}, "disk", nil, ""},
	} {
		vmi := `metadata: {name: vm-a, namespace: shop}
spec: {domain: {devices: {disks: [{name: tray, cdrom: {bus: sata}}]}}, volumes: [` + c.volume + `]}
status: {volumeStatus: [{name: other, target: vda}, ` + c.status + `]}`
		live := libvirtxml.DomainDisk{Device: c.device, Source: c.live, Serial: "kept",
			Alias: &libvirtxml.DomainAlias{Name: "ua-tray"}, Driver: &libvirtxml.DomainDiskDriver{Name: "qemu", Type: "raw", Cache: "none"}}
		before := diskXML(t, live)
		got, err := Medium(storageVMI(t, vmi), Context{Volumes: map[string]VolumeFacts{"tray": c.facts}}, live)
		require.NoError(t, err, c.reason)
		assert.Equal(t, before, diskXML(t, live), "the live disk is not written to")
		if c.want == "" {
			assert.Nil(t, got, c.reason)
			continue
		}
		require.NotNil(t, got, c.reason)
		assert.Equal(t, c.want, sourceText(got), c.reason)
		assert.Equal(t, "kept", got.Serial, c.reason)
		assert.Equal(t, "none", got.Driver.Cache, "%s: the drive stays what it is", c.reason)
	}
}

func TestMediumOfADriveThatIsGone(t *testing.T) {
	live := libvirtxml.DomainDisk{Device: "cdrom", Source: fileSource("/var/run/kubevirt/hotplug-disks/old.img"), Alias: &libvirtxml.DomainAlias{Name: "ua-old"}}
	got, err := Medium(storageVMI(t, hotplugVMI), Context{}, live)
	require.NoError(t, err)
	require.NotNil(t, got)
	assert.Equal(t, "raw block ", sourceText(got))
}

// A drive that asks for a cache mode which the next medium's storage does not have
// keeps the mode it runs with; only the medium changes.
func TestMediumTakesNoPreStartPass(t *testing.T) {
	vmi := storageVMI(t, `metadata: {name: vm-a, namespace: shop}
spec: {domain: {devices: {disks: [{name: tray, cdrom: {bus: sata}, cache: none}]}}, volumes: [{name: tray, persistentVolumeClaim: {claimName: m, hotpluggable: true}}]}
status: {volumeStatus: [{name: other, target: vda}, {name: tray, target: sda, phase: Ready, hotplugVolume: {}}]}`)
	live := libvirtxml.DomainDisk{Device: "cdrom", Alias: &libvirtxml.DomainAlias{Name: "ua-tray"}}
	got, err := Medium(vmi, Context{Volumes: map[string]VolumeFacts{"tray": {DirectIO: new(bool)}}}, live)
	require.NoError(t, err)
	require.NotNil(t, got)
	assert.Equal(t, "raw file /var/run/kubevirt/hotplug-disks/tray.img", sourceText(got))
}
