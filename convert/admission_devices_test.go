package convert

import (
	"strings"
	"testing"
)

// admitted are the checks on devices and NICs that a VMI fails, as "field: value: reason" lines.
func admitted(t *testing.T, vmi, context string) string {
	t.Helper()
	s := testState(t, vmi, context)
	s.problems = nil
	s.admitNICs()
	s.admitNetworks()
	s.admitDevices()
	s.admitHostDevices()
	var lines []string
	for _, p := range s.problems {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

func TestAdmissionOfNICs(t *testing.T) {
	for _, tc := range []struct{ name, reason, nics, networks, context, want string }{
		{"fine", "nothing to say", `[{name: a, masquerade: {}}]`, `[{name: a, pod: {}}]`, "", ""},
		{"two bindings", "one way to bind", `[{name: a, masquerade: {}, bridge: {}}]`, `[{name: a, pod: {}}]`, "",
			`interfaces[0]: "bridge, masquerade": want one of`},
		{"no binding", "an attachment alone is no binding", `[{name: a}]`, `[{name: a, pod: {}}]`, "",
			"interfaces[0]: want one of"},
		{"masquerade", "masquerade is for the pod network", `[{name: a, masquerade: {}}]`, `[{name: a, multus: {networkName: n}}]`, "",
			"interfaces[0].masquerade: masquerade works on the pod network alone"},
		{"reserved", "the bridge's own address", `[{name: a, masquerade: {}, macAddress: "02:00:00:00:00:00"}]`, `[{name: a, pod: {}}]`, "",
			`macAddress: "02:00:00:00:00:00": the bridge inside the pod has this address`},
		{"bridge forbidden", "the cluster's word", `[{name: a, bridge: {}}]`, `[{name: a, pod: {}}]`,
			"cluster: {network: {permitBridgeInterfaceOnPodNetwork: false}}", "interfaces[0].bridge: the cluster does not allow"},
		{"bridge allowed", "other networks do not mind", `[{name: a, bridge: {}}]`, `[{name: a, multus: {networkName: n}}]`,
			"cluster: {network: {permitBridgeInterfaceOnPodNetwork: false}}", ""},
		{"passt", "passt is for the pod network, where its gate is on", `[{name: a, passtBinding: {}, state: down}]`, `[{name: a, multus: {networkName: n}}]`,
			"cluster: {developerConfiguration: {disabledFeatureGates: [PasstBinding]}}",
			"interfaces[0].passtBinding: feature gate PasstBinding is off\ninterfaces[0].passtBinding: passt works on the pod network alone\nstate: \"down\": passt has no link"},
		{"state", "no such state", `[{name: a, bridge: {}, state: sideways}]`, `[{name: a, pod: {}}]`, "", `state: "sideways": want absent, up or down`},
		{"sriov state", "hardware has its own link", `[{name: a, sriov: {}, state: up}]`, `[{name: a, multus: {networkName: n}}]`, "",
			`state: "up": the link of an SR-IOV NIC cannot be set`},
		{"absent", "only a secondary bridge goes away", `[{name: a, masquerade: {}, state: absent}]`, `[{name: a, pod: {}}]`, "",
			"only NICs on a bridge\nthe NIC of the pod's own network"},
		{"names", "a name once, of plain characters", `[{name: a.b, bridge: {}}, {name: a.b, bridge: {}}]`, `[{name: a.b, pod: {}}]`, "",
			`interfaces[0].name: "a.b": want letters` + "\n" + `interfaces[1].name: "a.b": want each name once` + "\n" + `interfaces[1].name: "a.b": want letters`},
		{"model", "a card the API knows", `[{name: a, bridge: {}, model: virtio-fast}]`, `[{name: a, pod: {}}]`, "", `model: "virtio-fast": want e1000`},
		{"ports", "ports and their names", `[{name: a, bridge: {}, ports: [{port: 0}, {port: 1, name: x, protocol: tcp}, {port: 2, name: x}, {port: 3, name: X}]}]`, `[{name: a, pod: {}}]`, "",
			`ports[0].port: "0"` + "\n" + `ports[1].protocol: "tcp": want TCP or UDP` + "\n" + `ports[2].name: "x": want each name once` + "\n" + `ports[3].name: "X": want a DNS label`},
		{"ranges", "ranges do not overlap within a protocol", `[{name: a, masquerade: {}, portRanges: [{protocol: TCP, start: 1, end: 9}, {protocol: TCP, start: 9, end: 12}, {protocol: UDP, start: 9, end: 12}]}]`, `[{name: a, pod: {}}]`, "",
			`portRanges[1].start: "9": the range overlaps another, from 1 to 9`},
		{"bad ranges", "what else ranges must be", `[{name: a, bridge: {}, ports: [{port: 1}], portRanges: [{protocol: "", start: 9, end: 1}]}]`, `[{name: a, pod: {}}]`, "",
			"want ports or portRanges, not both\nonly masquerade forwards ranges\nportRanges[0].protocol: want TCP or UDP\na range that ends at 1, want ports"},
		{"many ranges", "ten at most", `[{name: a, masquerade: {}, portRanges: [` + strings.Repeat("{protocol: TCP, start: 1, end: 1},", 11) + `]}]`, `[{name: a, pod: {}}]`, "", "want at most 10"},
		{"unseen", "no device shows what a plugin's or an SR-IOV NIC asks for", `[{name: a, binding: {name: p}, macAddress: xx, pciAddress: "1:2", bootOrder: 0}, {name: b, sriov: {}, macAddress: yy}]`,
			`[{name: a, multus: {networkName: n}}, {name: b, multus: {networkName: n}}]`, "cluster: {network: {binding: {p: {sidecarImage: registry.example.com/p}}}}",
			`interfaces[0].macAddress: "xx": want a unicast` + "\n" + `interfaces[0].pciAddress: "1:2": want DDDD` + "\n" + `interfaces[0].bootOrder: "0": want an order` + "\n" + `interfaces[1].macAddress: "yy": want`},
		{"dhcp", "private options and NTP servers", `[{name: a, bridge: {}, dhcpOptions: {ntpServers: [192.0.2.1, "2001:db8::1"], privateOptions: [{option: 224, value: x}, {option: 224, value: y}, {option: 3, value: z}]}}]`, `[{name: a, pod: {}}]`, "",
			`privateOptions[1].option: "224"` + "\n" + `privateOptions[2].option: "3"` + "\n" + `ntpServers[1]: "2001:db8::1": want an IPv4 address`},
		{"networks", "what networks must be", `[{name: a, masquerade: {}}, {name: b, bridge: {}}]`,
			`[{name: a, pod: {}}, {name: b, pod: {}}, {name: b, multus: {networkName: ""}}, {name: c}]`, "",
			`networks[1].name: "b": network a is the pod's own already` + "\n" + `networks[2].name: "b": want each name once` + "\nnetworks[2].multus.networkName: want the name\n" +
				`networks[3].name: "c": no interface of that name` + "\n" + `networks[3]: "c": want one of pod, multus and resourceClaim`},
		{"claims", "networks of claims", `[{name: a, bridge: {}}, {name: b, sriov: {}}, {name: c, bridge: {}}]`,
			`[{name: a, resourceClaim: {claimName: x, requestName: y}}, {name: b, resourceClaim: {claimName: x, requestName: y}}, {name: c, multus: {networkName: n}}]`, "",
			`networks[0].resourceClaim: "a": network c is a multus one` + "\n" + `interfaces[0]: "a": the network is of a resource claim, want sriov or binding` + "\n" +
				`networks[0].resourceClaim: "x": no resource claim of that name` + "\n" + `networks[1].resourceClaim: "b": network a takes the same request` + "\n" +
				`networks[1].resourceClaim: "b": network c is a multus one` + "\n" + `networks[1].resourceClaim: "x": no resource claim of that name`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := admitted(t, "metadata: {name: a, namespace: b}\nspec: {domain: {memory: {guest: 1Gi}, devices: {interfaces: "+tc.nics+"}}, networks: "+tc.networks+"}", tc.context)
			compareRemarks(t, tc.reason, got, tc.want)
		})
	}
}

// compareRemarks wants as many lines as there are, each holding what is wanted of it, in
// whatever order.
func compareRemarks(t *testing.T, reason, got, want string) {
	t.Helper()
	left := strings.Split(got, "\n")
next:
	for _, w := range strings.Split(want, "\n") {
		for i, line := range left {
			if strings.Contains(line, w) && (w != "" || line == "") {
				left = append(left[:i:i], left[i+1:]...)
				continue next
			}
		}
		t.Errorf("%s: no remark has %q:\n%s", reason, w, got)
	}
	for _, line := range left {
		t.Errorf("%s: unwanted: %s", reason, line)
	}
}

func TestAdmissionOfDevices(t *testing.T) {
	const amd64, arm64, s390x = "{}", "node: {architecture: arm64}", "node: {architecture: s390x}"
	for _, tc := range []struct{ name, reason, devices, context, want string }{
		{"fine", "nothing to say", "{rng: {}, tpm: {}, sound: {name: snd}, video: {type: cirrus}}", amd64, ""},
		{"gates", "what takes a gate", "{autoattachVSOCK: true, downwardMetrics: {}, hostDevices: [{name: a, deviceName: r}]}", amd64,
			"feature gate VSOCK is off\nfeature gate DownwardMetrics is off\nfeature gate HostDevices is off"},
		{"watchdog", "one kind", "{watchdog: {name: a, i6300esb: {}, diag288: {}}}", amd64, "want one kind of watchdog"},
		{"sound", "a name, and not on arm64", `{sound: {name: ""}}`, arm64, "sound.name: want a name\narm64 has no sound card"},
		{"video", "only with a display", "{video: {type: vga}, autoattachGraphicsDevice: false}", amd64, "the guest has no display"},
		{"video type", "what the architecture knows", "{video: {type: vga}}", arm64, `video.type: "vga": want virtio, ramfb on arm64`},
		{"panic", "s390x has its own", "{panicDevices: [{}]}", s390x, "s390x has no panic device to choose"},
		{"gpus", "claims and plugins do not mix, one boot screen", "{gpus: [{name: a, deviceName: r, virtualGPUOptions: {display: {}}}, {name: b, claimName: c, requestName: q, virtualGPUOptions: {display: {enabled: true}}}]}", amd64,
			"want GPUs of resource claims or of device plugins\nwant one GPU at most that shows the boot screen\nno resource claim of that name"},
		{"claims", "how claims are named", "{hostDevices: [{name: a, claimName: c}, {name: b, claimName: known, requestName: q}, {name: d, claimName: known, requestName: q}, {name: e}, {name: f, deviceName: r, claimName: known, requestName: z}]}", "cluster: {developerConfiguration: {featureGates: [HostDevices], disabledFeatureGates: [HostDevicesWithDRA]}}",
			strings.Repeat("feature gate HostDevicesWithDRA is off\n", 4) + "want both claimName and requestName\ndevice b takes the same request\n" +
				strings.Repeat("want either deviceName or claimName and requestName\n", 2) + "resourceClaims[1].name: \"known\"\nresourceClaims[1]: \"known\": want either resourceClaimName or"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			claims := ""
			if tc.name == "claims" {
				claims = ", resourceClaims: [{name: known, resourceClaimName: x}, {name: known}]"
			}
			got := admitted(t, "metadata: {name: a, namespace: b}\nspec: {domain: {memory: {guest: 1Gi}, devices: "+tc.devices+"}"+claims+"}", tc.context)
			compareRemarks(t, tc.reason, got, tc.want)
		})
	}
}

func TestAdmissionOfIgnition(t *testing.T) {
	const vmi = "metadata: {name: a, namespace: b, annotations: {kubevirt.io/ignitiondata: x}}\nspec: {domain: {memory: {guest: 1Gi}, devices: {}}}"
	compareRemarks(t, "the annotation takes a gate", admitted(t, vmi, "{}"), "feature gate ExperimentalIgnitionSupport is off")
	compareRemarks(t, "which may be on", admitted(t, vmi, "cluster: {developerConfiguration: {featureGates: [ExperimentalIgnitionSupport]}}"), "")
}
