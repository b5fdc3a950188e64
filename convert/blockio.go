package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// maxBlockSizeS390x is the largest block size that an s390x guest can use.
const maxBlockSizeS390x = 4096

// BlockSizeFacts is what the storage behind a volume says about its blocks, in bytes.
// For an image file all three are the block size of its file system.
type BlockSizeFacts struct {
	Logical            uint `json:"logical,omitempty"`            // BLKSSZGET
	Physical           uint `json:"physical,omitempty"`           // BLKPBSZGET
	DiscardGranularity uint `json:"discardGranularity,omitempty"` // queue/discard_granularity in /sys, 0 for none
}

// blockIO is the block sizes that the guest sees (storage.md 7).
func (d *diskShape) blockIO() {
	switch b := d.in.BlockSize; {
	case b == nil:
	case b.Custom != nil:
		d.customBlockSize(b.Custom)
	case b.MatchVolume != nil && !isFalse(b.MatchVolume.Enabled):
		d.matchVolume()
	}
}

func (d *diskShape) customBlockSize(c *v1.CustomBlockSize) {
	if d.s390x() && (c.Logical > maxBlockSizeS390x || c.Physical > maxBlockSizeS390x) {
		d.refusef(d.at("blockSize.custom"), nil, "disk %s: logical %d, physical %d; want at most %d on s390x",
			d.in.Name, c.Logical, c.Physical, maxBlockSizeS390x)
	}
	b := &libvirtxml.DomainDiskBlockIO{LogicalBlockSize: c.Logical, PhysicalBlockSize: c.Physical}
	if c.DiscardGranularity != nil {
		granularity := *c.DiscardGranularity
		b.DiscardGranularity = &granularity
	}
	d.out.BlockIO = b
	d.why.because("blockio", "the block sizes asked for", d.at("blockSize.custom"))
}

// matchVolume takes the block sizes of the storage. A disk that is not in the domain
// yet has none to look at and needs none (KubeVirt looks all the same, and refuses to
// go on).
func (d *diskShape) matchVolume() {
	if !d.emitted {
		return
	}
	where := d.at("blockSize.matchVolume")
	if d.vol == nil {
		d.refuse(where, nil, "the tray of "+d.in.Name+" is empty, want a volume or no matchVolume")
		return
	}
	f := d.facts.BlockSize
	if f == nil {
		d.refuse(where, nil, "the block size of volume "+d.in.Name+" is not known, want "+d.fact("blockSize").String())
		return
	}
	if f.Logical == 0 && f.Physical == 0 {
		d.refuse(d.fact("blockSize"), nil, "both sizes are 0, want the block size of volume "+d.in.Name)
		return
	}
	d.out.BlockIO = f.blockIO()
	d.why.because("blockio", "the block sizes of the storage", d.fact("blockSize"), where)
}

// blockIO fills in what the storage does not say: one size stands for the other, and
// space is freed in physical blocks when the granularity does not fit the logical ones
// (where KubeVirt takes the physical size as it was before, which may be 0).
func (f BlockSizeFacts) blockIO() *libvirtxml.DomainDiskBlockIO {
	if f.Logical == 0 {
		f.Logical = f.Physical
	}
	if f.Physical == 0 {
		f.Physical = f.Logical
	}
	if f.DiscardGranularity%f.Logical != 0 {
		f.DiscardGranularity = f.Physical
	}
	return &libvirtxml.DomainDiskBlockIO{
		LogicalBlockSize: f.Logical, PhysicalBlockSize: f.Physical, DiscardGranularity: &f.DiscardGranularity,
	}
}
