package pathmap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func TestRewrite(t *testing.T) {
	entries := []Entry{
		{Source: "/srv/pods/a", Target: "/srv/pods/b"},
		{Source: "/srv/pods/a/vol1", Target: "/data/vol1", Volume: "vol1"},
		{Source: "/srv/pods/a/vol1/snap", Target: "/snap"},
		{Source: "/srv/pods/a/keep", Target: "/srv/pods/a/keep"},
		{Source: "/swap/one", Target: "/swap/two"},
		{Source: "/swap/two", Target: "/swap/one"},
		{Source: "/chain/1", Target: "/chain/2"},
		{Source: "/chain/2", Target: "/chain/3"},
		{Source: "/usr/share/OVMF", Target: "/usr/share/OVMF"},
		{Source: `/srv/my pods/R&D, "x" 'y'`, Target: "/srv/größe/ü,=:"},
		{Source: "/srv/日本/ディスク", Target: "/srv/jp"},
		{Source: "/x", Target: "/y"},
		{Source: "/odd/...", Target: "/odd/dots"},
		{Source: "/odd/ ", Target: "/odd/space"},
		{Source: "/odd/\xff", Target: "/odd/byte"},
	}
	m := newMap(t, entries...)
	for _, test := range []struct {
		reason string
		path   string
		want   string // the target; equal to path: the same in both pods
		by     string // source of the entry
	}{
		{"the path itself", "/srv/pods/a", "/srv/pods/b", "/srv/pods/a"},
		{"a path below keeps its rest", "/srv/pods/a/x/disk.img", "/srv/pods/b/x/disk.img", "/srv/pods/a"},
		{"the longest entry decides", "/srv/pods/a/vol1/disk.img", "/data/vol1/disk.img", "/srv/pods/a/vol1"},
		{"the longest of three", "/srv/pods/a/vol1/snap/1", "/snap/1", "/srv/pods/a/vol1/snap"},
		{"a longer name is another component", "/srv/pods/a/vol10", "/srv/pods/b/vol10", "/srv/pods/a"},
		{"a longer name below a longer name", "/srv/pods/a/vol1/snapshot", "/data/vol1/snapshot", "/srv/pods/a/vol1"},
		{"an equal entry inside a moved directory stays", "/srv/pods/a/keep/f", "/srv/pods/a/keep/f", "/srv/pods/a/keep"},
		{"equal paths are valid in both pods", "/usr/share/OVMF/OVMF_VARS.fd", "/usr/share/OVMF/OVMF_VARS.fd", "/usr/share/OVMF"},
		{"a swap is one step", "/swap/one/f", "/swap/two/f", "/swap/one"},
		{"a swap, the other way", "/swap/two/f", "/swap/one/f", "/swap/two"},
		{"a chain is one step", "/chain/1", "/chain/2", "/chain/1"},
		{"the end of a chain", "/chain/2", "/chain/3", "/chain/2"},
		{"spaces, ampersands, quotes, commas are characters", `/srv/my pods/R&D, "x" 'y'/d.img`, "/srv/größe/ü,=:/d.img", `/srv/my pods/R&D, "x" 'y'`},
		{"non-ASCII names", "/srv/日本/ディスク/0", "/srv/jp/0", "/srv/日本/ディスク"},
		{"a trailing slash is kept", "/srv/pods/a/", "/srv/pods/b/", "/srv/pods/a"},
		{"what follows is kept byte for byte", "/srv/pods/a//x/./y//", "/srv/pods/b//x/./y//", "/srv/pods/a"},
		{"doubled slashes do not hide a path", "//srv///pods/a/x", "/srv/pods/b/x", "/srv/pods/a"},
		{"nor do dots", "/./srv/./pods/././a/./x", "/srv/pods/b/./x", "/srv/pods/a"},
		{"a dot at the end", "/x/.", "/y/.", "/x"},
		{"a valid path is kept byte for byte, odd as it is", "//usr/./share//OVMF//f", "//usr/./share//OVMF//f", "/usr/share/OVMF"},
		{"three dots are a name", "/odd/.../f", "/odd/dots/f", "/odd/..."},
		{"dots inside a name are a name", "/x/a..b/..c/d..", "/y/a..b/..c/d..", "/x"},
		{"a blank is a name", "/odd/ /f", "/odd/space/f", "/odd/ "},
		{"bytes that are no UTF-8", "/odd/\xff/\xfe", "/odd/byte/\xfe", "/odd/\xff"},
		{"case matters: this is another path below", "/x/X", "/y/X", "/x"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			got, err := m.Rewrite(test.path)
			require.NoError(t, err)
			want := Match{
				End: len(test.path), Path: test.path, Target: test.want, Entry: entryOf(t, m, test.by), Moved: test.want != test.path,
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("match (-want +got):\n%s", diff)
			}
		})
	}
}

func entryOf(t *testing.T, m *Map, source string) Entry {
	t.Helper()
	for _, e := range m.All() {
		if e.Source == source {
			return e
		}
	}
	t.Fatalf("no entry for %q", source)
	return Entry{}
}

func TestRewriteRefuses(t *testing.T) {
	m := newMap(t, Entry{Source: "/srv/pods/a", Target: "/srv/pods/b"}, Entry{Source: "/same", Target: "/same"})
	for _, test := range []struct {
		reason  string
		path    string
		unknown bool
		want    string
	}{
		{"nothing said about it", "/etc/passwd", true, `path "/etc/passwd": unknown; want an entry of the path map for it or for a directory above it`},
		{"a longer name", "/srv/pods/ab", true, ""},
		{"a shorter name", "/srv/pods/", true, ""},
		{"the directory above", "/srv/pods", true, ""},
		{"another case", "/srv/pods/A", true, ""},
		{"a target is no source", "/srv/pods/b", true, ""},
		{"the root", "/", true, ""},
		{"a source in the middle", "/x/srv/pods/a", true, ""},
		{"empty", "", false, `path "": empty; want an absolute path`},
		{"relative", "srv/pods/a", false, `path "srv/pods/a": relative; want an absolute path`},
		{"relative with dots", "../srv/pods/a", false, `path "../srv/pods/a": relative; want an absolute path`},
		{"a NUL byte", "/srv/pods/a\x00", false, `path "/srv/pods/a\x00": contains a NUL byte; want a path that a file can have`},
		{"two dots inside", "/srv/pods/a/../c", false, `path "/srv/pods/a/../c": contains ".."; want a path that means the same without following links`},
		{"two dots at the end", "/srv/pods/a/..", false, ""},
		{"two dots first", "/../srv/pods/a", false, ""},
		{"two dots that come back", "/srv/pods/../pods/a", false, ""},
		{"two dots in a path valid in both pods", "/same/x/..", false, ""},
		{"two dots behind a name with dots", "/same/.../a../..", false, ""},
		{"two dots in an unknown path", "/etc/../etc", false, ""},
	} {
		t.Run(test.reason, func(t *testing.T) {
			match, err := m.Rewrite(test.path)
			require.Equal(t, Match{}, match)
			require.Error(t, err)
			if test.want != "" {
				require.EqualError(t, err, test.want)
			}
			var unknown *UnknownPathError
			var bad *PathError
			if test.unknown {
				require.ErrorAs(t, err, &unknown)
				require.Equal(t, test.path, unknown.Path)
			} else {
				require.ErrorAs(t, err, &bad)
				require.Equal(t, test.path, bad.Path)
			}
		})
	}
}

func TestRewriteAllocates(t *testing.T) {
	m := newMap(t, Entry{Source: "/srv/pods/a", Target: "/srv/pods/b"}, Entry{Source: "/same", Target: "/same"})
	for _, test := range []struct {
		reason string
		path   string
		most   float64
	}{
		{"nothing moves, nothing is allocated", "/same/x/y", 0},
		{"also behind odd slashes", "//same/./x", 0},
		{"the path itself moves: the target is the entry's", "/srv/pods/a", 0},
		{"a moved path is one new string", "/srv/pods/a/x/y", 1},
	} {
		got := testing.AllocsPerRun(100, func() {
			if _, err := m.Rewrite(test.path); err != nil {
				t.Error(err)
			}
		})
		require.LessOrEqual(t, got, test.most, test.reason)
	}
	text := strings.Repeat("nothing known in /etc/passwd here ", 10)
	require.Zero(t, testing.AllocsPerRun(100, func() { m.Find(text) }), "a text without known paths costs no memory")
}

func TestRewriteRootDirectory(t *testing.T) {
	for _, test := range []struct {
		reason         string
		source, target string
		path, want     string
	}{
		{"one prefix for every path", "/", "/moved", "/srv/a", "/moved/srv/a"},
		{"the root directory itself", "/", "/moved", "/", "/moved"},
		{"however it is written", "/", "/moved", "/.//", "/moved"},
		{"what follows is kept byte for byte", "/", "/moved", "//srv//a/", "/moved//srv//a/"},
		{"out of a directory", "/host", "/", "/host/srv/a", "/srv/a"},
		{"the directory becomes the root", "/host", "/", "/host", "/"},
		{"valid in both pods, all of it", "/", "/", "/srv/a", "/srv/a"},
		{"a longer entry decides", "/", "/moved", "/usr/bin/x", "/usr/bin/x"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			m := newMap(t, Entry{Source: test.source, Target: test.target}, Entry{Source: "/usr", Target: "/usr"})
			match, err := m.Rewrite(test.path)
			require.NoError(t, err)
			require.Equal(t, test.want, match.Target)
			require.Equal(t, test.want != test.path, match.Moved)
		})
	}
}

func TestFindRootDirectory(t *testing.T) {
	m := newMap(t, Entry{Source: "/", Target: "/moved"}, Entry{Source: "/usr", Target: "/usr"})
	const text = "read / write, and/or file=/srv/a,dir=/usr/lib http://example.com/x /srv/.."
	var found []string
	for _, match := range m.Find(text) {
		found = append(found, match.Path+" -> "+match.Target)
	}
	require.Equal(t, []string{"/srv/a -> /moved/srv/a", "/usr -> /usr", "/srv/.. -> /srv/.."}, found)
}

// Where one entry is left the rest of a path is compared at a stretch, and dots and
// doubled slashes must be passed over there too.
func TestRewriteByTheOnlyEntry(t *testing.T) {
	for _, test := range []struct{ reason, source, path, want string }{
		{"a dot before a name that begins with one", "/.x", "/./.x/f", "/new/f"},
		{"a dot in the middle", "/a/.x", "/a/././.x/f", "/new/f"},
		{"a doubled slash", "/a/b", "//a///b/f", "/new/f"},
		{"a name that ends like the entry", "/a/b.c", "/a/b.c", "/new"},
	} {
		match, err := newMap(t, Entry{Source: test.source, Target: "/new"}).Rewrite(test.path)
		require.NoError(t, err, test.reason)
		require.Equal(t, test.want, match.Target, test.reason)
	}
	for _, path := range []string{"/a/b.cd", "/a/b.", "/a/bxc", "/a/./b/.c"} {
		_, err := newMap(t, Entry{Source: "/a/b.c", Target: "/new"}).Rewrite(path)
		require.Error(t, err, path)
	}
}
