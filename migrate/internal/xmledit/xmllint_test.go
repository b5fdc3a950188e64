package xmledit

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestXMLLint lets libxml2, which libvirt reads with, judge everything that
// Parse accepts: own documents, all forms, the corpus, whatever the fuzzer
// has found worth keeping, and what changes make of that. It must accept that
// too, and read the same.
func TestXMLLint(t *testing.T) {
	if _, err := exec.LookPath("xmllint"); err != nil {
		t.Skip("xmllint is not installed; it is in libxml2-utils")
	}
	docs := corpus(t)
	for i, f := range forms {
		docs = append(docs, doc{fmt.Sprintf("form %d", i), f.src})
	}
	for _, in := range fuzzed(t, "FuzzParse", 1) {
		docs = append(docs, doc{in.name, in.args[0]})
	}
	for _, in := range fuzzed(t, "FuzzApply", 2) {
		if d, err := Parse([]byte(in.args[0]), Limits{}); err == nil {
			p := plan{t: t, d: d, data: []byte(in.args[1])}
			p.choose()
			if out, err := d.Apply(p.changes); err == nil {
				docs = append(docs, doc{in.name, out})
			}
		}
	}
	var accepted []*Document
	var names []string
	for _, c := range docs {
		if d, err := Parse([]byte(c.src), Limits{}); err == nil {
			accepted = append(accepted, d)
			names = append(names, c.name)
		}
	}
	const batch = 250 // one process for many documents
	for i := 0; i < len(accepted); i += batch {
		part := accepted[i:min(i+batch, len(accepted))]
		for j, out := range xmllint(t, part) {
			if err := agreesWithXMLLint(part[j], out); err != nil {
				t.Errorf("%s: %v\n%s", names[i+j], err, quote(part[j].Source()))
			}
		}
	}
	t.Logf("%d of %d documents accepted, all of them by xmllint too", len(accepted), len(docs))
}

// xmllint gives what libxml2 writes of each document, "" if it refuses it.
func xmllint(t *testing.T, docs []*Document) []string {
	t.Helper()
	const separator = "<separator-5e0c1b7a/>"
	dir := t.TempDir()
	args := []string{"--nonet"}
	write := func(name, src string) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(src), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	for i, d := range docs {
		write(fmt.Sprintf("%06d.xml", i), d.Source())
		write("separator.xml", separator)
	}
	cmd := exec.Command("xmllint", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	outputs := strings.Split(string(out), `<?xml version="1.0"?>`+"\n"+separator+"\n")
	if len(outputs) != len(docs)+1 {
		t.Fatalf("%d outputs of %d documents: %s", len(outputs)-1, len(docs), stderr.String())
	}
	return outputs[:len(docs)]
}

// agreesWithXMLLint reads what libxml2 wrote and compares.
func agreesWithXMLLint(d *Document, out string) error {
	if out == "" {
		return fmt.Errorf("xmllint refuses it")
	}
	other, err := Parse([]byte(out), Limits{})
	if err != nil {
		return fmt.Errorf("what xmllint writes: %w", err)
	}
	want, got := facts(other), facts(d)
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			return fmt.Errorf("%s, xmllint reads %s", quote(got[i]), quote(want[i]))
		}
	}
	if len(want) != len(got) {
		return fmt.Errorf("%d facts, xmllint reads %d", len(got), len(want))
	}
	return nil
}

// facts is what a document says, one fact a line. Attributes are sorted,
// since libxml2 puts declarations first; it drops the one of the prefix xml.
func facts(d *Document) (all []string) {
	for e := range d.Elements() {
		all = append(all, fmt.Sprintf("%d %s %s", e.Depth(), e.Name(), e.Space()))
		var attrs []string
		for a := range e.Attrs() {
			if a.Name() != "xmlns:xml" {
				attrs = append(attrs, fmt.Sprintf("@%s %s %q", a.Name(), a.Space(), a.Value()))
			}
		}
		slices.Sort(attrs)
		all = append(append(all, attrs...), fmt.Sprintf("%q", e.Text().Value()))
	}
	return all
}

// input is what a fuzz target was called with.
type input struct {
	name string
	args []string
}

// fuzzed gives the inputs of n byte slices that a fuzz target has collected,
// in testdata and in the cache of the go command.
func fuzzed(t *testing.T, target string, n int) (inputs []input) {
	t.Helper()
	dirs := []string{filepath.Join("testdata", "fuzz", target)}
	if cache, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		dirs = append(dirs, filepath.Join(strings.TrimSpace(string(cache)),
			"fuzz/github.com/migxml/migxml/migrate/internal/xmledit", target))
	}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			in := input{name: f}
			for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
				quoted := strings.TrimSuffix(strings.TrimPrefix(line, "[]byte("), ")")
				arg, err := strconv.Unquote(quoted)
				if err != nil {
					t.Fatalf("%s: %v", f, err)
				}
				in.args = append(in.args, arg)
			}
			if len(in.args) != n {
				t.Fatalf("%s has %d arguments, want %d", f, len(in.args), n)
			}
			inputs = append(inputs, in)
		}
	}
	return inputs
}
