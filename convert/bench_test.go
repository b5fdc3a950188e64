package convert

import (
	"fmt"
	"strings"
	"testing"
)

// The conversion is measured against libvirtxml's Marshal of the same domain in
// the same run; the ratios are what counts (README, "Speed").

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
