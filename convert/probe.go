package convert

import (
	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// Probe is what somebody with access to the pod's files may look at, to fill in the
// VolumeFacts of one volume.
type Probe struct {
	Volume string // the name below Context.Volumes
	Path   string // what directIO, allocated and blockSize are about
	Base   string // what baseDirectIO is about; "" when the disk reads from nothing else
	Block  bool   // Path is a block device
}

// Probes lists what there is to look at, in the order of the disks. What is wrong with
// the VMI is left to VMI to say; a disk of which the place cannot be told is left out.
func Probes(vmi *v1.VirtualMachineInstance, ctx Context) ([]Probe, error) {
	s, err := begin(vmi, &ctx, nil)
	if err != nil {
		return nil, err
	}
	var list []Probe
	for _, i := range s.storage().emitted {
		var out libvirtxml.DomainDisk
		s.shapeDisk(i, &out, &diskParts{}, element{})
		storage := storageSource(out.Source)
		if diskPath(storage) == "" {
			continue
		}
		p := Probe{Volume: s.vmi.Spec.Domain.Devices.Disks[i].Name, Path: diskPath(storage), Block: storage.Block != nil}
		if out.BackingStore != nil {
			p.Base = diskPath(out.BackingStore.Source)
		}
		list = append(list, p)
	}
	return list, nil
}
