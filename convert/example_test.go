package convert_test

import (
	"fmt"

	"github.com/migxml/migxml/convert"
)

const exampleVMI = `
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    memory: {guest: 1Gi}
    devices:
      autoattachPodInterface: false
      disks:
      - {name: root, disk: {bus: virtio}}
      - {name: data, disk: {bus: virtio}}
  volumes:
  - {name: root, persistentVolumeClaim: {claimName: root}}
  - {name: data, emptyDisk: {capacity: 5Gi}}
`

func ExampleVMI() {
	vmi, err := convert.ParseVMI("vmi.yaml", []byte(exampleVMI))
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, err := convert.ParseContext("context.yaml", []byte("volumes: {root: {mode: Block}}"))
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := convert.VMI(vmi, ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, disk := range result.Domain.Devices.Disks {
		if disk.Source.Block != nil {
			fmt.Println(disk.Target.Dev, "is the device", disk.Source.Block.Dev)
		} else {
			fmt.Println(disk.Target.Dev, "is the file", disk.Source.File.File)
		}
	}
	// Output:
	// vda is the device /dev/root
	// vdb is the file /var/run/libvirt/empty-disks/data.qcow2
}

func ExampleExplain() {
	vmi, err := convert.ParseVMI("vmi.yaml", []byte(exampleVMI))
	if err != nil {
		fmt.Println(err)
		return
	}
	explanation, err := convert.Explain(vmi, convert.Context{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cause := range explanation.Why("/domain/devices/disk[2]/target/@dev") {
		fmt.Printf("%s: %s %v\n%s\n", cause.Value, cause.Origin, cause.Fields, cause.Reason)
	}
	for _, cause := range explanation.Why("os/type/@machine") {
		fmt.Printf("%s: %s %v from %v\n", cause.Value, cause.Origin, cause.Fields, cause.Via)
	}
	// Output:
	// vdb: field [spec.domain.devices.disks[1].disk.bus]
	// the first free name of virtio disks; vda is disk root
	// q35: admission default [spec.domain.machine.type] from [context.cluster.architectureConfiguration.amd64.machineType spec.architecture]
}

// All problems of a VMI are told at once.
func ExampleFieldError() {
	vmi, err := convert.ParseVMI("vmi.yaml", []byte(`
apiVersion: kubevirt.io/v1
kind: VirtualMachineInstance
metadata: {name: vm-a, namespace: shop}
spec:
  domain:
    devices:
      autoattachPodInterface: false
      inputs: [{name: pad, type: joystick}]
      sound: {name: card, model: sb16}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = convert.VMI(vmi, convert.Context{})
	fmt.Println(err)
	// Output:
	// spec.domain.devices.inputs[0].type: "joystick": no such input device, want tablet
	// spec.domain.devices.sound.model: "sb16": no such sound card, want ich9 or ac97
}
