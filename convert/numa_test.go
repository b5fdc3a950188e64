package convert

import "testing"

func TestNUMA(t *testing.T) {
	const (
		host     = "node: {cpuSet: '2-3,10-11', numa: [{id: 0, cpus: 0-7}, {id: 1, cpus: 8-15}, {id: 4, cpus: 16-23}]}"
		far      = "node: {cpuSet: '20,9', numa: [{id: 4, cpus: 16-23}, {id: 1, cpus: 8-15}]}"
		passthru = "numa: {guestMappingPassthrough: {}}"
		pages    = "memory: {guest: 1026Mi, hugepages: {pageSize: 2Mi}}\n    cpu: {" + dedicated + "sockets: 1, cores: 2, threads: 2, " + passthru + "}"
		tiny     = "memory: {guest: 4Mi, hugepages: {pageSize: 2Mi}}\n    cpu: {" + dedicated + "sockets: 1, cores: 2, " + passthru + "}"
	)
	runComputeRows(t, "cpu/numa", []computeRow{
		{pages, host, "cell/@id=0 cell/@cpus=0,1 cell/@memory=538968064 cell/@unit=b cell[2]/@id=1 cell[2]/@cpus=2,3 cell[2]/@memory=536870912 cell[2]/@unit=b",
			"513 pages on two cells: the first gets the odd one"},
		{tiny, far, "cell/@id=0 cell/@cpus=0 cell/@memory=2097152 cell/@unit=b cell[2]/@id=1 cell[2]/@cpus=1 cell[2]/@memory=2097152 cell[2]/@unit=b",
			"guest cells follow the order of the host's"},
		{"memory: {guest: 1Gi, hugepages: {pageSize: 1Gi}}\n    cpu: {dedicatedCpuPlacement: true, sockets: 1, maxSockets: 4, " + passthru + "}", host,
			"cell/@id=0 cell/@cpus=0 cell/@memory=1073741824 cell/@unit=b", "CPUs to be plugged in later belong to no cell"},
		{"memory: {guest: 1Gi, hugepages: {pageSize: 1Gi}}\n    cpu: {sockets: 1, maxSockets: 1, " + passthru + "}", host,
			"cell/@id=0 cell/@cpus=0-0 cell/@memory=1048576 cell/@unit=KiB", "without dedicated CPUs the guest sees nothing of the host's cells"},
	})
	runComputeRows(t, "numatune", []computeRow{
		{pages, host, "memory/@mode=strict memory/@nodeset=0,1 memnode/@cellid=0 memnode/@mode=strict memnode/@nodeset=0 memnode[2]/@cellid=1 memnode[2]/@mode=strict memnode[2]/@nodeset=1",
			"memory of each guest cell comes from its host cell"},
		{tiny, far, "memory/@mode=strict memory/@nodeset=4,1 memnode/@cellid=0 memnode/@mode=strict memnode/@nodeset=4 memnode[2]/@cellid=1 memnode[2]/@mode=strict memnode[2]/@nodeset=1",
			"host ids are the host's own"},
	})
	const backed = `hugepages/page/@size=2097152 hugepages/page/@unit=b hugepages/page/@nodeset=0
		hugepages/page[2]/@size=2097152 hugepages/page[2]/@unit=b hugepages/page[2]/@nodeset=1 `
	runComputeRows(t, "memoryBacking", []computeRow{
		{pages, host, backed + "source/@type=memfd allocation/@mode=immediate", "huge pages of each cell, all of them at once"},
		{tiny + "\n---\n" + annotated(memfdAnnotation, "false"), far, backed + "allocation/@mode=immediate", "also without a memfd"},
		{"memory: {guest: 4Mi, hugepages: {pageSize: 2Mi}}\n    cpu: {" + dedicated + "sockets: 1, cores: 2, realtime: {}, " + passthru + "}", far,
			backed[:len(backed)-1] + " nosharepages= source/@type=memfd allocation/@mode=immediate", "a realtime guest does not share pages"},
	})
}

func TestNUMARefusals(t *testing.T) {
	const (
		host = "node: {cpuSet: '2-3,10-11', numa: [{id: 0, cpus: 0-7}, {id: 1, cpus: 8-15}]}"
		cpus = "cpu: {" + dedicated + "sockets: 1, cores: 4, numa: {guestMappingPassthrough: {}}}"
	)
	runRefusals(t, []computeRow{
		{cpus, host, "spec.domain.memory.hugepages: a guest that sees host NUMA nodes needs huge pages, want a page size", "no huge pages"},
		{cpus + "\n    memory: {guest: 1Gi, hugepages: {pageSize: big}}", host,
			`spec.domain.memory.hugepages.pageSize: "big": want the size of a huge page, such as 2Mi or 1Gi`, "a size that is none"},
		{cpus + "\n    memory: {guest: 1Gi, hugepages: {pageSize: 1m}}", host,
			`spec.domain.memory.hugepages.pageSize: "1m": want the size of a huge page, such as 2Mi or 1Gi`, "a thousandth of a byte"},
		{cpus + "\n    memory: {guest: 1Gi, hugepages: {pageSize: 1Gi}}", host,
			`spec.domain.memory.guest: "1Gi": too little memory for one huge page of 1Gi on each of 2 NUMA nodes`, "a page for two cells"},
		{cpus + "\n    memory: {guest: 1027Mi, hugepages: {pageSize: 2Mi}}", host,
			`spec.domain.memory.guest: "1027Mi": memory has to be divisible by the size of its huge pages, 2Mi`, "half a page"},
		{"cpu: {" + dedicated + "sockets: 1, cores: 1, threads: 2, numa: {guestMappingPassthrough: {}}}\n    memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}",
			"node: {cpuSet: '7,8', numa: [{id: 0, cpus: 0-7}, {id: 1, cpus: 8-15}]}",
			"spec.domain.cpu.numa.guestMappingPassthrough: 1 of 1 guest cores cannot be placed on the pod's CPUs (7,8) without one of them spanning host NUMA nodes",
			"a core across two cells"},
		{"cpu: {" + dedicated + "sockets: 1, cores: 3, numa: {guestMappingPassthrough: {}}}\n    memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}",
			"node: {cpuSet: '7,8', numa: [{id: 0, cpus: 0-7}, {id: 1, cpus: 8-15}]}",
			`context.node.cpuSet: "7,8": the pod has too few exclusive CPUs, 2: 1 of 3 guest cores of 1 threads are left without a place, want 3 CPUs`,
			"too few CPUs is another matter"},
		{"cpu: {" + dedicated + "sockets: 1, cores: 2, numa: {guestMappingPassthrough: {}}}\n    memory: {guest: 1Gi, hugepages: {pageSize: 2Mi}}",
			"node: {cpuSet: '1,9', siblings: ['1,9'], numa: [{id: 0, cpus: 0-7}]}",
			"context.node.numa: vCPU 1 is pinned to CPU 9, which belongs to no NUMA cell", "a sibling that no cell has"},
		{cpus + "\n    memory: {guest: 1Gi}", "node: {cpuSet: '2', numa: [{cpus: 0-7}]}",
			`context.node.cpuSet: "2": the pod has too few exclusive CPUs, 1: 3 of 4 guest cores of 1 threads are left without a place, want 4 CPUs
spec.domain.memory.hugepages: a guest that sees host NUMA nodes needs huge pages, want a page size`, "two obstacles, both told"},
	})
}
