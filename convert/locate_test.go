package convert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestLocate(t *testing.T) {
	const vmi = `apiVersion: v1
kind: Secret
---
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata:
  name: vm-a
  annotations: {example.com/a.b: "x"}
spec:
  domain:
    devices:
      disks:
      - name: root
        disk: {bus: virtio}
      - &data
        name: data
      - *data
`
	const vm = `{"apiVersion": "kubevirt.io/v1", "kind": "VirtualMachine", "metadata": {"name": "vm-a"},
 "spec": {"template": {"metadata": {"annotations": {"a": "b"}},
  "spec": {"domain": {"devices": {}}}}}}`
	const context = "node: {kvm: false}\nvolumes:\n  root: {mode: Block}\n"
	for _, test := range []struct {
		reason, text, field string
		want                Position
	}{
		{"a value in a list", vmi, "spec.domain.devices.disks[0].disk.bus", Position{14, 21, "spec.domain.devices.disks[0].disk.bus"}},
		{"what is missing is told where it could stand", vmi, "spec.domain.devices.disks[0].serial", Position{13, 9, "spec.domain.devices.disks[0].serial"}},
		{"an entry that defaulting added", vmi, "spec.domain.devices.disks[7].name", Position{13, 7, "spec.domain.devices.disks[7].name"}},
		{"an alias", vmi, "spec.domain.devices.disks[2].name", Position{16, 15, "spec.domain.devices.disks[2].name"}},
		{"a key that is no plain word", vmi, `metadata.annotations["example.com/a.b"]`, Position{8, 34, `metadata.annotations["example.com/a.b"]`}},
		{"nothing of it", vmi, "status.phase", Position{4, 1, "status.phase"}},
		{"a VM's template", vm, "spec.domain.devices", Position{3, 34, "spec.template.spec.domain.devices"}},
		{"a VM's own name", vm, "metadata.name", Position{1, 81, "metadata.name"}},
		{"a fact", context, "context.volumes.root.mode", Position{3, 16, "context.volumes.root.mode"}},
		{"a fact that is missing", context, "context.node.cpuSet", Position{1, 7, "context.node.cpuSet"}},
	} {
		l := LocateVMI([]byte(test.text))
		if IsFact(test.field) {
			l = LocateContext([]byte(test.text))
		}
		got, ok := l.Find(test.field)
		assert.True(t, ok, test.reason)
		assert.Equal(t, test.want, got, test.reason)
	}
	for _, text := range []string{"", "a: [", "apiVersion: v1\nkind: Pod\n"} {
		_, ok := LocateVMI([]byte(text)).Find("spec")
		assert.False(t, ok)
	}
	_, ok := LocateContext([]byte(context)).Find("spec.domain")
	assert.False(t, ok, "no fact")
	_, ok = LocateVMI([]byte(vmi)).Find("context.node.kvm")
	assert.False(t, ok, "a fact")
}

// As many problems as facts take no longer than the facts.
func TestLocateAmongMany(t *testing.T) {
	var b strings.Builder
	b.WriteString("volumes:\n")
	const many = 50_000
	for i := range many {
		fmt.Fprintf(&b, "  v%d: {}\n", i)
	}
	l := LocateContext([]byte(b.String()))
	for i := range many {
		got, ok := l.Find(fmt.Sprintf("context.volumes.v%d", i))
		if !ok || got.Line != i+2 {
			t.Fatalf("volume %d is on line %d", i, got.Line)
		}
	}
}
