package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// hostOf builds a host from CPU lists, one per cell, and sibling lists.
func hostOf(t *testing.T, cells []string, siblings ...string) hostCPUs {
	t.Helper()
	host := hostCPUs{siblings: make(map[int][]int)}
	for i, text := range cells {
		host.cells = append(host.cells, hostCell{id: i, cpus: cpuList(t, text)})
	}
	for _, text := range siblings {
		core := cpuList(t, text)
		for _, id := range core {
			host.siblings[id] = core
		}
	}
	return host
}

func cpuList(t *testing.T, text string) []int {
	t.Helper()
	ids, err := parseCPUList(text)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestPoolGuestCores(t *testing.T) {
	var (
		pairs    = []string{"0,8", "1,9", "2,10", "3,11"}
		oneCell  = []string{"0-15"}
		twoCells = []string{"0-3", "4-7"}
	)
	tests := []struct {
		cells    []string
		siblings []string
		owned    string
		threads  int
		cores    int
		strict   bool
		want     string
		unplaced int
		reason   string
	}{
		{oneCell, nil, "4-5", 1, 2, false, "4,5", 0, "without siblings every CPU is a core"},
		{oneCell, pairs, "0-1,8-9", 2, 2, false, "0,8,1,9", 0, "the threads of a guest core share a host core"},
		{oneCell, pairs, "0,1,9", 1, 3, false, "0,1,9", 0, "single-threaded guest cores use up a host core before the next"},
		{oneCell, pairs, "0-2,9", 2, 2, false, "1,9,0,2", 0, "the whole core first, then two halves of one cell"},
		{oneCell, []string{"0,1,2,3"}, "0-3", 2, 2, false, "0,1,2,3", 0, "a core with enough threads left serves again"},
		{oneCell, []string{"0,1,2", "3,4,5"}, "0-5", 2, 3, false, "0,1,3,4,2,5", 0, "what is left of used cores makes one more"},
		{twoCells, nil, "3-4", 2, 1, false, "3,4", 0, "a guest core may span cells as the last resort"},
		{twoCells, nil, "3-4", 2, 1, true, "", 1, "not if the guest is to see the host's cells"},
		{twoCells, nil, "2-5", 1, 4, true, "2,3,4,5", 0, "single threads never span"},
		{oneCell, nil, "2-4", 2, 2, false, "2,3", 1, "three CPUs do not serve two cores of two threads"},
		{twoCells, nil, "3-5", 2, 2, false, "4,5", 1, "a single thread left over is not half a core"},
		{oneCell, nil, "2", 1, 3, false, "2", 2, "too few CPUs"},
		{oneCell, nil, "20-23", 1, 1, false, "", 1, "CPUs that no cell has"},
		{nil, nil, "0-3", 1, 1, false, "", 1, "a host without cells"},
		{[]string{"4-7", "0-3"}, nil, "0-7", 1, 5, false, "4,5,6,7,0", 0, "cells are used in reported order"},
		{oneCell, []string{"8,0", "9,1"}, "0-1,8-9", 2, 2, false, "8,0,9,1", 0, "threads keep the order of the sibling list"},
		{[]string{"0-3", "2-5"}, nil, "2-3", 1, 4, false, "2,3", 2, "a CPU reported in two cells is there once"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			pool := newCPUPool(hostOf(t, tt.cells, tt.siblings...), cpuList(t, tt.owned), tt.threads)
			cpus, unplaced := pool.takeCores(tt.cores, !tt.strict)
			if got := formatCPUs(cpus); got != tt.want || unplaced != tt.unplaced {
				t.Errorf("CPUs %q with %d cores unplaced, want %q with %d", got, unplaced, tt.want, tt.unplaced)
			}
		})
	}
}

func TestPoolThreads(t *testing.T) {
	tests := []struct {
		owned   string
		threads int
		cores   int
		want    string // the single threads in the order taken, until none is left
		reason  string
	}{
		{"4-8", 2, 1, "8,5,7", "loose threads go before a core is broken open"},
		{"4-9", 2, 1, "5,7,8,9", "a broken core serves its other thread before the next core"},
		{"4-9", 1, 2, "5,7,8,9", "a core with enough left for a guest core stays whole"},
		{"4,6", 2, 1, "", "nothing left"},
	}
	host := hostOf(t, []string{"4-9"}, "4,6", "5,7", "8,9")
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			pool := newCPUPool(host, cpuList(t, tt.owned), tt.threads)
			pool.takeCores(tt.cores, true)
			var got []int
			for id, ok := pool.takeThread(); ok; id, ok = pool.takeThread() {
				got = append(got, id)
			}
			if diff := cmp.Diff(tt.want, formatCPUs(got)); diff != "" {
				t.Errorf("threads (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzPool checks that no CPU is handed out twice, none that the pod does not own, and none is lost.
func FuzzPool(f *testing.F) {
	f.Add(uint64(0b1111), uint8(2), uint8(1), uint8(4), false)
	f.Add(uint64(0b11100111), uint8(2), uint8(3), uint8(3), true)
	f.Fuzz(func(t *testing.T, own uint64, threads, cores, width uint8, strict bool) {
		var owned []int
		for id := range 64 {
			if own>>id&1 == 1 {
				owned = append(owned, id)
			}
		}
		host := hostCPUs{siblings: make(map[int][]int)}
		for cell := range 4 {
			host.cells = append(host.cells, hostCell{id: cell})
			for id := cell * 16; id < cell*16+16; id++ {
				host.cells[cell].cpus = append(host.cells[cell].cpus, id)
			}
		}
		for id := range 64 {
			core := id / int(width%4+1)
			host.siblings[core] = append(host.siblings[core], id)
		}
		siblings := make(map[int][]int)
		for _, members := range host.siblings {
			for _, id := range members {
				siblings[id] = members
			}
		}
		host.siblings = siblings

		size := int(threads%8) + 1
		pool := newCPUPool(host, owned, size)
		taken, unplaced := pool.takeCores(int(cores), !strict)
		if want := (int(cores) - unplaced) * size; len(taken) != want {
			t.Fatalf("%d CPUs for %d placed cores of %d threads", len(taken), int(cores)-unplaced, size)
		}
		for id, ok := pool.takeThread(); ok; id, ok = pool.takeThread() {
			taken = append(taken, id)
		}
		seen := make(map[int]bool)
		for _, id := range taken {
			if seen[id] || own>>id&1 == 0 {
				t.Fatalf("CPU %d handed out twice or not owned (own %b): %v", id, own, taken)
			}
			seen[id] = true
		}
		if len(taken) != len(owned) {
			t.Fatalf("%d of %d CPUs handed out", len(taken), len(owned))
		}
	})
}
