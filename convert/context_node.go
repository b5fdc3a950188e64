package convert

// Node is the host that runs the pod.
type Node struct {
	Architecture string         `json:"architecture,omitempty"` // amd64 (also ""), arm64, s390x
	KVM          *bool          `json:"kvm,omitempty"`          // is the hypervisor device usable; nil: yes
	CPUSet       string         `json:"cpuSet,omitempty"`       // the pod's exclusive CPUs, a Linux CPU list
	NUMA         []NUMACell     `json:"numa,omitempty"`
	Siblings     []string       `json:"siblings,omitempty"` // CPU lists: CPUs that share a core
	PCINUMA      map[string]int `json:"pciNUMA,omitempty"`  // host NUMA node by PCI address

	// Machines says which versioned machine type each alias stands for on the
	// node: q35: pc-q35-10.0. libvirt resolves it; the explanation tells it.
	Machines map[string]string `json:"machines,omitempty"`
}

// NUMACell is one NUMA node of the host.
type NUMACell struct {
	ID        int            `json:"id,omitempty"`
	CPUs      string         `json:"cpus,omitempty"` // a Linux CPU list
	MemoryKiB uint64         `json:"memoryKiB,omitempty"`
	Pages     []NUMAPages    `json:"pages,omitempty"`
	Distances []NUMADistance `json:"distances,omitempty"`
}

// NUMAPages is a pool of huge pages of one size.
type NUMAPages struct {
	SizeKiB uint64 `json:"sizeKiB,omitempty"`
	Count   uint64 `json:"count,omitempty"`
}

// NUMADistance is how far another NUMA node is; 10 is the node itself.
type NUMADistance struct {
	ID    int `json:"id,omitempty"`
	Value int `json:"value,omitempty"`
}

// FirmwareFacts is the EFI build found on the node, taken as stated.
type FirmwareFacts struct {
	Code         string `json:"code,omitempty"`
	Vars         string `json:"vars,omitempty"`
	SecureLoader bool   `json:"secureLoader,omitempty"`
	AutoSelect   bool   `json:"autoSelect,omitempty"` // libvirt chooses
}

// SMBIOSFacts is how the cluster names the machine to its guests.
type SMBIOSFacts struct {
	Manufacturer string `json:"manufacturer,omitempty"`
	Product      string `json:"product,omitempty"`
	Version      string `json:"version,omitempty"`
	SKU          string `json:"sku,omitempty"`
	Family       string `json:"family,omitempty"`
}
