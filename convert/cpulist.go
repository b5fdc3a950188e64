package convert

import (
	"fmt"
	"strconv"
	"strings"
)

// maxCPUs bounds the number of CPUs on either side, of the guest and of the host, and the ids in a CPU list. libvirt
// itself reads no CPU list beyond it, and without a bound "0-4294967295" would be a cheap way to use up all memory.
const maxCPUs = 16384

// parseCPUList reads a Linux CPU list such as "2-3,10" and returns the ids in the order written. White space around
// the list and its members is allowed, an empty list is one without CPUs. A CPU that is listed twice is refused: no
// kernel writes that, and an exclusive CPU can be handed out only once.
func parseCPUList(text string) ([]int, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var ids []int
	seen := make(map[int]bool)
	for member := range strings.SplitSeq(text, ",") {
		first, last, err := parseCPURange(member)
		if err != nil {
			return nil, err
		}
		for id := first; id <= last; id++ {
			if seen[id] {
				return nil, fmt.Errorf("CPU %d is listed twice", id)
			}
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// parseCPURange reads one member of a CPU list: an id, or two of them joined by a dash.
func parseCPURange(member string) (first, last int, err error) {
	low, high, isRange := strings.Cut(member, "-")
	if first, err = parseCPUID(low); err != nil {
		return 0, 0, err
	}
	if !isRange {
		return first, first, nil
	}
	if last, err = parseCPUID(high); err != nil {
		return 0, 0, err
	}
	if last < first {
		return 0, 0, fmt.Errorf("range %q ends before it starts", strings.TrimSpace(member))
	}
	return first, last, nil
}

// parseCPUID reads a single CPU id.
func parseCPUID(text string) (int, error) {
	text = strings.TrimSpace(text)
	id, err := strconv.ParseUint(text, 10, 16)
	if err != nil || id >= maxCPUs {
		return 0, fmt.Errorf("%q is not a CPU id, want a number from 0 to %d", text, maxCPUs-1)
	}
	return int(id), nil
}

// formatCPUs writes ids in the order given, joined by commas and never folded into ranges.
func formatCPUs(ids []int) string {
	text := make([]byte, 0, 4*len(ids))
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, int64(id), 10)
	}
	return string(text)
}
