//go:build integration

package integration

import (
	"encoding/xml"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirt"
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/convert"
)

// bootPatience is for one guest: with EFI it takes twenty seconds on an idle machine.
const bootPatience = 2 * time.Minute

// A booted is a converted VMI that runs.
type booted struct {
	pod     *VMIPod
	vmi     *v1.VirtualMachineInstance
	context convert.Context
	want    *libvirtxml.Domain
	dom     *libvirt.Domain
	shell   *GuestShell
}

// bootCase converts a case of testdata/convert, has the volumes prepared, and starts the domain. root is the pod's root
// directory.
func bootCase(t *testing.T, name, root string, prepare func(*VMIPod) error) booted {
	t.Helper()
	archive, err := txtar.ParseFile("../testdata/convert/" + name + ".txtar")
	require.NoError(t, err)
	vmi, facts := parseCase(t, archive)
	r, err := convert.VMI(vmi, facts)
	require.NoError(t, err)
	text, err := r.XML()
	require.NoError(t, err)

	lab := newLab(t)
	pod, err := lab.StartVMIPod(installed, vmi, root)
	require.NoError(t, err)
	t.Cleanup(func() {
		if t.Failed() {
			text, _ := pod.Console(pod.Pod).Text()
			t.Logf("%s\nthe guest's last words:\n%s", pod.Logs(), lastLines(text, 20))
		}
	})
	require.NoError(t, prepare(pod))
	conn, err := pod.Connect()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = conn.Close() })
	dom, err := conn.DomainDefineXMLFlags(text, libvirt.DOMAIN_DEFINE_VALIDATE)
	require.NoError(t, err)
	t.Cleanup(func() { _ = dom.Free() })
	start := time.Now()
	require.NoError(t, dom.Create())

	shell, err := pod.Shell(bootPatience)
	require.NoError(t, err)
	t.Cleanup(func() { _ = shell.Close() })
	_, err = shell.Run("true")
	require.NoError(t, err)
	t.Logf("boot: %.1f s", time.Since(start).Seconds())
	return booted{pod, vmi, facts, r.Domain, dom, shell}
}

func parseCase(t *testing.T, archive *txtar.Archive) (*v1.VirtualMachineInstance, convert.Context) {
	t.Helper()
	c := caseOf(archive)
	vmi, err := convert.ParseVMI("vmi.yaml", c.vmi)
	require.NoError(t, err)
	facts, err := convert.ParseContext("context.yaml", c.context)
	require.NoError(t, err)
	return vmi, facts
}

// generations are the two libvirts that a converted VMI has to boot on.
func generations(t *testing.T, test func(t *testing.T, root string)) {
	for name, root := range map[string]string{"libvirt 9.0": "", "libvirt 11.3": installed.Trixie} {
		t.Run(name, func(t *testing.T) { test(t, root) })
	}
}

// Every device of the VMI is in the guest, with the name, serial number, size and address that the VMI gives it.
//
// What emulation on one machine cannot do is not here: KVM and what needs it (Hyper-V enlightenments, host passthrough,
// realtime, confidential guests), devices of the host (VFIO, mediated devices, SR-IOV, SCSI LUNs, USB), huge pages,
// more than one NUMA node, vhost-net and vsock (no /dev/vhost-*), and virtiofs (its daemon is another container).
func TestConvertedDevicesBoot(t *testing.T) {
	generations(t, func(t *testing.T, root string) {
		b := bootCase(t, "boot-devices", root, func(p *VMIPod) error {
			return errors.Join(
				p.ContainerDisk("root", 0, 20<<20),
				p.FileClaim("data", 24<<20),
				p.BlockClaim("block", 16<<20),
				p.EmptyDisk("scratch", 12<<20),
				p.NoCloud("#cloud-config"),
				p.ConfigMap("settings", "color", "blue"),
				p.Tap("tap0", 1400),
				p.Tap("tap16477688c0e", 1450),
			)
		})
		b.look(t, "sh /disks; sh /devices").has(t, deviceFacts)
		b.domainIsAsConverted(t)
		b.socketsAnswer(t)
		b.pingsTap(t)
		b.hotplugs(t)
		b.changesMedium(t)
	})
}

// deviceFacts is what the guest of boot-devices sees.
var deviceFacts = map[string]string{
	"disk.vda":            "bytes=20971520 ro=0 block=512 serial=root-1",
	"begin.vda":           "volume root",
	"disk.vdb":            "bytes=25165824 ro=0 block=512 serial=data-2",
	"begin.vdb":           "volume data",
	"disk.vdc":            "bytes=12582912 ro=1 block=4096 serial=scratch-4",
	"disk.sda":            "bytes=16777216 ro=0 block=512 serial=block-3",
	"begin.sda":           "volume block",
	"lun.1.user-data":     "#cloud-config",
	"lun.1.meta-data":     "instance-id: vm-a",
	"lun.3":               "no medium",
	"sata.2":              "0xEB140101",
	"sata.4":              "0x00000101",
	"nic.eth0":            "mac=02:00:5e:10:00:07 mtu=1400",
	"nic.eth1":            "mac=0a:58:0a:01:02:04 mtu=1450",
	"rng":                 "virtio_rng 16",
	"tpm":                 "version=2 driver=tpm_tis pcr=64",
	"virtio.virtio_blk":   "there",
	"virtio.virtio_scsi":  "there",
	"virtio.virtio_net":   "there",
	"virtio.virtio_input": "there",
	// The watchdog, the sound device and the USB controller have no driver in this kernel, but their places on the bus.
	"pci.0x8086:0x25ab":           "0x088000",
	"pci.0x8086:0x293e":           "0x040300",
	"pci.0x1b36:0x000d":           "0x0c0330",
	"pci.0x1234:0x1111":           "0x030000",
	"virtio.virtio_balloon":       "there",
	"input.QEMU-Virtio-Tablet":    "there",
	"acpi.QEMU0001":               "there",
	"port.org.qemu.guest_agent.0": "there",
	"port.org.github.vhostmd.1":   "there",
	"smbios.product_uuid":         "0f6a2d9c-51be-4e7a-9c43-d81b7e25a604",
	"smbios.product_serial":       "rack-7-slot-3",
	"smbios.product_name":         "Example",
	"smbios.sys_vendor":           "KubeVirt",
	"smbios.chassis_vendor":       "Example",
	"smbios.chassis_serial":       "chassis-9",
	"cpus":                        "online=2 possible=0-7",
	"firmware":                    "bios",
	"cmdline":                     "console=ttyS0 panic=-1",
}

// EFI with Debian's build of OVMF: the variable store is made from its template under the VMI's name, the TPM keeps its
// state, and the kernel is started by the firmware.
func TestConvertedEFIBoots(t *testing.T) {
	generations(t, func(t *testing.T, root string) {
		b := bootCase(t, "boot-efi", root, func(p *VMIPod) error { return p.BlockClaim("block", 16<<20) })
		b.look(t, "sh /disks; sh /devices").has(t, map[string]string{
			"firmware":            "efi 64",
			"disk.vda":            "bytes=16777216 ro=0 block=512 serial=block-1",
			"begin.vda":           "volume block",
			"tpm":                 "version=2 driver=tpm_crb pcr=64",
			"smbios.product_uuid": "71c9e3a8-04d6-4f2b-a95e-3b8c60d7f219",
			"cpus":                "online=1 possible=0-3",
			"pci.0x1234:0x1111":   "0x038000",
		})
		b.domainIsAsConverted(t)
		require.FileExists(t, b.pod.Path("/var/run/kubevirt-private/libvirt/qemu/nvram/vm-e_VARS.fd"))
	})
}

// domainIsAsConverted compares the running domain with the converted one: libvirt has added to it and changed nothing
// by which the guest, or KubeVirt, finds a device again.
func (b booted) domainIsAsConverted(t *testing.T) {
	t.Helper()
	live := b.live(t)
	require.Equal(t, b.want.Name, live.Name)
	require.Equal(t, "qemu", live.Type)
	require.Len(t, live.Devices.Disks, len(b.want.Devices.Disks))
	for _, want := range b.want.Devices.Disks {
		got := diskOf(t, live, want.Alias.Name)
		require.Equal(t, want.Target.Dev, got.Target.Dev, want.Alias.Name)
		require.Equal(t, want.Target.Bus, got.Target.Bus, want.Alias.Name)
		driver := *want.Driver
		if !slices.ContainsFunc(b.vmi.Spec.Volumes, func(v v1.Volume) bool { return "ua-"+v.Name == want.Alias.Name }) {
			// libvirt forgets the image format of a medium that is not there.
			driver.Type = ""
		}
		require.Equal(t, driver, *got.Driver, want.Alias.Name)
		require.Equal(t, want.Serial, got.Serial, want.Alias.Name)
	}
	threads, err := b.dom.GetIOThreadInfo(0)
	require.NoError(t, err)
	require.Len(t, threads, int(b.want.IOThreads))
}

func (b booted) live(t *testing.T) *libvirtxml.Domain {
	t.Helper()
	text, err := b.dom.GetXMLDesc(0)
	require.NoError(t, err)
	live := &libvirtxml.Domain{}
	require.NoError(t, live.Unmarshal(text))
	return live
}

// diskOf is a domain's disk by its alias. libvirt orders disks by bus and target.
func diskOf(t *testing.T, d *libvirtxml.Domain, alias string) *libvirtxml.DomainDisk {
	t.Helper()
	i := slices.IndexFunc(d.Devices.Disks, func(disk libvirtxml.DomainDisk) bool { return disk.Alias.Name == alias })
	require.GreaterOrEqual(t, i, 0, alias)
	return &d.Devices.Disks[i]
}

// socketsAnswer asks the VNC server and, through libvirt, the guest's agent, and looks into the log of the serial port.
// Every command to the guest goes through the channel for metrics.
func (b booted) socketsAnswer(t *testing.T) {
	t.Helper()
	conn, err := net.Dial("unix", b.pod.Path(b.pod.Private()+"/virt-vnc"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(bootPatience)))
	hello := make([]byte, 12)
	_, err = io.ReadFull(conn, hello)
	require.NoError(t, err)
	require.Equal(t, "RFB 003.008\n", string(hello))

	var answer string
	require.Eventually(t, func() bool { // the agent may still be starting
		answer, err = b.dom.QemuAgentCommand(`{"execute":"guest-ping"}`, 60, 0)
		return err == nil
	}, bootPatience, time.Second)
	require.JSONEq(t, `{"return":{}}`, answer)

	log, err := b.pod.Console(b.pod.Pod).Text()
	require.NoError(t, err)
	require.Greater(t, strings.Count(log, "\n["), 100, "the kernel talks on the serial port, and the log has it:\n%s", log)
}

// pingsTap shows that frames go both ways through the tap that the domain names.
func (b booted) pingsTap(t *testing.T) {
	t.Helper()
	_, err := b.pod.IP("addr", "add", "192.0.2.1/24", "dev", "tap0")
	require.NoError(t, err)
	_, err = b.shell.Run("ip addr add 192.0.2.2/24 dev eth0 && ip link set eth0 up && ping -c 2 -W 20 192.0.2.1")
	require.NoError(t, err)
}

// hotplugs attaches a claim's disk to the running guest, as converted for it alone, and takes it off again.
func (b booted) hotplugs(t *testing.T) {
	t.Helper()
	require.NoError(t, b.pod.HotplugClaim("extra", 8<<20))
	vmi := b.vmi.DeepCopy()
	vmi.Spec.Domain.Devices.Disks = append(vmi.Spec.Domain.Devices.Disks, v1.Disk{
		Name: "extra", Serial: "extra-6", DiskDevice: v1.DiskDevice{Disk: &v1.DiskTarget{Bus: v1.DiskBusSCSI}},
	})
	withHotplug(vmi, "extra", "")
	disk, err := convert.Disk(vmi, b.context, "extra")
	require.NoError(t, err)
	text, err := xml.Marshal(disk)
	require.NoError(t, err)
	require.NoError(t, b.dom.AttachDeviceFlags(string(text), libvirt.DOMAIN_DEVICE_MODIFY_LIVE|libvirt.DOMAIN_DEVICE_MODIFY_CONFIG))
	b.waitUntil(t, "the guest sees the disk", func(saw facts) bool {
		return saw["disk.sdb"] == "bytes=8388608 ro=0 block=512 serial=extra-6" && saw["begin.sdb"] == "volume extra"
	})
	require.NoError(t, b.dom.DetachDeviceFlags(string(text), libvirt.DOMAIN_DEVICE_MODIFY_LIVE|libvirt.DOMAIN_DEVICE_MODIFY_CONFIG))
	b.waitUntil(t, "the disk is gone", func(saw facts) bool { return saw["disk.sdb"] == "" })
}

// changesMedium puts a medium into the empty CD-ROM of the running guest and takes it out again.
func (b booted) changesMedium(t *testing.T) {
	t.Helper()
	require.NoError(t, b.pod.HotplugISO("drive", "hello", "from the medium"))
	vmi := b.vmi.DeepCopy()
	withHotplug(vmi, "drive", "sdd")
	for _, row := range []struct {
		vmi  *v1.VirtualMachineInstance
		file string
		text string
	}{
		{vmi, "lun.3.hello", "from the medium"},
		{b.vmi, "lun.3", "no medium"},
	} {
		medium, err := convert.Medium(row.vmi, b.context, *diskOf(t, b.live(t), "ua-drive"))
		require.NoError(t, err)
		require.NotNil(t, medium)
		text, err := xml.Marshal(medium)
		require.NoError(t, err)
		require.NoError(t, b.dom.UpdateDeviceFlags(string(text), libvirt.DOMAIN_DEVICE_MODIFY_LIVE))
		b.waitUntil(t, row.file+" is "+row.text, func(saw facts) bool { return saw[row.file] == row.text })
	}
}

// withHotplug gives vmi a volume that came while the guest runs and is ready to be attached.
func withHotplug(vmi *v1.VirtualMachineInstance, name, target string) {
	vmi.Spec.Volumes = append(vmi.Spec.Volumes, v1.Volume{Name: name, VolumeSource: v1.VolumeSource{
		PersistentVolumeClaim: &v1.PersistentVolumeClaimVolumeSource{Hotpluggable: true},
	}})
	vmi.Status.VolumeStatus = append(vmi.Status.VolumeStatus, v1.VolumeStatus{
		Name: name, Target: target, Phase: v1.VolumeReady, HotplugVolume: &v1.HotplugVolumeStatus{AttachPodName: "hp-vm-a"},
		PersistentVolumeClaimInfo: &v1.PersistentVolumeClaimInfo{},
	})
}

// facts is what a guest told, by key.
type facts map[string]string

// look asks the guest what it sees.
func (b booted) look(t *testing.T, command string) facts {
	t.Helper()
	answer, err := b.shell.Run(command)
	require.NoError(t, err)
	saw := facts{}
	for _, line := range answer {
		key, words, _ := strings.Cut(line, " ")
		saw[key] = strings.TrimSpace(words)
	}
	return saw
}

func (saw facts) has(t *testing.T, want facts) {
	t.Helper()
	for key, words := range want {
		if saw[key] != words {
			t.Errorf("the guest sees %s as %q, want %q", key, saw[key], words)
		}
	}
	if t.Failed() {
		t.Log(saw)
		t.FailNow()
	}
}

// waitUntil looks again and again until the guest sees what was done.
func (b booted) waitUntil(t *testing.T, what string, done func(facts) bool) {
	t.Helper()
	for start := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		saw := b.look(t, "sh /disks")
		if done(saw) {
			return
		}
		if time.Since(start) > bootPatience/2 {
			t.Fatalf("waited for: %s; the guest sees %v", what, saw)
		}
	}
}
