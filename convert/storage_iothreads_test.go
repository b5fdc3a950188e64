package convert

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// threadsOf writes disks as D (a thread of its own) or a (none), with the bus behind
// a colon, and reads back the threads: those of the pool as 1-N.
func threadsOf(t *testing.T, domain, disks string) (total string, ids string) {
	t.Helper()
	var d, v strings.Builder
	for i, f := range strings.Fields(disks) {
		kind, bus, found := strings.Cut(f, ":")
		if !found {
			bus = "virtio"
		}
		fmt.Fprintf(&d, "{name: d%d, disk: {bus: %s}, dedicatedIOThread: %v}, ", i, bus, kind == "D")
		fmt.Fprintf(&v, "{name: d%d, persistentVolumeClaim: {claimName: c}}, ", i)
	}
	s := testState(t, "metadata: {name: vm-a, namespace: shop}\nspec: {domain: {"+domain+" devices: {disks: ["+d.String()+"]}}, volumes: ["+v.String()+"]}", "")
	s.ioThreadCount()
	s.disks()
	assert.Empty(t, s.problems)
	var list []string
	for _, disk := range s.dom.Devices.Disks {
		switch driver := disk.Driver; {
		case driver.IOThreads != nil:
			list = append(list, "1-"+strconv.Itoa(len(driver.IOThreads.IOThread)))
		case driver.IOThread != nil:
			list = append(list, strconv.Itoa(int(*driver.IOThread)))
		default:
			list = append(list, "-")
		}
	}
	return strconv.Itoa(int(s.dom.IOThreads)), strings.Join(list, " ")
}

func TestIOThreads(t *testing.T) {
	cpus := func(n string) string { return "resources: {requests: {cpu: '" + n + "'}}, " }
	const auto, shared = "ioThreadsPolicy: auto, ", "ioThreadsPolicy: shared, "
	for _, c := range []struct{ reason, domain, disks, total, ids string }{
		{"nobody asks for threads", "", "a a", "0", "- -"},
		{"one disk of its own needs no shared thread", "", "D", "1", "1"},
		{"more threads than the limit of one leave a shared one idle", "", "D D", "3", "2 3"},
		{"a SATA disk counts, and has none", "", "D a a:sata", "2", "2 1 -"},
		{"all others share one", shared, "D a a a", "2", "2 1 1 1"},
		{"one disk, one thread", shared, "a", "1", "1"},
		{"no CPU request counts as one CPU, two threads", auto, "a a a", "2", "1 2 1"},
		{"two threads at most, one of them shared", auto + cpus("1"), "D a a a a a a", "2", "2 1 1 1 1 1 1"},
		{"four threads for two CPUs", auto + cpus("2"), "D a a a a a a", "4", "4 1 2 3 1 2 3"},
		{"six threads for three CPUs", auto + cpus("3"), "D a a a a a a", "6", "6 1 2 3 4 5 1"},
		{"eight are allowed, seven are enough", auto + cpus("4"), "D a a a a a a", "7", "7 1 2 3 4 5 6"},
		{"at least one shared thread beside those of their own", auto + cpus("1"), "D D a a a a", "3", "2 3 1 1 1 1"},
		{"parts of a CPU are rounded up", auto + cpus("100m"), "a a a", "2", "1 2 1"},
		{"CPUs of the topology do not count", auto + "cpu: {cores: 8}, ", "a a a", "2", "1 2 1"},
		{"the CPU limit counts", auto + "resources: {limits: {cpu: '2'}}, ", "a a a a a", "4", "1 2 3 4 1"},
		{"threads run beside the isolated emulator", auto + cpus("8") + "cpu: {dedicatedCpuPlacement: true, isolateEmulatorThread: true}, ", "a a D", "2", "1 1 2"},
		{"isolation without dedicated CPUs changes nothing", auto + cpus("2") + "cpu: {isolateEmulatorThread: true}, ", "a a D", "3", "1 2 3"},
		{"the pool serves all, whatever they ask for", "ioThreadsPolicy: supplementalPool, ioThreads: {supplementalPoolThreadCount: 4}, ", "D a", "4", "1-4 1-4"},
		{"the pool serves virtio disks alone", "ioThreadsPolicy: supplementalPool, ioThreads: {supplementalPoolThreadCount: 2}, ", "a a:scsi", "2", "1-2 -"},
		{"a SCSI disk of its own moves no counter", "", "D D D:scsi a", "4", "2 3 - 1"},
		{"a policy without disks needs no threads", shared, "", "0", ""},
		{"an unknown policy allows no threads, and gets one", "ioThreadsPolicy: other, ", "a a", "1", "1 1"},
	} {
		total, ids := threadsOf(t, c.domain, c.disks)
		assert.Equal(t, c.total, total, c.reason)
		assert.Equal(t, c.ids, ids, c.reason)
	}
}

func TestIOThreadPlan(t *testing.T) {
	for _, c := range []struct {
		reason, disks string
		shared        int
	}{
		{"the SCSI controller may use the shared thread", "{name: a, dedicatedIOThread: true, disk: {bus: scsi}}, {name: b, disk: {bus: virtio}}", 1},
		{"no shared thread is left", "{name: a, dedicatedIOThread: true, disk: {bus: scsi}}", 0},
	} {
		s := testState(t, "spec: {domain: {devices: {disks: ["+c.disks+"]}}}", "")
		assert.Equal(t, c.shared, s.ioThreads().shared, c.reason)
	}
}

func TestIOThreadsOfHotplugFollowTheVMI(t *testing.T) {
	vmi := `metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    ioThreadsPolicy: shared
    devices: {disks: [{name: root, dedicatedIOThread: true, disk: {bus: virtio}}, {name: late, disk: {bus: virtio}}, {name: data, dedicatedIOThread: true, disk: {bus: virtio}}]}
  volumes: [{name: root, emptyDisk: {capacity: 1Gi}}, {name: late, persistentVolumeClaim: {claimName: c, hotpluggable: true}}, {name: data, emptyDisk: {capacity: 1Gi}}]
status: {volumeStatus: [{name: root, target: vda}, {name: data, target: vdc}, {name: late, phase: Bound, hotplugVolume: {}, target: ""}]}`
	s := testState(t, vmi, "")
	s.disks()
	assert.Len(t, s.dom.Devices.Disks, 2)
	assert.EqualValues(t, 3, *s.dom.Devices.Disks[1].Driver.IOThread, "a disk that is not there yet has its thread")
}
