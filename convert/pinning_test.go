package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	ourHost    = "node: {cpuSet: 4-8, siblings: ['4,6', '5,7', '8,9'], numa: [{id: 0, cpus: 0-15}]}"
	wholeHost  = "node: {cpuSet: 4-9, siblings: ['4,6', '5,7', '8,9'], numa: [{id: 0, cpus: 0-15}]}"
	plainHost  = "node: {cpuSet: '8-11', numa: [{id: 0, cpus: 0-15}]}"
	evenParity = "\n---\n" + `metadata: {namespace: shop, name: vm-a, annotations: {alpha.kubevirt.io/EmulatorThreadCompleteToEvenParity: ""}}`
	dedicated  = "dedicatedCpuPlacement: true, maxSockets: 1, "
)

// Three disks, two of them with an I/O thread of their own, or just one.
const (
	threeDisks  = "\n    devices: {autoattachPodInterface: false, disks: [{name: a, disk: {bus: virtio}}, {name: b, disk: {bus: virtio}, dedicatedIOThread: true}, {name: c, disk: {bus: scsi}, dedicatedIOThread: true}]}"
	threeClaims = "\nspec:\n  volumes: [{name: a, persistentVolumeClaim: {claimName: a}}, {name: b, persistentVolumeClaim: {claimName: b}}, {name: c, persistentVolumeClaim: {claimName: c}}]"
	oneDisk     = "\n    devices: {autoattachPodInterface: false, disks: [{name: a, disk: {bus: virtio}}]}"
	oneClaim    = "\nspec:\n  volumes: [{name: a, persistentVolumeClaim: {claimName: a}}]"
)

func TestPinning(t *testing.T) {
	const (
		oneCore = "cpu: {" + dedicated + "sockets: 1, cores: 1, threads: 2, isolateEmulatorThread: true}"
		four    = "cpu: {" + dedicated + "sockets: 1, cores: 4}"
		vcpus2  = "vcpupin/@vcpu=0 vcpupin/@cpuset=4 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=6 "
		vcpus4  = `vcpupin/@vcpu=0 vcpupin/@cpuset=8 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=9
			vcpupin[3]/@vcpu=2 vcpupin[3]/@cpuset=10 vcpupin[4]/@vcpu=3 vcpupin[4]/@cpuset=11 `
		pool = "\n    ioThreadsPolicy: supplementalPool\n    ioThreads: {supplementalPoolThreadCount: "
	)
	runComputeRows(t, "cputune", []computeRow{
		{"cpu: {sockets: 2, cores: 2}", plainHost, "", "nothing is pinned without dedicated CPUs"},
		{four, plainHost, vcpus4, "a CPU for each vCPU"},
		{oneCore + pool + "1}" + evenParity, ourHost, vcpus2 + "emulatorpin/@cpuset=5 iothreadpin/@iothread=1 iothreadpin/@cpuset=8",
			"three CPUs are pinned, so one for the emulator makes them even"},
		{oneCore + pool + "2}" + evenParity, wholeHost, vcpus2 + `emulatorpin/@cpuset=8,9
			iothreadpin/@iothread=1 iothreadpin/@cpuset=5 iothreadpin[2]/@iothread=2 iothreadpin[2]/@cpuset=7`,
			"four are pinned, so the emulator gets two"},
		{oneCore + pool + "2}", wholeHost, vcpus2 + `emulatorpin/@cpuset=8
			iothreadpin/@iothread=1 iothreadpin/@cpuset=5 iothreadpin[2]/@iothread=2 iothreadpin[2]/@cpuset=7`,
			"one without the annotation"},
		{"cpu: {dedicatedCpuPlacement: true, sockets: 2, maxSockets: 4}", plainHost,
			"vcpupin/@vcpu=0 vcpupin/@cpuset=8 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=9", "CPUs to be plugged in later have no pin"},
		{"cpu: {dedicatedCpuPlacement: true, sockets: 2, maxSockets: 1}", plainHost,
			"vcpupin/@vcpu=0 vcpupin/@cpuset=8", "nor have sockets that can never be"},
		{four + "\n    ioThreadsPolicy: auto\n    resources: {requests: {cpu: 4}, limits: {cpu: 4}}" + threeDisks + "\n---" + threeClaims, plainHost,
			vcpus4 + "iothreadpin/@iothread=1 iothreadpin/@cpuset=8,9 iothreadpin[2]/@iothread=2 iothreadpin[2]/@cpuset=10 iothreadpin[3]/@iothread=3 iothreadpin[3]/@cpuset=11",
			"I/O threads share the CPUs, the first of them get more"},
		{"cpu: {" + dedicated + "sockets: 1, cores: 2}\n    ioThreadsPolicy: auto\n    resources: {requests: {cpu: 4}, limits: {cpu: 4}}" + threeDisks + "\n---" + threeClaims, plainHost,
			`vcpupin/@vcpu=0 vcpupin/@cpuset=8 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=9
			iothreadpin/@iothread=1 iothreadpin/@cpuset=9 iothreadpin[2]/@iothread=2 iothreadpin[2]/@cpuset=8 iothreadpin[3]/@iothread=3 iothreadpin[3]/@cpuset=9`,
			"more I/O threads than CPUs are counted round"},
		{"cpu: {" + dedicated + "sockets: 1, cores: 3, isolateEmulatorThread: true}\n    ioThreadsPolicy: auto" + threeDisks + "\n---" + threeClaims, plainHost,
			`vcpupin/@vcpu=0 vcpupin/@cpuset=8 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=9 vcpupin[3]/@vcpu=2 vcpupin[3]/@cpuset=10
			emulatorpin/@cpuset=11 iothreadpin/@iothread=1 iothreadpin/@cpuset=11`,
			"beside an isolated emulator thread only the first I/O thread is pinned, as upstream does it"},
		{four + "\n    ioThreadsPolicy: shared" + oneDisk + "\n---" + oneClaim, plainHost,
			vcpus4 + "iothreadpin/@iothread=1 iothreadpin/@cpuset=8,9,10,11", "one shared I/O thread has all of them"},
		{four + "\n    ioThreadsPolicy: shared", plainHost, vcpus4, "without a disk there is no I/O thread to pin, which upstream takes for an error"},
	})
	runComputeRows(t, "features/kvm", []computeRow{
		{four, plainHost, "hint-dedicated/@state=on", "the guest is told that its CPUs are its own"},
		{"features: {kvm: {hidden: true}}\n    " + four, plainHost, "hidden/@state=on hint-dedicated/@state=on", "beside what it may know of KVM"},
		{four, "node: {architecture: s390x, cpuSet: 8-11, numa: [{cpus: 0-15}]}", "", "on amd64 only"},
	})
	runComputeRows(t, "features/pmu", []computeRow{
		{"cpu: {" + dedicated + "sockets: 1, realtime: {}}", plainHost, "@state=off", "a realtime guest has no performance counters"},
		{"cpu: {realtime: {mask: 0-1}}", plainHost, "", "which it is with dedicated CPUs only"},
	})
}

func TestPinningRefusals(t *testing.T) {
	const four = "cpu: {" + dedicated + "sockets: 1, cores: 4}"
	runRefusals(t, []computeRow{
		{four, "", `context.node.cpuSet: dedicated CPUs are asked for, want the CPUs that are the pod's own
context.node.numa: dedicated CPUs are asked for, want the host's NUMA cells with their CPUs`, "nothing known of the host, and both told"},
		{four, "node: {cpuSet: 0-1, numa: [{cpus: 0-7}]}",
			`context.node.cpuSet: "0-1": the pod has too few exclusive CPUs, 2: 2 of 4 guest cores of 1 threads are left without a place, want 4 CPUs`, "too few CPUs, with both counts"},
		{"cpu: {" + dedicated + "cores: 2, threads: 2}", "node: {cpuSet: 0-2, numa: [{cpus: 0-7}]}",
			`context.node.cpuSet: "0-2": the pod has too few exclusive CPUs, 3: 1 of 2 guest cores of 2 threads are left without a place, want 4 CPUs`,
			"three CPUs are no two cores of two threads, though upstream starts with three pins"},
		{"cpu: {" + dedicated + "cores: 2, isolateEmulatorThread: true}", "node: {cpuSet: 0-1, numa: [{cpus: 0-7}]}",
			`context.node.cpuSet: "0-1": no CPU is left for the emulator thread`, "none for the emulator"},
		{"cpu: {" + dedicated + "cores: 2, isolateEmulatorThread: true}" + evenParity, "node: {cpuSet: 0-2, numa: [{cpus: 0-7}]}",
			`context.node.cpuSet: "0-2": no CPU is left for the second CPU of the emulator thread, which makes the number of CPUs even`, "none for its second"},
		{"cpu: {" + dedicated + "cores: 2, isolateEmulatorThread: true}\n    ioThreadsPolicy: supplementalPool\n    ioThreads: {supplementalPoolThreadCount: 2}",
			"node: {cpuSet: 0-2, numa: [{cpus: 0-7}]}", `context.node.cpuSet: "0-2": no CPU is left for I/O thread 2 of 2
context.node.cpuSet: "0-2": no CPU is left for the emulator thread`, "none for a thread of the pool, nor for the emulator"},
		{four, "node: {cpuSet: 0-x, numa: [{cpus: 0-7}]}", `context.node.cpuSet: "0-x": "x" is not a CPU id, want a number from 0 to 16383`, "no CPU list"},
		{four, "node: {cpuSet: 0-3, siblings: ['0,1', '1,2'], numa: [{id: 1, cpus: 0-7}, {id: 1, cpus: 8-9}]}",
			`context.node.numa[1].id: "1": want a number from 0 to 1023 that no other cell has
context.node.siblings[1]: "1,2": CPU 1 is a part of another core already`, "a host that cannot be"},
		{four, "node: {cpuSet: 0-3, numa: [{id: 0, cpus: 0-7}, {id: 1, cpus: 7-9}]}",
			`context.node.numa[1].cpus: "7-9": CPU 7 belongs to cell 0 already`, "a CPU in two cells"},
	})
}

// TestSiblingRanges: upstream drops ranges such as "0-1" and takes the threads for
// cores of their own.
func TestSiblingRanges(t *testing.T) {
	runComputeRows(t, "cputune", []computeRow{
		{"cpu: {" + dedicated + "cores: 1, threads: 2}", "node: {cpuSet: '0,2-3', siblings: [0-1, 2-3], numa: [{cpus: 0-7}]}",
			"vcpupin/@vcpu=0 vcpupin/@cpuset=2 vcpupin[2]/@vcpu=1 vcpupin[2]/@cpuset=3", "siblings written as a range share a core"},
	})
}

func TestSpreadThreads(t *testing.T) {
	tests := []struct {
		threads int
		cpus    string
		want    []string
		reason  string
	}{
		{3, "8-11", []string{"8,9", "10", "11"}, "the first run gets what is over"},
		{2, "8-11", []string{"8,9", "10,11"}, "equal runs"},
		{1, "3,1,2", []string{"3,1,2"}, "one thread has all, in the order of the cpuset"},
		{4, "8-11", []string{"9", "10", "11", "8"}, "as many threads as CPUs: thread t on CPU t, counted round"},
		{5, "8-9", []string{"9", "8", "9", "8", "9"}, "more threads than CPUs"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			var got []string
			for _, cpus := range spreadThreads(tt.threads, cpuList(t, tt.cpus)) {
				got = append(got, formatCPUs(cpus))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("shares (-want +got):\n%s", diff)
			}
		})
	}
}
