package convert

import (
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
	"sigs.k8s.io/randfill"
)

// randomVMI is built from the API's types: any field may be set, to a word of an
// enumeration, a name that another field uses too, or anything at all.
func randomVMI(r *rand.Rand) (*v1.VirtualMachineInstance, Context) {
	fill := func(dense float64) *randfill.Filler {
		return randfill.NewWithSeed(r.Int63()).NilChance(1-dense).NumElements(1, 3).MaxDepth(12).Funcs(
			func(s *string, c randfill.Continue) { *s = randomText(c) },
			func(q *resource.Quantity, c randfill.Continue) { *q = randomQuantity(c) },
			func(n *uint32, c randfill.Continue) { *n = randomCount(c) },
			func(n *uint, c randfill.Continue) { *n = uint(randomCount(c)) },
			func(b *v1.DiskBus, c randfill.Continue) {
				*b = []v1.DiskBus{"", "virtio", "sata", "scsi", "usb"}[c.Intn(5)]
			},
			func(m *v1.DriverCache, c randfill.Continue) {
				*m = []v1.DriverCache{"", "none", "writeback", "writethrough"}[c.Intn(4)]
			},
			func(m *v1.DriverIO, c randfill.Continue) {
				*m = []v1.DriverIO{"", "native", "threads", "io_uring"}[c.Intn(4)]
			},
			func(p *v1.IOThreadsPolicy, c randfill.Continue) {
				*p = []v1.IOThreadsPolicy{"shared", "auto", "supplementalPool"}[c.Intn(3)]
			},
			func(*metav1.Time, randfill.Continue) {},
			func(*metav1.FieldsV1, randfill.Continue) {},
		)
	}
	vmi := &v1.VirtualMachineInstance{}
	dense := []float64{0.05, 0.2, 0.5}[r.Intn(3)]
	fill(dense).Fill(&vmi.Spec)
	fill(0.2).Fill(&vmi.Status)
	fill(0.3).Fill(&vmi.Annotations)
	vmi.Name, vmi.Namespace = "vm-a", "shop"
	var ctx Context
	fill(dense).Fill(&ctx)
	if r.Intn(4) > 0 {
		plausible(vmi, &ctx, r)
	}
	return vmi, ctx
}

// plausible mends what would refuse nearly every random VMI, most of the time.
func plausible(vmi *v1.VirtualMachineInstance, ctx *Context, r *rand.Rand) {
	mostly := func(mend func()) {
		if r.Intn(8) > 0 {
			mend()
		}
	}
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	yes := true
	ctx.Node.Architecture = pick("", "amd64", "arm64", "s390x")
	ctx.Node.KVM, ctx.Hypervisor = &yes, ""
	vmi.Spec.Architecture = ctx.Node.Architecture
	guest := resource.MustParse("1Gi")
	vmi.Spec.Domain.Memory = &v1.Memory{Guest: &guest}
	mostly(func() { ctx.Network.Links, ctx.Firmware = nil, nil })
	mostly(func() { ctx.Cluster.NetworkConfiguration = nil })
	if f := vmi.Spec.Domain.Firmware; f != nil {
		mostly(func() { f.UUID, f.ACPI = "", nil })
	}
	if c := vmi.Spec.Domain.CPU; c != nil {
		mostly(func() { c.Sockets, c.Cores, c.Threads, c.MaxSockets, c.DedicatedCPUPlacement = 2, 1, 2, 0, false })
		mostly(func() { c.Model, c.Features = pick("", "host-model", "host-passthrough", "Haswell"), nil })
	}
	if c := vmi.Spec.Domain.Clock; c != nil {
		mostly(func() { c.Timezone, c.Timer = nil, nil })
	}
	mostly(func() { vmi.Spec.Domain.Resources = v1.ResourceRequirements{} })
	mostly(func() {
		threads := uint32(2)
		vmi.Spec.Domain.IOThreads = &v1.DiskIOThreads{SupplementalPoolThreadCount: &threads}
	})
	mostly(func() {
		cid := uint32(7)
		vmi.Status.VSOCKCID = &cid
	})
	mostly(func() { vmi.Spec.Volumes = nil })
	plausibleDevices(vmi, mostly, pick)
}

func plausibleDevices(vmi *v1.VirtualMachineInstance, mostly func(func()), pick func(...string) string) {
	d := &vmi.Spec.Domain.Devices
	for i := range d.Disks {
		k := &d.Disks[i]
		k.Name = "disk" + string(rune('a'+i))
		k.BootOrder = nil
		mostly(func() { k.ErrorPolicy, k.BlockSize, k.LUN = nil, nil, nil })
		mostly(func() { k.Serial = pick("", "SN-1") })
		if k.CDRom != nil {
			mostly(func() { k.CDRom.Tray = "" })
		}
		if k.Disk != nil {
			mostly(func() { k.Disk.PciAddress = "" })
		}
		vmi.Spec.Volumes = append(vmi.Spec.Volumes, v1.Volume{Name: k.Name, VolumeSource: v1.VolumeSource{EmptyDisk: &v1.EmptyDiskSource{Capacity: resource.MustParse("1Gi")}}})
	}
	for i := range d.Inputs {
		mostly(func() { d.Inputs[i].Bus, d.Inputs[i].Type = v1.InputBus(pick("", "usb", "virtio")), "" })
	}
	for i := range d.PanicDevices {
		mostly(func() { d.PanicDevices[i].Model = nil })
	}
	if d.Video != nil {
		mostly(func() { d.Video.Type = pick("virtio", "vga", "bochs") })
	}
	if d.Sound != nil {
		mostly(func() { d.Sound.Model = pick("", "ich9", "ac97") })
	}
	d.Interfaces, vmi.Spec.Networks = d.Interfaces[:0], vmi.Spec.Networks[:0]
	mostly(func() { d.HostDevices, d.GPUs, d.Filesystems = nil, nil, nil })
	mostly(func() { d.Watchdog = nil })
}

func randomText(c randfill.Continue) string {
	switch c.Intn(10) {
	case 0:
		return ""
	case 1, 2:
		return []string{"a", "root", "data", "default"}[c.Intn(4)]
	case 3:
		return string([]rune{rune(c.Intn(0x300)), 'x', rune(c.Intn(0x11000))})
	case 4:
		return []string{"0000:00:02.0", "1:3", "aa618089-8b16-4d01-a136-25a0f3c73123", "02:00:00:00:00:01", "0-3", "2-1", "4Ki", "1Gi", "2Mi", "../x", "a/b", "<&\"'>", "\x00", strings.Repeat("x", 300)}[c.Intn(14)]
	}
	return words[c.Intn(len(words))]
}

func randomQuantity(c randfill.Continue) resource.Quantity {
	list := []string{"0", "1", "3", "100m", "1500m", "64M", "1Gi", "1.5Gi", "2Mi", "-1", "1Ki", "9223372036854775807", "1e30", "100Ti"}
	return resource.MustParse(list[c.Intn(len(list))])
}

func randomCount(c randfill.Continue) uint32 {
	switch c.Intn(12) {
	case 0:
		return c.Uint32()
	case 1:
		return 1<<32 - 1
	case 2:
		return 0
	}
	return uint32(c.Intn(9))
}

func FuzzVMI(f *testing.F) {
	for seed := range int64(64) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) { checkRandom(t, seed) })
}

// checkRandom converts a random VMI: no panic, nothing written to the input, the
// same again, and what converts is a domain whose every value has a cause.
func checkRandom(t *testing.T, seed int64) (converted bool) {
	t.Helper()
	vmi, ctx := randomVMI(rand.New(rand.NewSource(seed)))
	before := vmi.DeepCopy()
	r, err := VMI(vmi, ctx)
	if !reflect.DeepEqual(before, vmi) {
		t.Errorf("the VMI was written to:\n%s", cmp.Diff(before, vmi))
	}
	_ = Admission(vmi, ctx)
	e, explainErr := Explain(vmi, ctx)
	if (err == nil) != (explainErr == nil) || err != nil && err.Error() != explainErr.Error() {
		t.Fatalf("VMI says %v, Explain %v", err, explainErr)
	}
	if err != nil {
		return false
	}
	text, err := r.XML()
	if err != nil {
		t.Fatal(err)
	}
	var d libvirtxml.Domain
	if err := d.Unmarshal(text); err != nil {
		t.Fatalf("libvirtxml does not read it: %v\n%s", err, text)
	}
	if again, _ := e.XML(); again != text {
		t.Errorf("another domain the second time:\n%s", cmp.Diff(text, again))
	}
	for _, c := range e.Causes {
		if c.Reason == noCause {
			t.Errorf("%s = %q has no cause", c.Path, c.Value)
		}
		for _, place := range c.Fields {
			if err := placeExists(place); err != nil {
				t.Errorf("%s: %v", c.Path, err)
			}
		}
	}
	return true
}

// TestRandomVMIs runs a few hundred of the fuzzer's inputs in every test run.
func TestRandomVMIs(t *testing.T) {
	converted := 0
	for seed := range int64(400) {
		if checkRandom(t, seed) {
			converted++
		}
	}
	if converted < 80 {
		t.Errorf("only %d of 400 random VMIs can be converted, too few to show anything", converted)
	}
}

// TestObjectDefaults holds our defaulting to the API's own, which is the part of
// admission that has no configuration.
func TestObjectDefaults(t *testing.T) {
	for seed := range int64(300) {
		vmi, _ := randomVMI(rand.New(rand.NewSource(seed)))
		if vmi.Spec.Domain.Firmware == nil {
			vmi.Spec.Domain.Firmware = &v1.Firmware{}
		}
		vmi.Spec.Domain.Firmware.UUID = "3d2c1b0a-7f60-4f6e-9b1d-2f4c6a8e0b12"
		want := vmi.DeepCopy()
		v1.SetObjectDefaults_VirtualMachineInstance(want)
		s := &state{ctx: &Context{}, vmi: vmi.DeepCopy(), arch: arches[0]}
		s.defaultObjects()
		if diff := cmp.Diff(want.Spec, s.vmi.Spec); diff != "" {
			t.Fatalf("seed %d: not the API's own defaults (-want +got):\n%s", seed, diff)
		}
	}
}

func FuzzParseVMI(f *testing.F) {
	for _, c := range cases(f) {
		f.Add([]byte(c.parts["vmi.yaml"]))
	}
	f.Add([]byte(head + "spec: &s {domain: {devices: {disks: [*s]}}}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		vmi, err := ParseVMI("vmi.yaml", data)
		if (vmi == nil) == (err == nil) {
			t.Fatalf("a VMI %v and the error %v", vmi, err)
		}
		l := LocateVMI(data)
		if err != nil {
			l.Find(string(data[:min(len(data), 64)])) // a field that nobody wrote
			return
		}
		list := Admission(vmi, Context{})
		if _, err := VMI(vmi, Context{}); err != nil {
			for _, e := range causesOf(err) {
				if f, ok := e.(*FieldError); ok {
					list = append(list, f)
				}
			}
		}
		for _, f := range list {
			if at, ok := l.Find(f.Field); ok && (at.Line < 1 || at.Column < 1) {
				t.Fatalf("%s is at %d:%d", f.Field, at.Line, at.Column)
			}
		}
	})
}

// causesOf takes joined errors apart.
func causesOf(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

func FuzzParseContext(f *testing.F) {
	for _, c := range cases(f) {
		f.Add([]byte(c.parts["context.yaml"]))
	}
	f.Fuzz(func(t *testing.T, data []byte) { _, _ = ParseContext("context.yaml", data) })
}
