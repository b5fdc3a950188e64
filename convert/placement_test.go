package convert

import (
	"fmt"
	"strings"
	"testing"

	"libvirt.org/go/libvirtxml"
)

// cards are n devices of each of the cells given.
func cards(perCell ...int) (devices []numaDevice) {
	for cell, n := range perCell {
		for i := range n {
			devices = append(devices, numaDevice{host: *pciAddress(0, uint(cell+1), uint(i), 0), cell: uint(cell)})
		}
	}
	return devices
}

// TestExpanderTree is the worked example of the specification, and the ends of what fits.
func TestExpanderTree(t *testing.T) {
	for _, tc := range []struct {
		name, reason string
		next         uint
		devices      []numaDevice
		want         string // "index model bus slot busNr node" of each controller
		why          string
	}{
		{"two nodes", "the worked example", 1, cards(1, 1),
			"1 pcie-expander-bus 254 0; 2 pcie-root-port 1 0; 3 pcie-expander-bus 252 1; 4 pcie-root-port 3 0", ""},
		{"one node", "devices of one cell share the bus", 1, cards(2),
			"1 pcie-expander-bus 253 0; 2 pcie-root-port 1 0; 3 pcie-root-port 1 1", ""},
		{"offset", "numbers go on from those the domain has", 7, cards(1),
			"7 pcie-expander-bus 254 0; 8 pcie-root-port 7 0", ""},
		{"full bus", "an expander bus has 32 slots", 1, cards(33), "", "32 slots"},
		{"no numbers", "ports need numbers below their expander's", 254, cards(1), "", "exhausted"},
		{"last numbers", "the last that fit", 253, cards(1), "253 pcie-expander-bus 254 0; 254 pcie-root-port 253 0", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tree := expanderTree{next: tc.next, lastBus: topBus}
			why := tree.growCells(tc.devices)
			if tc.why != "" {
				if !strings.Contains(why, tc.why) {
					t.Errorf("%s: got %q, want %q", tc.reason, why, tc.why)
				}
				return
			}
			if got := treeText(tree.controllers); why != "" || got != tc.want {
				t.Errorf("%s: got %s (%s)\nwant %s", tc.reason, got, why, tc.want)
			}
		})
	}
}

func treeText(controllers []libvirtxml.DomainController) string {
	var list []string
	for _, c := range controllers {
		text := fmt.Sprintf("%d %s", *c.Index, c.Model)
		if c.PCI != nil {
			text += fmt.Sprintf(" %d %d", *c.PCI.Target.BusNr, *c.PCI.Target.NUMANode)
		} else {
			text += fmt.Sprintf(" %d %d", *c.Address.PCI.Bus, *c.Address.PCI.Slot)
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// TestRootComplexNumbers is the worked example of the specification.
func TestRootComplexNumbers(t *testing.T) {
	s := testState(t, `
metadata: {name: vm-a, namespace: shop, annotations: {kubevirt.io/placePCIDevicesOnRootComplex: "true"}}
spec:
  domain:
    memory: {guest: 1Gi}
    devices: {autoattachPodInterface: false, rng: {}, watchdog: {name: dog, i6300esb: {}}, inputs: [{name: pen, type: tablet, bus: virtio}]}`, "{}")
	r, err := VMI(s.vmi, *s.ctx)
	if err != nil {
		t.Fatal(err)
	}
	d := r.Domain.Devices
	for i, a := range []*libvirtxml.DomainAddress{d.Controllers[0].Address, d.Controllers[1].Address, d.Controllers[2].Address,
		d.Inputs[0].Address, d.Watchdogs[0].Address, d.RNGs[0].Address, d.MemBalloon.Address} {
		if a == nil || *a.PCI.Slot != uint(i+2) || *a.PCI.Bus != 0 || *a.PCI.Function != 0 {
			t.Errorf("device %d is at %+v, want slot %#x", i, a, i+2)
		}
	}
}

// graceState is a conversion with two Grace GPUs whose cells are there.
func graceState(t *testing.T) (*state, []graceDevice) {
	s := testState(t, "metadata: {name: a, namespace: b}\nspec: {domain: {memory: {guest: 1Gi}, devices: {}}}",
		"grace: {smmuV3: true, initiatorNodes: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}")
	devices := []graceDevice{
		{numaDevice: numaDevice{host: *pciAddress(8, 1, 0, 0)}, facts: GraceDevice{PrefetchableKiB: 1}},
		{numaDevice: numaDevice{host: *pciAddress(9, 1, 0, 0)}, facts: GraceDevice{PrefetchableKiB: 1}},
	}
	return s, devices
}

func TestGraceInitiators(t *testing.T) {
	eight := []int{2, 3, 4, 5, 6, 7, 8, 9}
	for _, tc := range []struct {
		name, reason  string
		first, second []int
		want          string
	}{
		{"too few", "fifteen nodes are not enough for two", nil, nil, `context.grace.initiatorNodes: "15": want eight initiator nodes for each of 2`},
		{"some", "links for all or for none", eight, nil, "only some Grace GPUs"},
		{"count", "exactly eight", eight, []int{10, 11}, `initiatorNodes: "2": want eight`},
		{"shared", "a node stands for one GPU", eight, []int{9, 10, 11, 12, 13, 14, 15, 16}, `initiatorNodes: "9": the node stands for another`},
		{"fine", "eight each", eight, []int{10, 11, 12, 13, 14, 15, 16, 17}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, devices := graceState(t)
			devices[0].facts.InitiatorNodes, devices[1].facts.InitiatorNodes = tc.first, tc.second
			s.assignInitiators(devices)
			checkProblem(t, tc.reason, s, tc.want)
		})
	}
}

func TestGraceHole(t *testing.T) {
	for _, tc := range []struct {
		name, reason string
		sizes        [2]uint64
		want         uint64
		refusal      string
	}{
		{"small", "each GPU takes 512 GiB at least", [2]uint64{1, 1}, 2 << 30, ""},
		{"large", "or what it has", [2]uint64{3 << 30, 1}, 4 << 30, ""},
		{"none", "a size must be known", [2]uint64{0, 1}, 0, "want the size"},
		{"huge", "16 TiB at most", [2]uint64{16 << 30, 1}, 0, "a larger hole"},
		{"overflow", "whatever is claimed", [2]uint64{1 << 63, 1 << 63}, 0, "a larger hole"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, devices := graceState(t)
			devices[0].facts.PrefetchableKiB, devices[1].facts.PrefetchableKiB = tc.sizes[0], tc.sizes[1]
			got := s.graceHole(devices)
			if tc.refusal == "" && got != tc.want {
				t.Errorf("%s: got %d KiB, want %d", tc.reason, got, tc.want)
			}
			checkProblem(t, tc.reason, s, tc.refusal)
		})
	}
}

func checkProblem(t *testing.T, reason string, s *state, want string) {
	t.Helper()
	if want == "" {
		if len(s.problems) > 0 {
			t.Errorf("%s: refused: %v", reason, s.problems)
		}
		return
	}
	for _, p := range s.problems {
		if strings.Contains(p.Error(), want) {
			return
		}
	}
	t.Errorf("%s: got %v, want %q", reason, s.problems, want)
}
