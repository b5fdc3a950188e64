package migrate

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected files of the cases")

// TestCases runs testdata/migrate/*.txtar. The comment of a case says what it
// shows. Its files are source.xml, target.yaml (facts), and what is expected:
// edits.txt, kept.txt and dest.xml, or error.txt.
func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive := readCase(t, file)
			require.NotEmpty(t, strings.TrimSpace(string(archive.Comment)), "a case says what it shows")
			got := runCase(archive)
			if *update {
				keep := []txtar.File{}
				for _, f := range archive.Files {
					if f.Name == "source.xml" || f.Name == "target.yaml" {
						keep = append(keep, f)
					}
				}
				archive.Files = append(keep, got...)
				require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o644))
				return
			}
			if diff := cmp.Diff(expected(archive), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func caseFiles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/migrate/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func readCase(t testing.TB, file string) *txtar.Archive {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	return archive
}

func fileOf(archive *txtar.Archive, name string) []byte {
	for _, f := range archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func expected(archive *txtar.Archive) []txtar.File {
	var files []txtar.File
	for _, f := range archive.Files {
		if f.Name != "source.xml" && f.Name != "target.yaml" {
			files = append(files, f)
		}
	}
	return files
}

// runCase plans and applies one case and returns what there is to expect.
func runCase(archive *txtar.Archive) []txtar.File {
	failed := func(err error) []txtar.File {
		return []txtar.File{{Name: "error.txt", Data: []byte(err.Error() + "\n")}}
	}
	facts, err := ParseFacts("target.yaml", fileOf(archive, "target.yaml"))
	if err != nil {
		return failed(err)
	}
	plan, err := NewPlan(fileOf(archive, "source.xml"), facts, Options{})
	if err != nil {
		return failed(err)
	}
	dest, err := plan.Apply()
	if err != nil {
		return failed(err)
	}
	var edits, kept strings.Builder
	for _, e := range plan.Edits {
		fmt.Fprintf(&edits, "%d:%d %s [%s] %s\n  - %s\n  + %s\n  %s\n", e.Line, e.Column, e.Rule, e.Device, e.Path, e.Old, e.New, e.Reason)
	}
	for _, k := range plan.Kept {
		fmt.Fprintf(&kept, "%d:%d [%s] %s = %s\n  %s\n", k.Line, k.Column, k.Device, k.Path, k.Value, k.Reason)
	}
	return []txtar.File{
		{Name: "edits.txt", Data: []byte(edits.String())},
		{Name: "kept.txt", Data: []byte(kept.String())},
		{Name: "dest.xml", Data: dest},
	}
}

// kubevirt returns the KubeVirt-shaped domain and the facts of its move.
func kubevirt(t testing.TB) ([]byte, Facts) {
	t.Helper()
	source, err := os.ReadFile("../testdata/domain/kubevirt.xml")
	require.NoError(t, err)
	yaml, err := os.ReadFile("../testdata/domain/kubevirt.target.yaml")
	require.NoError(t, err)
	facts, err := ParseFacts("kubevirt.target.yaml", yaml)
	require.NoError(t, err)
	return source, facts
}

// planned plans and applies, and fails the test on any error.
func planned(t testing.TB, source []byte, f Facts) (*Plan, []byte) {
	t.Helper()
	plan, err := NewPlan(source, f, Options{})
	require.NoError(t, err)
	dest, err := plan.Apply()
	require.NoError(t, err)
	return plan, dest
}

// causes takes joined errors apart.
func causes(err error) []error {
	var joined interface{ Unwrap() []error }
	if !errors.As(err, &joined) {
		if err == nil {
			return nil
		}
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, causes(e)...)
	}
	return all
}
