//go:build integration

package integration

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// A podRequest is what the lab asks a pod's first process to do, as JSON on its standard input. Each one is answered
// by a podReply on its standard output. The end of the input is the end of the pod.
type podRequest struct {
	Setup  *podSetup
	Bind   *Bind
	Device *deviceNode
	Start  []string // a daemon: program and arguments
}

type podReply struct {
	Error string
	PID   int // of the daemon started, in the pod's PID namespace
}

type podSetup struct {
	Root     string // the root directory, a host path
	Scratch  string // an empty directory for the mounts behind it, a host path
	Hostname string
}

type deviceNode struct {
	Path  string
	Block bool
	Rdev  uint64
}

// podInit is process 1 of a pod. It prepares the mounts, starts the daemon, and waits for every process that loses its
// parent: QEMU daemonizes, and libvirt takes one that nobody waited for as still running.
type podInit struct {
	host int // an O_PATH descriptor of the host's root directory
}

func runPod() int {
	children := make(chan os.Signal, 1)
	signal.Notify(children, unix.SIGCHLD)
	go func() {
		for range children {
			reap()
		}
	}()
	var p podInit
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var req podRequest
		if err := in.Decode(&req); err != nil {
			if errors.Is(err, io.EOF) {
				return 0
			}
			fmt.Fprintln(os.Stderr, "pod:", err)
			return 1
		}
		var reply podReply
		pid, err := p.serve(req)
		if err != nil {
			reply.Error = err.Error()
		}
		reply.PID = pid
		if out.Encode(reply) != nil {
			return 1
		}
	}
}

func reap() {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WNOHANG, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		fmt.Fprintf(os.Stderr, "pod: process %d ended, wait status %#x\n", pid, uint32(status))
	}
}

func (p *podInit) serve(req podRequest) (pid int, err error) {
	switch {
	case req.Setup != nil:
		return 0, p.setup(*req.Setup)
	case req.Bind != nil:
		return 0, p.bind(*req.Bind)
	case req.Device != nil:
		return 0, makeDevice(*req.Device)
	case len(req.Start) > 0:
		return startDaemon(req.Start)
	}
	return 0, errors.New("empty request")
}

// setup makes the pod's view: its root directory is an overlay, so that the pod can write everywhere and nobody else
// sees it, with file systems of its own in the usual places. Other mounts of the host are not in it.
func (p *podInit) setup(s podSetup) error {
	if err := unix.Sethostname([]byte(s.Hostname)); err != nil {
		return fmt.Errorf("sethostname: %w", err)
	}
	if err := linkUp("lo"); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	var err error
	if p.host, err = unix.Open("/", unix.O_PATH|unix.O_CLOEXEC, 0); err != nil {
		return err
	}
	if err := enterOverlay(s.Root, s.Scratch); err != nil {
		return err
	}
	for _, m := range []struct{ kind, at, options string }{
		{"proc", "/proc", ""}, {"sysfs", "/sys", ""},
		{"tmpfs", "/run", "mode=755"}, {"tmpfs", "/tmp", "mode=1777"}, {"tmpfs", "/var/tmp", "mode=1777"},
	} {
		if err := unix.Mount(m.kind, m.at, m.kind, 0, m.options); err != nil {
			return fmt.Errorf("mount %s: %w", m.at, err)
		}
	}
	return makeDev()
}

// enterOverlay makes an overlay of the directory lower the root directory. What the pod writes is in a tmpfs.
func enterOverlay(lower, scratch string) error {
	if err := unix.Mount("tmpfs", scratch, "tmpfs", 0, "mode=755"); err != nil {
		return fmt.Errorf("mount %s: %w", scratch, err)
	}
	upper, work, root := filepath.Join(scratch, "upper"), filepath.Join(scratch, "work"), filepath.Join(scratch, "root")
	for _, dir := range []string{upper, work, root} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work)
	if err := unix.Mount("overlay", root, "overlay", 0, options); err != nil {
		return fmt.Errorf("overlay of %s: %w", lower, err)
	}
	if err := unix.Chroot(root); err != nil {
		return fmt.Errorf("chroot %s: %w", root, err)
	}
	return os.Chdir("/")
}

// makeDev makes a /dev with the devices that a pod has. There is no /dev/kvm: a node without hardware behind it makes
// libvirt probe for what is not there.
func makeDev() error {
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID, "mode=755"); err != nil {
		return fmt.Errorf("mount /dev: %w", err)
	}
	for path, rdev := range map[string]uint64{
		"/dev/null": unix.Mkdev(1, 3), "/dev/zero": unix.Mkdev(1, 5), "/dev/full": unix.Mkdev(1, 7),
		"/dev/random": unix.Mkdev(1, 8), "/dev/urandom": unix.Mkdev(1, 9), "/dev/tty": unix.Mkdev(5, 0),
		"/dev/net/tun": unix.Mkdev(10, 200),
	} {
		if err := makeDevice(deviceNode{Path: path, Rdev: rdev}); err != nil {
			return err
		}
	}
	for _, dir := range []string{"/dev/pts", "/dev/shm"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return err
		}
	}
	if err := unix.Mount("devpts", "/dev/pts", "devpts", 0, "newinstance,ptmxmode=0666"); err != nil {
		return fmt.Errorf("mount /dev/pts: %w", err)
	}
	if err := unix.Mount("tmpfs", "/dev/shm", "tmpfs", 0, "mode=1777"); err != nil {
		return fmt.Errorf("mount /dev/shm: %w", err)
	}
	for name, to := range map[string]string{"/dev/ptmx": "pts/ptmx", "/dev/fd": "/proc/self/fd"} {
		if err := os.Symlink(to, name); err != nil {
			return err
		}
	}
	return nil
}

func makeDevice(d deviceNode) error {
	if err := os.MkdirAll(filepath.Dir(d.Path), 0o755); err != nil {
		return err
	}
	mode := uint32(unix.S_IFCHR | 0o666)
	if d.Block {
		mode = unix.S_IFBLK | 0o666
	}
	if err := unix.Mknod(d.Path, mode, int(d.Rdev)); err != nil {
		return fmt.Errorf("mknod %s: %w", d.Path, err)
	}
	return os.Chmod(d.Path, 0o666)
}

// bind shows a file or directory of the host at a path of the pod.
func (p *podInit) bind(b Bind) error {
	fd, err := unix.Openat(p.host, strings.TrimPrefix(b.Host, "/"), unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", b.Host, err)
	}
	defer unix.Close(fd)
	from := fmt.Sprint("/proc/self/fd/", fd)
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if err := mountPoint(b.Pod, info.Mode()); err != nil {
		return err
	}
	if err := unix.Mount(from, b.Pod, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s at %s: %w", b.Host, b.Pod, err)
	}
	return nil
}

func mountPoint(path string, mode fs.FileMode) error {
	if mode.IsDir() {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	return f.Close()
}

// startDaemon starts a program with its output in the pod's log. Nobody but reap waits for it.
func startDaemon(argv []string) (pid int, err error) {
	null, err := os.Open("/dev/null")
	if err != nil {
		return 0, err
	}
	defer null.Close()
	daemon, err := os.StartProcess(argv[0], argv, &os.ProcAttr{
		Dir:   "/",
		Env:   []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/", "LC_ALL=C.UTF-8"},
		Files: []*os.File{null, os.Stderr, os.Stderr},
	})
	if err != nil {
		return 0, err
	}
	return daemon.Pid, nil
}

// linkUp sets a network interface of this namespace up.
func linkUp(name string) error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	defer unix.Close(s)
	req, err := unix.NewIfreq(name)
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP)
	if err := unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, req); err != nil {
		return fmt.Errorf("set %s up: %w", name, err)
	}
	return nil
}
