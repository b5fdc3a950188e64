package convert

import (
	"fmt"
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
// of the same domain, turn by turn in one run, and reports how many times as long
// they take. Of many short turns the shortest counts, which a busy machine
// disturbs least. More than the limit fails.
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
			var best [3]time.Duration
			rounds := 0
			for b.Loop() {
				rounds++
				for i, do := range work {
					const batch = 8
					start := time.Now()
					for range batch {
						if err := do(); err != nil {
							b.Fatal(err)
						}
					}
					if d := time.Since(start) / batch; best[i] == 0 || d < best[i] {
						best[i] = d
					}
				}
			}
			convert, explain := float64(best[1])/float64(best[0]), float64(best[2])/float64(best[0])
			b.ReportMetric(float64(best[0].Nanoseconds()), "marshal-ns")
			b.ReportMetric(convert, "x-convert")
			b.ReportMetric(explain, "x-explain")
			b.ReportMetric(0, "ns/op")
			if rounds >= 100 && (convert > size.convert || explain > size.explain) {
				b.Errorf("%.2f and %.2f times as long as Marshal, want at most %.1f and %.1f", convert, explain, size.convert, size.explain)
			}
		})
	}
}
