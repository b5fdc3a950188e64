package convert

import "strings"

// maxTargets is how many names of one prefix are tried (storage.md 5.1): a … yyz.
const maxTargets = 17576

// targetPrefix is the start of the device names of a bus. SATA, SCSI and USB disks share one
// sequence, as they do in a Linux guest. A bus without a prefix is not known.
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

// targetIndex is the position of a name in the sequence of a prefix; false when the name is not
// in that sequence.
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
	return i - 1, i <= maxTargets
}
