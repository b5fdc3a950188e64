package pathmap

import "fmt"

// An Entry says what one path of the source pod is called in the target pod.
// It covers the path itself and everything below it. Equal paths mean that the
// place is valid in both pods.
type Entry struct {
	Source string // absolute path in the source pod
	Target string // absolute path in the target pod
	Volume string // name of the volume kept there; empty if it belongs to none
	Kind   Kind   // what in a Layout made the entry; empty for one given by hand
}

// String writes the entry on one line, for messages.
func (e Entry) String() string {
	s := quote(e.Source) + " -> " + quote(e.Target)
	switch {
	case e.Volume != "" && e.Kind != "":
		s += fmt.Sprintf(" (volume %s: %s)", quote(e.Volume), e.Kind)
	case e.Volume != "":
		s += fmt.Sprintf(" (volume %s)", quote(e.Volume))
	case e.Kind != "":
		s += fmt.Sprintf(" (%s)", e.Kind)
	}
	return s
}

// rooted returns the entry with its clean paths as users know them.
func (e Entry) rooted() Entry {
	e.Source, e.Target = rooted(e.Source), rooted(e.Target)
	return e
}
