package convert

import (
	"strings"
	"sync"

	v1 "kubevirt.io/api/core/v1"
)

// Explanation is a converted VMI with the cause of every value of its domain.
type Explanation struct {
	Result
	// Causes has one entry for each leaf of the domain, in the order of the XML.
	Causes []Cause
	// Unknown lists what the context does not say and the domain therefore
	// leaves open.
	Unknown []Unknown
	// Absent tells of values that one might look for why they are not there.
	Absent []Absent

	text string // as the last hook wrote it
}

// XML is the domain as text: the last hook's where there was one.
func (e *Explanation) XML() (string, error) {
	if e.text != "" {
		return e.text, nil
	}
	return e.Result.XML()
}

// Unknown is a value that a fact would settle.
type Unknown struct {
	Path   string `json:"path"` // of the leaf that would be there, or would be another
	Fact   string `json:"fact"` // the place in the context, behind "context."
	Reason string `json:"reason"`
}

// Absent is a value that is not in the domain.
type Absent struct {
	Path   string   `json:"path"`             // of the leaf that would be there
	Fields []string `json:"fields,omitempty"` // the places that would bring it
	Reason string   `json:"reason"`
}

// Explain converts as VMI does and tells why each value is what it is. Where the
// VMI cannot be converted it returns all reasons, as VMI does.
func Explain(vmi *v1.VirtualMachineInstance, ctx Context) (*Explanation, error) {
	w := walks.Get().(*causeWalk)
	defer walks.Put(w)
	w.why.reset()
	s, err := run(vmi, &ctx, &w.why)
	if err != nil {
		return nil, err
	}
	e := &Explanation{Result: Result{Domain: s.dom}}
	text, err := e.XML()
	if err != nil {
		return nil, err
	}
	root, err := w.scan.scan(text)
	if err != nil {
		return nil, err
	}
	w.tree.build(w.why.records)
	w.places.begin(&w.why, vmi, s.vmi, &ctx)
	leaves := root.leaves()
	w.causes = make([]Cause, 0, leaves)
	w.paths.Grow(leaves * usualPath)
	w.path = append(w.path[:0], "/domain"...)
	w.element(root, w.tree.root())
	e.Causes, e.Unknown, e.Absent = w.causes, w.unknown(root), w.absent(root)
	w.causes = nil
	w.paths.Reset()
	w.places.end()
	return e, nil
}

// Why is the causes of a place: of an attribute, of everything at and below an
// element, or of its text alone where the path ends in /text(). An index may be
// left out and then means all; a path that does not start with /domain is one
// below it.
func (e *Explanation) Why(path string) []Cause {
	var list []Cause
	for i := range e.Causes {
		if At(path, e.Causes[i].Path) {
			list = append(list, e.Causes[i])
		}
	}
	return list
}

// At says whether a leaf is one that Why(path) is about.
func At(path, leaf string) bool {
	path, textOnly := strings.CutSuffix(path, "/text()")
	want, at := splitPath(path), splitPath(leaf)
	return covers(want, at) && (!textOnly || len(at) == len(want))
}

func splitPath(path string) []string {
	path = strings.Trim(path, "/")
	if path == "domain" || path == "" {
		return nil
	}
	return strings.Split(strings.TrimPrefix(path, "domain/"), "/")
}

// covers says whether path is at or below want.
func covers(want, path []string) bool {
	if len(want) > len(path) {
		return false
	}
	for i, w := range want {
		name, index, indexed := strings.Cut(w, "[")
		have, at, numbered := strings.Cut(path[i], "[")
		switch {
		case name != have && name != "*":
			return false
		case indexed && numbered && index != at || indexed && !numbered && index != "1]":
			return false
		}
	}
	return true
}

// causeWalk goes over the finished document and looks up a cause for each leaf.
// It is used again, as it needs much room for a short time; nothing that it
// returns lies in it.
type causeWalk struct {
	why    recorder
	scan   xmlScan
	tree   causeTree
	places places
	causes []Cause
	path   []byte          // of the element that is walked
	paths  strings.Builder // of all leaves, one behind the other
}

// usualPath is about how long the path of a leaf is, in bytes.
const usualPath = 36

var walks = sync.Pool{New: func() any { return new(causeWalk) }}

func (w *causeWalk) element(n *xmlNode, at cursor) {
	for _, a := range n.attrs {
		w.leaf("/@", a.name, a.value, w.tree.stepAttr(at, a.name))
	}
	if n.leaf() {
		w.leaf("", "", n.text, at)
	}
	above := len(w.path)
	for _, k := range n.kids {
		w.path = k.appendStep(w.path[:above])
		w.element(k, w.tree.step(at, k.name, int32(k.index)))
	}
	w.path = w.path[:above]
}

// leaf notes the cause of the element, or of its attribute behind the mark.
func (w *causeWalk) leaf(mark, attr, value string, at cursor) {
	start := w.paths.Len()
	w.paths.Write(w.path)
	w.paths.WriteString(mark)
	w.paths.WriteString(attr)
	path := w.paths.String()[start:]
	if at.found == 0 {
		// No case gets here; it is better than no answer for the others.
		w.causes = append(w.causes, Cause{Path: path, Value: value, Origin: OriginPolicy, Reason: noCause})
		return
	}
	r := &w.why.records[at.found-1]
	c := Cause{Path: path, Value: value, Step: w.why.steps[r.step], Reason: r.reason}
	w.places.fill(&c, r)
	w.causes = append(w.causes, c)
}

const noCause = "no cause was recorded"

func (w *causeWalk) unknown(root *xmlNode) []Unknown {
	list := make([]Unknown, 0, len(w.why.unknowns))
	for _, u := range w.why.unknowns {
		list = append(list, Unknown{Path: root.spelled(u.path), Fact: w.places.text(u.places.first), Reason: u.reason})
	}
	return list
}

func (w *causeWalk) absent(root *xmlNode) []Absent {
	list := make([]Absent, 0, len(w.why.absences))
	for _, a := range w.why.absences {
		list = append(list, Absent{Path: root.spelled(a.path), Fields: w.places.textsOf(a.places), Reason: a.reason})
	}
	return list
}
