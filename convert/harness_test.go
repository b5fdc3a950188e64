package convert

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	v1 "kubevirt.io/api/core/v1"
)

var update = flag.Bool("update", false, "rewrite the expected results of the project's own cases")

// testCase is a VMI and a context, and the domain or the refusal expected of them.
type testCase struct {
	name    string
	file    string // of an own case, "" for the shared ones
	archive *txtar.Archive
	parts   map[string]string
}

func (c testCase) has(part string) bool { _, ok := c.parts[part]; return ok }

func (c testCase) vmi(t testing.TB) *v1.VirtualMachineInstance {
	t.Helper()
	vmi, err := ParseVMI(c.name+"/vmi.yaml", []byte(c.parts["vmi.yaml"]))
	if err != nil {
		t.Fatal(err)
	}
	return vmi
}

func (c testCase) context(t testing.TB) Context {
	t.Helper()
	ctx, err := ParseContext(c.name+"/context.yaml", []byte(c.parts["context.yaml"]))
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

const (
	ownCases    = "../testdata/convert"
	sharedCases = "../../shared/conformance/convert" // optional, beside the project
)

// cases are the project's own cases and, when they are there, the shared ones.
func cases(t testing.TB) []testCase {
	t.Helper()
	var list []testCase
	files, err := filepath.Glob(filepath.Join(ownCases, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		c := testCase{name: strings.TrimSuffix(filepath.Base(f), ".txtar"), file: f, archive: a, parts: map[string]string{}}
		for _, part := range a.Files {
			c.parts[part.Name] = string(part.Data)
		}
		list = append(list, c)
	}
	folders, err := filepath.Glob(filepath.Join(sharedCases, "*", "vmi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		dir := filepath.Dir(f)
		c := testCase{name: filepath.Base(dir), parts: map[string]string{}}
		for _, part := range []string{"vmi.yaml", "context.yaml", "domain.xml", "error.txt", "defaulted.yaml"} {
			if b, err := os.ReadFile(filepath.Join(dir, part)); err == nil {
				c.parts[part] = string(b)
			}
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatal("no cases found")
	}
	return list
}

// write stores a new expectation in an own case, in place of old ones.
func (c testCase) write(t *testing.T, part, text string) {
	t.Helper()
	kept := c.archive.Files[:0]
	for _, f := range c.archive.Files {
		if f.Name != "domain.xml" && f.Name != "error.txt" {
			kept = append(kept, f)
		}
	}
	c.archive.Files = append(kept, txtar.File{Name: part, Data: []byte(text)})
	if err := os.WriteFile(c.file, txtar.Format(c.archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestCases converts every case. Shared cases are compared as libvirt reads
// them, and their refusals need only be refusals; the project's own are
// compared to the byte.
func TestCases(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.name, func(t *testing.T) {
			vmi := c.vmi(t)
			before := vmi.DeepCopy()
			r, err := VMI(vmi, c.context(t))
			if diff := cmp.Diff(before, vmi); diff != "" {
				t.Errorf("the VMI handed in was written to:\n%s", diff)
			}
			got := ""
			if err == nil {
				if got, err = r.XML(); err != nil {
					t.Fatal(err)
				}
			}
			switch {
			case c.file != "":
				c.compareOwn(t, got, err)
			case c.has("error.txt"):
				if err == nil {
					t.Errorf("accepted, but must be refused:\n%s", c.parts["error.txt"])
				}
			case err != nil:
				t.Errorf("refused: %v", err)
			default:
				want := canonical(t, c.parts["domain.xml"], true)
				if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(canonical(t, got, true), "\n")); diff != "" {
					t.Errorf("not the domain wanted (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func (c testCase) compareOwn(t *testing.T, got string, err error) {
	t.Helper()
	part, text := "domain.xml", got+"\n"
	if err != nil {
		part, text = "error.txt", err.Error()+"\n"
	}
	if *update && c.parts[part] != text {
		c.write(t, part, text)
		return
	}
	if !c.has(part) {
		t.Fatalf("want the parts %v, got a %s:\n%s", keys(c.parts), part, text)
	}
	if diff := cmp.Diff(strings.Split(c.parts[part], "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", part, diff)
	}
}

func keys(m map[string]string) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	return list
}

// testState is a conversion of YAML texts as its first step finds it, with the
// defaults of admission applied. The texts may leave out apiVersion and kind.
func testState(t testing.TB, vmiYAML, contextYAML string) *state {
	t.Helper()
	if !strings.Contains(vmiYAML, "apiVersion:") {
		vmiYAML = "apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\n" + vmiYAML
	}
	vmi, err := ParseVMI("vmi.yaml", []byte(vmiYAML))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := ParseContext("context.yaml", []byte(contextYAML))
	if err != nil {
		t.Fatal(err)
	}
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
