package convert

// VolumeFacts is what the pod knows about one volume.
type VolumeFacts struct {
	Mode                 string `json:"mode,omitempty"`                 // Block or Filesystem, of the claim behind it; "": what the VMI's status says, else Filesystem
	Format               string `json:"format,omitempty"`               // image format of a container disk: raw or qcow2
	Shared               *bool  `json:"shared,omitempty"`               // several nodes may use the claim at once; decides nothing about the domain
	Preallocated         bool   `json:"preallocated,omitempty"`         // discarding would undo a wanted allocation
	ChangedBlockTracking string `json:"changedBlockTracking,omitempty"` // overlay path; its presence gives the volume an overlay

	// The rest is found out by looking at the volume's files. Without DirectIO, cache
	// and I/O mode stay as the VMI asks for them.

	DirectIO     *bool           `json:"directIO,omitempty"`     // the disk's file or device can be opened with O_DIRECT; below an overlay for changed blocks, the storage
	BaseDirectIO *bool           `json:"baseDirectIO,omitempty"` // the same for what a container disk or ephemeral claim reads from
	Allocated    bool            `json:"allocated,omitempty"`    // the image file has no holes
	BlockSize    *BlockSizeFacts `json:"blockSize,omitempty"`    // of the storage
}
