//go:build integration

package integration

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A LoopDevice is a file of the lab as a block device.
type LoopDevice struct {
	Backing string // the file, a host path
	Number  int    // N of /dev/loopN
}

// Loop makes a block device of a file. The device frees itself when its last user closes it: the lab, and QEMU in a pod.
func (l *Lab) Loop(backing string) (LoopDevice, error) {
	none := LoopDevice{}
	file, err := os.OpenFile(backing, os.O_RDWR, 0)
	if err != nil {
		return none, err
	}
	defer file.Close()
	control, err := os.OpenFile("/dev/loop-control", os.O_RDWR, 0)
	if err != nil {
		return none, fmt.Errorf("integration: loop devices: %w", err)
	}
	defer control.Close()
	for range 100 {
		n, err := unix.IoctlRetInt(int(control.Fd()), unix.LOOP_CTL_GET_FREE)
		if err != nil {
			return none, fmt.Errorf("integration: LOOP_CTL_GET_FREE: %w", err)
		}
		dev, err := l.openLoop(n)
		if err != nil {
			return none, err
		}
		conf := unix.LoopConfig{Fd: uint32(file.Fd())}
		conf.Info.Flags = unix.LO_FLAGS_AUTOCLEAR
		err = unix.IoctlLoopConfigure(int(dev.Fd()), &conf)
		if err == nil {
			l.loops = append(l.loops, dev)
			return LoopDevice{Backing: backing, Number: n}, nil
		}
		dev.Close()
		if !errors.Is(err, unix.EBUSY) { // busy: somebody else took it meanwhile
			return none, fmt.Errorf("integration: /dev/loop%d on %s: %w", n, backing, err)
		}
	}
	return none, errors.New("integration: every free loop device was taken by somebody else")
}

// openLoop opens the device through a node of the lab's: where /dev is no devtmpfs, a new device has no node there.
func (l *Lab) openLoop(n int) (*os.File, error) {
	node, err := l.path("loops", fmt.Sprint("loop", n))
	if err != nil {
		return nil, err
	}
	if err := unix.Mknod(node, unix.S_IFBLK|0o600, int(loopRdev(n))); err != nil && !errors.Is(err, unix.EEXIST) {
		return nil, fmt.Errorf("integration: mknod %s: %w", node, err)
	}
	return os.OpenFile(node, os.O_RDWR, 0)
}

func loopRdev(n int) uint64 { return unix.Mkdev(7, uint32(n)) }
