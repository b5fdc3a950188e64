package migrate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Documents made to hurt are refused, or done with in bounded time. A test that
// never ends is the failure here.
func TestHostileDocuments(t *testing.T) {
	attributes := &strings.Builder{}
	for i := range 200_000 {
		fmt.Fprintf(attributes, " a%d='/x'", i)
	}
	entries := make([]PathFact, 10_000)
	for i := range entries {
		entries[i] = PathFact{fmt.Sprintf("/srv/%d", i), fmt.Sprintf("/mnt/%d", i)}
	}
	tests := []struct{ name, doc, err, reason string }{
		{"tags alone", "<domain>" + strings.Repeat("<a/>", 600_000) + "</domain>", "600001 elements, the limit is 524288", "the verifier's tree would take gigabytes"},
		{"attributes", "<domain" + attributes.String() + "/>", "line 1 column 1: element \"domain\" has 200000 attributes, the limit is 512", "libvirt's reader would take minutes"},
		{"deep", strings.Repeat("<a>", 300) + strings.Repeat("</a>", 300), "line 1 column", "nested deeper than anything real"},
		{"slashes", "<domain><title>" + strings.Repeat("/", 1<<20) + "</title></domain>", "", "every slash could begin a path"},
		{"paths in text", "<domain><title>" + strings.Repeat("/srv/x ", 1<<17) + "</title></domain>", "", "none of them is an entry"},
		{"commas", "<domain xmlns:qemu='http://libvirt.org/schemas/domain/qemu/1.0'><qemu:commandline><qemu:arg value='" + strings.Repeat(",,", 1<<19) + "'/></qemu:commandline></domain>", "", "doubled commas"},
		{"disks", "<domain><devices>" + strings.Repeat("<disk><source file='/srv/1/x'/><target dev='vda'/></disk>", 20_000) + "</devices></domain>", "", "each needs its place among the others"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plan, err := NewPlan([]byte(tt.doc), Facts{Paths: entries}, Options{})
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err, tt.reason)
				require.Nil(t, plan)
				return
			}
			require.NoError(t, err)
			_, err = plan.Apply()
			require.NoError(t, err, tt.reason)
		})
	}
}

// Whatever the document, planning does not panic, and what Apply lets out is
// verified, well-formed and stable under the same rules.
func FuzzPlan(f *testing.F) {
	for _, file := range caseFiles(f) {
		archive := readCase(f, file)
		f.Add(fileOf(archive, "source.xml"), fileOf(archive, "target.yaml"))
	}
	f.Fuzz(func(t *testing.T, source, yaml []byte) {
		facts, err := ParseFacts("target.yaml", yaml)
		if err != nil {
			return
		}
		plan, err := NewPlan(source, facts, Options{})
		if err != nil {
			return
		}
		dest, err := plan.Apply()
		if err != nil {
			return
		}
		require.NoError(t, Verify(source, dest, facts))
		for _, e := range plan.Edits {
			require.NotEmpty(t, e.Reason)
			require.NotEmpty(t, e.Path)
			require.Equal(t, string(source[e.Start:e.End]), e.Before)
		}
	})
}
