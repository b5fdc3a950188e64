package convert

// Node is the host that runs the pod.
type Node struct {
	Architecture string         `json:"architecture"` // amd64 (also ""), arm64, s390x
	KVM          *bool          `json:"kvm"`          // is the hypervisor device usable; nil: yes
	CPUSet       string         `json:"cpuSet"`       // the pod's exclusive CPUs, a Linux CPU list
	NUMA         []NUMACell     `json:"numa"`
	Siblings     []string       `json:"siblings"` // CPU lists: CPUs that share a core
	PCINUMA      map[string]int `json:"pciNUMA"`  // host NUMA node by PCI address

	// Machines says which versioned machine type each alias stands for on the
	// node: q35: pc-q35-10.0. libvirt resolves it; the explanation tells it.
	Machines map[string]string `json:"machines"`
}

// NUMACell is one NUMA node of the host.
type NUMACell struct {
	ID        int            `json:"id"`
	CPUs      string         `json:"cpus"` // a Linux CPU list
	MemoryKiB uint64         `json:"memoryKiB"`
	Pages     []NUMAPages    `json:"pages"`
	Distances []NUMADistance `json:"distances"`
}

// NUMAPages is a pool of huge pages of one size.
type NUMAPages struct {
	SizeKiB uint64 `json:"sizeKiB"`
	Count   uint64 `json:"count"`
}

// NUMADistance is how far another NUMA node is; 10 is the node itself.
type NUMADistance struct {
	ID    int `json:"id"`
	Value int `json:"value"`
}

// FirmwareFacts is the EFI build found on the node, taken as stated.
type FirmwareFacts struct {
	Code         string `json:"code"`
	Vars         string `json:"vars"`
	SecureLoader bool   `json:"secureLoader"`
	AutoSelect   bool   `json:"autoSelect"` // libvirt chooses
}

// SMBIOSFacts is how the cluster names the machine to its guests.
type SMBIOSFacts struct {
	Manufacturer string `json:"manufacturer"`
	Product      string `json:"product"`
	Version      string `json:"version"`
	SKU          string `json:"sku"`
	Family       string `json:"family"`
}
