package convert

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "kubevirt.io/api/core/v1"
)

// TestDefaultedCases compares with the VMIs that KubeVirt's admission makes of
// the cases', up to the UUID that it draws.
func TestDefaultedCases(t *testing.T) {
	for _, c := range cases(t) {
		if !c.has("defaulted.yaml") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			want, err := ParseVMI("defaulted.yaml", []byte(c.parts["defaulted.yaml"]))
			if err != nil {
				t.Fatal(err)
			}
			ctx := c.context(t)
			given := c.vmi(t)
			got, err := Defaulted(given, ctx)
			if err != nil {
				t.Fatal(err)
			}
			if given.Spec.Domain.Firmware == nil || given.Spec.Domain.Firmware.UUID == "" {
				want.Spec.Domain.Firmware.UUID = got.Spec.Domain.Firmware.UUID
			}
			if diff := cmp.Diff(normal(want), normal(got)); diff != "" {
				t.Errorf("not what admission fills in (-want +got):\n%s", diff)
			}

			again, err := Defaulted(got, ctx)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("a defaulted VMI is changed by defaulting it again:\n%s", diff)
			}
		})
	}
}

// normal evens out empty and absent lists, and notations of quantities.
func normal(vmi *v1.VirtualMachineInstance) *v1.VirtualMachineInstance {
	vmi = vmi.DeepCopy()
	d := &vmi.Spec.Domain.Devices
	if len(d.Disks) == 0 {
		d.Disks = nil
	}
	if len(d.Interfaces) == 0 {
		d.Interfaces = nil
	}
	if len(vmi.Spec.Volumes) == 0 {
		vmi.Spec.Volumes = nil
	}
	if len(vmi.Spec.Networks) == 0 {
		vmi.Spec.Networks = nil
	}
	return vmi
}
