package convert_test

import (
	"fmt"

	"github.com/migxml/migxml/convert"
)

// The EFI builds that a node is searched for, best first: the first one whose files
// are all there is what the context states.
func ExampleEFIFirmware() {
	vmi, err := convert.ParseVMI("web.yaml", []byte(`
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop}
spec:
  architecture: amd64
  domain:
    devices: {}
    firmware: {bootloader: {efi: {secureBoot: false}}}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	builds, err := convert.EFIFirmware(vmi, "/usr/share/edk2/ovmf", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range builds {
		fmt.Println(b.Code, b.Vars)
	}
	// Output:
	// /usr/share/edk2/ovmf/OVMF_CODE.secboot.fd /usr/share/edk2/ovmf/OVMF_VARS.fd
	// /usr/share/edk2/ovmf/OVMF_CODE.fd /usr/share/edk2/ovmf/OVMF_VARS.fd
}

// A guest that booted with 2Gi is given another one.
func ExampleMemoryDevice() {
	vmi, err := convert.ParseVMI("web.yaml", []byte(`
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    devices: {}
    memory: {guest: 3Gi, maxGuest: 8Gi}
status:
  memory: {guestAtBoot: 2Gi}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	device, err := convert.MemoryDevice(vmi, convert.Context{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %d of %d MiB\n", device.Model, device.Target.Requested.Value>>20, device.Target.Size.Value>>20)
	// Output:
	// virtio-mem: 1024 of 6144 MiB
}
