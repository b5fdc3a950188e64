package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"libvirt.org/go/libvirtxml"
)

func TestMemoryDevice(t *testing.T) {
	const gib = 1 << 30
	tests := []struct {
		memory, boot           string
		size, requested, block uint
		err                    string
		reason                 string
	}{
		{"{guest: 3Gi, maxGuest: 8Gi}", "2Gi", 6 * gib, gib, 2 << 20, "", "the device may hold all that can be added, and is asked for what is"},
		{"{guest: 2Gi, maxGuest: 8Gi}", "2Gi", 6 * gib, 0, 2 << 20, "", "nothing is added yet"},
		{"{guest: 4Gi, maxGuest: 8Gi, hugepages: {pageSize: 1Gi}}", "2Gi", 6 * gib, 2 * gib, gib, "", "blocks of the size of huge pages"},
		{"{guest: 4Gi, maxGuest: 8Gi, hugepages: {pageSize: 1024Mi}}", "2Gi", 6 * gib, 2 * gib, 2 << 20, "", "which have to be spelt 1Gi"},
		{"{guest: 3Gi}\n    resources: {}", "2Gi", 0, 0, 0, "spec.domain.memory.maxGuest: memory can be added only up to a limit", "no limit"},
		{"{guest: 1Gi, maxGuest: 8Gi}", "2Gi", 0, 0, 0, `spec.domain.memory.guest: "1Gi": want at least what the guest booted with, 2Gi`, "less than before"},
		{"{guest: 9Gi, maxGuest: 8Gi}", "2Gi", 0, 0, 0, `spec.domain.memory.maxGuest: "8Gi": want at least memory.guest, 9Gi`, "more than there may be"},
		{"{guest: 2049Mi, maxGuest: 8Gi}", "2Gi", 0, 0, 0, `spec.domain.memory.guest: "2049Mi": memory is added in blocks of 2097152 bytes`, "half a block"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			row := computeRow{domain: "memory: " + tt.memory + "\n---\nstatus: {memory: {guestAtBoot: " + tt.boot + "}}"}
			s := testState(t, row.vmi(), "cluster: {vmRolloutStrategy: Stage}")
			before := s.vmi.DeepCopy()
			got, err := MemoryDevice(s.vmi, *s.ctx)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want %q in it", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			want := &libvirtxml.DomainMemorydev{Model: "virtio-mem", Target: &libvirtxml.DomainMemorydevTarget{
				Size:      &libvirtxml.DomainMemorydevTargetSize{Value: tt.size, Unit: "b"},
				Node:      &libvirtxml.DomainMemorydevTargetNode{},
				Block:     &libvirtxml.DomainMemorydevTargetBlock{Value: tt.block, Unit: "b"},
				Requested: &libvirtxml.DomainMemorydevTargetRequested{Value: tt.requested, Unit: "b"},
			}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("device (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, s.vmi); diff != "" {
				t.Errorf("the VMI handed in was written to:\n%s", diff)
			}
		})
	}
}
