package pathmap

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInverse(t *testing.T) {
	for _, test := range []struct {
		reason  string
		entries []Entry
		paths   []string
	}{
		{
			"single entries", []Entry{{Source: "/a", Target: "/x", Volume: "v", Kind: KindVolume}, {Source: "/s", Target: "/s"}},
			[]string{"/a", "/a/b", "/a//b/./", "/s/t"},
		},
		{"a swap", []Entry{{Source: "/a", Target: "/b"}, {Source: "/b", Target: "/a"}}, []string{"/a/1", "/b/1"}},
		{"a chain", []Entry{{Source: "/a", Target: "/b"}, {Source: "/b", Target: "/c"}}, []string{"/a/1", "/b/1"}},
		{"nested on both sides alike", []Entry{{Source: "/a", Target: "/x"}, {Source: "/a/b", Target: "/x/b"}}, []string{"/a/b/c", "/a/c", "/a/bc"}},
		{"moved out of a moved directory", []Entry{{Source: "/a", Target: "/x"}, {Source: "/a/b", Target: "/y"}}, []string{"/a/b/c", "/a/c"}},
		{
			"moved into a place whose own source is elsewhere",
			[]Entry{{Source: "/a", Target: "/x"}, {Source: "/a/c", Target: "/y"}, {Source: "/b", Target: "/x/c"}},
			[]string{"/a/c/d", "/b/d", "/a/z"},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			m := newMap(t, test.entries...)
			inverse, err := m.Inverse()
			require.NoError(t, err)
			for _, path := range test.paths {
				there, err := m.Rewrite(path)
				require.NoError(t, err)
				back, err := inverse.Rewrite(there.Target)
				require.NoError(t, err)
				require.Equal(t, path, back.Target)
				require.Equal(t, there.Entry.Source, back.Entry.Target)
				require.Equal(t, there.Entry.Kind, back.Entry.Kind)
				require.Equal(t, there.Entry.Volume, back.Entry.Volume)
			}
		})
	}
}

func TestInverseRefuses(t *testing.T) {
	for _, test := range []struct {
		reason  string
		entries []Entry
		want    []string
	}{
		{
			"two sources share a target",
			[]Entry{{Source: "/b", Target: "/x"}, {Source: "/a", Target: "/x"}, {Source: "/c", Target: "/x"}},
			[]string{
				`path map: no inverse: "/a" (by "/a" -> "/x") and "/b" (by "/b" -> "/x") both become "/x"; want one source for each target`,
				`path map: no inverse: "/b" (by "/b" -> "/x") and "/c" (by "/c" -> "/x") both become "/x"; want one source for each target`,
			},
		},
		{
			"a path below one source becomes another's target",
			[]Entry{{Source: "/a", Target: "/x"}, {Source: "/b", Target: "/x/c"}},
			[]string{`path map: no inverse: "/a/c" (by "/a" -> "/x") and "/b" (by "/b" -> "/x/c") both become "/x/c"; want one source for each target`},
		},
		{
			"a valid place becomes part of one that moved",
			[]Entry{{Source: "/a", Target: "/x"}, {Source: "/x/c", Target: "/x/c"}},
			[]string{`path map: no inverse: "/a/c" (by "/a" -> "/x") and "/x/c" (by "/x/c" -> "/x/c") both become "/x/c"; want one source for each target`},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			_, err := newMap(t, test.entries...).Inverse()
			require.EqualError(t, err, strings.Join(test.want, "\n"))
			var ambiguous *AmbiguousError
			require.ErrorAs(t, err, &ambiguous)
		})
	}
}
