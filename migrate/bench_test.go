package migrate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beevik/etree"
	"libvirt.org/go/libvirtxml"
)

// The benchmarks measure the rewriting of a 12 KB domain against what others
// do with it: the round trip through libvirtxml. Compare the rows of one run.

func BenchmarkLibvirtxmlRoundTrip(b *testing.B) {
	source, _ := kubevirt(b)
	b.ReportAllocs()
	for b.Loop() {
		var d libvirtxml.Domain
		if err := d.Unmarshal(string(source)); err != nil {
			b.Fatal(err)
		}
		if _, err := d.Marshal(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEtreeParse(b *testing.B) {
	source, _ := kubevirt(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := etree.NewDocument().ReadFromBytes(source); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlanAndSplice(b *testing.B) {
	source, facts := kubevirt(b)
	b.ReportAllocs()
	for b.Loop() {
		plan, err := NewPlan(source, facts, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Splice(source, plan.Edits); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPlanApplyVerify(b *testing.B) {
	source, facts := kubevirt(b)
	b.ReportAllocs()
	for b.Loop() {
		plan, err := NewPlan(source, facts, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := plan.Apply(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRatio measures a plan, without and with its verification, against
// libvirtxml's round trip of the same domain, turn by turn in one run so that
// whatever else the machine does hits all three alike. It reports how many times
// faster the plan is, and how many times as long it takes when verified. Beyond
// the limits it fails.
func BenchmarkRatio(b *testing.B) {
	source, facts := kubevirt(b)
	plan := func(finish func(*Plan) error) error {
		plan, err := NewPlan(source, facts, Options{})
		if err != nil {
			return err
		}
		return finish(plan)
	}
	work := [3]struct {
		times int // a turn; as many as take about as long as the others, so that each pays for its own garbage
		do    func() error
	}{
		{4, func() error {
			var d libvirtxml.Domain
			if err := d.Unmarshal(string(source)); err != nil {
				return err
			}
			_, err := d.Marshal()
			return err
		}},
		{40, func() error {
			return plan(func(p *Plan) error { _, err := Splice(source, p.Edits); return err })
		}},
		{4, func() error {
			return plan(func(p *Plan) error { _, err := p.Apply(); return err })
		}},
	}
	var turns [3][]time.Duration
	for b.Loop() {
		for i, w := range work {
			start := time.Now()
			for range w.times {
				if err := w.do(); err != nil {
					b.Fatal(err)
				}
			}
			turns[i] = append(turns[i], time.Since(start)/time.Duration(w.times))
		}
	}
	var took [3]float64
	for i := range turns {
		took[i] = typical(turns[i])
	}
	faster, verified := took[0]/took[1], took[2]/took[0]
	b.ReportMetric(0, "ns/op") // of all three together: says nothing
	b.ReportMetric(took[0], "roundtrip-ns")
	b.ReportMetric(faster, "x-faster")
	b.ReportMetric(verified, "x-verified")
	if len(turns[0]) >= 50 && (faster < 10 || verified > 1.5) {
		b.Errorf("%.1f times faster than the round trip, want 10, and with verification %.2f times as long, want at most 1.5", faster, verified)
	}
}

// typical is the mean of all turns but the slowest tenth: those in which another
// process had the CPU. Collecting garbage is part of the others.
func typical(turns []time.Duration) float64 {
	slices.Sort(turns)
	turns = turns[:len(turns)-len(turns)/10]
	sum := 0.0
	for _, d := range turns {
		sum += float64(d)
	}
	return sum / float64(max(len(turns), 1))
}

// Time grows linearly with the document: MB/s stay the same.
func BenchmarkPlanApplyVerifyBySize(b *testing.B) {
	source, facts := kubevirt(b)
	for _, kib := range []int{64, 256, 1024, 4096} {
		big := enlarge(source, kib<<10)
		b.Run(fmt.Sprintf("%dKiB", kib), func(b *testing.B) {
			b.SetBytes(int64(len(big)))
			for b.Loop() {
				plan, err := NewPlan(big, facts, Options{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := plan.Apply(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// enlarge adds disks below the root disk's directory until the document has
// the size.
func enlarge(source []byte, size int) []byte {
	before, after, _ := strings.Cut(string(source), "    <controller type='usb'")
	var b bytes.Buffer
	b.WriteString(before)
	for i := 0; b.Len()+len(after) < size; i++ {
		fmt.Fprintf(&b, `    <disk type='file' device='disk'>
      <driver name='qemu' type='raw' cache='none'/>
      <source file='/var/run/kubevirt-private/vmi-disks/root/extra-%d.img'/>
      <target dev='sd%d' bus='scsi'/>
      <alias name='ua-extra-%d'/>
    </disk>
`, i, i, i)
	}
	b.WriteString("    <controller type='usb'")
	b.WriteString(after)
	return b.Bytes()
}
