package convert

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
)

func TestTargetNames(t *testing.T) {
	for _, c := range []struct {
		i      int
		want   string
		reason string
	}{
		{0, "sda", "the first"},
		{25, "sdz", "the last of one letter"},
		{26, "sdaa", "the first of two"},
		{51, "sdaz", "two letters count like digits"},
		{52, "sdba", "carry"},
		{675, "sdyz", "near the end of two letters"},
		{676, "sdza", "carry"},
		{701, "sdzz", "the last of two letters"},
		{702, "sdaaa", "the first of three"},
		{maxTargets - 1, "sdyyz", "the last that is tried"},
	} {
		assert.Equal(t, c.want, targetName("sd", c.i), c.reason)
		i, ok := targetIndex("sd", c.want)
		assert.True(t, ok, c.reason)
		assert.Equal(t, c.i, i, c.reason)
	}
	for name, reason := range map[string]string{
		"vda": "another prefix", "sd": "no letters", "sdA": "no capitals", "sda1": "a partition",
		"sdyza": "behind the last", "sdaaaaaaaaaaaaaaaaaaaa": "would overflow", "": "nothing",
	} {
		_, ok := targetIndex("sd", name)
		assert.False(t, ok, reason)
	}
}

// planOf gives disks written as "name bus" or "name bus kind" their names.
func planOf(t *testing.T, status string, disks ...string) *storagePlan {
	t.Helper()
	var b strings.Builder
	b.WriteString("metadata: {name: vm-a, namespace: shop}\nspec: {domain: {devices: {disks: [")
	for _, d := range disks {
		f := append(strings.Fields(d), "disk")
		b.WriteString("{name: " + f[0] + ", " + f[2] + ": {bus: " + f[1] + "}}, ")
	}
	b.WriteString("]}}}\nstatus: {volumeStatus: [" + status + "]}")
	return testState(t, b.String(), "").storage()
}

func targetsOf(p *storagePlan) []string {
	var list []string
	for _, d := range p.disks {
		list = append(list, d.target.dev+" "+strconv.Itoa(d.target.index))
	}
	return list
}

func TestTargets(t *testing.T) {
	for _, c := range []struct {
		reason string
		status string
		disks  []string
		want   []string
	}{
		{"sata, scsi and usb share a sequence, virtio has its own", "",
			[]string{"a scsi", "b virtio", "c sata cdrom", "d usb", "e virtio lun"},
			[]string{"sda 0", "vda 0", "sdb 1", "sdc 2", "vdb 1"}},
		{"new disks fill the gaps between pinned ones, those later in the list too",
			"{name: boot, target: sda}, {name: cd, target: sdc}, {name: seed, target: sdd}",
			[]string{"boot scsi", "new scsi", "cd scsi", "seed scsi", "newer scsi"},
			[]string{"sda 0", "sdb 1", "sdc 2", "sdd 3", "sde 4"}},
		{"a pin outside the prefix counts as the first and is not kept from the other prefix",
			"{name: odd, target: vda}",
			[]string{"odd sata", "root virtio"},
			[]string{"vda 0", "vda 0"}},
		{"the name of a volume that was there from the start and has no disk any more is free",
			"{name: gone, target: vda}",
			[]string{"root virtio"},
			[]string{"vda 0"}},
		{"the name of a hotplugged volume is kept until the guest has let go of it",
			"{name: gone, target: vda, phase: Detaching, hotplugVolume: {}}",
			[]string{"root virtio"},
			[]string{"vdb 1"}},
		{"an empty CD-ROM takes its name by position", "{name: tray, target: ''}",
			[]string{"x sata", "tray sata cdrom", "y sata"},
			[]string{"sda 0", "sdb 1", "sdc 2"}},
		{"a disk without a known bus takes no name from others", "",
			[]string{"a ide", "b virtio"},
			[]string{" 0", "vda 0"}},
	} {
		if diff := cmp.Diff(c.want, targetsOf(planOf(t, c.status, c.disks...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

func TestTargetsRunOut(t *testing.T) {
	next := maxTargets - 1
	assert.Equal(t, target{dev: "sdyyz", index: maxTargets - 1, same: -1}, lowestFree("sd", &next, nil))
	assert.Equal(t, target{same: -1}, lowestFree("sd", &next, nil), "there is no name behind sdyyz")
}
