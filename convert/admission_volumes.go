package convert

import (
	"encoding/base64"
	"path"
	"strings"

	v1 "kubevirt.io/api/core/v1"
)

// maxCloudInit is how much cloud-init data a VMI may hold itself, in bytes as written.
const maxCloudInit = 2048

func (s *state) admitVolumes() {
	names := map[string]bool{}
	var count volumeCount
	for i := range s.vmi.Spec.Volumes {
		v := &s.vmi.Spec.Volumes[i]
		s.admitName(fieldAt(volumesField, i, "name"), v.Name, names)
		if n := len(volumeSources(v)); n != 1 {
			s.refusef(fieldAt(volumesField, i, ""), v.Name, "%d sources, want one", n)
		}
		s.admitOnce(i, v, &count)
		s.admitReference(i, v)
		s.admitImages(i, v)
		s.admitMetrics(i, v)
		s.admitContainerPath(i, v)
		if c := v.CloudInitNoCloud; c != nil {
			s.admitCloudInit(fieldAt(volumesField, i, "cloudInitNoCloud"), cloudInitData(*c))
		}
		if c := v.CloudInitConfigDrive; c != nil {
			s.admitCloudInit(fieldAt(volumesField, i, "cloudInitConfigDrive"), cloudInitData(*c))
		}
	}
}

// volumeSources lists the sources that a volume has.
func volumeSources(v *v1.Volume) []string {
	var list []string
	for _, s := range [...]struct {
		name string
		set  bool
	}{
		{"hostDisk", v.HostDisk != nil}, {"persistentVolumeClaim", v.PersistentVolumeClaim != nil},
		{"cloudInitNoCloud", v.CloudInitNoCloud != nil}, {"cloudInitConfigDrive", v.CloudInitConfigDrive != nil},
		{"sysprep", v.Sysprep != nil}, {"containerDisk", v.ContainerDisk != nil},
		{"ephemeral", v.Ephemeral != nil}, {"emptyDisk", v.EmptyDisk != nil},
		{"dataVolume", v.DataVolume != nil}, {"configMap", v.ConfigMap != nil},
		{"secret", v.Secret != nil}, {"downwardAPI", v.DownwardAPI != nil},
		{"serviceAccount", v.ServiceAccount != nil}, {"downwardMetrics", v.DownwardMetrics != nil},
		{"memoryDump", v.MemoryDump != nil}, {"containerPath", v.ContainerPath != nil},
	} {
		if s.set {
			list = append(list, s.name)
		}
	}
	return list
}

// volumeCount counts the sources of which a VMI may have one.
type volumeCount struct{ serviceAccounts, memoryDumps, metrics int }

func (s *state) admitOnce(i int, v *v1.Volume, n *volumeCount) {
	for _, once := range [...]struct {
		source string
		set    bool
		count  *int
	}{
		{"serviceAccount", v.ServiceAccount != nil, &n.serviceAccounts},
		{"memoryDump", v.MemoryDump != nil, &n.memoryDumps},
		{"downwardMetrics", v.DownwardMetrics != nil, &n.metrics},
	} {
		if !once.set {
			continue
		}
		if *once.count++; *once.count > 1 {
			s.refuse(fieldAt(volumesField, i, once.source), v.Name, "want one volume of this source")
		}
	}
}

// admitReference takes volumes that name the object they come from.
func (s *state) admitReference(i int, v *v1.Volume) {
	switch {
	case v.DataVolume != nil && v.DataVolume.Name == "":
		s.refuse(fieldAt(volumesField, i, "dataVolume.name"), nil, "want a name")
	case v.ConfigMap != nil && v.ConfigMap.Name == "":
		s.refuse(fieldAt(volumesField, i, "configMap.name"), nil, "want a name")
	case v.Secret != nil && v.Secret.SecretName == "":
		s.refuse(fieldAt(volumesField, i, "secret.secretName"), nil, "want a name")
	case v.ServiceAccount != nil && v.ServiceAccount.ServiceAccountName == "":
		s.refuse(fieldAt(volumesField, i, "serviceAccount.serviceAccountName"), nil, "want a name")
	}
}

func (s *state) admitImages(i int, v *v1.Volume) {
	if h := v.HostDisk; h != nil {
		s.needs(gateHostDisk, fieldAt(volumesField, i, "hostDisk"))
		s.oneOf(fieldAt(volumesField, i, "hostDisk.type"), string(h.Type), string(v1.HostDiskExists), string(v1.HostDiskExistsOrCreate))
		if h.Type == v1.HostDiskExists && !h.Capacity.IsZero() {
			s.refuse(fieldAt(volumesField, i, "hostDisk.capacity"), h.Capacity.String(), "nothing is made of type Disk, want type DiskOrCreate or no capacity")
		}
	}
	if c := v.ContainerDisk; c != nil && c.Path != "" && (c.Path == "/" || !path.IsAbs(c.Path) || path.Clean(c.Path) != c.Path) {
		s.refuse(fieldAt(volumesField, i, "containerDisk.path"), c.Path, "want the absolute path of a file, without . and ..")
	}
}

func (s *state) admitMetrics(i int, v *v1.Volume) {
	if v.DownwardMetrics == nil {
		return
	}
	where := fieldAt(volumesField, i, "downwardMetrics")
	s.needs(gateDownwardMetrics, where)
	if s.iommuDriver() != "" {
		s.refuse(where, nil, "the guest's memory is encrypted, which the driver of this disk does not respect; metrics do not arrive")
	}
	d := s.diskNamed(v.Name)
	if d < 0 {
		s.refuse(where, nil, "metrics want a disk of the volume's name")
		return
	}
	in := &s.vmi.Spec.Domain.Devices.Disks[d]
	if in.Disk == nil {
		s.refuse(fieldAt(disksField, d, diskKindOf(in).String()), nil, "metrics want a disk")
	} else if in.Disk.Bus != "virtio" {
		s.refuse(fieldAt(disksField, d, "disk.bus"), in.Disk.Bus, "metrics want virtio")
	}
}

func (s *state) admitContainerPath(i int, v *v1.Volume) {
	if v.ContainerPath == nil {
		return
	}
	p := path.Clean(v.ContainerPath.Path)
	for _, own := range [...]string{"/var/run/kubevirt", "/var/run/libvirt"} {
		if p == own || strings.HasPrefix(p, own+"/") {
			s.refuse(fieldAt(volumesField, i, "containerPath.path"), v.ContainerPath.Path, "the folder is the pod's own")
		}
	}
	if !s.sharedFolder(v.Name) {
		s.refuse(fieldAt(volumesField, i, "name"), v.Name, "a containerPath wants a file system of its name")
	}
}

func (s *state) sharedFolder(name string) bool {
	for i := range s.vmi.Spec.Domain.Devices.Filesystems {
		if s.vmi.Spec.Domain.Devices.Filesystems[i].Name == name {
			return true
		}
	}
	return false
}

// cloudInitData is what both kinds of cloud-init volumes hold.
type cloudInitData v1.CloudInitNoCloudSource

func (s *state) admitCloudInit(where ref, c cloudInitData) {
	user := s.admitData(where, "user", c.UserDataSecretRef != nil, c.UserDataBase64, c.UserData)
	network := s.admitData(where, "network", c.NetworkDataSecretRef != nil, c.NetworkDataBase64, c.NetworkData)
	if user > 1 || network > 1 || user+network == 0 {
		s.refuse(where, nil, "want one source of user data, of network data, or one of each")
	}
}

// admitData counts the sources of one kind of data.
func (s *state) admitData(where ref, kind string, secret bool, encoded, plain string) (sources int) {
	if secret {
		sources++
	}
	for _, inline := range [...]string{encoded, plain} {
		if inline == "" {
			continue
		}
		sources++
		if len(inline) > maxCloudInit {
			s.refusef(where, nil, "%s data of %d bytes, want at most %d or a secret", kind, len(inline), maxCloudInit)
		}
	}
	if _, err := base64.StdEncoding.DecodeString(encoded); err != nil {
		s.refuse(where, nil, kind+" data is no base64: "+err.Error())
	}
	return sources
}

func (s *state) admitFilesystems() {
	volumes := positions(s.vmi.Spec.Volumes, func(v *v1.Volume) string { return v.Name })
	for i := range s.vmi.Spec.Domain.Devices.Filesystems {
		f := &s.vmi.Spec.Domain.Devices.Filesystems[i]
		at := positionOf(volumes, f.Name)
		if at < 0 {
			s.refuse(fieldAt(filesystemsField, i, "name"), f.Name, "no volume of this name, want one in "+volumesField)
			continue
		}
		if v := &s.vmi.Spec.Volumes[at]; v.PersistentVolumeClaim != nil || v.DataVolume != nil {
			s.needs(gateVirtiofsStorage, fieldAt(filesystemsField, i, "virtiofs"))
		}
	}
}
