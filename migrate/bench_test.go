package migrate

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

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
