package pathmap

import (
	"errors"
	"fmt"
)

// Between returns the map that leads from the places of one pod to those of
// another, volumes paired by name. Places that are the same in both give entries
// with equal paths.
//
// Layouts without volumes give the entries of identity and of the places that
// every pod has. If a side does not know its UID, there are no entries for
// sockets and logs; without namespace or name none for cloud-init and ignition;
// without name none for the firmware's variables. Everything else moves only as
// a fact of the layouts says: nothing is replaced because it looks like a
// namespace, name or UID.
//
// A claim, a DataVolume and a host disk can stand for each other. A source
// volume that the target lacks, that has another kind of source there, or that
// has a changed block tracking overlay in the source pod only, gives a
// *VolumeError. Volumes that only the target has are fine. What Check says of
// either layout is refused too; all problems are joined. Roots that lie so that
// one source place would have two targets give a *ConflictError.
//
// If both pods run as root, or neither does, libvirt's state is known in the
// places of either kind of pod, so that a caller who does not know which kind
// may leave NonRoot alone.
func Between(source, target Layout) (*Map, error) {
	if err := errors.Join(source.check("source"), target.check("target"), unpaired(source, target)); err != nil {
		return nil, err
	}
	targets := make(map[role]slot)
	for _, to := range target.slots() {
		targets[to.role] = to
	}
	var entries []Entry
	for _, from := range source.slots() {
		to, ok := counterpart(from, targets, source.NonRoot == target.NonRoot)
		if !ok {
			continue
		}
		entry := Entry{Source: from.Path, Target: to.Path, Volume: from.Volume, Kind: from.Kind}
		if from.claim != nil {
			entry.Kind = from.claim.kindTo(*to.claim)
		}
		entries = append(entries, entry)
	}
	return New(entries...)
}

// counterpart returns the target's slot for a slot of the source.
func counterpart(from slot, targets map[role]slot, sameUser bool) (slot, bool) {
	to, ok := targets[from.role]
	switch {
	case !from.Alternate:
		return to, ok
	case from.Kind != KindCloudInit && from.Kind != KindIgnition:
		// Libvirt's state: where only one pod runs as root, each has its own place alone.
		return to, ok && sameUser
	case ok:
		return to, true
	}
	// The target pod has one directory, whichever the source pod uses.
	from.role.alternate = false
	to, ok = targets[from.role]
	return to, ok
}

// unpaired refuses source volumes that have no counterpart on the target.
func unpaired(source, target Layout) error {
	others := make(map[string]Volume, len(target.Volumes))
	for _, v := range target.Volumes {
		others[v.Name] = v
	}
	var problems []error
	for _, v := range source.Volumes {
		other, ok := others[v.Name]
		if reason := v.differs(other, ok); reason != "" {
			problems = append(problems, &VolumeError{Volume: v.Name, Reason: reason})
		}
	}
	return errors.Join(problems...)
}

// differs says why the target's volume of the same name does not serve for v.
func (v Volume) differs(other Volume, found bool) string {
	claims := sources[v.Source].claim && sources[other.Source].claim
	switch {
	case !found:
		return fmt.Sprintf("of source %s in the source pod, missing in the target pod; want a volume of that name there", shown(v.Source))
	case v.Source != other.Source && !claims:
		return fmt.Sprintf("of source %s in the source pod, of source %s in the target pod; want the same", shown(v.Source), shown(other.Source))
	case claims && v.CBT && !other.CBT:
		return "has a changed block tracking overlay in the source pod only; want one in the target pod"
	}
	return ""
}

// kindTo returns the kind of the storage of a claim that is other on the target.
func (v Volume) kindTo(other Volume) Kind {
	switch {
	case v.Block != other.Block:
		return KindVolumeMode
	case v.Hotplugged != other.Hotplugged:
		return KindVolumeHotplug
	case !v.Hotplugged && (v.Source == SourceHostDisk || other.Source == SourceHostDisk):
		return KindHostDisk
	}
	return KindVolume
}

// shown writes a source for a message, an unknown one quoted.
func shown(s SourceKind) string {
	if _, known := sources[s]; known {
		return string(s)
	}
	return quote(string(s))
}
