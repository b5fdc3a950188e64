package xmledit

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/beevik/etree"
	"libvirt.org/go/libvirtxml"
)

// kubevirt is the XML of a running guest as KubeVirt has it, about 12 KB.
func kubevirt(t testing.TB) []byte {
	t.Helper()
	src, err := os.ReadFile("testdata/kubevirt.xml")
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// walk touches every name, attribute and text.
func walk(d *Document) (n int) {
	for e := range d.Elements() {
		n += len(e.Name()) + len(e.Text().Trimmed())
		for a := range e.Attrs() {
			n += len(a.Name()) + len(a.Value())
		}
	}
	return n
}

func BenchmarkParseAndWalk(b *testing.B) {
	src := kubevirt(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := Parse(src, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		walk(d)
	}
}

func BenchmarkParse(b *testing.B) {
	src := kubevirt(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(src, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLibvirtxmlRoundTrip is what the same job costs when the document
// is read into structs and written again.
func BenchmarkLibvirtxmlRoundTrip(b *testing.B) {
	src := string(kubevirt(b))
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		roundTrip(b, src)
	}
}

func roundTrip(t testing.TB, src string) {
	var d libvirtxml.Domain
	if err := d.Unmarshal(src); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Marshal(); err != nil {
		t.Fatal(err)
	}
}

func BenchmarkEtreeParse(b *testing.B) {
	src := kubevirt(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		if err := etree.NewDocument().ReadFromBytes(src); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSize shows that the time per byte does not depend on the size.
func BenchmarkSize(b *testing.B) {
	d := mustParse(b, string(kubevirt(b)))
	devices := d.Root().Child("devices")
	disk := d.Source()[devices.Child("disk").Lines().Start:devices.Child("disk").Lines().End]
	for _, size := range []int{4 << 10, 32 << 10, 256 << 10, 1 << 20, 4 << 20} {
		src := []byte("<domain>\n  <devices>\n" + strings.Repeat(disk, size/len(disk)) + "  </devices>\n</domain>\n")
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				if _, err := Parse(src, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// edits makes two dozen changes of every kind, as a plan does.
func edits(t testing.TB, d *Document) (all []Change) {
	t.Helper()
	add := func(c Change, err error) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	devices := d.Root().Child("devices")
	slice := etree.NewElement("slices")
	s := slice.CreateElement("slice")
	s.CreateAttr("type", "storage")
	s.CreateAttr("offset", "0")
	for dev := range devices.Children() {
		switch dev.Name() {
		case "disk":
			source := dev.Child("source")
			add(source.Attr("index").Remove(), nil)
			add(source.Append(slice))
			if file := source.Attr("file"); file.Exists() {
				add(file.Set("/srv" + file.Value()))
			}
		case "interface":
			add(dev.Child("target").SetAttr("dev", "tap9"))
		case "serial", "console", "channel":
			path := dev.Child("source").Attr("path")
			add(path.Set("/srv" + path.Value()))
		case "rng":
			changes, err := dev.Child("backend").SetText("/dev/hwrng")
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, changes...)
		}
	}
	add(d.Root().Child("resource").Remove(), nil)
	for c := range d.Root().Child("cputune").Children() {
		add(c.SetAttr("cpuset", "1"))
	}
	return all
}

// BenchmarkEdit is everything from bytes to bytes.
func BenchmarkEdit(b *testing.B) {
	src := kubevirt(b)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		edit(b, src)
	}
}

// edit reads a document, makes changes, looks at their paths and places as a
// preview does, and applies them.
func edit(t testing.TB, src []byte) {
	d, err := Parse(src, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	changes := edits(t, d)
	for _, c := range changes {
		d.Position(c.Start)
	}
	for disk := range d.Root().Child("devices").Children() {
		_ = disk.Path()
	}
	if _, err := d.Apply(changes); err != nil {
		t.Fatal(err)
	}
}

// TestAllocationsOfEdit holds editing against the round trip through structs:
// it must not need a tenth of the allocations.
func TestAllocationsOfEdit(t *testing.T) {
	src := kubevirt(t)
	edits := testing.AllocsPerRun(10, func() { edit(t, src) })
	structs := testing.AllocsPerRun(10, func() { roundTrip(t, string(src)) })
	t.Logf("%v allocations, %v by structs", edits, structs)
	if 10*edits > structs {
		t.Errorf("%v allocations for reading, two dozen changes and applying; structs need %v", edits, structs)
	}
}

func BenchmarkApply(b *testing.B) {
	src := kubevirt(b)
	d, err := Parse(src, Limits{})
	if err != nil {
		b.Fatal(err)
	}
	changes := edits(b, d)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Apply(changes); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPaths(b *testing.B) {
	src := kubevirt(b)
	b.ReportAllocs()
	for b.Loop() {
		d, err := Parse(src, Limits{})
		if err != nil {
			b.Fatal(err)
		}
		_ = d.Root().LastChild().Path()
	}
}

func BenchmarkFind(b *testing.B) {
	d, err := Parse(kubevirt(b), Limits{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := Compile("/domain/devices/disk[2]/source/@dev")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if len(p.Find(d)) != 1 {
			b.Fatal("not found")
		}
	}
}
