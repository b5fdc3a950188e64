package convert

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDoubts(t *testing.T) {
	const guest = `apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    memory: {guest: 1Gi}
    firmware: {bootloader: {%s}}
    devices:
      disks: [{name: root, disk: {bus: virtio}}]
      interfaces: [{name: back, masquerade: {}}]
  networks: [{name: back, pod: {}}]
  volumes: [{name: root, emptyDisk: {capacity: 1Gi}}]
`
	const secure = "firmware: {code: /fw/code.fd, vars: /fw/vars.fd, secureLoader: true}\n"
	for _, test := range []struct {
		reason, boot, context string
		want                  []string
	}{
		{"nothing is odd", "efi: {}", secure + "volumes: {root: {shared: true}}\nnetwork: {attachments: {back: tap}}\n", nil},
		{"a typo makes a fact about nothing", "efi: {}", secure + "volumes: {roto: {}, disk: {}}\nsriov: {bakc: '0000:01:00.0'}\nnetwork: {attachments: {bcak: tap}}\n",
			[]string{"context.volumes.disk", "context.volumes.roto", "context.sriov.bakc", "context.network.attachments.bcak"}},
		{"EFI without a build", "efi: {}", "{}", []string{"context.firmware"}},
		{"secure boot with a build that does not insist", "efi: {}", "firmware: {code: /fw/code.fd, vars: /fw/vars.fd}", []string{"context.firmware.secureLoader"}},
		{"plain EFI with such a build", "efi: {secureBoot: false}", "firmware: {code: /fw/code.fd, vars: /fw/vars.fd}", nil},
		{"libvirt chooses the build", "efi: {}", "firmware: {autoSelect: true}", nil},
		{"the BIOS needs none", "bios: {}", "{}", nil},
	} {
		vmi, err := ParseVMI("vmi.yaml", []byte(fmt.Sprintf(guest, test.boot)))
		require.NoError(t, err)
		ctx, err := ParseContext("context.yaml", []byte(test.context))
		require.NoError(t, err)
		var got []string
		for _, d := range Doubts(vmi, ctx) {
			got = append(got, d.Field)
		}
		assert.Equal(t, test.want, got, test.reason)
	}
}
