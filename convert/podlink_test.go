package convert

import (
	"testing"

	v1 "kubevirt.io/api/core/v1"
)

func multusNetwork(name string) v1.Network {
	return v1.Network{Name: name, NetworkSource: v1.NetworkSource{Multus: &v1.MultusNetwork{NetworkName: name + "-net"}}}
}

func podNetwork(name string) v1.Network {
	return v1.Network{Name: name, NetworkSource: v1.NetworkSource{Pod: &v1.PodNetwork{}}}
}

func TestHashedPodLink(t *testing.T) {
	for network, want := range map[string]string{
		"blue": "pod16477688c0e", "red": "podb1f51a511f1", "storage-net": "pod050f98e069a", "data_1": "pod28cebd73182",
		"foo": "pod2c26b46b68f", "secondary1": "podbf1967901de", "secondary2": "pod00a86454af9",
	} {
		if got := hashedPodLink(network); got != want {
			t.Errorf("%s: got %s, want %s", network, got, want)
		}
	}
}

func TestTapName(t *testing.T) {
	for _, tc := range []struct {
		reason, link string
		primary      bool
		want         string
	}{
		{"the primary tap has a fixed name", "eth0", true, "tap0"},
		{"whatever the primary link is called", "ovn-udn1", true, "tap0"},
		{"a hashed link", "pod16477688c0e", false, "tap16477688c0e"},
		{"an ordinal link", "net1", false, "tap1"},
		{"cut by position, not by prefix", "abcdef", false, "tapdef"},
	} {
		if got, err := tapName(tc.link, tc.primary); got != tc.want || err != nil {
			t.Errorf("%s: %s gives %s, %v, want %s", tc.reason, tc.link, got, err, tc.want)
		}
	}
	if got, err := tapName("ab", false); err == nil {
		t.Errorf("a link shorter than the prefix: got %s, want an error", got)
	}
}

func TestOrdinalPodLink(t *testing.T) {
	primary := v1.Network{Name: "main", NetworkSource: v1.NetworkSource{Multus: &v1.MultusNetwork{Default: true}}}
	networks := []v1.Network{multusNetwork("red"), primary, multusNetwork("blue")}
	for network, want := range map[string]string{"red": "net1", "blue": "net2", "main": "", "gone": ""} {
		if got := ordinalPodLink(networks, network); got != want {
			t.Errorf("%s: got %q, want %q", network, got, want)
		}
	}
}

func TestUsesOrdinalLinks(t *testing.T) {
	networks := []v1.Network{podNetwork("default"), multusNetwork("red"), multusNetwork("blue")}
	for _, tc := range []struct {
		name, reason string
		networks     []v1.Network
		links        map[string]string
		want         bool
	}{
		{"none", "no secondary network", networks[:1], nil, false},
		{"unknown", "nothing known: the older scheme is the careful answer", networks, nil, true},
		{"first", "the first known link decides", networks, map[string]string{"red": "net1", "blue": "pod16477688c0e"}, true},
		{"second", "an unknown first is passed over", networks, map[string]string{"blue": "pod16477688c0e"}, false},
		{"primary", "the primary link does not count", networks, map[string]string{"default": "net1", "red": "podb1f51a511f1"}, false},
		{"no number", "net alone is no ordinal name", networks, map[string]string{"red": "net"}, false},
		{"more than a number", "nor is net and other text", networks, map[string]string{"red": "net1a"}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			vmi := &v1.VirtualMachineInstance{}
			vmi.Spec.Networks = tc.networks
			for name, link := range tc.links {
				vmi.Status.Interfaces = append(vmi.Status.Interfaces, v1.VirtualMachineInstanceNetworkInterface{Name: name, PodInterfaceName: link})
			}
			if got := (&state{vmi: vmi}).usesOrdinalLinks(); got != tc.want {
				t.Errorf("%s: got %v", tc.reason, got)
			}
		})
	}
}
