package convert

import "strconv"

// recorder notes why each value of the domain is what it is. A nil recorder
// notes nothing, and costs a comparison.
type recorder struct {
	steps    []string // that have been entered
	records  []record
	refs     []ref
	defaults []defaultRecord
	unknowns []openRecord // a fact would settle it
	absences []openRecord // one might look for it
}

// record is the cause of one leaf, or of every leaf below a place that has no
// more precise record. Of two records for one place the later one counts.
type record struct {
	path   string // below /domain, without index
	leaf   string // below that: "target/@dev", "driver", ""
	reason string
	index  int32 // from 0, of the last element of path; -1 for none
	places span
	step   uint16 // index of its name
	policy bool
}

// span is the places refs[first:last] of the recorder.
type span struct{ first, last int32 }

// defaultRecord is a field of the VMI that defaulting filled in.
type defaultRecord struct {
	field  ref
	reason string
	from   span
}

// openRecord is a leaf that is not there.
type openRecord struct {
	path   string
	reason string
	places span
}

// reset empties the recorder and keeps its room.
func (r *recorder) reset() {
	r.steps, r.records, r.refs = r.steps[:0], r.records[:0], r.refs[:0]
	r.defaults, r.unknowns, r.absences = r.defaults[:0], r.unknowns[:0], r.absences[:0]
}

func (r *recorder) enter(step string) {
	if r != nil {
		r.steps = append(r.steps, step)
	}
}

func (r *recorder) keep(refs []ref) span {
	first := int32(len(r.refs))
	r.refs = append(r.refs, refs...)
	return span{first, int32(len(r.refs))}
}

// defaulted notes that defaulting filled in a field, and from where.
func (r *recorder) defaulted(filled ref, reason string, from ...ref) {
	if r != nil {
		r.defaults = append(r.defaults, defaultRecord{filled, reason, r.keep(from)})
	}
}

// element is one element of the domain whose causes are being noted. Paths of
// leaves are relative to it: "@type" is its attribute, "target/@dev" a child's,
// "driver" everything at and below a child, "" everything at and below itself.
// A "[*]" behind a name in a path means all of that name.
type element struct {
	rec   *recorder
	path  string
	index int
}

// device is the i-th (from 0) element of that name below <devices>.
func (s *state) device(name string, i int) element {
	if s.why == nil {
		return element{}
	}
	return element{s.why, "devices/" + name, i}
}

// part is the element at path below <domain>; "" is <domain> itself.
func (s *state) part(path string) element { return element{s.why, path, -1} }

// on says whether anyone listens; only then is a reason worth putting together.
func (e element) on() bool { return e.rec != nil }

// child is the i-th (from 0) element at path below e.
func (e element) child(path string, i int) element {
	if e.rec == nil {
		return e
	}
	return element{e.rec, e.String() + "/" + path, i}
}

func (e element) String() string {
	if e.index < 0 {
		return e.path
	}
	return e.path + "[" + strconv.Itoa(e.index+1) + "]"
}

// because notes that leaf is what it is because of the places from: to change
// or remove them (one, or all together) changes the leaf or makes the
// conversion fail. Whether the user or defaulting filled a place, and whether a
// fact was given, is found out later.
func (e element) because(leaf, reason string, from ...ref) {
	if e.rec != nil {
		e.rec.add(e, leaf, false, reason, from)
	}
}

// policy notes that leaf holds a value built in here. from, if any, are the
// places that bring the leaf, under the same condition as for because.
func (e element) policy(leaf, reason string, from ...ref) {
	if e.rec != nil {
		e.rec.add(e, leaf, true, reason, from)
	}
}

// unknown notes that a fact that is not given would settle leaf, which is not
// there or holds what is usual.
func (e element) unknown(leaf, reason string, fact ref) {
	if e.rec != nil {
		e.rec.unknowns = append(e.rec.unknowns, e.open(leaf, reason, fact))
	}
}

// absent notes why a leaf that one might look for is not there: to change or
// remove the places from, one or all together, would bring it.
func (e element) absent(leaf, reason string, from ...ref) {
	if e.rec != nil {
		e.rec.absences = append(e.rec.absences, e.open(leaf, reason, from...))
	}
}

func (e element) open(leaf, reason string, from ...ref) openRecord {
	path := "/domain"
	for _, part := range [2]string{e.String(), leaf} {
		if part != "" {
			path += "/" + part
		}
	}
	return openRecord{path, reason, e.rec.keep(from)}
}

func (r *recorder) add(e element, leaf string, policy bool, reason string, from []ref) {
	r.records = append(r.records, record{
		path: e.path, leaf: leaf, reason: reason, index: int32(e.index),
		places: r.keep(from), step: uint16(len(r.steps) - 1), policy: policy,
	})
}
