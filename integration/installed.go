//go:build integration

package integration

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Installed is what install.sh put on this machine.
type Installed struct {
	Kernel Kernel
	Trixie string // root directory with libvirt 11.3 and QEMU 10.0, a host path
}

// FindInstalled looks for everything that pods and guests need. The error names all that is missing.
func FindInstalled() (Installed, error) {
	cache := os.Getenv("MIGXML_CACHE")
	if cache == "" {
		cache = "/var/cache/migxml"
	}
	in := Installed{
		Kernel: Kernel{Image: filepath.Join(cache, "kernel/vmlinuz"), Modules: filepath.Join(cache, "kernel/modules")},
		Trixie: filepath.Join(cache, "trixie"),
	}
	var errs []error
	for _, path := range []string{
		"/usr/sbin/libvirtd", "/usr/bin/qemu-system-x86_64", "/bin/busybox", EFICode, EFIVars,
		in.Kernel.Image, filepath.Join(in.Trixie, "usr/sbin/libvirtd"), filepath.Join(in.Trixie, "usr/bin/qemu-system-x86_64"),
	} {
		if _, err := os.Stat(path); err != nil {
			errs = append(errs, err)
		}
	}
	for _, program := range []string{"virsh", "ip", "nsenter"} {
		if _, err := exec.LookPath(program); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return Installed{}, fmt.Errorf("integration: not everything is installed (integration/install.sh does it):\n%w", err)
	}
	return in, nil
}
