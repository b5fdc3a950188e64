package convert

import "testing"

func TestTopology(t *testing.T) {
	runComputeRows(t, "cpu/topology", []computeRow{
		{"cpu: {sockets: 2, cores: 4, threads: 2, maxSockets: 2}", "", "@sockets=2 @cores=4 @threads=2", "the topology given"},
		{"cpu: {cores: 3}", "", "@sockets=1 @cores=3 @threads=1", "what a partial topology leaves out is one"},
		{"cpu: {sockets: 2}", "", "@sockets=8 @cores=1 @threads=1", "defaulting makes room for four times the sockets"},
		{"cpu: {sockets: 2}", "cluster: {vmRolloutStrategy: Stage}", "@sockets=2 @cores=1 @threads=1", "no room without live updates"},
		{"cpu: {sockets: 2, maxSockets: 6}", "node: {architecture: s390x}", "@sockets=6 @cores=1 @threads=1", "sockets can be plugged in on s390x"},
		{"cpu: {sockets: 2, maxSockets: 6}", "node: {architecture: arm64}", "@sockets=2 @cores=1 @threads=1", "but not on arm64"},
		{"resources: {limits: {cpu: 2500m}}", "cluster: {vmRolloutStrategy: Stage}", "@sockets=3 @cores=1 @threads=1", "a limit is rounded up"},
		{"resources: {limits: {cpu: 4}, requests: {cpu: 2}}", "cluster: {vmRolloutStrategy: Stage}", "@sockets=4 @cores=1 @threads=1", "the limit goes before the request"},
		{"resources: {requests: {cpu: 0}}", "cluster: {vmRolloutStrategy: Stage}", "@sockets=1 @cores=1 @threads=1", "no guest without a CPU"},
		{"cpu: {maxSockets: 3}", "", "@sockets=3 @cores=1 @threads=1", "room alone is enough for hotplug"},
	})
	runComputeRows(t, "vcpu", []computeRow{
		{"cpu: {sockets: 2, cores: 3, threads: 2}", "cluster: {vmRolloutStrategy: Stage}", "@placement=static =12", "sockets times cores times threads"},
		{"cpu: {sockets: 200, cores: 2, threads: 1}", "", "@placement=static =512", "defaulting stops at 512 CPUs"},
	})
}

func TestVCPUList(t *testing.T) {
	runComputeRows(t, "vcpus", []computeRow{
		{"cpu: {sockets: 1, cores: 2, maxSockets: 2}", "", `
			vcpu/@id=0 vcpu/@enabled=yes vcpu/@hotpluggable=no
			vcpu[2]/@id=1 vcpu[2]/@enabled=yes vcpu[2]/@hotpluggable=no
			vcpu[3]/@id=2 vcpu[3]/@enabled=no vcpu[3]/@hotpluggable=yes
			vcpu[4]/@id=3 vcpu[4]/@enabled=no vcpu[4]/@hotpluggable=yes`, "the first socket stays, the second may come"},
		{"cpu: {sockets: 2, maxSockets: 2}", "", `
			vcpu/@id=0 vcpu/@enabled=yes vcpu/@hotpluggable=no
			vcpu[2]/@id=1 vcpu[2]/@enabled=yes vcpu[2]/@hotpluggable=yes`, "the list is there even when nothing can be added"},
		{"cpu: {sockets: 2, maxSockets: 1}", "", "vcpu/@id=0 vcpu/@enabled=yes vcpu/@hotpluggable=no", "fewer sockets than asked for"},
		{"cpu: {sockets: 2, cores: 1, threads: 1}", "node: {architecture: arm64}", "", "none on arm64"},
	})
}

func TestTooManyCPUs(t *testing.T) {
	const want = "spec.domain.cpu: 4294967295 sockets of 4294967295 cores of 4294967295 threads are too many CPUs, libvirt takes 16384"
	runRefusals(t, []computeRow{
		{"cpu: {sockets: 4294967295, cores: 4294967295, threads: 4294967295}", "", want, "a product beyond 64 bits is no small number"},
		{"cpu: {sockets: 4294967295, cores: 4294967295, threads: 4294967295, dedicatedCpuPlacement: true}",
			"node: {cpuSet: 0-3, numa: [{cpus: 0-3}]}", want, "and is told once, also with dedicated CPUs"},
		{"cpu: {sockets: 1, maxSockets: 20000}", "", "spec.domain.cpu: 20000 sockets of 1 cores of 1 threads are too many CPUs, libvirt takes 16384",
			"room for hotplug counts as well"},
	})
}

func TestCPUModel(t *testing.T) {
	const plain = "topology/@sockets=1 topology/@cores=1 topology/@threads=1"
	context := func(arch string) string {
		return "{node: {architecture: " + arch + "}, cluster: {vmRolloutStrategy: Stage}}"
	}
	runComputeRows(t, "cpu", []computeRow{
		{"cpu: {model: host-passthrough}", context("amd64"), "@mode=host-passthrough " + plain, "the host's CPU as it is"},
		{"cpu: {}", context("s390x"), "@mode=host-model " + plain, "a CPU like the host's where none is named"},
		{"cpu: {}", context("arm64"), "@mode=host-passthrough " + plain, "the host's own on arm64"},
		{"cpu: {model: Skylake-Server}", context("amd64"),
			"@mode=custom model=Skylake-Server " + plain + " feature/@policy=disable feature/@name=mpx", "MPX is gone from hosts but not from models"},
		{"cpu: {model: Skylake-Server, features: [{name: mpx, policy: optional}]}", context("amd64"),
			"@mode=custom model=Skylake-Server " + plain + " feature/@policy=optional feature/@name=mpx", "unless the VMI decides about it"},
		{"cpu: {model: z14}", context("s390x"), "@mode=custom model=z14 " + plain, "there is no MPX elsewhere"},
		{"cpu: {model: host-model, features: [{name: b}, {name: a, policy: forbid}, {name: b, policy: force}]}", context("amd64"),
			"@mode=host-model " + plain + ` feature/@policy=require feature/@name=b feature[2]/@policy=forbid feature[2]/@name=a
			feature[3]/@policy=force feature[3]/@name=b`, "features keep order and repetition; one without a policy is required"},
	})
}
