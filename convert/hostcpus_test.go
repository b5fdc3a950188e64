package convert

import (
	"strings"
	"testing"
	"time"
)

// TestHostBounds: what no host has is refused before it costs time or memory.
func TestHostBounds(t *testing.T) {
	cells := make([]NUMACell, 200000)
	for i := range cells {
		cells[i] = NUMACell{ID: i, CPUs: "0-16383"}
	}
	lists := make([]string, 200000)
	for i := range lists {
		lists[i] = "0-16383"
	}
	for _, tt := range []struct {
		node   Node
		want   string
		reason string
	}{
		{Node{CPUSet: "0-3", NUMA: cells}, "want at most 1024 NUMA cells", "more cells than Linux knows"},
		{Node{CPUSet: "0-3", NUMA: cells[:1024]}, "CPU 0 belongs to cell 0 already", "cells that all have the same CPUs"},
		{Node{CPUSet: "0-3", NUMA: cells[:1], Siblings: lists}, "CPU 0 is a part of another core already", "cores that all have the same CPUs"},
		{Node{CPUSet: strings.Repeat("1-2,", 1<<20), NUMA: cells[:1]}, "CPU 1 is listed twice", "an endless list"},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			s := testState(t, computeRow{domain: "cpu: {dedicatedCpuPlacement: true}"}.vmi(), "")
			s.ctx.Node = tt.node
			start := time.Now()
			s.pinning()
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v", took)
			}
			if len(s.problems) != 1 || !strings.Contains(s.problems[0].Error(), tt.want) {
				t.Errorf("problems %.500v, want one with %q", s.problems, tt.want)
			}
		})
	}
}
