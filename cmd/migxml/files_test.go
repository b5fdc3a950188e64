package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A file larger than any domain is refused, by file or by pipe, and never read whole.
func TestHugeInputIsRefused(t *testing.T) {
	huge := filepath.Join(t.TempDir(), "huge")
	f, err := os.Create(huge)
	require.NoError(t, err)
	require.NoError(t, f.Truncate(1<<40))
	_, err = f.Seek(0, 0)
	require.NoError(t, err)
	defer f.Close()
	for name, args := range map[string][]string{huge: {"convert", huge}, "standard input": {"explain", "-"}} {
		var out, words bytes.Buffer
		require.Equal(t, exitRefused, run(args, f, &out, &words))
		require.Empty(t, out.String())
		require.Equal(t, "migxml: "+name+": more than 16777216 bytes; at most that many are read\n", words.String())
	}
}
