//go:build integration

package integration

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"libvirt.org/go/libvirt"
)

// ShareDir is where both pods see one directory of the lab: libvirt's control sockets and the sockets of a migration
// are there, as they are in pods of one node.
const ShareDir = "/var/run/kubevirt/migrationproxy"

// podStartTimeout is for libvirtd alone: QEMU is probed when a guest is defined first.
const podStartTimeout = time.Minute

// A Bind shows a file or directory of the host at a path of the pod.
type Bind struct{ Host, Pod string }

// PodConfig says what a pod is made of.
type PodConfig struct {
	Name  string // host name, and directory of the pod's control socket; unique in the lab
	Root  string // root directory, a host path; empty is the host's own
	Binds []Bind
}

// A Pod is a set of namespaces with a libvirtd in them.
type Pod struct {
	Name string
	// LogDir is the pod's /var/log/libvirt, a host path.
	LogDir string
	// Socket is libvirtd's socket as the host sees it.
	Socket string
	// PeerURI is the connection URI by which the libvirtd of another pod reaches this one.
	PeerURI string

	cmd      *exec.Cmd
	lifeline io.Closer
	requests *json.Encoder
	replies  *json.Decoder
}

// StartPod starts a pod and waits until its libvirtd answers.
func (l *Lab) StartPod(c PodConfig) (*Pod, error) {
	p := &Pod{
		Name:    c.Name,
		LogDir:  filepath.Join(l.Dir, c.Name, "log"),
		Socket:  filepath.Join(l.Dir, "share", c.Name, "libvirt-sock"),
		PeerURI: "qemu+unix:///system?socket=" + ShareDir + "/" + c.Name + "/libvirt-sock",
	}
	for _, dir := range []string{p.LogDir, filepath.Dir(p.Socket), filepath.Join(l.Dir, c.Name, "root")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := p.startInit(); err != nil {
		return nil, fmt.Errorf("integration: pod %s: %w", c.Name, err)
	}
	l.pods = append(l.pods, p)
	if err := p.prepare(l, c); err != nil {
		return nil, fmt.Errorf("integration: pod %s: %w\n%s", c.Name, err, p.Logs())
	}
	return p, nil
}

// startInit starts process 1 of the pod in new namespaces. Its standard input is the pod's lifeline.
func (p *Pod) startInit() error {
	log, err := os.Create(filepath.Join(p.LogDir, "pod.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command("/proc/self/exe")
	cmd.Args[0] = podName
	cmd.Env = []string{}
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setsid: true,
		Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
			syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC,
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("new namespaces: %w", err)
	}
	p.cmd, p.lifeline = cmd, in
	p.requests, p.replies = json.NewEncoder(in), json.NewDecoder(out)
	return nil
}

func (p *Pod) prepare(l *Lab, c PodConfig) error {
	root := c.Root
	if root == "" {
		root = "/"
	}
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return err
	}
	if err := p.ask(podRequest{Setup: &podSetup{
		Root: root, Scratch: filepath.Join(l.Dir, c.Name, "root"), Hostname: c.Name,
	}}); err != nil {
		return err
	}
	for path, text := range p.config() {
		if err := p.WriteFile(path, []byte(text)); err != nil {
			return err
		}
	}
	// libvirt looks up its default user even though qemu.conf names another.
	for path, line := range map[string]string{
		"/etc/passwd": "libvirt-qemu:x:64055:64055::/nonexistent:/usr/sbin/nologin\n",
		"/etc/group":  "libvirt-qemu:x:64055:\n",
	} {
		if err := p.appendLine(path, line); err != nil {
			return err
		}
	}
	binds := append([]Bind{
		{Host: p.LogDir, Pod: "/var/log/libvirt"},
		{Host: filepath.Join(l.Dir, "share"), Pod: ShareDir},
	}, c.Binds...)
	for _, b := range binds {
		if err := p.Bind(b); err != nil {
			return err
		}
	}
	reply, err := p.exchange(podRequest{Start: []string{"/usr/sbin/libvirtd", "--config", "/etc/libvirt/libvirtd.conf"}})
	if err != nil {
		return err
	}
	return p.waitForDaemon(reply.PID)
}

// config gives the files of the pod's /etc. QEMU's settings are for a place without virtlogd, SELinux, cgroups and
// udev, and with a mount namespace already.
func (p *Pod) config() map[string]string {
	return map[string]string{
		"/etc/hosts": "127.0.0.1 localhost " + p.Name + "\n",
		"/etc/libvirt/libvirtd.conf": `host_uuid = "` + randomUUID() + `"
unix_sock_dir = "` + ShareDir + "/" + p.Name + `"
auth_unix_ro = "none"
auth_unix_rw = "none"
log_outputs = "3:file:/var/log/libvirt/libvirtd.log"
`,
		"/etc/libvirt/qemu.conf": `user = "root"
group = "root"
swtpm_user = "root"
swtpm_group = "root"
stdio_handler = "file"
security_driver = "none"
namespaces = []
cgroup_controllers = []
remember_owner = 0
dynamic_ownership = 0
`,
	}
}

func (p *Pod) ask(r podRequest) error {
	_, err := p.exchange(r)
	return err
}

func (p *Pod) exchange(r podRequest) (podReply, error) {
	var reply podReply
	if err := p.requests.Encode(r); err != nil {
		return reply, fmt.Errorf("its first process ended: %w", err)
	}
	if err := p.replies.Decode(&reply); err != nil {
		return reply, fmt.Errorf("its first process ended: %w", err)
	}
	if reply.Error != "" {
		return reply, errors.New(reply.Error)
	}
	return reply, nil
}

func (p *Pod) waitForDaemon(pid int) error {
	process := p.Path(fmt.Sprint("/proc/", pid))
	deadline := time.Now().Add(podStartTimeout)
	for {
		conn, err := p.Connect()
		if err == nil {
			_, err = conn.Close()
			return err
		}
		if _, gone := os.Stat(process); gone != nil {
			return fmt.Errorf("libvirtd ended: %w", err)
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("libvirtd does not answer: %w", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Connect opens a connection to the pod's libvirtd.
func (p *Pod) Connect() (*libvirt.Connect, error) { return libvirt.NewConnect(p.uri()) }

// Versions are those of a pod's programs.
type Versions struct{ Libvirt, QEMU string }

// Versions asks the pod's libvirtd for its version and QEMU's.
func (p *Pod) Versions() (Versions, error) {
	conn, err := p.Connect()
	if err != nil {
		return Versions{}, err
	}
	defer conn.Close()
	libvirt, err := conn.GetLibVersion()
	if err != nil {
		return Versions{}, err
	}
	qemu, err := conn.GetVersion()
	if err != nil {
		return Versions{}, err
	}
	// A number holds a version in three parts of three digits.
	text := func(n uint32) string { return fmt.Sprintf("%d.%d.%d", n/1000000, n/1000%1000, n%1000) }
	return Versions{Libvirt: text(libvirt), QEMU: text(qemu)}, nil
}

func (p *Pod) uri() string { return "qemu+unix:///system?socket=" + p.Socket }

// Virsh runs a virsh command of the host on the pod's libvirtd and returns what it printed.
func (p *Pod) Virsh(args ...string) (string, error) {
	return run(exec.Command("virsh", append([]string{"--quiet", "--connect", p.uri()}, args...)...))
}

// Path is where the host sees a path of the pod. A symbolic link in it must be relative: /var/run is not, so it is
// taken as /run here.
func (p *Pod) Path(path string) string {
	if rest, ok := strings.CutPrefix(path, "/var/run/"); ok {
		path = "/run/" + rest
	}
	return filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), "root", path)
}

// WriteFile makes a file in the pod, with its directory.
func (p *Pod) WriteFile(path string, data []byte) error {
	at := p.Path(path)
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, data, 0o644)
}

func (p *Pod) appendLine(path, line string) error {
	text, err := os.ReadFile(p.Path(path))
	if err != nil {
		return err
	}
	return p.WriteFile(path, append(text, line...))
}

// Bind shows a file or directory of the host in the running pod. Missing directories of the pod's path are made.
func (p *Pod) Bind(b Bind) error {
	host, err := filepath.EvalSymlinks(b.Host)
	if err != nil {
		return err
	}
	return p.ask(podRequest{Bind: &Bind{Host: host, Pod: b.Pod}})
}

// BlockDevice shows a loop device in the running pod, as a block device at path.
func (p *Pod) BlockDevice(path string, dev LoopDevice) error {
	return p.ask(podRequest{Device: &deviceNode{Path: path, Block: true, Rdev: loopRdev(dev.Number)}})
}

// Tap makes a tap device in the pod's network namespace and sets it up.
func (p *Pod) Tap(name string, mtu int) error {
	for _, args := range [][]string{
		{"tuntap", "add", "dev", name, "mode", "tap"},
		{"link", "set", "dev", name, "mtu", strconv.Itoa(mtu), "up"},
	} {
		if _, err := p.IP(args...); err != nil {
			return err
		}
	}
	return nil
}

// IP runs ip(8) of the host in the pod's network namespace.
func (p *Pod) IP(args ...string) (string, error) {
	pid := strconv.Itoa(p.cmd.Process.Pid)
	return run(exec.Command("nsenter", append([]string{"--target", pid, "--net", "ip"}, args...)...))
}

// Close ends every process of the pod and waits until they are gone.
func (p *Pod) Close() error { return errors.Join(p.lifeline.Close(), p.cmd.Wait()) }

// Logs are the ends of the pod's logs: of its first process, of libvirtd, and of each QEMU.
func (p *Pod) Logs() string {
	files, _ := filepath.Glob(filepath.Join(p.LogDir, "*.log"))
	guests, _ := filepath.Glob(filepath.Join(p.LogDir, "qemu", "*.log"))
	var b strings.Builder
	for _, file := range append(files, guests...) {
		text, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(&b, err)
			continue
		}
		const keep = 6000
		if len(text) > keep {
			text = append([]byte("…"), text[len(text)-keep:]...)
		}
		fmt.Fprintf(&b, "--- pod %s: %s\n%s\n", p.Name, filepath.Base(file), bytes.TrimSpace(text))
	}
	return b.String()
}

// run returns a command's output, or an error that has it.
func run(cmd *exec.Cmd) (string, error) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, bytes.TrimSpace(out))
	}
	return string(out), nil
}

func randomUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
