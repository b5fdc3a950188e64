package pathmap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// found writes matches as text for tables: offset, path, and what became of it.
func found(matches []Match) []string {
	var lines []string
	for _, m := range matches {
		what := " same"
		switch {
		case m.Err != nil:
			what = " refused"
		case m.Moved:
			what = " -> " + m.Target
		}
		lines = append(lines, fmt.Sprintf("%d %s%s", m.Start, m.Path, what))
	}
	return lines
}

func TestFind(t *testing.T) {
	m := newMap(t,
		Entry{Source: "/srv/a", Target: "/srv/b"},
		Entry{Source: "/srv/a/vol", Target: "/vol", Volume: "vol"},
		Entry{Source: "/same", Target: "/same"},
		Entry{Source: "/srv/my pods/R&D, x", Target: "/plain"},
		Entry{Source: "/srv/ü", Target: "/srv/ue"},
		Entry{Source: "/run/u1", Target: "/run/u2"},
	)
	for _, test := range []struct {
		reason string
		text   string
		want   []string
	}{
		// Where an occurrence begins.
		{"the whole text", "/srv/a", []string{"0 /srv/a -> /srv/b"}},
		{"only the known part is covered", "/srv/a/x/disk.img", []string{"0 /srv/a -> /srv/b"}},
		{"an argument", "-chardev file /srv/a/x", []string{"14 /srv/a -> /srv/b"}},
		{"key=value, more than once", "path=/srv/a/x,log=/srv/a/vol/y,ro", []string{"5 /srv/a -> /srv/b", "18 /srv/a/vol -> /vol"}},
		{"a list with colons", "/srv/a:/same:/srv/a", []string{"0 /srv/a -> /srv/b", "7 /same same", "13 /srv/a -> /srv/b"}},
		{"JSON", `{"filename":"/srv/a/x","n":["/same"]}`, []string{"13 /srv/a -> /srv/b", "29 /same same"}},
		{"an escaped slash of JSON is not decoded", `"\/srv\/a"`, nil},
		{"a URL without host", "file:///srv/a/x", []string{"7 /srv/a -> /srv/b"}},
		{"a URL with one slash", "file:/srv/a", []string{"5 /srv/a -> /srv/b"}},
		{"a URL of this host", "file://localhost/srv/a", []string{"16 /srv/a -> /srv/b"}},
		{"a URL of another host", "nbd://host/srv/a nbd://host:10809/srv/a nbd://[::1]/srv/a", nil},
		{"a host is no directory", "nbd://srv/a", nil},
		{"a path in a URL's query", "nbd+unix:///?socket=/srv/a/nbd.sock", []string{"20 /srv/a -> /srv/b"}},
		{"another host's path behind a colon counts", "host:/srv/a", []string{"5 /srv/a -> /srv/b"}},
		{"slashes in a row: the last one begins", "//srv/a ///srv/a", []string{"1 /srv/a -> /srv/b", "10 /srv/a -> /srv/b"}},
		{"a doubled slash behind a colon that ends no scheme", "://srv/a", []string{"2 /srv/a -> /srv/b"}},
		{"behind an at sign", "@/srv/a", []string{"1 /srv/a -> /srv/b"}},
		{"brackets", "(/srv/a)[/srv/a]{/srv/a}</srv/a>", []string{"1 /srv/a -> /srv/b", "9 /srv/a -> /srv/b", "17 /srv/a -> /srv/b", "25 /srv/a -> /srv/b"}},
		{"quotes", "'/srv/a'\"/srv/a\"`/srv/a`", []string{"1 /srv/a -> /srv/b", "9 /srv/a -> /srv/b", "17 /srv/a -> /srv/b"}},
		{"typographic quotes", "“/srv/a”«/srv/a»", []string{"3 /srv/a -> /srv/b", "14 /srv/a -> /srv/b"}},
		{"control characters and a no-break space", "\n/srv/a\t/srv/a\x00/srv/a\u00a0/srv/a", []string{
			"1 /srv/a -> /srv/b", "8 /srv/a -> /srv/b", "15 /srv/a -> /srv/b", "23 /srv/a -> /srv/b",
		}},
		{"the middle of another path", "/mnt/srv/a ./srv/a ../srv/a ~/srv/a $HOME/srv/a ${HOME}/srv/a x/srv/a */srv/a é/srv/a \xff/srv/a", nil},

		// Where it ends.
		{"a longer name is another", "/srv/ab /srv/a.b /srv/a-b /srv/a_b /srv/a~ /srv/a%20 /srv/a@1 /srv/a+ /srv/aé /srv/a\xff", nil},
		{"what ends a name", `/srv/a,x /srv/a;x /srv/a?x /srv/a#x /srv/a"x /srv/a\x`, []string{
			"0 /srv/a -> /srv/b", "9 /srv/a -> /srv/b", "18 /srv/a -> /srv/b", "27 /srv/a -> /srv/b", "36 /srv/a -> /srv/b", "45 /srv/a -> /srv/b",
		}},
		{"a longer name below: the directory is found", "/srv/a/volume", []string{"0 /srv/a -> /srv/b"}},
		{"the longest", "/srv/a/vol/x", []string{"0 /srv/a/vol -> /vol"}},
		{"a name with blanks and commas, if the map has it", "file=/srv/my pods/R&D, x/disk.img,ro", []string{"5 /srv/my pods/R&D, x -> /plain"}},
		{"other names with blanks are not guessed", "/srv/a b/disk.img", []string{"0 /srv/a -> /srv/b"}},
		{"non-ASCII names", "x=/srv/ü/f", []string{"2 /srv/ü -> /srv/ue"}},

		// How it may be written.
		{"doubled slashes and dots", "x=/srv//./a//vol/./f", []string{"2 /srv//./a//vol -> /vol"}},
		{"a dot first", "x=/./srv/a", []string{"2 /./srv/a -> /srv/b"}},
		{"a path that stays is kept as written", "x=//same/./f", []string{"3 /same same"}},
		{"two dots behind a known path", "a=/srv/a/../b,c=/srv/a", []string{"2 /srv/a/../b refused", "16 /srv/a -> /srv/b"}},
		{"two dots far behind", "/same/x/y/../../.. /same", []string{"0 /same/x/y/../../.. refused", "19 /same same"}},
		{"two dots before", "/x/../srv/a", nil},
		{"three dots are a name", "/srv/a/.../x", []string{"0 /srv/a -> /srv/b"}},
		{"percent signs are not decoded", "file:///srv/%61", nil},
		{"a UID that is part of a longer word", "/run/u12 /run/u1x /run/u1/sock u1", []string{"18 /run/u1 -> /run/u2"}},

		// Nothing there.
		{"an empty text", "", nil},
		{"slashes alone", "/ // /// /.", nil},
		{"the name without its path", "srv/a a vol same", nil},
		{"a target is no source", "/srv/b /vol", nil},
	} {
		t.Run(test.reason, func(t *testing.T) {
			got := m.Find(test.text)
			if diff := cmp.Diff(test.want, found(got)); diff != "" {
				t.Errorf("in %q (-want +got):\n%s", test.text, diff)
			}
			checkMatches(t, m, test.text, got)
		})
	}
}

// checkMatches holds what every answer of Find promises.
func checkMatches(t *testing.T, m *Map, text string, matches []Match) {
	t.Helper()
	end := 0
	for _, match := range matches {
		require.GreaterOrEqual(t, match.Start, end, "in order, without overlap")
		require.Greater(t, match.End, match.Start)
		end = match.End
		require.Equal(t, text[match.Start:match.End], match.Path)
		again, err := m.Rewrite(match.Path)
		if match.Err != nil {
			require.Equal(t, match.Err, err)
			require.False(t, match.Moved)
			require.Equal(t, match.Path, match.Target)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, again.Target, match.Target)
		require.Equal(t, again.Entry, match.Entry)
		require.Equal(t, again.Moved, match.Moved)
	}
}

// hostile are texts that make a careless search look at the same bytes again
// and again.
func hostile(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)+1)[:size] }
	return map[string]string{
		"slashes":            fill("/"),
		"path starts":        fill(" /"),
		"dots and slashes":   fill("/."),
		"two dots":           fill("/.."),
		"half a source":      fill(" /srv/pods/"),
		"a source":           fill(" /srv/pods/vol-000001"),
		"one long path":      "/srv/pods/vol-000001" + fill("/x"),
		"one path with dots": "/srv/pods/vol-000001" + fill("/../x"),
		"one long name":      "/srv/pods/" + fill("x"),
		"near misses":        fill("=/srv/pods/vol-00000x"),
		"hosts":              fill("a://"),
		"no path":            fill("a"),
		"no UTF-8":           fill("\xff/"),
	}
}

// TestFindHostile is over at once, unless the search looks back or ahead without
// bound: then it does not end.
func TestFindHostile(t *testing.T) {
	m := newMap(t, manyEntries(1000)...)
	for reason, text := range hostile(1 << 20) {
		t.Run(reason, func(t *testing.T) { checkMatches(t, m, text, m.Find(text)) })
	}
}

func manyEntries(n int) []Entry {
	entries := make([]Entry, n)
	for i := range entries {
		name := fmt.Sprintf("vol-%06d", i)
		entries[i] = Entry{Source: "/srv/pods/" + name, Target: "/mnt/" + name, Volume: name}
	}
	return entries
}
