package pathmap

// A Place is a file, directory or device of one pod.
type Place struct {
	Path   string
	Volume string // name of the volume kept there; empty if it belongs to none
	Kind   Kind

	// Alternate marks a place that a pod of another make uses instead of the
	// one before it in the list: the older cloud-init and ignition directories,
	// and libvirt's state of a pod that runs as root if this one does not, or
	// the other way round.
	Alternate bool
}

// Places returns the places of the pod: by identity, then those every pod has,
// then those of the volumes, in their order. Where a directory belongs to the
// guest as a whole it stands for all that is in it. The list leaves out what
// depends on an unknown namespace, name or UID. It is nil for a layout that
// Check refuses.
func (l Layout) Places() []Place {
	if l.Check() != nil {
		return nil
	}
	var places []Place
	for _, p := range l.slots() {
		places = append(places, p.Place)
	}
	return places
}

// A slot is a place and its role, by which the places of two pods are paired.
type slot struct {
	Place
	role  role
	claim *Volume // the volume, if the place is the storage of a claim or host disk
}

type role struct {
	volume    string // empty for the pod's own
	part      string // which of the volume's or of the pod's places
	alternate bool
}

type slots []slot

func (s *slots) add(kind Kind, part, path string) { s.addVolume(kind, "", part, path) }

func (s *slots) addVolume(kind Kind, volume, part, path string) {
	if path != "" {
		*s = append(*s, slot{
			Place: Place{Path: path, Volume: volume, Kind: kind},
			role:  role{volume: volume, part: part},
		})
	}
}

// addClaim adds the storage of a claim or host disk.
func (s *slots) addClaim(v Volume, part, path string) {
	kind := KindVolume
	if v.Source == SourceHostDisk && !v.Hotplugged {
		kind = KindHostDisk
	}
	s.addVolume(kind, v.Name, part, path)
	(*s)[len(*s)-1].claim = &v
}

// alternate adds another place for the slot added last.
func (s *slots) alternate(path string) {
	other := (*s)[len(*s)-1]
	if path == other.Path {
		return
	}
	other.Path, other.Alternate, other.role.alternate = path, true, true
	*s = append(*s, other)
}

// slots returns all places of a good layout.
func (l Layout) slots() []slot {
	var s slots
	l.addIdentity(&s)
	l.addFixed(&s)
	for _, v := range l.Volumes {
		l.addVolume(&s, v)
	}
	return s
}

func (l Layout) addIdentity(s *slots) {
	roots := l.Roots.withDefaults()
	if dir, ok := l.CloudInitDir(); ok {
		s.add(KindCloudInit, "cloud-init", dir)
		if l.Roots.CloudInit == "" {
			older, _ := l.ownDir(olderCloudInit)
			s.alternate(older)
		}
	}
	if dir, ok := l.IgnitionDir(); ok {
		s.add(KindIgnition, "ignition", dir)
		if l.Roots.Ignition == "" {
			older, _ := l.ownDir(olderIgnition)
			s.alternate(older)
		}
	}
	if dir, ok := l.UIDDir(); ok {
		s.add(KindUID, "uid", dir)
	}
	if file, ok := l.NVRAM(); ok {
		s.add(KindNVRAM, "nvram", file)
		s.alternate(roots.nvram(!l.NonRoot, l.Name))
	}
}

func (l Layout) addFixed(s *slots) {
	roots := l.Roots.withDefaults()
	s.add(KindTPM, "tpm", l.TPMDir())
	s.alternate(roots.tpm(!l.NonRoot))
	s.add(KindKernelBoot, "kernel boot", roots.kernelBoot())
	s.add(KindVirtiofs, "virtiofs", roots.virtiofs())
	s.add(KindPRHelper, "pr-helper", l.PRHelperSocket())
	s.add(KindDownwardMetrics, "downwardMetrics", l.DownwardMetricsSocket())
	s.add(KindFirmwareLog, "firmware log", l.FirmwareLog())
	s.add(KindPasstLog, "passt log", l.PasstLog())
}

func (l Layout) addVolume(s *slots, v Volume) {
	paths, err := l.Paths(v)
	if err != nil {
		return
	}
	switch v.Source {
	case SourcePersistentVolumeClaim, SourceDataVolume, SourceHostDisk:
		s.addClaim(v, "disk", paths.Disk)
	case SourceContainerDisk:
		s.addVolume(KindOverlay, v.Name, "disk", paths.Disk)
		s.addVolume(KindContainerDisk, v.Name, "base", paths.Base)
	case SourceEphemeral:
		s.addVolume(KindOverlay, v.Name, "disk", paths.Disk)
		s.addClaim(v, "base", paths.Base)
	case SourceEmptyDisk:
		s.addVolume(KindEmptyDisk, v.Name, "disk", paths.Disk)
	case SourceCloudInitNoCloud, SourceCloudInitConfigDrive:
		s.addVolume(KindCloudInit, v.Name, "disk", paths.Disk)
	case SourceDownwardMetrics:
		s.addVolume(KindDownwardMetrics, v.Name, "disk", paths.Disk)
	default:
		s.addVolume(KindGenerated, v.Name, "disk", paths.Disk)
	}
	s.addVolume(KindFiles, v.Name, "files", paths.Files)
	if paths.Overlay != "" {
		s.addVolume(KindCBT, v.Name, "overlay", paths.Overlay)
		s.alternate(l.Roots.withDefaults().cbt(!l.NonRoot, v.Name))
	}
}
