package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/migxml/migxml"

// sourceFile is one Go file of the project: its folder, and what it imports.
type sourceFile struct {
	dir, name string
	doc       bool
	imports   []string
}

// sources reads the imports of every Go file that is no test.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	var files []sourceFile
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		if d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") && d.Name() != "." && d.Name() != ".." || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly|parser.ParseComments)
		require.NoError(t, err)
		rel, err := filepath.Rel(root, path)
		require.NoError(t, err)
		f := sourceFile{dir: filepath.ToSlash(filepath.Dir(rel)), name: filepath.Base(rel), doc: parsed.Doc != nil}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			f.imports = append(f.imports, name)
		}
		files = append(files, f)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(files), 30)
	return files
}

func under(dir string, roots ...string) bool {
	return slices.ContainsFunc(roots, func(root string) bool { return dir == root || strings.HasPrefix(dir, root+"/") })
}

// Only three places import libvirt's binding, so that everything else builds
// without libvirt and without cgo.
func TestOnlyThreePlacesImportLibvirt(t *testing.T) {
	for _, f := range sources(t) {
		if slices.Contains(f.imports, "libvirt.org/go/libvirt") {
			require.True(t, under(f.dir, "migrate/live/libvirtd", "integration", "cmd/migxml"), "%s/%s", f.dir, f.name)
		}
	}
}

// The two halves never import each other; what joins them is told by name.
func TestHalvesDoNotImportEachOther(t *testing.T) {
	for _, f := range sources(t) {
		for _, name := range f.imports {
			dir, inside := strings.CutPrefix(name, module+"/")
			switch {
			case !inside:
			case under(f.dir, "convert"):
				require.False(t, under(dir, "migrate"), "%s/%s imports %s", f.dir, f.name, dir)
			case under(f.dir, "migrate") && !under(f.dir, "migrate/kubevirt"):
				require.False(t, under(dir, "convert"), "%s/%s imports %s", f.dir, f.name, dir)
			case under(f.dir, "pathmap"):
				t.Errorf("%s/%s imports %s; pathmap stands alone", f.dir, f.name, dir)
			}
		}
	}
}

// The same facts give the same bytes on any machine: no file, no process, no
// network, no clock and no environment outside the places that exist for them.
func TestOnlyTheEdgesTouchTheMachine(t *testing.T) {
	outside := []string{"os", "os/exec", "os/user", "io/ioutil", "net/http", "syscall", "time", "math/rand", "math/rand/v2", "golang.org/x/sys/unix"}
	edges := []string{"cmd/migxml", "integration", "migrate/live", "convert/hook", "convert/probe"}
	for _, f := range sources(t) {
		if under(f.dir, edges...) {
			continue
		}
		for _, name := range f.imports {
			require.NotContains(t, outside, name, "%s/%s", f.dir, f.name)
		}
	}
}

// Each package says in doc.go, or in its main file, what it is for.
func TestEveryPackageHasDoc(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range sources(t) {
		documented[f.dir] = documented[f.dir] || f.doc
	}
	for dir, ok := range documented {
		require.True(t, ok, "%s has no package comment", dir)
	}
}

// No folder at the top that the design does not name.
func TestFoldersAtTheTop(t *testing.T) {
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			require.Contains(t, []string{"pathmap", "convert", "migrate", "cmd", "integration", "testdata"}, e.Name())
		}
	}
}
