package pathmap

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func newMap(t testing.TB, entries ...Entry) *Map {
	t.Helper()
	m, err := New(entries...)
	require.NoError(t, err)
	return m
}

func TestNewCleansAndSorts(t *testing.T) {
	m := newMap(t,
		Entry{Source: "/srv//pods/./b/", Target: "//new/b/.", Volume: "b"},
		Entry{Source: "/srv/pods/a", Target: "/new/a", Volume: "a", Kind: KindVolume},
		Entry{Source: "/srv/pods/a/", Target: "/new/a", Volume: "other"},
	)
	want := []Entry{
		{Source: "/srv/pods/a", Target: "/new/a", Volume: "a", Kind: KindVolume},
		{Source: "/srv/pods/b", Target: "/new/b", Volume: "b"},
	}
	if diff := cmp.Diff(want, m.All()); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	require.Equal(t, 2, m.Len())
}

func TestNewRefuses(t *testing.T) {
	long := "/" + strings.Repeat("x", 1000) + "\x00"
	for _, test := range []struct {
		reason  string
		entries []Entry
		want    []string
	}{
		{
			reason:  "an empty path names nothing",
			entries: []Entry{{Source: "", Target: "/t"}},
			want:    []string{`path map entry 0, "" -> "/t": source: path "": empty; want an absolute path`},
		},
		{
			reason:  "a relative path depends on a working directory",
			entries: []Entry{{Source: "/s", Target: "t/x", Volume: "data"}},
			want:    []string{`path map entry 0, "/s" -> "t/x" (volume "data"): target: path "t/x": relative; want an absolute path`},
		},
		{
			reason:  "both sides of one entry are judged",
			entries: []Entry{{Source: "/ok", Target: "/ok"}, {Source: "s", Target: "/t/../x", Volume: "data", Kind: KindVolume}},
			want: []string{
				`path map entry 1, "s" -> "/t/../x" (volume "data": claim): source: path "s": relative; want an absolute path`,
				`path map entry 1, "s" -> "/t/../x" (volume "data": claim): target: path "/t/../x": contains ".."; want a path that means the same without following links`,
			},
		},
		{
			reason:  "no file has a NUL byte in its name",
			entries: []Entry{{Source: "/s\x00", Target: "/t", Kind: KindUID}},
			want:    []string{`path map entry 0, "/s\x00" -> "/t" (UID): source: path "/s\x00": contains a NUL byte; want a path that a file can have`},
		},
		{
			reason: "one source has one target, and every contradiction is told",
			entries: []Entry{
				{Source: "/s", Target: "/t", Volume: "a"}, {Source: "/s/", Target: "/u", Volume: "b"}, {Source: "/s", Target: "/v"},
			},
			want: []string{
				`path map: source "/s" has two targets: "/s" -> "/t" (volume "a"), and "/s" -> "/u" (volume "b"); want one`,
				`path map: source "/s" has two targets: "/s" -> "/t" (volume "a"), and "/s" -> "/v"; want one`,
			},
		},
		{
			reason:  "a huge value is cut short in the message",
			entries: []Entry{{Source: long, Target: "/t"}},
			want: []string{fmt.Sprintf(`path map entry 0, %[1]s -> "/t": source: path %[1]s: contains a NUL byte; want a path that a file can have`,
				`"/`+strings.Repeat("x", 255)+`"… (1002 bytes)`)},
		},
	} {
		t.Run(test.reason, func(t *testing.T) {
			m, err := New(test.entries...)
			require.Nil(t, m)
			require.EqualError(t, err, strings.Join(test.want, "\n"))
		})
	}
}

func TestNewErrorsAreTyped(t *testing.T) {
	_, err := New(Entry{Source: "/s", Target: "/t"}, Entry{Source: "/s", Target: "/u"}, Entry{Source: "x", Target: "/t"})
	var conflict *ConflictError
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, "/u", conflict.Second.Target)
	var entry *EntryError
	require.ErrorAs(t, err, &entry)
	require.Equal(t, 2, entry.Index)
	var path *PathError
	require.ErrorAs(t, err, &path)
	require.Equal(t, "x", path.Path)
}

func TestZeroMapKnowsNothing(t *testing.T) {
	for reason, m := range map[string]*Map{"zero": {}, "nil": nil, "no entries": newMap(t)} {
		t.Run(reason, func(t *testing.T) {
			_, err := m.Rewrite("/srv")
			var unknown *UnknownPathError
			require.ErrorAs(t, err, &unknown)
			require.Empty(t, m.Find("/srv"))
			require.Empty(t, m.All())
			require.Zero(t, m.Len())
			inverse, err := m.Inverse()
			require.NoError(t, err)
			require.Zero(t, inverse.Len())
		})
	}
}

func TestAllIsACopy(t *testing.T) {
	given := []Entry{{Source: "/b", Target: "/x"}, {Source: "/a", Target: "/y"}}
	m := newMap(t, given...)
	require.Equal(t, "/b", given[0].Source, "the caller's slice keeps its order")
	m.All()[0].Target = "/changed"
	given[1].Target = "/changed"
	match, err := m.Rewrite("/a")
	require.NoError(t, err)
	require.Equal(t, "/y", match.Target)
}

func TestMapIsSafeForConcurrentUse(t *testing.T) {
	m := newMap(t, Entry{Source: "/srv/a", Target: "/srv/b"}, Entry{Source: "/srv/b", Target: "/srv/a"})
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 200 {
				match, err := m.Rewrite("/srv/a/disk.img")
				if err != nil || match.Target != "/srv/b/disk.img" {
					t.Error("another answer under concurrency:", match, err)
				}
				if len(m.Find("x=/srv/a,y=/srv/b")) != 2 {
					t.Error("another number of matches under concurrency")
				}
				if _, err := m.Inverse(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
}

func TestErrorsAreOneLine(t *testing.T) {
	odd := "/a\nb\x1b[31m\"<&\xff"
	m := newMap(t)
	_, err := m.Rewrite(odd)
	require.NotContains(t, err.Error(), "\n")
	require.NotContains(t, err.Error(), "\x1b")
	for _, err := range []error{
		&PathError{Path: odd}, &UnknownPathError{Path: odd}, &ConflictError{First: Entry{Source: odd}},
		&AmbiguousError{FirstPath: odd, SecondPath: odd, Target: odd}, &LayoutError{Value: odd}, &VolumeError{Volume: odd},
		&EntryError{Entry: Entry{Source: odd, Volume: odd}, Err: &PathError{Path: odd}},
	} {
		require.NotContains(t, err.Error(), "\n", "%T", err)
	}
}
