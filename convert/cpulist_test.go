package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseCPUList(t *testing.T) {
	tests := []struct {
		text   string
		want   []int
		err    string // part of the message; empty: no error
		reason string
	}{
		{"2-3,10-11", []int{2, 3, 10, 11}, "", "ranges and their ends are inclusive"},
		{"10,2,4-5", []int{10, 2, 4, 5}, "", "the order written is kept: pins of I/O threads follow it"},
		{" 1 , 3-4\n", []int{1, 3, 4}, "", "a file read as it is ends in a newline"},
		{"", nil, "", "a list may be empty"},
		{"\n", nil, "", "an empty cpuset file holds a newline"},
		{"7-7", []int{7}, "", "a range of one"},
		{"16383", []int{16383}, "", "the highest id libvirt reads"},
		{"16384", nil, `"16384" is not a CPU id`, "one beyond it"},
		{"0-4294967295", nil, `"4294967295" is not a CPU id`, "a range must not use up the memory"},
		{"3-1", nil, `"3-1" ends before it starts`, "a reversed range is a mistake, not an empty one"},
		{"1,2,1", nil, "CPU 1 is listed twice", "an exclusive CPU exists once"},
		{"1-3,2", nil, "CPU 2 is listed twice", "also inside a range"},
		{"1,,2", nil, `"" is not a CPU id`, "an empty member"},
		{"-1", nil, `"" is not a CPU id`, "no negative ids"},
		{"0-7:2/4", nil, `"7:2/4" is not a CPU id`, "the kernel reads strides but never writes them"},
		{"0x2", nil, `"0x2" is not a CPU id`, "ids are decimal"},
		{"1-\x00", nil, "is not a CPU id", "a NUL is no digit"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			got, err := parseCPUList(tt.text)
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Fatalf("parseCPUList(%q) error = %v, want %q in it", tt.text, err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatalf("parseCPUList(%q): %v", tt.text, err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("parseCPUList(%q) (-want +got):\n%s", tt.text, diff)
			}
		})
	}
}

func TestFormatCPUs(t *testing.T) {
	for want, ids := range map[string][]int{"": nil, "4": {4}, "8,9": {8, 9}, "9,3,4": {9, 3, 4}} {
		if got := formatCPUs(ids); got != want {
			t.Errorf("formatCPUs(%v) = %q, want %q", ids, got, want)
		}
	}
}

// FuzzParseCPUList checks that whatever is accepted is bounded, free of repetition, and survives being written out.
func FuzzParseCPUList(f *testing.F) {
	for _, seed := range []string{"", "0", "2-3,10-11", "1,1", "0-4294967295", "3-1", "0-7:2/4"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ids, err := parseCPUList(text)
		if err != nil {
			return
		}
		if len(ids) > maxCPUs {
			t.Fatalf("%d CPUs from %q", len(ids), text)
		}
		again, err := parseCPUList(formatCPUs(ids))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ids, again); diff != "" {
			t.Errorf("ids changed (-first +second):\n%s", diff)
		}
	})
}
