//go:build integration

package integration

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// labPrefix begins the name of every lab's directory below os.TempDir.
const labPrefix = "migxml-lab-"

// A Lab holds what one run makes on this machine: a directory, pods and loop devices.
type Lab struct {
	// Dir is the lab's directory on the host, an absolute path.
	Dir string

	keeper   *exec.Cmd
	lifeline io.Closer // closed: the keeper removes Dir and ends
	pods     []*Pod
	loops    []*os.File
}

// NewLab makes an empty lab, after it removed what a killed run may have left behind.
func NewLab() (*Lab, error) {
	if os.Geteuid() != 0 {
		return nil, errors.New("integration: needs root, to make namespaces and mounts")
	}
	sweep(os.TempDir())
	dir, err := os.MkdirTemp("", labPrefix)
	if err != nil {
		return nil, err
	}
	lab := &Lab{Dir: dir}
	if err := lab.startKeeper(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return lab, nil
}

// Close ends every pod, frees the loop devices and removes the directory. A second Close does nothing.
func (l *Lab) Close() error {
	if l.keeper == nil {
		return nil
	}
	var errs []error
	for _, p := range l.pods {
		errs = append(errs, p.Close())
	}
	for _, f := range l.loops {
		errs = append(errs, f.Close())
	}
	errs = append(errs, l.lifeline.Close(), l.keeper.Wait())
	l.pods, l.loops, l.keeper = nil, nil, nil
	return errors.Join(errs...)
}

// path names a file of the lab and makes the directory it is in.
func (l *Lab) path(elem ...string) (string, error) {
	p := filepath.Join(append([]string{l.Dir}, elem...)...)
	return p, os.MkdirAll(filepath.Dir(p), 0o755)
}

// startKeeper starts the process that removes the directory when this one closes the pipe or ends, SIGKILL included.
// The keeper holds the directory's lock until it is done. It is in a session of its own, where Ctrl-C does not reach it.
func (l *Lab) startKeeper() error {
	lock, err := os.OpenFile(filepath.Join(l.Dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return fmt.Errorf("integration: lock %s: %w", lock.Name(), err)
	}
	cmd := exec.Command("/proc/self/exe", l.Dir)
	cmd.Args[0] = keeperName
	cmd.ExtraFiles = []*os.File{lock}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	l.keeper, l.lifeline = cmd, pipe
	return nil
}

// runKeeper is the keeper's main function.
func runKeeper(dir string) int {
	if !strings.HasPrefix(filepath.Base(dir), labPrefix) {
		return 2
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	// The pods end by the same event. A file that QEMU makes while the tree goes makes a directory not empty once.
	for range 50 {
		if os.RemoveAll(dir) == nil {
			return 0
		}
		time.Sleep(100 * time.Millisecond)
	}
	return 1
}

// sweep removes the directories of labs that nobody holds any more: their keepers were killed too. A directory younger
// than a minute may be one that its maker has not locked yet.
func sweep(tmp string) {
	dirs, _ := filepath.Glob(filepath.Join(tmp, labPrefix+"*"))
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
		if err != nil {
			continue
		}
		if unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = os.RemoveAll(dir)
		}
		lock.Close()
	}
}
