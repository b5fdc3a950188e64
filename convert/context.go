package convert

import v1 "kubevirt.io/api/core/v1"

// Context is what decides how a VMI looks as a domain and stands neither in the
// VMI nor in this package: facts about the node, the cluster and the pod. The
// zero Context is a KVM node of amd64 in a cluster without settings, about
// which nothing else is known; a fact that is not given changes nothing.
type Context struct {
	Node           Node                                `json:"node,omitzero"`
	Cluster        v1.KubeVirtConfiguration            `json:"cluster,omitzero"`     // the KubeVirt resource's spec.configuration
	Hypervisor     string                              `json:"hypervisor,omitempty"` // "" is kvm; hyperv-direct
	Volumes        map[string]VolumeFacts              `json:"volumes,omitempty"`    // by volume name
	Firmware       *FirmwareFacts                      `json:"firmware,omitempty"`   // the EFI build of the node
	SMBIOS         *SMBIOSFacts                        `json:"smbios,omitempty"`
	HostDevices    map[string]HostAddresses            `json:"hostDevices,omitempty"`    // by device-plugin resource name
	SRIOV          map[string]string                   `json:"sriov,omitempty"`          // host PCI address, by interface name
	ResourceClaims map[string]map[string]ClaimedDevice `json:"resourceClaims,omitempty"` // devices of dynamic resource allocation, by claim and request
	Network        NetworkFacts                        `json:"network,omitzero"`
	Grace          *GraceFacts                         `json:"grace,omitempty"` // nil: no Grace GPU is handed to guests

	MemBalloonStatsPeriod uint `json:"memBalloonStatsPeriod,omitempty"` // seconds
	LogVerbosity          int  `json:"logVerbosity,omitempty"`          // of the launcher
	IOMMUFD               bool `json:"iommufd,omitempty"`               // the pod was given an IOMMUFD descriptor
	PCINUMAAwareTopology  bool `json:"pciNUMAAwareTopology,omitempty"`
	BochsForEFIGuests     bool `json:"bochsForEFIGuests,omitempty"`
}
