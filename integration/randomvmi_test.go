//go:build integration

package integration

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
	"sigs.k8s.io/yaml"

	"github.com/migxml/migxml/convert"
)

// randomVMIs is how many the tests make, and growth how many changes each one is made of at most. A change that makes
// the conversion fail is taken back, so every VMI converts, with a lot in it.
const (
	randomVMIs = 300
	growth     = 60
)

// What converts without an error is a domain, to libvirt's schema and to libvirtxml, whatever the VMI has in it.
func TestRandomVMIsFitSchema(t *testing.T) {
	docs := map[string]string{}
	inputs := map[string]string{}
	for seed := range uint64(randomVMIs) {
		name := fmt.Sprint("seed ", seed)
		g := newGrower(seed)
		g.grow(growth)
		docs[name], inputs[name] = g.xml(t), g.String()
		var d libvirtxml.Domain
		require.NoError(t, d.Unmarshal(docs[name]), name)
		docs[name] = withoutNewer(t, docs[name])
	}
	requireValid(t, docs, inputs)
}

func FuzzRandomVMIsFitSchema(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed + randomVMIs)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		docs, inputs := map[string]string{}, map[string]string{}
		for i := range uint64(20) { // xmllint takes as long to start as twenty documents
			g := newGrower(seed + i<<32)
			g.grow(growth)
			name := fmt.Sprint("seed ", seed+i<<32)
			text := g.xml(t)
			var d libvirtxml.Domain
			require.NoError(t, d.Unmarshal(text), name)
			docs[name], inputs[name] = withoutNewer(t, text), g.String()
		}
		requireValid(t, docs, inputs)
	})
}

// requireValid shows the first few that the schema does not accept, with what they were made of.
func requireValid(t *testing.T, docs, inputs map[string]string) {
	t.Helper()
	bad, err := installed.DomainSchema().Validate(t.TempDir(), docs)
	require.NoError(t, err)
	shown := 0
	for name, words := range bad {
		if shown++; shown > 3 {
			break
		}
		t.Errorf("%s is not valid:\n%s\n%s\n%s", name, words, inputs[name], docs[name])
	}
	if len(bad) > 0 {
		t.Errorf("%d of %d are not valid", len(bad), len(docs))
	}
}

// A grower makes a VMI and its context of the API's types.
type grower struct {
	r   *rand.Rand
	vmi *v1.VirtualMachineInstance
	ctx convert.Context
}

func newGrower(seed uint64) *grower {
	g := &grower{r: rand.New(rand.NewPCG(seed, 0)), vmi: &v1.VirtualMachineInstance{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "vm-a", UID: "7c0e3b52-1f9a-4d86-9a53-0b6d2c41e8f7"},
	}}
	g.ctx.Node.Architecture = pick(g.r, []string{"amd64", "amd64", "amd64", "arm64", "s390x"})
	guest := resource.MustParse("1Gi")
	g.vmi.Spec.Domain.Memory = &v1.Memory{Guest: &guest}
	return g
}

// grow makes n changes, and takes back those that the conversion refuses.
func (g *grower) grow(n int) {
	for range n {
		vmi, ctx := g.vmi.DeepCopy(), copyContext(g.ctx)
		g.change()
		if _, err := convert.VMI(g.vmi, g.ctx); err != nil {
			g.vmi, g.ctx = vmi, ctx
		}
	}
}

func (g *grower) xml(t *testing.T) string {
	t.Helper()
	r, err := convert.VMI(g.vmi, g.ctx)
	require.NoError(t, err)
	text, err := r.XML()
	require.NoError(t, err)
	return text
}

// String is the VMI and the context as YAML.
func (g *grower) String() string {
	vmi, err := yaml.Marshal(g.vmi)
	if err != nil {
		return err.Error()
	}
	ctx, err := yaml.Marshal(g.ctx)
	if err != nil {
		return err.Error()
	}
	return string(vmi) + "---\n" + string(ctx)
}

func copyContext(ctx convert.Context) (c convert.Context) {
	text, err := json.Marshal(ctx)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		panic(err) // a Context is made to be read from a file
	}
	return c
}

// change makes one change: somewhere in the types, or what only makes sense together.
func (g *grower) change() {
	switch g.r.IntN(12) {
	case 0, 1:
		g.addDisk()
	case 2:
		g.addNIC()
	case 3:
		g.addHostDevice()
	case 4:
		g.addFilesystem()
	case 5:
		g.walk(reflect.ValueOf(&g.ctx).Elem(), "")
	case 6:
		g.addStatus()
	case 7:
		if g.vmi.Annotations == nil {
			g.vmi.Annotations = map[string]string{}
		}
		g.vmi.Annotations[pick(g.r, annotations)] = pick(g.r, []string{"true", "false", "/run/a", `{"ignition":{}}`})
	default:
		g.walk(reflect.ValueOf(&g.vmi.Spec).Elem(), "")
	}
}

var annotations = []string{
	"kubevirt.io/nonroot", "kubevirt.io/ignitiondata", "kubevirt.io/free-page-reporting-disabled", "kubevirt.io/placePCIDevicesOnRootComplex",
	"kubevirt.io/qgs-socket-path", "kubevirt.io/pci-topology-version", "hooks.kubevirt.io/hookSidecars", "kubevirt.io/virtio-disk-address",
}

// addDisk adds a volume of any source and mostly a disk for it.
func (g *grower) addDisk() {
	name := g.freshName()
	volume := v1.Volume{Name: name}
	g.fill(g.randomField(reflect.ValueOf(&volume.VolumeSource).Elem()), "", 3)
	g.vmi.Spec.Volumes = append(g.vmi.Spec.Volumes, volume)
	if g.r.IntN(6) > 0 {
		disk := v1.Disk{Name: name}
		g.fill(reflect.ValueOf(&disk.DiskDevice).Elem(), "", 2)
		g.fill(reflect.ValueOf(&disk).Elem(), "", 2)
		disk.Name = name
		g.vmi.Spec.Domain.Devices.Disks = append(g.vmi.Spec.Domain.Devices.Disks, disk)
	}
	facts := convert.VolumeFacts{Format: pick(g.r, []string{"raw", "qcow2"})}
	g.fill(reflect.ValueOf(&facts).Elem(), "", g.r.IntN(4))
	if g.ctx.Volumes == nil {
		g.ctx.Volumes = map[string]convert.VolumeFacts{}
	}
	g.ctx.Volumes[name] = facts
}

func (g *grower) addNIC() {
	name := g.freshName()
	nic := v1.Interface{Name: name}
	g.fill(reflect.ValueOf(&nic.InterfaceBindingMethod).Elem(), "", 1)
	g.fill(reflect.ValueOf(&nic).Elem(), "", 2)
	nic.Name = name
	network := v1.Network{Name: name, NetworkSource: v1.NetworkSource{Multus: &v1.MultusNetwork{NetworkName: name}}}
	if g.r.IntN(3) == 0 {
		network.NetworkSource = v1.NetworkSource{Pod: &v1.PodNetwork{}}
	}
	d := &g.vmi.Spec.Domain.Devices
	d.Interfaces, g.vmi.Spec.Networks = append(d.Interfaces, nic), append(g.vmi.Spec.Networks, network)
	if nic.SRIOV != nil {
		if g.ctx.SRIOV == nil {
			g.ctx.SRIOV = map[string]string{}
		}
		g.ctx.SRIOV[name] = g.pciAddress()
	}
}

func (g *grower) addHostDevice() {
	name := g.freshName()
	resource := "example.com/" + name
	if g.ctx.HostDevices == nil {
		g.ctx.HostDevices = map[string]convert.HostAddresses{}
	}
	g.ctx.HostDevices[resource] = pick(g.r, []convert.HostAddresses{
		{PCI: []string{g.pciAddress()}}, {MDev: []string{"aa618089-8b16-4d01-a136-25a0f3c73123"}}, {USB: []string{fmt.Sprintf("%d:%d", 1+g.r.IntN(9), 1+g.r.IntN(99))}},
	})
	d := &g.vmi.Spec.Domain.Devices
	if g.r.IntN(2) == 0 {
		gpu := v1.GPU{Name: name, DeviceName: resource}
		g.fill(reflect.ValueOf(&gpu.VirtualGPUOptions).Elem(), "", 2)
		d.GPUs = append(d.GPUs, gpu)
		return
	}
	d.HostDevices = append(d.HostDevices, v1.HostDevice{Name: name, DeviceName: resource})
}

func (g *grower) pciAddress() string {
	return fmt.Sprintf("%04x:%02x:%02x.%x", g.r.IntN(3), g.r.IntN(256), g.r.IntN(32), g.r.IntN(8))
}

func (g *grower) addFilesystem() {
	name := g.freshName()
	volume := v1.Volume{Name: name}
	g.fill(g.randomField(reflect.ValueOf(&volume.VolumeSource).Elem()), "", 2)
	g.vmi.Spec.Volumes = append(g.vmi.Spec.Volumes, volume)
	d := &g.vmi.Spec.Domain.Devices
	d.Filesystems = append(d.Filesystems, v1.Filesystem{Name: name, Virtiofs: &v1.FilesystemVirtiofs{}})
}

// addStatus says something about a volume that is there.
func (g *grower) addStatus() {
	if g.r.IntN(4) == 0 || len(g.vmi.Spec.Volumes) == 0 {
		g.walk(reflect.ValueOf(&g.vmi.Status).Elem(), "")
		return
	}
	status := v1.VolumeStatus{Name: pick(g.r, g.vmi.Spec.Volumes).Name}
	g.fill(reflect.ValueOf(&status).Elem(), "", 4)
	status.Name = pick(g.r, g.vmi.Spec.Volumes).Name
	g.vmi.Status.VolumeStatus = append(g.vmi.Status.VolumeStatus, status)
}

func (g *grower) freshName() string {
	return fmt.Sprintf("n%d", len(g.vmi.Spec.Volumes)+len(g.vmi.Spec.Networks)+len(g.ctx.HostDevices))
}

// fill walks n times.
func (g *grower) fill(v reflect.Value, field string, n int) {
	for range n {
		g.walk(v, field)
	}
}

// randomField is one of a struct's fields.
func (g *grower) randomField(v reflect.Value) reflect.Value { return v.Field(g.r.IntN(v.NumField())) }

// walk goes down to somewhere and sets what is there. field is what the nearest field is called.
func (g *grower) walk(v reflect.Value, field string) {
	switch x := v.Addr().Interface().(type) {
	case *resource.Quantity:
		*x = resource.MustParse(pick(g.r, quantities))
		return
	case *intstr.IntOrString:
		*x = intstr.FromInt32(g.r.Int32N(9))
		return
	case *metav1.Time, *metav1.FieldsV1:
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
			g.fill(v.Elem(), field, g.r.IntN(4))
		} else if g.r.IntN(8) == 0 {
			v.SetZero()
		} else {
			g.walk(v.Elem(), field)
		}
	case reflect.Struct:
		if v.NumField() == 0 {
			return
		}
		i := g.r.IntN(v.NumField())
		if f := v.Type().Field(i); f.IsExported() {
			if f.Anonymous {
				g.walk(v.Field(i), field)
			} else {
				g.walk(v.Field(i), f.Name)
			}
		}
	case reflect.Slice:
		if v.Len() == 0 || g.r.IntN(3) == 0 {
			element := reflect.New(v.Type().Elem()).Elem()
			g.fill(element, field, 1+g.r.IntN(4))
			v.Set(reflect.Append(v, element))
		} else {
			g.walk(v.Index(g.r.IntN(v.Len())), field)
		}
	case reflect.Map:
		g.walkMap(v, field)
	case reflect.Bool:
		v.SetBool(g.r.IntN(3) > 0)
	case reflect.String:
		v.SetString(g.text(v.Type(), field))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(g.number())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(max(0, g.number())))
	}
}

func (g *grower) walkMap(v reflect.Value, field string) {
	key, element := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	g.walk(key, field)
	g.fill(element, field, 2)
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	v.SetMapIndex(key, element)
}

func (g *grower) number() int64 {
	return pick(g.r, []int64{0, 1, 1, 2, 2, 3, 4, 8, 16, 512, 4096, 8080, 65535, 70000, -1, 1 << 31, 1 << 40})
}

var quantities = []string{"1", "2", "3", "100m", "1500m", "0", "64Mi", "1Gi", "1.5Gi", "2Mi", "2Gi", "1M", "100Ti", "-1"}

// text is a word for a field: one of its enumeration if it has one, else any.
func (g *grower) text(t reflect.Type, field string) string {
	if list, ok := wordsOf[t.Name()]; ok && g.r.IntN(12) > 0 {
		return pick(g.r, list)
	}
	if list, ok := wordsOf[field]; ok && g.r.IntN(12) > 0 {
		return pick(g.r, list)
	}
	return pick(g.r, strangeWords)
}

var strangeWords = []string{
	"a", "vm-b", "example.com/a", "virtio", "none", "", "4Ki", "0-3", "<&\"'>", "a b", "ä", "/a/b", "../x", "02:00:00:00:00:01", "0000:00:02.0", "x,y=z",
	strings.Repeat("x", 300), "-1", "yes", "2001:db8::1", "a\tb", "a\nb",
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }
