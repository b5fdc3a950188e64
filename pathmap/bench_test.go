package pathmap

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRewrite shows that a look-up hardly depends on the number of entries.
func BenchmarkRewrite(b *testing.B) {
	for _, n := range []int{10, 1000, 10000} {
		entries := manyEntries(n)
		entries = append(entries, Entry{Source: "/same", Target: "/same"})
		m := newMap(b, entries...)
		for _, path := range []struct{ name, path string }{
			{"moved", fmt.Sprintf("/srv/pods/vol-%06d/disk.img", n/2)},
			{"same", "/same/share/OVMF/OVMF_CODE.fd"},
			{"unknown", "/srv/pods/vol-00000x/disk.img"},
		} {
			b.Run(fmt.Sprintf("entries=%d/%s", n, path.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					m.Rewrite(path.path)
				}
			})
		}
	}
}

// BenchmarkFind reads 64 KiB: a command line of a guest, and texts that are
// written to make the search slow.
func BenchmarkFind(b *testing.B) {
	const size = 1 << 16
	line := `-blockdev {"driver":"file","filename":"/srv/pods/vol-000007/disk.img","node-name":"n1"} -chardev socket,path=/run/x -m 4096 `
	texts := hostile(size)
	texts["command line"] = strings.Repeat(line, size/len(line)+1)[:size]
	for _, n := range []int{10, 10000} {
		m := newMap(b, manyEntries(n)...)
		for name, text := range texts {
			b.Run(fmt.Sprintf("entries=%d/%s", n, name), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				b.ReportAllocs()
				for b.Loop() {
					m.Find(text)
				}
			})
		}
	}
}

func BenchmarkNew(b *testing.B) {
	entries := manyEntries(10000)
	for b.Loop() {
		if _, err := New(entries...); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBetween(b *testing.B) {
	var pod Layout
	for i := range 1000 {
		pod.Volumes = append(pod.Volumes, Volume{Name: fmt.Sprintf("vol-%d", i), Source: SourceDataVolume, CBT: true})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Between(pod, pod); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPaths(b *testing.B) {
	pod := Layout{Namespace: "shop", Name: "vm-a"}
	for _, source := range []SourceKind{SourceDataVolume, SourceContainerDisk, SourceCloudInitNoCloud} {
		b.Run(string(source), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := pod.Paths(Volume{Name: "data", Source: source}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
