package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/migxml/migxml/convert"
	"github.com/stretchr/testify/require"
)

func TestLookAt(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte, size int64) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, data, 0o600))
		if size > 0 {
			require.NoError(t, os.Truncate(path, size))
		}
		return path
	}
	qcow2 := make([]byte, 64)
	copy(qcow2, "QFI\xfb")
	qcow2[28] = 64 // 1 GiB for the guest, in an image of 64 bytes
	full := file("full", make([]byte, 1<<16), 0)
	f, err := os.OpenFile(full, os.O_RDWR, 0)
	require.NoError(t, err)
	require.NoError(t, f.Sync()) // blocks are counted once they are on disk
	require.NoError(t, f.Close())
	for _, c := range []struct {
		reason    string
		probe     convert.Probe
		allocated bool
	}{
		{"an image without holes", convert.Probe{Path: full}, true},
		{"an image that is one hole", convert.Probe{Path: file("hole", nil, 1<<30)}, false},
		{"a qcow2 image, whose size is in its header", convert.Probe{Path: file("qcow2", qcow2, 0)}, false},
		{"an image that will be made", convert.Probe{Path: filepath.Join(dir, "none")}, false},
		{"an overlay on a base", convert.Probe{Path: filepath.Join(dir, "none"), Base: full}, false},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var facts convert.VolumeFacts
			require.Empty(t, lookAt(c.probe, &facts))
			require.NotNil(t, facts.DirectIO)
			require.Equal(t, c.allocated, facts.Allocated)
			require.Equal(t, c.probe.Base != "", facts.BaseDirectIO != nil)
			if _, err := os.Stat(c.probe.Path); err == nil {
				require.NotZero(t, facts.BlockSize.Logical)
			} else {
				require.Nil(t, facts.BlockSize)
			}
		})
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 3, "looking makes no files")
}

func TestLookAtKeepsWhatIsGiven(t *testing.T) {
	no := false
	facts := convert.VolumeFacts{DirectIO: &no, Allocated: true, BlockSize: &convert.BlockSizeFacts{Logical: 512}}
	want := facts
	require.Empty(t, lookAt(convert.Probe{Path: "/nowhere/at/all"}, &facts))
	require.Equal(t, want, facts)
}

func TestLookAtTellsWhatItCannotFindOut(t *testing.T) {
	var facts convert.VolumeFacts
	problems := lookAt(convert.Probe{Path: "/nowhere/at/all", Block: true}, &facts)
	require.Len(t, problems, 2)
	require.ErrorContains(t, problems[0], "direct I/O: open /nowhere/at/all: no such file or directory")
	require.Nil(t, facts.DirectIO)
	problems = lookAt(convert.Probe{Path: "/dev/null", Block: true}, &facts)
	require.NotEmpty(t, problems, "a character device has no blocks")
}
