package convert

import "strings"

// maxTargets is how many names of one prefix are tried (storage.md 5.1): a … yyz.
const maxTargets = 17576

// target is the name by which the guest's disk is known to libvirt.
type target struct {
	dev    string // "" when the names ran out or the bus is not known
	index  int    // position of dev in the sequence of its prefix
	pinned bool   // taken from the status
	same   int    // position of an earlier disk that has the same name or drive unit, -1 for none
}

// nameTargets gives every disk its name, those that are not emitted included
// (storage.md 5.1). Names that a running guest already uses are kept; the others
// get the lowest free name of their prefix.
func (s *state) nameTargets(disks []diskPlan) {
	taken := s.pinTargets(disks)
	var vd, sd int
	for i := range disks {
		prefix, known := targetPrefix(disks[i].bus)
		switch {
		case !known || disks[i].target.pinned:
		case prefix == "vd":
			disks[i].target = lowestFree(prefix, &vd, taken)
		default:
			disks[i].target = lowestFree(prefix, &sd, taken)
		}
	}
	if taken != nil {
		findClashes(disks)
	}
}

// lowestFree is the first name of a prefix from next on that is not taken.
func lowestFree(prefix string, next *int, taken map[string]bool) target {
	for ; *next < maxTargets; *next++ {
		dev := targetName(prefix, *next)
		if taken[dev] {
			continue
		}
		*next++
		return target{dev: dev, index: *next - 1, same: -1}
	}
	return target{same: -1}
}

// pinTargets keeps the names that the status knows and returns all that are taken;
// nil when the status knows none.
func (s *state) pinTargets(disks []diskPlan) map[string]bool {
	var taken map[string]bool
	kept := make([]bool, len(s.vmi.Status.VolumeStatus)) // status entries that have a disk
	for i := range disks {
		d := &disks[i]
		d.target.same = -1
		if d.statusIndex < 0 {
			continue
		}
		kept[d.statusIndex] = true
		dev := s.vmi.Status.VolumeStatus[d.statusIndex].Target
		prefix, known := targetPrefix(d.bus)
		if dev == "" || !known {
			continue
		}
		index, own := targetIndex(prefix, dev)
		d.target = target{dev: dev, index: index, pinned: true, same: -1}
		taken = addTo(taken, dev, own)
	}
	for i := range s.vmi.Status.VolumeStatus {
		// KubeVirt hands out the name of a hotplugged disk again as soon as the disk
		// has left the VMI, while it may still be in the guest; the new disk is then
		// taken for the old one and is not attached.
		v := &s.vmi.Status.VolumeStatus[i]
		if !kept[i] && v.HotplugVolume != nil && v.Target != "" {
			taken = addTo(taken, v.Target, true)
		}
	}
	return taken
}

// addTo adds a name to a set that is made on first use. A name of another prefix
// is not kept from the disks that are numbered there.
func addTo(set map[string]bool, name string, own bool) map[string]bool {
	if set == nil {
		set = map[string]bool{}
	}
	if own {
		set[name] = true
	}
	return set
}

// findClashes notes which disks cannot be told apart because the status pins them
// to one name, or to a name outside their prefix that counts as its first.
func findClashes(disks []diskPlan) {
	names, units := map[string]int{}, map[int]int{}
	for i := range disks {
		d := &disks[i]
		if d.target.dev == "" || !d.emitted {
			continue
		}
		if first, taken := names[d.target.dev]; taken {
			d.target.same = first
		}
		names[d.target.dev] = i
		if !d.hasDriveUnit() {
			continue
		}
		if first, taken := units[d.target.index]; taken {
			d.target.same = first
		}
		units[d.target.index] = i
	}
}

// hasDriveUnit says whether the disk gets a drive address. SCSI CD-ROMs are left
// to libvirt (storage.md 4).
func (d *diskPlan) hasDriveUnit() bool { return d.bus == "scsi" && d.kind != cdromKind }

// targetPrefix is the start of the device names of a bus. SATA, SCSI and USB disks
// share one sequence, as they do in a Linux guest. A bus without a prefix is not
// known.
func targetPrefix(bus string) (string, bool) {
	switch bus {
	case "virtio":
		return "vd", true
	case "sata", "scsi", "usb":
		return "sd", true
	}
	return "", false
}

// targetName is the i-th name of a prefix, counted from 0: vda … vdz, vdaa …
func targetName(prefix string, i int) string {
	var letters [8]byte
	n := len(letters)
	for i++; i > 0; i = (i - 1) / 26 {
		n--
		letters[n] = byte('a' + (i-1)%26)
	}
	return prefix + string(letters[n:])
}

// isTargetName says whether libvirt takes dev as the name of a disk: letters that tell
// what it hangs on, and more.
func isTargetName(dev string) bool {
	for _, prefix := range [...]string{"fd", "hd", "sd", "vd", "xvd", "ubd"} {
		if rest, ok := strings.CutPrefix(dev, prefix); ok && rest != "" {
			return strings.IndexFunc(rest, isNotTargetRune) < 0
		}
	}
	return false
}

func isNotTargetRune(c rune) bool {
	return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
}

// targetIndex is the position of a name in the sequence of a prefix; false when the
// name is not in that sequence.
func targetIndex(prefix, name string) (int, bool) {
	letters, found := strings.CutPrefix(name, prefix)
	if !found || letters == "" || len(letters) > 3 {
		return 0, false
	}
	i := 0
	for _, c := range []byte(letters) {
		if c < 'a' || c > 'z' {
			return 0, false
		}
		i = i*26 + int(c-'a') + 1
	}
	if i > maxTargets {
		return 0, false
	}
	return i - 1, true
}
