package convert

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/api/resource"
	v1 "kubevirt.io/api/core/v1"
)

// randomStorage is a VMI of disks that can be converted more often than not.
func randomStorage(r *rand.Rand) (*v1.VirtualMachineInstance, Context) {
	vmi := &v1.VirtualMachineInstance{}
	vmi.Name, vmi.Namespace = "vm-a", "shop"
	guest := resource.MustParse("1Gi")
	vmi.Spec.Domain.Memory = &v1.Memory{Guest: &guest}
	ctx := Context{Volumes: map[string]VolumeFacts{}}
	ctx.Node.Architecture = []string{"amd64", "arm64", "s390x"}[r.Intn(3)]
	if r.Intn(2) == 0 {
		policy := []v1.IOThreadsPolicy{v1.IOThreadsPolicyShared, v1.IOThreadsPolicyAuto, v1.IOThreadsPolicySupplementalPool}[r.Intn(3)]
		vmi.Spec.Domain.IOThreadsPolicy = &policy
		threads := uint32(1 + r.Intn(4))
		vmi.Spec.Domain.IOThreads = &v1.DiskIOThreads{SupplementalPoolThreadCount: &threads}
	}
	for i := range r.Intn(40) {
		randomDisk(r, vmi, &ctx, fmt.Sprintf("disk-%d", i))
	}
	return vmi, ctx
}

func randomDisk(r *rand.Rand, vmi *v1.VirtualMachineInstance, ctx *Context, name string) {
	maybe := func(n int) bool { return r.Intn(n) == 0 }
	bus := []v1.DiskBus{"virtio", "scsi", "virtio", "scsi", "sata", "usb"}[r.Intn(6)]
	if ctx.Node.Architecture != "amd64" && (bus == "sata" || bus == "usb") {
		bus = "scsi"
	}
	disk := v1.Disk{Name: name}
	claim := &v1.PersistentVolumeClaimVolumeSource{}
	source := []v1.VolumeSource{{PersistentVolumeClaim: claim}, {DataVolume: &v1.DataVolumeSource{Name: "d"}},
		{ContainerDisk: &v1.ContainerDiskSource{}}, {Ephemeral: &v1.EphemeralVolumeSource{}}, {ConfigMap: &v1.ConfigMapVolumeSource{}},
		{EmptyDisk: &v1.EmptyDiskSource{Capacity: resource.MustParse("1Gi")}}}[r.Intn(6)]
	switch r.Intn(6) {
	case 0:
		disk.CDRom = &v1.CDRomTarget{Bus: bus}
	case 1:
		disk.LUN = &v1.LunTarget{Bus: bus, Reservation: maybe(2)}
		source = v1.VolumeSource{PersistentVolumeClaim: claim}
	default:
		disk.Disk = &v1.DiskTarget{Bus: bus}
	}
	dedicated := maybe(4)
	disk.DedicatedIOThread = &dedicated
	facts := VolumeFacts{Format: "raw", Mode: []string{"", "Block", "Filesystem"}[r.Intn(3)], Preallocated: maybe(3), Allocated: maybe(2)}
	if maybe(2) {
		direct := maybe(2)
		facts.DirectIO, facts.BaseDirectIO = &direct, &direct
	}
	if maybe(6) {
		facts.ChangedBlockTracking = "/srv/" + name + ".qcow2"
	}
	if disk.LUN != nil {
		facts.Mode, facts.ChangedBlockTracking = "Block", ""
	}
	ctx.Volumes[name] = facts
	vmi.Spec.Domain.Devices.Disks = append(vmi.Spec.Domain.Devices.Disks, disk)
	if disk.CDRom == nil || !maybe(4) {
		vmi.Spec.Volumes = append(vmi.Spec.Volumes, v1.Volume{Name: name, VolumeSource: source})
	}
	if maybe(3) {
		return
	}
	status := v1.VolumeStatus{Name: name}
	if (source.PersistentVolumeClaim != nil || source.DataVolume != nil) && maybe(2) {
		status.HotplugVolume = &v1.HotplugVolumeStatus{}
		status.Phase = []v1.VolumePhase{v1.HotplugVolumeMounted, v1.VolumeReady, v1.VolumeBound}[r.Intn(3)]
	}
	if prefix, _ := targetPrefix(string(bus)); maybe(4) {
		status.Target = targetName(prefix, r.Intn(60))
	}
	vmi.Status.VolumeStatus = append(vmi.Status.VolumeStatus, status)
}

func FuzzStorage(f *testing.F) {
	for seed := range int64(16) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) { checkStorage(t, seed) })
}

// TestStorageInvariants runs some of the fuzzer's inputs in every test run.
func TestStorageInvariants(t *testing.T) {
	converted := 0
	for seed := range int64(150) {
		if checkStorage(t, seed) {
			converted++
		}
	}
	assert.Greater(t, converted, 75, "most of the VMIs have to be good ones to show anything")
}

// checkStorage holds the disks of a random VMI to what no guest can do without.
func checkStorage(t *testing.T, seed int64) (converted bool) {
	t.Helper()
	vmi, ctx := randomStorage(rand.New(rand.NewSource(seed)))
	e, err := Explain(vmi, ctx)
	if err != nil {
		assert.Contains(t, err.Error(), "have this name", "seed %d: nothing else is wrong with these", seed)
		return false
	}
	devs, units := map[string]bool{}, map[uint]bool{}
	for i := range e.Domain.Devices.Disks {
		d := &e.Domain.Devices.Disks[i]
		assert.False(t, devs[d.Target.Dev], "seed %d: %s twice", seed, d.Target.Dev)
		devs[d.Target.Dev] = true
		if d.Address != nil && d.Address.Drive != nil {
			assert.False(t, units[*d.Address.Drive.Unit], "seed %d: unit %d twice", seed, *d.Address.Drive.Unit)
			units[*d.Address.Drive.Unit] = true
		}
		if thread := d.Driver.IOThread; thread != nil {
			assert.True(t, 1 <= *thread && *thread <= e.Domain.IOThreads, "seed %d: thread %d of %d", seed, *thread, e.Domain.IOThreads)
		}
		alone, err := Disk(vmi, ctx, d.Alias.Name[len(userAlias):])
		require.NoError(t, err, "seed %d", seed)
		assert.True(t, reflect.DeepEqual(d, alone), "seed %d: %s is another disk when it comes alone", seed, d.Alias.Name)
	}
	return true
}
