package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// The README shows what preview really prints.
func TestReadmeShowsARealPreview(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	story, err := txtar.ParseFile("testdata/script/preview.txtar")
	require.NoError(t, err)
	for _, f := range story.Files {
		if f.Name == "want.txt" || f.Name == "target.yaml" {
			for line := range strings.Lines(string(f.Data)) {
				require.Contains(t, string(readme), strings.TrimRight(line, "\n"), f.Name)
			}
		}
	}
}
