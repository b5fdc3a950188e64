package migrate

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSplice(t *testing.T) {
	edit := func(start, end int, before, after string) Edit {
		return Edit{Rule: "R", Path: "/p", Start: start, End: end, Before: before, After: after}
	}
	tests := []struct {
		name   string
		edits  []Edit
		want   string
		err    string
		reason string
	}{
		{"none", nil, "abcdef", "", "no edit, the same bytes"},
		{"one", []Edit{edit(1, 3, "bc", "X")}, "aXdef", "", "replaced in place"},
		{"out of order", []Edit{edit(4, 5, "e", "Y"), edit(0, 1, "a", "X")}, "XbcdYf", "", "the order of the list means nothing"},
		{"inserts at one place", []Edit{edit(2, 2, "", "1"), edit(2, 2, "", "2")}, "ab12cdef", "", "inserts keep their order"},
		{"touching", []Edit{edit(0, 2, "ab", "X"), edit(2, 4, "cd", "Y")}, "XYef", "", "half-open spans that touch do not overlap"},
		{"overlap", []Edit{edit(0, 3, "abc", "X"), edit(2, 4, "cd", "Y")}, "", "overlaps the edit before it", "nobody can say what is meant"},
		{"stale", []Edit{edit(0, 2, "xx", "X")}, "", `the document no longer has "xx" there, but "ab"`, "the document changed under the plan"},
		{"outside", []Edit{edit(5, 9, "f", "X")}, "", "outside the document of 6 bytes", "a plan of another document"},
		{"backwards", []Edit{edit(3, 1, "", "X")}, "", "outside the document", "no span"},
		{"negative", []Edit{edit(-1, 1, "", "X")}, "", "outside the document", "no span"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			given := slices.Clone(tt.edits)
			got, err := Splice([]byte("abcdef"), tt.edits)
			require.Equal(t, given, tt.edits, "the caller's list is not touched")
			if tt.err != "" {
				var e *EditError
				require.ErrorAs(t, err, &e, tt.reason)
				require.ErrorContains(t, err, tt.err, tt.reason)
				require.Nil(t, got)
				return
			}
			require.NoError(t, err, tt.reason)
			require.Equal(t, tt.want, string(got), tt.reason)
		})
	}
}

// An edit kept from another document is refused rather than spliced in.
func TestStoredEditsAreChecked(t *testing.T) {
	source, facts := kubevirt(t)
	plan, _ := planned(t, source, facts)
	changed := strings.Replace(string(source), "vmi-disks/root", "vmi-disks/toor", 1)
	_, err := Splice([]byte(changed), plan.Edits)
	var stale *EditError
	require.ErrorAs(t, err, &stale)
}
