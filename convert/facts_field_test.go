package convert

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// 25: without a cluster and without a host a VMI converts, as far as that takes
// no host, and every fact that would have changed a value is named: as assumed,
// or as one that is not known.
func TestCase25EveryFactIsNamed(t *testing.T) {
	compared := 0
	for _, c := range cases(t) {
		vmi, told := c.vmi(t), c.context(t)
		without, err := Explain(vmi, Context{Node: Node{Architecture: told.Node.Architecture}})
		if err != nil {
			continue // it takes a host device, a CPU, a format
		}
		with, err := Explain(vmi, told)
		if err != nil {
			continue
		}
		compared++
		named := map[string]bool{}
		before, after := map[string]Cause{}, map[string]Cause{}
		plainPaths(without.Causes)
		plainPaths(with.Causes)
		for _, x := range without.Causes {
			before[x.Path] = x
			for _, f := range factsOf(x) {
				named[f] = true
			}
		}
		for _, u := range without.Unknown {
			named[u.Fact] = true
		}
		for _, a := range without.Absent {
			for _, f := range a.Fields {
				named[f] = true
			}
		}
		check := func(is Cause, was Cause) {
			if len(is.Fields)+len(was.Fields) == 0 {
				return // it comes and goes with its element, which has other values
			}
			facts := append(factsOf(is), factsOf(was)...)
			for _, f := range facts {
				for n := range named {
					if within(f, n) || within(n, f) {
						return
					}
				}
			}
			t.Errorf("%s: the context changes %s from %q to %q through %q, and without it none of them is named", c.name, is.Path+was.Path, was.Value, is.Value, facts)
		}
		for _, x := range with.Causes {
			after[x.Path] = x
			if was, ok := before[x.Path]; !ok || was.Value != x.Value {
				check(x, Cause{Value: was.Value, Fields: was.Fields, Via: was.Via})
			}
		}
		for _, x := range without.Causes {
			if _, ok := after[x.Path]; !ok {
				check(Cause{}, x)
			}
		}
	}
	assert.Greater(t, compared, 100)
}

// plainPaths leaves out the index 1, which is written only beside others.
func plainPaths(causes []Cause) {
	for i := range causes {
		causes[i].Path = strings.ReplaceAll(causes[i].Path, "[1]", "")
	}
}

func factsOf(c Cause) []string {
	var list []string
	for _, f := range slices.Concat(c.Fields, c.Via) {
		if IsFact(f) {
			list = append(list, f)
		}
	}
	return list
}

// 25: a manifest from disk and the same with what a server fills in give the
// same domain, except for what is named after the uid.
func TestCase25WithAndWithoutServerFields(t *testing.T) {
	manifest := "apiVersion: kubevirt.io/v1\nkind: VirtualMachineInstance\nmetadata: {name: vm-a, namespace: shop}\nspec:\n  domain: {memory: {guest: 1Gi}, devices: {disks: [{name: root, disk: {bus: virtio}}]}}\n  volumes: [{name: root, emptyDisk: {capacity: 1Gi}}]\n"
	served := strings.Replace(manifest, "namespace: shop}", `namespace: shop, uid: 3d2c1b0a-7f60-4f6e-9b1d-2f4c6a8e0b12, resourceVersion: "17", generation: 3, creationTimestamp: "2026-01-02T03:04:05Z",
  managedFields: [{manager: kubectl, operation: Update, apiVersion: kubevirt.io/v1, time: "2026-01-02T03:04:05Z", fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}]}`, 1) +
		"status: {phase: Running, nodeName: node-a, conditions: [{type: Ready, status: \"True\", lastProbeTime: null, lastTransitionTime: \"2026-01-02T03:04:05Z\"}], volumeStatus: [{name: root, target: vda}], guestOSInfo: {}, runtimeUser: 107}\n"
	text := func(data string) string {
		vmi, err := ParseVMI("vmi.yaml", []byte(data))
		require.NoError(t, err)
		r, err := VMI(vmi, Context{})
		require.NoError(t, err)
		x, err := r.XML()
		require.NoError(t, err)
		return x
	}
	want := text(manifest)
	got := strings.ReplaceAll(text(served), "/3d2c1b0a-7f60-4f6e-9b1d-2f4c6a8e0b12/", "//")
	assert.Equal(t, want, got)
}
