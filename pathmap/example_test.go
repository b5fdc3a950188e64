package pathmap_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/migxml/migxml/pathmap"
)

func ExampleMap_Rewrite() {
	m, err := pathmap.New(
		pathmap.Entry{Source: "/srv/pods/a", Target: "/srv/pods/b"},
		pathmap.Entry{Source: "/usr/share/OVMF", Target: "/usr/share/OVMF"}, // valid in both pods
	)
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range []string{"/srv/pods/a/disk.img", "/usr/share/OVMF/OVMF_VARS.fd", "/srv/pods/ab/disk.img"} {
		match, err := m.Rewrite(path)
		var unknown *pathmap.UnknownPathError
		switch {
		case errors.As(err, &unknown):
			fmt.Println("unknown:", unknown.Path)
		case err != nil:
			log.Fatal(err)
		case match.Moved:
			fmt.Println("moved:", match.Target)
		default:
			fmt.Println("same:", match.Target)
		}
	}
	// Output:
	// moved: /srv/pods/b/disk.img
	// same: /usr/share/OVMF/OVMF_VARS.fd
	// unknown: /srv/pods/ab/disk.img
}

// Paths in a QEMU argument: each match covers the known part only, so the text
// around it and below it stays as it is.
func ExampleMap_Find() {
	m, err := pathmap.Between(
		pathmap.Layout{Namespace: "shop", Name: "vm-a"},
		pathmap.Layout{Namespace: "shop-dr", Name: "vm-b"},
	)
	if err != nil {
		log.Fatal(err)
	}
	arg := "name=opt/com.coreos/config,file=/var/run/kubevirt-ephemeral-disks/ignition-data/shop/vm-a/data.ign"
	for _, match := range m.Find(arg) {
		fmt.Println(arg[:match.Start] + match.Target + arg[match.End:])
		fmt.Println("because of", match.Entry.Kind.Depends())
	}
	// Output:
	// name=opt/com.coreos/config,file=/var/run/kubevirt-ephemeral-disks/ignition-data/shop-dr/vm-b/data.ign
	// because of the namespace and the name
}

// A block volume becomes a file, also if it was added while the guest ran.
func ExampleBetween() {
	volumes := func(block bool) []pathmap.Volume {
		return []pathmap.Volume{
			{Name: "vol1", Source: pathmap.SourcePersistentVolumeClaim, Block: block},
			{Name: "vol2", Source: pathmap.SourcePersistentVolumeClaim, Block: block, Hotplugged: true},
		}
	}
	m, err := pathmap.Between(pathmap.Layout{Volumes: volumes(true)}, pathmap.Layout{Volumes: volumes(false)})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range m.All() {
		if e.Volume != "" {
			fmt.Println(e)
		}
	}
	// Output:
	// "/dev/vol1" -> "/var/run/kubevirt-private/vmi-disks/vol1/disk.img" (volume "vol1": volume mode)
	// "/var/run/kubevirt/hotplug-disks/vol2" -> "/var/run/kubevirt/hotplug-disks/vol2.img" (volume "vol2": volume mode)
}

func ExampleLayout() {
	pod := pathmap.Layout{
		Namespace: "shop", Name: "vm-a", UID: "3d2c1b0a",
		Volumes: []pathmap.Volume{
			{Name: "root", Source: pathmap.SourceDataVolume, Block: true},
			{Name: "seed", Source: pathmap.SourceCloudInitNoCloud},
		},
	}
	for _, name := range []string{"root", "seed"} {
		disk, _ := pod.Disk(name)
		fmt.Println(disk)
	}
	console, _ := pod.SerialSocket(0)
	fmt.Println(console)
	// Output:
	// /dev/root
	// /var/run/kubevirt-ephemeral-disks/cloud-init-data/shop/vm-a/noCloud.iso
	// /var/run/kubevirt-private/3d2c1b0a/virt-serial0
}

func ExampleMap_Inverse() {
	m, err := pathmap.New(
		pathmap.Entry{Source: "/srv/a", Target: "/srv/b"},
		pathmap.Entry{Source: "/srv/x", Target: "/srv/b/x"},
	)
	if err != nil {
		log.Fatal(err)
	}
	_, err = m.Inverse()
	fmt.Println(err)
	// Output:
	// path map: no inverse: "/srv/a/x" (by "/srv/a" -> "/srv/b") and "/srv/x" (by "/srv/x" -> "/srv/b/x") both become "/srv/b/x"; want one source for each target
}
