package convert

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/types"
	v1 "kubevirt.io/api/core/v1"
)

func TestTextThatXMLCannotHold(t *testing.T) {
	for _, c := range []struct {
		reason string
		set    func(*v1.VirtualMachineInstance)
		field  string
	}{
		{"a control character in a field of the domain", func(vmi *v1.VirtualMachineInstance) {
			vmi.Spec.Domain.Chassis = &v1.Chassis{Serial: "a\x01b"}
		}, "spec.domain.chassis.serial"},
		{"NUL in an item of a list", func(vmi *v1.VirtualMachineInstance) {
			vmi.Spec.Domain.Devices.Disks = []v1.Disk{{Name: "root", Serial: "\x00"}}
			vmi.Spec.Volumes = []v1.Volume{{Name: "root", VolumeSource: v1.VolumeSource{EmptyDisk: &v1.EmptyDiskSource{}}}}
		}, "spec.domain.devices.disks[0].serial"},
		{"bytes that are not UTF-8 in the uid, which socket paths hold", func(vmi *v1.VirtualMachineInstance) { vmi.UID = types.UID("\xff") }, "metadata.uid"},
		{"a name that XML could hold but no directory", func(vmi *v1.VirtualMachineInstance) { vmi.Name = "../other" }, "metadata.name"},
		{"a namespace that is the directory itself", func(vmi *v1.VirtualMachineInstance) { vmi.Namespace = "." }, "metadata.namespace"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			vmi := &v1.VirtualMachineInstance{}
			vmi.Name, vmi.Namespace = "vm-a", "shop"
			c.set(vmi)
			_, err := VMI(vmi, Context{})
			var fe *FieldError
			require.ErrorAs(t, err, &fe)
			assert.Equal(t, c.field, fe.Field)
		})
	}
	assert.True(t, plainText("tab\tline\nüñ\U0001F600"), "what XML can hold")
	assert.False(t, plainText("\uffff"), "no character of XML")
}
