package convert

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"
)

func replaceOnce(text, old, new string) string { return strings.Replace(text, old, new, 1) }

const pluggedNICs = `
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    memory: {guest: 1Gi}
    devices:
      hostDevices: [{name: qat, deviceName: example.com/qat}]
      interfaces:
      - {name: Blue, passtBinding: {}, ports: [{port: 80}]}
      - {name: vf, sriov: {}}
      - {name: red, bridge: {}}
  networks:
  - {name: Blue, pod: {}}
  - {name: vf, multus: {networkName: n}}
  - {name: red, multus: {networkName: n}}
status:
  interfaces: [{name: Blue, podInterfaceName: eth0}]
`

const pluggedNICFacts = `
sriov: {vf: "0000:81:11.1"}
hostDevices: {example.com/qat: {pci: ["0000:3d:01.2"]}}
network: {links: {podb1f51a511f1: {mac: "0a:58:0a:01:02:03", mtu: 1400}, tapb1f51a511f1: {}}}
`

func TestInterfaceForHotplug(t *testing.T) {
	s := testState(t, pluggedNICs, pluggedNICFacts)
	for _, tc := range []struct{ name, reason, want string }{
		{"Blue", "capitals stay on the wire", `logFile="/var/run/kubevirt/passt.log"`},
		{"Blue", "capitals stay in the alias", `<alias name="ua-Blue">`},
		{"Blue", "capitals stay in elements", `<portForward proto="tcp">`},
		{"red", "the pod's links are known when a NIC is plugged in", `<target dev="tapb1f51a511f1" managed="no">`},
		{"vf", "a host device is no interface", ""},
		{"none", "nor is what is not there", ""},
	} {
		x, err := Interface(s.vmi, *s.ctx, tc.name)
		var refusal *FieldError
		if tc.want == "" {
			if !errors.As(err, &refusal) {
				t.Errorf("%s: %s: error %v", tc.name, tc.reason, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %s: %v", tc.name, tc.reason, err)
			continue
		}
		text, err := xml.Marshal(x)
		if err != nil || !strings.Contains(string(text), tc.want) {
			t.Errorf("%s: %s: %s (%v) has no %s", tc.name, tc.reason, text, err, tc.want)
		}
	}
}

func TestHostDeviceForHotplug(t *testing.T) {
	s := testState(t, pluggedNICs, pluggedNICFacts)
	for alias, bus := range map[string]uint{"sriov-vf": 0x81, "hostdevice-qat": 0x3d} {
		x, err := HostDevice(s.vmi, *s.ctx, alias)
		if err != nil || *x.SubsysPCI.Source.Address.Bus != bus {
			t.Errorf("%s: %+v, %v", alias, x, err)
		}
	}
	var refusal *FieldError
	if _, err := HostDevice(s.vmi, *s.ctx, "qat"); !errors.As(err, &refusal) {
		t.Errorf("an alias without its prefix: error %v", err)
	}
	if _, err := HostDevice(s.vmi, Context{}, "sriov-vf"); !errors.As(err, &refusal) {
		t.Errorf("a VMI that cannot be converted: error %v", err)
	}
}
