package convert

import (
	"k8s.io/apimachinery/pkg/api/resource"
	v1 "kubevirt.io/api/core/v1"

	"github.com/migxml/migxml/pathmap"
)

const mebibyte = 1 << 20

// checkSize refuses images that the pod could not make before the guest starts: an
// empty disk, and the file in a claim's file system, of less than one MiB
// (storage.md 16, E20 to E22).
func (d *diskShape) checkSize() {
	switch {
	case d.src == pathmap.SourceEmptyDisk:
		if c := d.vol.EmptyDisk.Capacity; c.Value() < mebibyte {
			d.refuse(d.volumeAt("emptyDisk.capacity"), c.String(), "want at least 1Mi")
		}
	case d.rewritten:
		d.checkClaimSize()
	}
}

func (d *diskShape) checkClaimSize() {
	where := d.statusAt("persistentVolumeClaimInfo")
	size, known := imageSize(d.claimInfo())
	switch {
	case !known:
		d.refuse(where, nil, "the size of volume "+d.in.Name+" is not known, want its requests or capacity")
	case size.Value() < mebibyte:
		d.refuse(where, size.String(), "volume "+d.in.Name+" has no room for an image, want at least 1Mi")
	}
}

// imageSize is the size of the image that is made in a claim's file system: what was
// requested, or the capacity if that is smaller or alone.
func imageSize(info *v1.PersistentVolumeClaimInfo) (size resource.Quantity, known bool) {
	requested, haveRequest := info.Requests["storage"]
	capacity, haveCapacity := info.Capacity["storage"]
	if haveRequest && (!haveCapacity || capacity.Cmp(requested) > 0) {
		return requested, true
	}
	return capacity, haveCapacity
}
