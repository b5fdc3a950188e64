package convert

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	v1 "kubevirt.io/api/core/v1"
)

const head = "apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\nmetadata: {name: vm-a, namespace: shop}\n"

func TestParseVMI(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		check        func(t *testing.T, vmi *v1.VirtualMachineInstance)
	}{
		{"quantities, booleans and inlined structs", head + "spec:\n  domain:\n    memory: {guest: 1.5Gi}\n    devices:\n      rng: {}\n      disks: [{name: root, bootOrder: 1, disk: {bus: virtio, readonly: yes}}]\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) {
				assert.EqualValues(t, 1610612736, vmi.Spec.Domain.Memory.Guest.Value())
				assert.NotNil(t, vmi.Spec.Domain.Devices.Rng)
				d := vmi.Spec.Domain.Devices.Disks[0]
				assert.EqualValues(t, 1, *d.BootOrder)
				assert.True(t, d.Disk.ReadOnly, "YAML 1.1 says yes, and so does Kubernetes")
			}},
		{"a CPU request as a number", head + "spec: {domain: {devices: {}, resources: {requests: {cpu: 2, memory: 0.5Gi}}}}\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) {
				assert.EqualValues(t, 2, vmi.Spec.Domain.Resources.Requests.Cpu().Value())
			}},
		{"JSON, indented with tabs", "{\n\t\"apiVersion\": \"kubevirt.io/v1\",\n\t\"kind\": \"VirtualMachineInstance\",\n\t\"metadata\": {\"name\": \"vm-a\", \"creationTimestamp\": null},\n\t\"spec\": {\"domain\": {\"devices\": {}}}\n}\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) { assert.Equal(t, "vm-a", vmi.Name) }},
		{"other objects beside it are passed over", "apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\nanything: [1, 2]\n---\n" + head + "spec: {domain: {devices: {}}}\n---\n# nothing\n---\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) { assert.Equal(t, "shop", vmi.Namespace) }},
		{"the one item of kubectl's list", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: kubevirt.io/v1\n  kind: VirtualMachineInstance\n  metadata: {name: vm-a}\n  spec: {domain: {devices: {}}}\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) { assert.Equal(t, "vm-a", vmi.Name) }},
		{"a typed list, whose items have no kind", "apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstanceList\nitems:\n- metadata: {name: vm-a}\n  spec: {domain: {devices: {}}}\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) { assert.Equal(t, "vm-a", vmi.Name) }},
		{"anchors and merge keys", head + "spec:\n  domain:\n    devices:\n      disks:\n      - name: a\n        disk: &d {bus: virtio}\n      - name: b\n        disk: *d\n      - {name: c, disk: {<<: *d, readonly: true}}\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) {
				disks := vmi.Spec.Domain.Devices.Disks
				assert.EqualValues(t, "virtio", disks[1].Disk.Bus)
				assert.EqualValues(t, "virtio", disks[2].Disk.Bus)
				assert.True(t, disks[2].Disk.ReadOnly)
				assert.NotSame(t, disks[0].Disk, disks[1].Disk)
			}},
		{"a VirtualMachine becomes the VMI of its template", "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: vm-a, namespace: shop}\nspec:\n  runStrategy: Always\n  template:\n    metadata: {annotations: {kubevirt.io/memfd: \"false\"}}\n    spec: {domain: {devices: {autoattachInputDevice: true}}}\n",
			func(t *testing.T, vmi *v1.VirtualMachineInstance) {
				assert.Equal(t, "shop/vm-a", vmi.Namespace+"/"+vmi.Name)
				assert.Equal(t, "false", vmi.Annotations["kubevirt.io/memfd"])
				full, err := Defaulted(vmi, Context{})
				require.NoError(t, err)
				assert.Equal(t, []v1.Input{{Name: "default-0", Bus: "usb", Type: "tablet"}}, full.Spec.Domain.Devices.Inputs)
				assert.EqualValues(t, "6c3b1910-1b4d-5700-af18-3d001adabd73", full.Spec.Domain.Firmware.UUID, "what KubeVirt derives from a VM's name")
			}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			vmi, err := ParseVMI("vmi.yaml", []byte(c.text))
			require.NoError(t, err)
			c.check(t, vmi)
		})
	}
}

func TestParseVMIRefuses(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"a misspelt field", head + "spec:\n  domain:\n    devices:\n      disk: []\n", "vmi.yaml:7:7: spec.domain.devices.disk: no such field; did you mean disks?"},
		{"a field in the wrong case", head + "spec: {domain: {devices: {}, CPU: {cores: 2}}}\n", "vmi.yaml:4:30: spec.domain.CPU: no such field; did you mean cpu?"},
		{"an unknown field right below spec", head + "spec:\n  running: true\n  domain: {devices: {}}\n", "vmi.yaml:5:3: spec.running: no such field"},
		{"a field given twice", head + "spec:\n  domain:\n    devices: {}\n    devices: {}\n", "vmi.yaml:7:5: spec.domain.devices: given twice, first in line 6"},
		{"a number that is text", head + "spec: {domain: {devices: {}, cpu: {cores: two}}}\n", `vmi.yaml:4:43: spec.domain.cpu.cores: "two": want a whole number from 0 of at most 32 bits`},
		{"a negative number", head + "spec: {domain: {devices: {}, cpu: {cores: -1}}}\n", `vmi.yaml:4:43: spec.domain.cpu.cores: "-1": want a whole number from 0 of at most 32 bits`},
		{"a text that is a number", head + "spec: {domain: {devices: {}, chassis: {serial: 0123}}}\n", `vmi.yaml:4:48: spec.domain.chassis.serial: "0123": want text; put it in quotes`},
		{"a switch that is neither on nor off", head + "spec: {domain: {devices: {disableHotplug: maybe}}}\n", `vmi.yaml:4:43: spec.domain.devices.disableHotplug: "maybe": want true or false`},
		{"a list that is a mapping", head + "spec: {domain: {devices: {disks: {name: a}}}}\n", "vmi.yaml:4:34: spec.domain.devices.disks: want a list"},
		{"a mapping that is a word", head + "spec: {domain: {devices: none}}\n", `vmi.yaml:4:26: spec.domain.devices: "none": want a mapping of fields`},
		{"a quantity that is none", head + "spec: {domain: {devices: {}, memory: {guest: lots}}}\n", `vmi.yaml:4:46: spec.domain.memory.guest: "lots": quantities must match the regular expression`},
		{"no YAML", "a: [\n", "vmi.yaml:1:1: did not find expected node content"},
		{"nothing", "", "vmi.yaml: empty; want a VirtualMachineInstance or a VirtualMachine"},
		{"something else", "apiVersion: v1\nkind: Pod\n", "vmi.yaml: holds a Pod; want a VirtualMachineInstance or a VirtualMachine"},
		{"no object", "hello\n", "vmi.yaml:1:1: want an object with apiVersion and kind"},
		{"two of them", head + "---\n" + head, `vmi.yaml:5:1: "VirtualMachineInstance": one of 2 machines; want one VirtualMachineInstance or VirtualMachine`},
		{"a version of the future", "apiVersion: kubevirt.io/v2\nkind: VirtualMachineInstance\n", `vmi.yaml:1:13: apiVersion: "kubevirt.io/v2": want kubevirt.io/v1`},
		{"a kind of another group", "apiVersion: example.com/v1\nkind: VirtualMachine\n", "vmi.yaml: holds a VirtualMachine; want"},
		{"a VirtualMachine whose hardware is in the cluster", "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: a}\nspec: {instancetype: {name: u1.small}, template: {spec: {domain: {devices: {}}}}}\n",
			"vmi.yaml:1:1: spec.instancetype: is kept in the cluster"},
		{"NUL", head + "spec: \x00\n", "vmi.yaml: control characters are not allowed"},
		{"another encoding", "\xff\xfea\x00", "vmi.yaml"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			_, err := ParseVMI("vmi.yaml", []byte(c.text))
			require.Error(t, err)
			assert.True(t, strings.HasPrefix(err.Error(), c.want), "got %s", err)
			var pe *ParseError
			assert.ErrorAs(t, err, &pe)
		})
	}
}

func TestParseReportsAllAtOnce(t *testing.T) {
	_, err := ParseVMI("vmi.yaml", []byte(head+"spec:\n  domain:\n    devices: {disk: []}\n    cpus: {}\n    memory: {guest: x}\n  volume: []\n"))
	require.Error(t, err)
	assert.Len(t, strings.Split(err.Error(), "\n"), 4, err)
}

func TestParseHostileInput(t *testing.T) {
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 12 {
		a, b := string(rune('a'+i)), string(rune('b'+i))
		bomb += b + "0: &" + b + "0 [" + strings.Repeat("*"+a+"0, ", 8) + "*" + a + "0]\n"
	}
	for _, c := range []struct{ reason, text, want string }{
		{"too large", strings.Repeat("#", maxInput+1), "at most"},
		{"aliases of aliases", head + "spec: {domain: {devices: {}}}\nstatus:\n  guestOSInfo: {}\n  activePods: {}\n  conditions:\n" + indent(bomb), ""},
		{"an alias of what it stands in", head + "spec: &s {domain: {devices: {disks: [*s]}}}\n", ""},
		{"deep lists", head + "spec: {domain: {devices: {disks: " + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}}}\n", ""},
		{"deep mappings", head + "spec: " + strings.Repeat("{domain: ", 3000) + "1" + strings.Repeat("}", 3000) + "\n", ""},
		{"a thousand misspelt fields", head + "spec: {domain: {devices: {}}}\n" + thousand(), ""},
	} {
		t.Run(c.reason, func(t *testing.T) {
			start := time.Now()
			_, err := ParseVMI("vmi.yaml", []byte(c.text))
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			assert.Less(t, len(err.Error()), 64<<10, "a message that can be read")
			assert.Less(t, time.Since(start), 20*time.Second)
		})
	}
}

func indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ") + "\n"
}

func thousand() string {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString("x" + strings.Repeat("y", i%7) + string(rune('a'+i%26)) + strings.Repeat("z", i/26) + ": 1\n")
	}
	return b.String()
}

func TestParseContext(t *testing.T) {
	ctx, err := ParseContext("context.yaml", nil)
	require.NoError(t, err)
	assert.Equal(t, Context{}, ctx, "nothing is known")

	ctx, err = ParseContext("context.yaml", []byte("node: {architecture: arm64, kvm: false}\nvolumes: {a.b: {mode: Block}}\ncluster: {developerConfiguration: {useEmulation: true}}\n"))
	require.NoError(t, err)
	assert.False(t, *ctx.Node.KVM)
	assert.Equal(t, "Block", ctx.Volumes["a.b"].Mode)
	assert.True(t, ctx.Cluster.DeveloperConfiguration.UseEmulation)

	for _, c := range []struct{ reason, text, want string }{
		{"an unknown key", "node: {arch: amd64}\n", "context.yaml:1:8: node.arch: no such field"},
		{"an unknown key of the cluster's configuration", "cluster: {featureGates: []}\n", "context.yaml:1:11: cluster.featureGates: no such field"},
		{"an unknown fact of a volume, its name quoted", "volumes:\n  a.b: {kind: Block}\n", `context.yaml:2:9: volumes["a.b"].kind: no such field`},
		{"two documents", "{}\n---\nnode: {}\n", "context.yaml:3:1: a second document; a context is one"},
		{"a list", "[]\n", "context.yaml:1:1: want a mapping of fields"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			_, err := ParseContext("context.yaml", []byte(c.text))
			require.Error(t, err)
			assert.Equal(t, c.want, err.Error())
			var pe *ParseError
			assert.True(t, errors.As(err, &pe))
		})
	}
}
