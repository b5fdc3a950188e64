package convert

import (
	"strings"

	"github.com/migxml/migxml/pathmap"
)

// podFileReason is why sockets and logs are named after the VMI's uid.
const podFileReason = "files of one guest are kept apart by the uid of its VMI"

// noUID stands for the uid of a VMI that has none.
const noUID = "no-uid"

// podFile is a socket or log of this guest inside the pod. A VMI that the API server has
// not seen has no uid; its files then have none in their path, as upstream's.
func (s *state) podFile(of func(pathmap.Layout) (string, bool)) string {
	l := *s.layout()
	if l.UID == "" {
		l.UID = noUID
	}
	path, ok := of(l)
	switch {
	case !ok && !s.badUID:
		s.badUID = true
		s.refuse(field("metadata.uid"), string(s.vmi.UID), "sockets and logs lie in a directory of this name, want a plain name")
	case s.vmi.UID == "":
		path = strings.Replace(path, "/"+noUID+"/", "//", 1)
	}
	return path
}
