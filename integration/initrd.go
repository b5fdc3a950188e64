//go:build integration

package integration

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed guest/init.sh guest/counter.sh
var guestFiles embed.FS

// CounterScript is a guest script: it prints "sums disk=MD5 memory=MD5", then "tick N" each second, and writes N to
// /dev/vda. The command sums prints checksums again, and a file /quiet stops the writing. It needs virtio_blk.
func CounterScript() string { return guestFile("counter.sh") }

func guestFile(name string) string {
	text, err := guestFiles.ReadFile("guest/" + name)
	if err != nil {
		panic(err) // the file is part of the program
	}
	return string(text)
}

// A Kernel is the guest kernel that install.sh unpacked.
type Kernel struct {
	Image   string // bzImage, a host path
	Modules string // directory with its modules, a host path
}

// An Initrd says what is in a guest's initramfs besides busybox and our init.
type Initrd struct {
	Modules []string // loaded in this order, each after what it depends on; names of modinfo, such as virtio_blk
	Script  string   // run by busybox's sh once the modules are loaded, with output on the serial port; may end
	Files   map[string]string
}

// Build makes the initramfs, a gzipped cpio archive.
func (i Initrd) Build(k Kernel) ([]byte, error) {
	busybox, err := os.ReadFile("/bin/busybox")
	if err != nil {
		return nil, fmt.Errorf("integration: busybox-static is not installed: %w", err)
	}
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	a := cpioWriter{w: zip}
	for _, dir := range []string{"bin", "modules"} {
		a.add(dir, fs.ModeDir|0o755, nil)
	}
	a.add("bin/busybox", 0o755, busybox)
	a.add("init", 0o755, []byte(guestFile("init.sh")))
	a.add("script", 0o755, []byte(i.Script))
	for name, text := range i.Files {
		a.add(strings.TrimPrefix(name, "/"), 0o755, []byte(text))
	}
	modules, err := k.resolve(i.Modules)
	if err != nil {
		return nil, err
	}
	var order strings.Builder
	for _, file := range modules {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		a.add("modules/"+filepath.Base(file), 0o644, data)
		fmt.Fprintln(&order, filepath.Base(file))
	}
	a.add("modules/order", 0o644, []byte(order.String()))
	a.close()
	if err := errors.Join(a.err, zip.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
