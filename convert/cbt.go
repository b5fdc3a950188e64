package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"

	"github.com/migxml/migxml/pathmap"
)

const trackingField = "status.changedBlockTracking.state"

// tracked says whether changes of the volume's blocks are tracked, which takes an
// overlay (storage.md 11.1). A known overlay is enough; else the VMI's status counts.
func (d *diskShape) tracked() bool {
	if !d.claim() && d.src != pathmap.SourceHostDisk {
		return false
	}
	return d.facts.ChangedBlockTracking != "" || d.trackingState()
}

func (s *state) trackingState() bool {
	c := s.vmi.Status.ChangedBlockTracking
	return c != nil && (c.State == v1.ChangedBlockTrackingInitializing || c.State == v1.ChangedBlockTrackingEnabled)
}

// trackedDisk is an overlay that only remembers which blocks changed; the storage
// itself is its data store (storage.md 11.2).
func (d *diskShape) trackedDisk() {
	store := fileSource(d.paths.Disk)
	if d.block {
		store = blockSource(d.paths.Disk)
	}
	d.setFile(d.paths.Overlay)
	d.out.Source.DataStore = &libvirtxml.DomainDiskDataStore{Format: &libvirtxml.DomainDiskFormat{Type: "raw"}, Source: store}
	d.format = "qcow2"
	if d.why.on() {
		d.explainTracking()
	}
}

func (d *diskShape) explainTracking() {
	from, place := field(trackingField), []ref{d.at("name"), field("status.runtimeUser")}
	if d.facts.ChangedBlockTracking != "" {
		from, place = d.fact("changedBlockTracking"), []ref{d.fact("changedBlockTracking")}
	}
	d.why.because("@type", "the overlay that tracks changed blocks is a file", from, d.sourceAt())
	d.why.because("driver/@type", "the overlay that tracks changed blocks", from, d.sourceAt())
	d.why.because("source/@file", "where the overlay is", place...)
	d.why.because("source/dataStore", "the storage itself, below the overlay", from, d.sourceAt())
	d.why.because("source/dataStore/@type", d.modeReason(), d.modeAt(), d.sourceAt())
	d.why.because("source/dataStore/source", d.placeReason(), d.at("name"), d.modeAt())
}
