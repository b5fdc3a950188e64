//go:build integration

package integration

import (
	"bufio"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	v1 "kubevirt.io/api/core/v1"
)

//go:embed guest/agent.sh
var agentScript string

//go:embed guest/shell.sh
var shellScript string

//go:embed guest/disks.sh
var disksScript string

//go:embed guest/devices.sh
var devicesScript string

// DevicesInitrd is an initramfs whose guest answers libvirt as a guest agent, and runs commands that come in on the port
// of downward metrics. It tells what it sees: with "sh /disks" of disks and CD-ROMs, with "sh /devices" of all else. Debian's cloud kernel has no drivers for AHCI, USB, sound and the i6300esb watchdog.
func DevicesInitrd() Initrd {
	return Initrd{
		Modules: []string{
			"virtio_pci", "virtio_blk", "virtio_scsi", "sd_mod", "sr_mod", "isofs", "virtio_net",
			"virtio_rng", "virtio_console", "virtio_balloon", "virtio_input",
		},
		Script: "sh /agent &\n" + shellScript,
		Files:  map[string]string{"/agent": agentScript, "/disks": disksScript, "/devices": devicesScript},
	}
}

// metricsSocket is the pod's end of the port of downward metrics.
const metricsSocket = "/var/run/kubevirt-private/downwardmetrics-channel/downwardmetrics.sock"

// A VMIPod is a pod for one VMI with the volumes that the kubelet, virt-handler and the launcher make before the guest
// starts. All paths are those that KubeVirt documents, and not taken from the converted domain: where the two differ,
// the guest does not start.
type VMIPod struct {
	*Pod
	Identity
	lab *Lab
}

// StartVMIPod starts the pod of a VMI, with kernel and initramfs in place and the directories of its sockets and state.
func (l *Lab) StartVMIPod(in Installed, vmi *v1.VirtualMachineInstance, root string) (*VMIPod, error) {
	boot, err := l.BootFiles(in.Kernel, DevicesInitrd())
	if err != nil {
		return nil, err
	}
	pod, err := l.StartPod(PodConfig{Name: "boot", Root: root, Binds: []Bind{{Host: boot, Pod: BootDir}}})
	if err != nil {
		return nil, err
	}
	p := &VMIPod{pod, Identity{vmi.Namespace, vmi.Name, string(vmi.UID)}, l}
	var errs []error
	for _, dir := range []string{
		p.Private(), filepath.Dir(p.NVRAM()), filepath.Dir(metricsSocket),
	} {
		errs = append(errs, os.MkdirAll(p.Path(dir), 0o755))
	}
	return p, errors.Join(errs...)
}

// ContainerDisk gives the volume that is the n-th of its VMI an image, and the overlay that the guest writes to.
func (p *VMIPod) ContainerDisk(volume string, n int, size int64) error {
	raw, err := p.image("container-"+volume, volume, size)
	if err != nil {
		return err
	}
	base := fmt.Sprintf("/var/run/kubevirt/container-disks/disk_%d.img", n)
	if err := os.MkdirAll(filepath.Dir(p.Path(base)), 0o755); err != nil {
		return err
	}
	if _, err := run(exec.Command("qemu-img", "convert", "-f", "raw", "-O", "qcow2", raw, p.Path(base))); err != nil {
		return err
	}
	overlay := "/var/run/kubevirt-ephemeral-disks/disk-data/" + volume + "/disk.qcow2"
	return p.qemuImg(overlay, 0, "-b", base, "-F", "qcow2")
}

// FileClaim gives a claim of mode Filesystem its image.
func (p *VMIPod) FileClaim(volume string, size int64) error {
	image, err := p.image(filepath.Join(volume, "disk.img"), volume, size)
	if err != nil {
		return err
	}
	return p.Bind(Bind{Host: filepath.Dir(image), Pod: "/var/run/kubevirt-private/vmi-disks/" + volume})
}

// BlockClaim gives a claim of mode Block its device.
func (p *VMIPod) BlockClaim(volume string, size int64) error {
	image, err := p.image("block-"+volume, volume, size)
	if err != nil {
		return err
	}
	dev, err := p.lab.Loop(image)
	if err != nil {
		return err
	}
	return p.BlockDevice("/dev/"+volume, dev)
}

// HotplugClaim gives a claim of mode Filesystem that comes while the guest runs its image.
func (p *VMIPod) HotplugClaim(volume string, size int64) error {
	image, err := p.image("hotplug-"+volume, volume, size)
	if err != nil {
		return err
	}
	return p.Bind(Bind{Host: image, Pod: "/var/run/kubevirt/hotplug-disks/" + volume + ".img"})
}

// HotplugISO gives a claim that comes while the guest runs an image with one file.
func (p *VMIPod) HotplugISO(volume, file, text string) error {
	return p.iso("/var/run/kubevirt/hotplug-disks/"+volume+".img", volume, map[string]string{file: text})
}

// EmptyDisk makes an empty disk's image.
func (p *VMIPod) EmptyDisk(volume string, size int64) error {
	return p.qemuImg("/var/run/libvirt/empty-disks/"+volume+".qcow2", size)
}

// NoCloud makes the image of cloud-init's data.
func (p *VMIPod) NoCloud(userData string) error {
	return p.iso(p.CloudInit(), "cidata", map[string]string{
		"user-data": userData, "meta-data": "instance-id: " + p.Identity.Name,
	})
}

// ConfigMap makes the image of a configMap volume with one entry.
func (p *VMIPod) ConfigMap(volume, key, value string) error {
	return p.iso("/var/run/kubevirt-private/config-map-disks/"+volume+".iso", "cfgdata", map[string]string{key: value})
}

// image makes a sparse raw image of the lab that begins with the words "volume NAME".
func (p *VMIPod) image(file, volume string, size int64) (string, error) {
	path, err := p.lab.path("volumes", file)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(path, []byte("volume "+volume+"\n"), 0o600); err != nil {
		return "", err
	}
	return path, os.Truncate(path, size)
}

// qemuImg makes a qcow2 image in the pod, with the pod's own program and its view of the backing file. It has a size of
// its own, or that of the backing file where size is 0.
func (p *VMIPod) qemuImg(path string, size int64, options ...string) error {
	if err := os.MkdirAll(filepath.Dir(p.Path(path)), 0o755); err != nil {
		return err
	}
	command := []string{
		"--target", strconv.Itoa(p.cmd.Process.Pid), "--mount", "--root", "--wd=/",
		"/usr/bin/qemu-img", "create", "-q", "-f", "qcow2",
	}
	command = append(append(command, options...), path)
	if size > 0 {
		command = append(command, strconv.FormatInt(size, 10))
	}
	_, err := run(exec.Command("nsenter", command...))
	return err
}

// iso makes an ISO 9660 image in the pod of files by name.
func (p *VMIPod) iso(path, label string, files map[string]string) error {
	tree, err := os.MkdirTemp(p.lab.Dir, "iso-")
	if err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(tree, name), []byte(text+"\n"), 0o600); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(p.Path(path)), 0o755); err != nil {
		return err
	}
	_, err = run(exec.Command("genisoimage", "-quiet", "-joliet", "-rock", "-volid", label, "-o", p.Path(path), tree))
	return err
}

// A GuestShell runs commands in a guest of DevicesInitrd.
type GuestShell struct {
	path     string
	conn     net.Conn
	lines    *bufio.Scanner
	last     int // number of the last command
	patience time.Duration
}

// Shell waits for the guest, which may still be booting, to answer. No command takes longer than patience.
func (p *VMIPod) Shell(patience time.Duration) (*GuestShell, error) {
	s := &GuestShell{path: p.Path(metricsSocket), patience: 10 * time.Second}
	// Under QEMU 10.0 a guest was seen to wait forever for what was sent before it had opened its end.
	for start := time.Now(); ; {
		err := s.connect()
		if err == nil {
			_, err = s.Run("true")
		}
		if err == nil {
			s.patience = patience
			return s, nil
		}
		if s.conn != nil {
			s.conn.Close()
		}
		if time.Since(start) > patience {
			return nil, err
		}
	}
}

func (s *GuestShell) connect() (err error) {
	if s.conn, err = net.Dial("unix", s.path); err == nil {
		s.lines = bufio.NewScanner(s.conn)
	}
	return err
}

// Close ends the connection.
func (s *GuestShell) Close() error { return s.conn.Close() }

// Run runs a command line in the guest and returns the lines that it prints. A status other than 0 is an error.
func (s *GuestShell) Run(command string) ([]string, error) {
	if err := s.conn.SetDeadline(time.Now().Add(s.patience)); err != nil {
		return nil, err
	}
	s.last++
	if _, err := fmt.Fprintln(s.conn, s.last, command); err != nil {
		return nil, fmt.Errorf("integration: command to the guest: %w", err)
	}
	var out []string
	for s.lines.Scan() {
		answer, ended := strings.CutPrefix(s.lines.Text(), "status ")
		id, status, _ := strings.Cut(answer, " ")
		switch {
		case !ended:
			out = append(out, s.lines.Text())
		case id != strconv.Itoa(s.last): // the end of what an earlier connection asked
			out = nil
		case status != "0":
			return out, fmt.Errorf("integration: command %q in the guest: exit status %s: %q", command, status, out)
		default:
			return out, nil
		}
	}
	return out, fmt.Errorf("integration: command %q in the guest: no answer: %w", command, cmp.Or(s.lines.Err(), io.EOF))
}
