package convert

// GraceFacts are what a node with NVIDIA Grace GPUs has for handing them to guests. Their
// presence is the cluster's consent to do so.
type GraceFacts struct {
	SMMUv3         bool                   `json:"smmuV3,omitempty"`         // the host has an arm-smmu-v3 IOMMU
	InitiatorNodes []int                  `json:"initiatorNodes,omitempty"` // host NUMA nodes without memory and CPUs that stand for devices
	Devices        map[string]GraceDevice `json:"devices,omitempty"`        // by host PCI address
}

// GraceDevice is one PCI device of such a node.
type GraceDevice struct {
	ID              string `json:"id,omitempty"`              // vendor:device, as 10de:2342
	InitiatorNodes  []int  `json:"initiatorNodes,omitempty"`  // those of the node's that stand for this device
	PrefetchableKiB uint64 `json:"prefetchableKiB,omitempty"` // sum of its 64-bit prefetchable BARs
}
