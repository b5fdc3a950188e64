package convert

import (
	"errors"
	"strings"
	"testing"

	"libvirt.org/go/libvirtxml"
)

// oneNIC is a VMI with one NIC on the pod network, and what a test adds to it.
func oneNIC(nic, spec string) string {
	return `
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    memory: {guest: 1Gi}
    devices:
      interfaces: [{name: default, masquerade: {}` + nic + `}]
    ` + spec + `
  networks: [{name: default, pod: {}}]
`
}

// convertNIC runs the step for NICs alone and returns the one it makes.
func convertNIC(t *testing.T, vmi, context string) *libvirtxml.DomainInterface {
	t.Helper()
	s := testState(t, vmi, context)
	s.interfaces()
	if err := errors.Join(s.problems...); err != nil {
		t.Fatal(err)
	}
	if n := len(s.dom.Devices.Interfaces); n != 1 {
		t.Fatalf("%d interfaces, want 1", n)
	}
	return &s.dom.Devices.Interfaces[0]
}

func TestBootROM(t *testing.T) {
	const (
		none = ""
		sev  = "launchSecurity: {sev: {}}"
		snp  = "launchSecurity: {snp: {}}"
		tdx  = "launchSecurity: {tdx: {}}"
		se   = "launchSecurity: {}"
		boot = ", bootOrder: 1"
	)
	for _, tc := range []struct {
		name, reason    string
		arch, nic, spec string
		want            bool
	}{
		{"plain", "a NIC that takes no part in booting", "amd64", "", none, true},
		{"boot", "the guest boots from the ROM", "amd64", boot, none, false},
		{"sev", "SEV keeps the ROM out", "amd64", "", sev, true},
		{"sev boot", "SEV keeps the ROM out even of a boot device", "amd64", boot, sev, true},
		{"snp boot", "so does SNP", "amd64", boot, snp, true},
		{"tdx", "TDX changes nothing", "amd64", "", tdx, true},
		{"tdx boot", "TDX changes nothing", "amd64", boot, tdx, false},
		{"arm64", "arm64 is as amd64", "arm64", "", none, true},
		{"arm64 boot", "arm64 is as amd64", "arm64", boot, none, false},
		{"s390x", "s390x has no boot ROM", "s390x", "", none, false},
		{"s390x secure", "s390x has no boot ROM", "s390x", boot, se, false},
		{"empty on amd64", "an empty launchSecurity is nothing on amd64", "amd64", boot, se, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := convertNIC(t, oneNIC(tc.nic, tc.spec), "node: {architecture: "+tc.arch+"}")
			if got := x.ROM != nil && x.ROM.Enabled == "no"; got != tc.want {
				t.Errorf("%s: rom off is %v", tc.reason, got)
			}
			if got := x.Boot != nil; got != (tc.nic != "") {
				t.Errorf("boot order is %v, whatever the ROM", got)
			}
		})
	}
}

func TestVirtioModel(t *testing.T) {
	for _, tc := range []struct{ arch, transitional, want string }{
		{"amd64", "false", "virtio-non-transitional"}, {"amd64", "true", "virtio-transitional"},
		{"arm64", "false", "virtio-non-transitional"}, {"arm64", "true", "virtio-transitional"},
		{"s390x", "false", "virtio"}, {"s390x", "true", "virtio"},
	} {
		vmi := strings.Replace(oneNIC(", model: virtio", ""), "interfaces:", "useVirtioTransitional: "+tc.transitional+"\n      interfaces:", 1)
		if got := convertNIC(t, vmi, "node: {architecture: "+tc.arch+"}").Model.Type; got != tc.want {
			t.Errorf("%s, transitional %s: got %s, want %s", tc.arch, tc.transitional, got, tc.want)
		}
	}
}

func TestLinkState(t *testing.T) {
	for state, want := range map[string]bool{"": false, ", state: up": false, ", state: down": true} {
		x := convertNIC(t, oneNIC(state, ""), "{}")
		if got := x.Link != nil && x.Link.State == "down"; got != want || !want && x.Link != nil {
			t.Errorf("%q: link %+v", state, x.Link)
		}
	}
}

// TestCase02Multiqueue: queues are for NICs that can have them.
func TestCase02Multiqueue(t *testing.T) {
	const vmi = `
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    cpu: {cores: 4}
    memory: {guest: 1Gi}
    devices:
      networkInterfaceMultiqueue: true
      interfaces: [{name: fast, bridge: {}}, {name: old, bridge: {}, model: e1000}]
  networks: [{name: fast, multus: {networkName: n}}, {name: old, multus: {networkName: n}}]
`
	s := testState(t, vmi, "{}")
	s.interfaces()
	list := s.dom.Devices.Interfaces
	if d := list[0].Driver; d == nil || d.Queues != 4 {
		t.Errorf("the virtio NIC has driver %+v, want four queues", d)
	}
	if d := list[1].Driver; d != nil {
		t.Errorf("the e1000 has driver %+v, want none", d)
	}
	for name, want := range map[string]uint{"fast": 4, "old": 1} {
		if tap, err := TapOf(s.vmi, *s.ctx, name); err != nil || tap.Queues != want {
			t.Errorf("the tap of %s has %d queues (%v), want %d", name, tap.Queues, err, want)
		}
	}
}

func TestNICQueues(t *testing.T) {
	for _, tc := range []struct {
		name, reason, cpu, multiqueue string
		want                          uint
	}{
		{"unset", "without the option there is no setting", "{cores: 4}", "", 0},
		{"off", "nor with the option off", "{cores: 4}", "networkInterfaceMultiqueue: false", 0},
		{"one", "one vCPU makes one queue, in so many words", "{cores: 1}", "networkInterfaceMultiqueue: true", 1},
		{"product", "sockets, cores and threads count", "{sockets: 2, cores: 4, threads: 2}", "networkInterfaceMultiqueue: true", 16},
		{"hotplug", "sockets for later do not", "{sockets: 2, maxSockets: 8}", "networkInterfaceMultiqueue: true", 2},
		{"limit", "a tap has 256 queues at most", "{sockets: 300}", "networkInterfaceMultiqueue: true", 256},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := testState(t, "metadata: {name: a, namespace: b}\nspec: {domain: {cpu: "+tc.cpu+", memory: {guest: 1Gi}, devices: {"+tc.multiqueue+"}}}", "{}")
			if got := s.nicQueues(); got != tc.want {
				t.Errorf("%s: got %d, want %d", tc.reason, got, tc.want)
			}
		})
	}
}

func TestNICQueuesFromResources(t *testing.T) {
	s := testState(t, `
metadata: {name: a, namespace: b}
spec: {domain: {memory: {guest: 1Gi}, resources: {limits: {cpu: 2500m}}, devices: {networkInterfaceMultiqueue: true}}}`, "{}")
	if got := s.nicQueues(); got != 3 {
		t.Errorf("got %d, want 3: a CPU limit is rounded up", got)
	}
}
