package pathmap

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// parseEntries reads one entry a line: source, tab, target.
func parseEntries(text string) []Entry {
	var entries []Entry
	for line := range strings.Lines(text) {
		source, target, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		entries = append(entries, Entry{Source: source, Target: target})
	}
	return entries
}

// tooLong keeps the plain and slow reference within a fuzzer's patience.
func tooLong(entries, text string) bool { return len(entries) > 1<<11 || len(text) > 1<<11 }

func FuzzRewrite(f *testing.F) {
	f.Add("/srv/a\t/srv/b\n/srv/a/vol\t/vol\n/same\t/same", "/srv/a/vol/disk.img")
	f.Add("/\t/moved\n/usr\t/usr", "/srv/a")
	f.Add("/host\t/", "/host/a")
	f.Fuzz(func(t *testing.T, text, path string) {
		if tooLong(text, path) {
			return
		}
		entries := parseEntries(text)
		m, err := New(entries...)
		if err != nil {
			checkRefusal(t, entries, err)
			return
		}
		checkRewrite(t, m, path)
		checkInverse(t, m, path)
		for _, e := range m.All() {
			checkRewrite(t, m, e.Source+"/"+path)
			checkInverse(t, m, e.Source+"/x")
			checkInverse(t, m, e.Source)
		}
	})
}

// checkRefusal wants a typed error for a reason that is there.
func checkRefusal(t *testing.T, entries []Entry, err error) {
	var entry *EntryError
	var conflict *ConflictError
	switch {
	case errors.As(err, &entry):
		bad := entries[entry.Index].Source
		if entry.Field == "target" {
			bad = entries[entry.Index].Target
		}
		parts := strings.Split(bad, "/")
		for _, part := range parts {
			if part == ".." {
				return
			}
		}
		require.True(t, !strings.HasPrefix(bad, "/") || strings.Contains(bad, "\x00"), "a good path was refused: %v", err)
	case errors.As(err, &conflict):
		require.Equal(t, conflict.First.Source, conflict.Second.Source)
		require.NotEqual(t, conflict.First.Target, conflict.Second.Target)
	default:
		t.Fatalf("refused without a type: %v", err)
	}
}

// checkRewrite compares with the reference, and holds what is promised about the
// part of the path that no entry covers.
func checkRewrite(t *testing.T, m *Map, path string) {
	got, err := m.Rewrite(path)
	var bad *PathError
	if errors.As(err, &bad) {
		require.True(t, badPath(path), "a good path was refused: %v", err)
		return
	}
	require.False(t, badPath(path), "a bad path was answered: %+v", got)
	index, end := reference{m.All()}.rewrite(path)
	var unknown *UnknownPathError
	if errors.As(err, &unknown) {
		require.Equal(t, -1, index, "%q is known", path)
		return
	}
	require.NoError(t, err)
	require.NotEqual(t, -1, index, "%q is unknown", path)
	want := m.All()[index]
	require.Equal(t, want, got.Entry, "whole components, longest match")
	require.Equal(t, want.Source != want.Target, got.Moved)
	if !got.Moved {
		require.Equal(t, path, got.Target, "valid in both pods: byte for byte")
	} else {
		rest := path[end:]
		if want.Source == "/" && onlyRoot(path) {
			rest = ""
		}
		require.Equal(t, joined(want.Target, rest), got.Target, "what follows: byte for byte")
	}
	require.Equal(t, path, got.Path)
	require.Equal(t, [2]int{0, len(path)}, [2]int{got.Start, got.End})
}

func badPath(path string) bool {
	return !strings.HasPrefix(path, "/") || strings.Contains(path, "\x00") || strings.Contains(path+"/", "/../")
}

// checkInverse goes there and back, or wants two paths that become one.
func checkInverse(t *testing.T, m *Map, path string) {
	inverse, err := m.Inverse()
	if err != nil {
		var ambiguous *AmbiguousError
		require.ErrorAs(t, err, &ambiguous)
		require.NotEqual(t, ambiguous.FirstPath, ambiguous.SecondPath)
		for _, p := range []string{ambiguous.FirstPath, ambiguous.SecondPath} {
			match, err := m.Rewrite(p)
			require.NoError(t, err)
			require.Equal(t, ambiguous.Target, match.Target, "refused without reason")
		}
		return
	}
	there, err := m.Rewrite(path)
	if err != nil {
		return
	}
	back, err := inverse.Rewrite(there.Target)
	require.NoError(t, err)
	want, _ := cleanPath(path)
	got, _ := cleanPath(back.Target)
	require.Equal(t, want, got, "there and back, by way of %q", there.Target)
}

func FuzzFind(f *testing.F) {
	f.Add("/srv/a\t/srv/b\n/srv/a/vol\t/vol\n/same\t/same", "-drive file=/srv/a/vol/disk.img,if=none --log /same:/srv/ab")
	f.Add("/\t/moved\n/usr\t/usr", "file=/srv/a,x=/ and/or / /usr/./bin")
	f.Add("/host\t/", "file=/host/a,/host /host/..")
	f.Fuzz(func(t *testing.T, entries, text string) {
		if tooLong(entries, text) {
			return
		}
		m, err := New(parseEntries(entries)...)
		if err != nil {
			return // FuzzRewrite looks at that
		}
		got := m.Find(text)
		checkMatches(t, m, text, got)
		if diff := cmp.Diff(reference{m.All()}.find(text), got, compareErrors); diff != "" {
			t.Fatalf("in %q (-reference +got):\n%s", text, diff)
		}
	})
}

var compareErrors = cmp.Comparer(func(a, b error) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Error() == b.Error()
})

// FuzzBetween tries to leave the pod's directories by way of names.
func FuzzBetween(f *testing.F) {
	f.Add("shop", "vm-a", uid, "data", "/data/a.raw", 3, true, false)
	f.Fuzz(func(t *testing.T, namespace, name, uid, volume, hostPath string, position int, hotplugged, nonRoot bool) {
		source := Layout{Namespace: namespace, Name: name, UID: uid, NonRoot: nonRoot}
		for _, kind := range []SourceKind{SourceDataVolume, SourceHostDisk, SourceContainerDisk, SourceSecret, SourceCloudInitNoCloud} {
			v := Volume{Name: volume + string(kind), Source: kind, HostPath: hostPath, Position: position, CBT: true}
			v.Hotplugged = hotplugged && sources[kind].hotplug
			source.Volumes = append(source.Volumes, v)
		}
		target := source
		target.Namespace, target.UID = "dev", "u-2"
		m, err := Between(source, target)
		if err != nil {
			require.Nil(t, m)
			return
		}
		for _, place := range source.Places() {
			clean, bad := cleanPath(place.Path)
			require.Nil(t, bad)
			require.Equal(t, clean, place.Path)
			_, err := m.Rewrite(place.Path)
			require.NoError(t, err)
		}
	})
}
