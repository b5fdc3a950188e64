package convert

import (
	"errors"
	"testing"
)

func TestTapOf(t *testing.T) {
	const vmi = `
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    cpu: {cores: 4}
    memory: {guest: 1Gi}
    devices:
      networkInterfaceMultiqueue: true
      interfaces:
      - {name: main, masquerade: {}}
      - {name: blue, bridge: {}}
      - {name: red, bridge: {}, model: rtl8139}
      - {name: vf, sriov: {}}
      - {name: served, passtBinding: {}}
      - {name: wrong, slirp: {}}
      - {name: claimed, binding: {name: fabric}}
  networks:
  - {name: main, pod: {}}
  - {name: blue, multus: {networkName: n}}
  - {name: red, multus: {networkName: n}}
  - {name: vf, multus: {networkName: n}}
  - {name: served, multus: {networkName: n}}
  - {name: wrong, multus: {networkName: n}}
  - {name: claimed, resourceClaim: {claimName: c, requestName: r}}
status:
  interfaces:
  - {name: main, podInterfaceName: ovn-udn1, infoSource: "multus-status, domain", queueCount: 2}
  - {name: blue, STATUS}
`
	const context = "cluster: {network: {binding: {fabric: {domainAttachmentType: tap}}}}"
	hashed, ordinal := "podInterfaceName: pod16477688c0e, infoSource: multus-status, queueCount: 9", "podInterfaceName: net1"
	for _, tc := range []struct {
		name, reason, status, nic string
		want                      Tap
	}{
		{"running", "a NIC of the running domain keeps its queues, whatever the VMI asks for", hashed, "main", Tap{"tap0", 2}},
		{"not running", "one that is not in the domain yet has those asked for", hashed, "blue", Tap{"tap16477688c0e", 4}},
		{"ordinal", "a pod of old counts its links", ordinal, "blue", Tap{"tap1", 4}},
		{"other card", "only virtio cards have several queues", hashed, "red", Tap{"tapb1f51a511f1", 1}},
		{"vf", "a host device sits on no tap", hashed, "vf", Tap{}},
		{"passt", "passt needs none", hashed, "served", Tap{}},
		{"wrong", "a NIC that cannot be converted has none", hashed, "wrong", Tap{}},
		{"claimed", "a network of a claim has no link", hashed, "claimed", Tap{}},
		{"unknown", "nor has a NIC that is not there", hashed, "none", Tap{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := testState(t, replaceOnce(vmi, "STATUS", tc.status), context)
			got, err := TapOf(s.vmi, *s.ctx, tc.nic)
			if got != tc.want {
				t.Errorf("%s: got %+v (%v), want %+v", tc.reason, got, err, tc.want)
			}
			var refusal *FieldError
			if (err != nil) != (tc.want == Tap{}) || err != nil && !errors.As(err, &refusal) {
				t.Errorf("%s: error %v", tc.reason, err)
			}
		})
	}
}
