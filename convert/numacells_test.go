package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGuestCells(t *testing.T) {
	tests := []struct {
		pins   string
		want   []guestCell
		stray  []int
		reason string
	}{
		{"2,3,10,11", []guestCell{{0, []int{0, 1}}, {1, []int{2, 3}}}, nil, "each vCPU belongs to the cell it runs on"},
		{"10,2,11,3", []guestCell{{0, []int{1, 3}}, {1, []int{0, 2}}}, nil, "cells keep the host's order, vCPUs the order of pins"},
		{"8,9", []guestCell{{1, []int{0, 1}}}, nil, "a cell that runs nothing is not shown"},
		{"17,40", []guestCell{{7, []int{0}}}, []int{1}, "a CPU that no cell has"},
	}
	host := hostOf(t, []string{"0-7", "8-15"}).cells
	host = append(host, hostCell{id: 7, cpus: []int{16, 17}})
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			cells, stray := guestCells(cpuList(t, tt.pins), host)
			if diff := cmp.Diff(tt.want, cells, cmp.AllowUnexported(guestCell{})); diff != "" {
				t.Errorf("cells (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.stray, stray); diff != "" {
				t.Errorf("vCPUs without a cell (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSplitMemory(t *testing.T) {
	const mib, gib = 1 << 20, 1 << 30
	tests := []struct {
		total, page uint64
		want        []uint64
		reason      string
	}{
		{1026 * mib, 2 * mib, []uint64{538968064, 536870912}, "513 pages: the first cell gets the odd one"},
		{1024 * mib, 2 * mib, []uint64{512 * mib, 512 * mib}, "an even number of pages"},
		{5 * gib, gib, []uint64{2 * gib, 2 * gib, gib}, "two pages over three cells are left for the first two"},
		{2 * gib, gib, []uint64{gib, gib}, "just one page each"},
		{3 * gib, gib, []uint64{3 * gib}, "a single cell has it all"},
		{1 << 63, 2 * mib, []uint64{1 << 62, 1 << 62}, "no overflow on the way"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, splitMemory(tt.total, tt.page, len(tt.want))); diff != "" {
				t.Errorf("shares (-want +got):\n%s", diff)
			}
		})
	}
}
