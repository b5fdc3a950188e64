package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// computeRow is a VMI by its spec.domain, and what becomes of one part of the domain.
type computeRow struct {
	domain  string // YAML of spec.domain, in one line or indented by four
	context string // YAML
	want    string // leaves of the part, or the refusal
	reason  string
}

// vmi is the VMI with that domain and, where it does not say otherwise, 512Mi of
// memory, no devices, and the name shop/vm-a. What comes behind a line "---" stands
// beside spec.
func (r computeRow) vmi() string {
	domain, rest, _ := strings.Cut(r.domain, "\n---\n")
	if !strings.Contains(domain, "memory:") {
		domain += "\n    memory: {guest: 512Mi}"
	}
	if !strings.Contains(domain, "devices:") {
		domain += "\n    devices: {autoattachPodInterface: false}"
	}
	if !strings.Contains(rest, "metadata:") {
		rest = "metadata: {namespace: shop, name: vm-a}\n" + rest
	}
	if !strings.Contains(rest, "spec:") {
		rest += "\nspec:"
	}
	return rest + "\n  domain:\n    " + domain
}

// annotated is metadata with an annotation.
func annotated(name, value string) string {
	return "metadata: {namespace: shop, name: vm-a, annotations: {" + name + `: "` + value + `"}}`
}

// runComputeRows converts each row and compares the leaves at and below part.
func runComputeRows(t *testing.T, part string, rows []computeRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) {
			if diff := cmp.Diff(strings.Fields(row.want), strings.Fields(partLeaves(t, row, part))); diff != "" {
				t.Errorf("%s of %s (-want +got):\n%s", part, row.domain, diff)
			}
		})
	}
}

// partLeaves lists the leaves at and below part, as name=value without the path
// above and without an index where it is 1; or what the VMI is refused for. Blanks
// are written as underscores.
func partLeaves(t *testing.T, row computeRow, part string) string {
	t.Helper()
	s := testState(t, row.vmi(), row.context)
	for i := range steps {
		steps[i].run(s)
	}
	var lines []string
	for _, problem := range s.problems {
		lines = append(lines, strings.ReplaceAll(problem.Error(), " ", "_"))
	}
	if len(lines) > 0 {
		return strings.Join(lines, "\n")
	}
	text, err := (&Result{Domain: s.dom}).XML()
	if err != nil {
		t.Fatal(err)
	}
	paths, values := leavesOf(t, text)
	prefix := "/domain/" + part
	for _, path := range paths {
		short := strings.ReplaceAll(path, "[1]", "")
		if short == prefix || strings.HasPrefix(short, prefix+"/") || strings.HasPrefix(short, prefix+"[") {
			lines = append(lines, strings.TrimPrefix(short[len(prefix):], "/")+"="+strings.ReplaceAll(values[path], " ", "_"))
		}
	}
	return strings.Join(lines, "\n")
}

// runRefusals checks that each row is refused for just the reasons it wants, one a line.
func runRefusals(t *testing.T, rows []computeRow) {
	t.Helper()
	for _, row := range rows {
		t.Run(row.reason, func(t *testing.T) {
			s := testState(t, row.vmi(), row.context)
			for i := range steps {
				steps[i].run(s)
			}
			var got []string
			for _, problem := range s.problems {
				got = append(got, problem.Error())
			}
			if diff := cmp.Diff(strings.Split(row.want, "\n"), got); diff != "" {
				t.Errorf("refusals of %s (-want +got):\n%s", row.domain, diff)
			}
		})
	}
}
