package convert

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	v1 "kubevirt.io/api/core/v1"
)

// The names of links in the pod's network namespace (network.md 7.1, 7.2).
const (
	primaryPodLink = "eth0"
	primaryTap     = "tap0"

	hashedLinkPrefix  = "pod"
	ordinalLinkPrefix = "net"

	// hashedLinkDigits is what the kernel's limit of 15 characters leaves beside the
	// longest suffix that is added to a link's name, "-nic".
	hashedLinkDigits = 11
)

// isPrimaryNetwork tells whether a network is the pod's own: the pod network, or the Multus
// network that takes its place.
func isPrimaryNetwork(n *v1.Network) bool {
	return n.Pod != nil || n.Multus != nil && n.Multus.Default
}

// isSecondaryMultus tells whether a network is one that Multus adds beside the pod's own.
func isSecondaryMultus(n *v1.Network) bool {
	return n.Multus != nil && !n.Multus.Default
}

// hashedPodLink is the name of a secondary network's link in pods of today: the network's
// name may be long and hold characters that a link's name may not, so it is hashed.
func hashedPodLink(network string) string {
	sum := sha256.Sum256([]byte(network))
	return hashedLinkPrefix + hex.EncodeToString(sum[:])[:hashedLinkDigits]
}

// ordinalPodLink is the name of a secondary network's link in pods of old: the networks
// counted from one in the order of the spec. It is empty for a network that is not among
// the secondary ones.
func ordinalPodLink(networks []v1.Network, network string) string {
	i := 0
	for n := range networks {
		if !isSecondaryMultus(&networks[n]) {
			continue
		}
		i++
		if networks[n].Name == network {
			return ordinalLinkPrefix + strconv.Itoa(i)
		}
	}
	return ""
}

// usesOrdinalLinks tells from the VMI's status which of the two schemes the running pod
// uses: the first secondary network whose link is known decides, and where none is known the
// older scheme is assumed, because a NIC named by the newer one can be recognised later
// while the reverse is not so. A VMI without secondary networks does not use it.
func (s *state) usesOrdinalLinks() bool {
	secondary := false
	for i := range s.vmi.Spec.Networks {
		if !isSecondaryMultus(&s.vmi.Spec.Networks[i]) {
			continue
		}
		secondary = true
		if status, _ := s.nicStatus(s.vmi.Spec.Networks[i].Name); status != nil && status.PodInterfaceName != "" {
			return isOrdinalLink(status.PodInterfaceName)
		}
	}
	return secondary
}

// isOrdinalLink tells whether a link is named by the older scheme: net and a number.
func isOrdinalLink(name string) bool {
	digits, found := strings.CutPrefix(name, ordinalLinkPrefix)
	return found && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// tapName is the name of the tap that stands behind a pod link: tap0 for the primary one
// whatever its link is called, otherwise tap and the link's name from the fourth character
// on. Names are cut by position, so one that is too short has no tap.
func tapName(podLink string, primary bool) (string, error) {
	if primary {
		return primaryTap, nil
	}
	if len(podLink) < len(hashedLinkPrefix) {
		return "", fmt.Errorf("pod link %q is too short to name a tap after, want at least %d characters",
			podLink, len(hashedLinkPrefix))
	}
	return "tap" + podLink[len(hashedLinkPrefix):], nil
}
