package convert

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const benchVMI = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop, uid: 3d2c1b0a-7f60-4f6e-9b1d-2f4c6a8e0b12}
spec:
  domain:
    memory: {guest: 512Mi}
    devices:
      interfaces: [{name: default, masquerade: {}}]
      disks: [%s]
  networks: [{name: default, pod: {}}]
  volumes: [%s]
`

const benchContext = "network: {attachments: {default: tap}}\n"

func benchText(disks int) string {
	var d, v []string
	for i := range disks {
		d = append(d, fmt.Sprintf("{name: data%d, disk: {bus: virtio}}", i))
		v = append(v, fmt.Sprintf("{name: data%d, persistentVolumeClaim: {claimName: claim%d}}", i, i))
	}
	return fmt.Sprintf(benchVMI, strings.Join(d, ", "), strings.Join(v, ", "))
}

func benchSizes(b *testing.B, run func(b *testing.B, c testCase)) {
	for _, size := range []struct {
		name  string
		disks int
	}{{"minimal", 0}, {"30disks", 30}} {
		c := testCase{name: size.name, parts: map[string]string{"vmi.yaml": benchText(size.disks), "context.yaml": benchContext}}
		b.Run(size.name, func(b *testing.B) { run(b, c) })
	}
}

func BenchmarkMarshalAlone(b *testing.B) {
	benchSizes(b, func(b *testing.B, c testCase) {
		r, err := VMI(c.vmi(b), c.context(b))
		if err != nil {
			b.Fatal(err)
		}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := r.Domain.Marshal(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkVMI(b *testing.B) {
	benchSizes(b, func(b *testing.B, c testCase) {
		vmi, ctx := c.vmi(b), c.context(b)
		b.ReportAllocs()
		for b.Loop() {
			r, err := VMI(vmi, ctx)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := r.XML(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkConvertOnly(b *testing.B) {
	benchSizes(b, func(b *testing.B, c testCase) {
		vmi, ctx := c.vmi(b), c.context(b)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := VMI(vmi, ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkExplain(b *testing.B) {
	benchSizes(b, func(b *testing.B, c testCase) {
		vmi, ctx := c.vmi(b), c.context(b)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Explain(vmi, ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkRatio measures conversion and explanation against libvirtxml's Marshal
// of the same domain, turn by turn in one run so that whatever else the machine
// does hits all three alike, and reports how many times as long they take. More
// than the limit fails.
func BenchmarkRatio(b *testing.B) {
	for _, size := range []struct {
		name    string
		disks   int
		convert float64
		explain float64
	}{{"minimal", 0, 1.5, 3}, {"30disks", 30, 1.3, 3}} {
		b.Run(size.name, func(b *testing.B) {
			c := testCase{name: size.name, parts: map[string]string{"vmi.yaml": benchText(size.disks), "context.yaml": benchContext}}
			vmi, ctx := c.vmi(b), c.context(b)
			r, err := VMI(vmi, ctx)
			if err != nil {
				b.Fatal(err)
			}
			work := [3]func() error{
				func() error { _, err := r.Domain.Marshal(); return err },
				func() error {
					r, err := VMI(vmi, ctx)
					if err == nil {
						_, err = r.XML()
					}
					return err
				},
				func() error { _, err := Explain(vmi, ctx); return err },
			}
			var turns [3][]time.Duration
			for b.Loop() {
				for i, do := range work {
					start := time.Now()
					if err := do(); err != nil {
						b.Fatal(err)
					}
					turns[i] = append(turns[i], time.Since(start))
				}
			}
			var took [3]float64
			for i := range turns {
				took[i] = typical(turns[i])
			}
			convert, explain := took[1]/took[0], took[2]/took[0]
			b.ReportMetric(took[0], "marshal-ns")
			b.ReportMetric(convert, "x-convert")
			b.ReportMetric(explain, "x-explain")
			b.ReportMetric(0, "ns/op")
			if len(turns[0]) >= 500 && (convert > size.convert || explain > size.explain) {
				b.Errorf("%.2f and %.2f times as long as Marshal, want at most %.1f and %.1f", convert, explain, size.convert, size.explain)
			}
		})
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
