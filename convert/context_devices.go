package convert

// HostAddresses are the devices of one resource in the order handed out. A kind
// that is given, even without an address, is a kind the resource has.
type HostAddresses struct {
	PCI  []string `json:"pci,omitempty"`  // DDDD:BB:SS.F
	MDev []string `json:"mdev,omitempty"` // UUIDs
	USB  []string `json:"usb,omitempty"`  // BUS:DEVICE, decimal
}

// ClaimedDevice is the host device that dynamic resource allocation chose for one
// request of a claim. A mediated device goes before a PCI one.
type ClaimedDevice struct {
	PCI  string `json:"pci,omitempty"`  // the attribute resource.kubernetes.io/pciBusID
	MDev string `json:"mdev,omitempty"` // the attribute mdevUUID
}

// NetworkFacts is how the pod's network reaches the guest.
type NetworkFacts struct {
	Attachments map[string]string `json:"attachments,omitempty"` // by interface name: tap, or a plugin's own word

	// Links are the links in the pod's network namespace by name, taps
	// included. Where they are given, each NIC on a tap is told its tap, MTU
	// and MAC address; absent, those are left to whoever starts the domain.
	Links map[string]LinkFacts `json:"links,omitempty"`
}

// LinkFacts is one link in the pod's network namespace.
type LinkFacts struct {
	MAC string `json:"mac,omitempty"`
	MTU uint   `json:"mtu,omitempty"` // 0: not known
}
