//go:build integration

package integration

import (
	"fmt"
	"io"
	"io/fs"
)

// A cpioWriter writes the "newc" archives that the kernel unpacks into its first file system. The first error stays.
type cpioWriter struct {
	w    io.Writer
	next int // inode number of the next file
	err  error
}

// add writes a directory or a regular file. The directories above it must have been added.
func (a *cpioWriter) add(name string, mode fs.FileMode, data []byte) {
	const regular, directory = 0o100000, 0o040000
	bits := uint32(mode.Perm()) | regular
	if mode.IsDir() {
		bits = uint32(mode.Perm()) | directory
	}
	a.next++
	a.entry(name, a.next, bits, data)
}

func (a *cpioWriter) close() { a.entry("TRAILER!!!", 0, 0, nil) }

// entry writes one header, name and content: each padded to four bytes, the header 110 bytes of hexadecimal text.
func (a *cpioWriter) entry(name string, inode int, mode uint32, data []byte) {
	head := fmt.Sprintf("070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%s\x00",
		inode, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name)+1, 0, name)
	a.write([]byte(head))
	a.write(data)
}

func (a *cpioWriter) write(data []byte) {
	if a.err != nil {
		return
	}
	if _, a.err = a.w.Write(data); a.err == nil {
		_, a.err = a.w.Write(make([]byte, -len(data)&3))
	}
}
