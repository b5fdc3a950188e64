package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/migxml/migxml/convert"
	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

func newProbeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "probe [--context FILE] VMI",
		Short: "Look at a VMI's volumes, and print the context with what was found",
		Long: `probe is run in the pod, where the volumes are. It looks at the file or device
behind each disk: whether it takes direct I/O, whether an image has holes, and how
large its blocks are. It prints the context file with these facts added to those
given, for convert and explain. Facts that are given are not looked for.

Nothing is written: where a file is not there yet, its folder is asked by a file
without a name. What cannot be found out is told on standard error and left out.`,
		Example: `  migxml probe --context node.yaml vmi.yaml > context.yaml
  migxml convert --context context.yaml vmi.yaml`,
		Args: wantArgs("VMI"),
	}
	in := conversionFlags(cmd, false)
	format := outputFlag(cmd, "yaml", "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		vmi, facts, err := in.read(cmd, args[0])
		if err != nil {
			return err
		}
		list, err := convert.Probes(vmi, facts)
		if err != nil {
			return &refusal{err: err}
		}
		for _, p := range list {
			f := facts.Volumes[p.Volume]
			for _, problem := range lookAt(p, &f) {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: volume %s: %s\n", plain(p.Volume), plain(problem.Error()))
			}
			if facts.Volumes == nil {
				facts.Volumes = map[string]convert.VolumeFacts{}
			}
			facts.Volumes[p.Volume] = f
		}
		return writeData(cmd.OutOrStdout(), *format, facts)
	}
	return cmd
}

// lookAt fills in the facts of one volume that are not given, and tells what it
// could not find out.
func lookAt(p convert.Probe, f *convert.VolumeFacts) []error {
	var problems []error
	note := func(err error) {
		if err != nil {
			problems = append(problems, err)
		}
	}
	if f.DirectIO == nil {
		direct, err := directIO(p.Path, p.Block)
		f.DirectIO = direct
		note(err)
	}
	if p.Base != "" && f.BaseDirectIO == nil {
		direct, err := directIO(p.Base, false)
		f.BaseDirectIO = direct
		note(err)
	}
	if !p.Block && !f.Allocated {
		allocated, err := isAllocated(p.Path)
		f.Allocated = allocated
		note(err)
	}
	if f.BlockSize == nil {
		size, err := blockSize(p.Path, p.Block)
		f.BlockSize = size
		note(err)
	}
	return problems
}

// directIO tells whether a path can be opened with O_DIRECT, nil when neither way
// of opening works. A file that is not there yet is asked for in its folder.
func directIO(path string, block bool) (*bool, error) {
	flags := unix.O_RDONLY | unix.O_CLOEXEC
	_, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) && !block {
		path = path[:strings.LastIndexByte(path, '/')+1]
		flags = unix.O_RDWR | unix.O_CLOEXEC | unix.O_TMPFILE
	}
	direct := true
	err = tryOpen(path, flags|unix.O_DIRECT)
	if errors.Is(err, unix.EINVAL) {
		direct = false
		err = tryOpen(path, flags)
	}
	if err != nil {
		return nil, fmt.Errorf("direct I/O: open %s: %w", path, err)
	}
	return &direct, nil
}

func tryOpen(path string, flags int) error {
	fd, err := unix.Open(path, flags, 0o600)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// isAllocated tells whether an image has all its blocks: whether it takes up as
// much of the disk as its guest can write.
func isAllocated(path string) (bool, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // it will be made, with holes
	}
	if err != nil {
		return false, err
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return false, fmt.Errorf("stat %s: %w", path, err)
	}
	return virtualSize(f, st.Size) <= uint64(st.Blocks)*512, nil
}

// virtualSize is what the guest sees of an image: that of a qcow2 image stands in
// its header, any other is taken as raw.
func virtualSize(f *os.File, size int64) uint64 {
	var head [32]byte
	if n, _ := f.ReadAt(head[:], 0); n == len(head) && string(head[:4]) == "QFI\xfb" {
		var v uint64
		for _, b := range head[24:32] {
			v = v<<8 | uint64(b)
		}
		return v
	}
	return uint64(size)
}

// blockSize is that of a device, or of the file system that a file is in.
func blockSize(path string, block bool) (*convert.BlockSizeFacts, error) {
	if !block {
		var st unix.Statfs_t
		if err := unix.Statfs(path, &st); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil // only matchVolume needs it, and says so
			}
			return nil, fmt.Errorf("block size: statfs %s: %w", path, err)
		}
		n := uint(st.Bsize)
		return &convert.BlockSizeFacts{Logical: n, Physical: n, DiscardGranularity: n}, nil
	}
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("block size: open %s: %w", path, err)
	}
	defer unix.Close(fd)
	logical, err := unix.IoctlGetUint32(fd, unix.BLKSSZGET)
	if err != nil {
		return nil, fmt.Errorf("block size: %s: BLKSSZGET: %w", path, err)
	}
	physical, err := unix.IoctlGetUint32(fd, unix.BLKPBSZGET)
	if err != nil {
		return nil, fmt.Errorf("block size: %s: BLKPBSZGET: %w", path, err)
	}
	granularity, err := discardGranularity(fd)
	if err != nil {
		return nil, err
	}
	return &convert.BlockSizeFacts{Logical: uint(logical), Physical: uint(physical), DiscardGranularity: granularity}, nil
}

func discardGranularity(fd int) (uint, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return 0, err
	}
	name := fmt.Sprintf("/sys/dev/block/%d:%d/queue/discard_granularity", unix.Major(st.Rdev), unix.Minor(st.Rdev))
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	return uint(n), nil
}
