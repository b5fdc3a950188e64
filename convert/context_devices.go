package convert

// HostAddresses are the devices of one resource in the order handed out.
type HostAddresses struct {
	PCI  []string `json:"pci"`
	MDev []string `json:"mdev"`
	USB  []string `json:"usb"`
}

// NetworkFacts is how the pod's network reaches the guest.
type NetworkFacts struct {
	Attachments map[string]string `json:"attachments"` // by interface name: tap, or a plugin's own word
}
