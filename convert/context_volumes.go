package convert

// VolumeFacts is what the pod knows about one volume.
type VolumeFacts struct {
	Mode                 string `json:"mode"`                 // Block; Filesystem or "" of the claim behind it
	Format               string `json:"format"`               // image format of a container disk
	Preallocated         bool   `json:"preallocated"`         // discarding would undo a wanted allocation
	ChangedBlockTracking string `json:"changedBlockTracking"` // overlay path; its presence gives the volume an overlay
}
