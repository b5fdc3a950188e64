package convert

import "errors"

// The slots of bus 0 that placement on the root complex hands out (network.md 12.2).
const (
	firstRootSlot = 0x02 // 0 and 1 are left to the host bridge and the video device
	lastRootSlot  = 0x1e // 0x1f holds the chipset's own functions
	soundRootSlot = 0x1b // where libvirt puts an ICH9 sound device
)

var errRootBusFull = errors.New("the root bus has no free slot left: of its slots 0x02 to 0x1e are handed out, 0x1b excepted")

// rootSlots hands out the slots of bus 0, ascending; the zero value starts at the first.
// A taken slot, one that some device asks for by an explicit address, is passed over:
// upstream hands it out again, and libvirt then refuses the domain, so that numbers differ
// from upstream's only where upstream has no guest.
type rootSlots struct {
	last  uint
	taken map[uint]bool
}

func (r *rootSlots) next() (uint, error) {
	slot := max(r.last+1, firstRootSlot)
	for slot == soundRootSlot || r.taken[slot] {
		slot++
	}
	if slot > lastRootSlot {
		return 0, errRootBusFull
	}
	r.last = slot
	return slot, nil
}
