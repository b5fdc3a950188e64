package migrate

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/beevik/etree"
)

// Difference is one place where source and destination differ.
type Difference struct {
	// Device and Path of the place in the source document, or in the destination
	// when only that has it.
	Device string `json:"device"`
	Path   string `json:"path"`
	// Source and Dest are the values, "(absent)" where there is none.
	Source string `json:"source"`
	Dest   string `json:"dest"`
	// Legal: the guest cannot see the difference, and it is what the facts ask for.
	Legal  bool   `json:"legal"`
	Reason string `json:"reason"`
}

// Verify proves that the guest cannot tell dest from source, and that dest
// holds what the facts make of every host path. It knows nothing of edits: it
// reads both documents with a parser of its own and compares everything except
// the places that only the host can see. A place that holds a host path must
// hold what the facts' path map makes of the source's value at that very place,
// and no path that only the source pod has may stand anywhere else. Comments
// and processing instructions are not looked at: libvirt drops them.
//
// Verify is for the migratable XML of one libvirt version. Errors are
// *DocumentError, *FactError (facts that contradict themselves), *ABIError and
// *LeftoverError, all of them joined.
func Verify(source, dest []byte, f Facts) error {
	return verify(source, dest, f, Options{}, false)
}

// Compare lists the differences between source and destination in document
// order, legal and not. The error is that of Verify. With the options of a plan
// that ran one side's rules it expects no more than these have done.
func Compare(source, dest []byte, f Facts, o Options) ([]Difference, error) {
	v, err := newVerifier(source, dest, f, o, true, false)
	if err != nil {
		return nil, err
	}
	return v.diffs, errors.Join(v.errs...)
}

func verify(source, dest []byte, f Facts, o Options, checked bool) error {
	v, err := newVerifier(source, dest, f, o, false, checked)
	if err != nil {
		return err
	}
	return errors.Join(v.errs...)
}

// verifier walks both documents side by side.
type verifier struct {
	maps    *pathMaps
	runs    map[string]bool
	indexes indexes
	// all: list the legal differences too.
	all   bool
	diffs []Difference
	errs  []error
	// became is the source's path, and its device, for each path of the destination.
	became map[string][2]string
}

func newVerifier(source, dest []byte, f Facts, o Options, all, checked bool) (*verifier, error) {
	src, dst, err := readTrees(source, dest, checked)
	if err != nil {
		return nil, err
	}
	f, err = f.complete(domainName{text: childText(src, "name")})
	if err != nil {
		return nil, err
	}
	enabled, err := f.Policy.Side.rules(o.Side)
	if err != nil {
		return nil, err
	}
	v := &verifier{runs: make(map[string]bool, len(enabled)), indexes: indexes{}, all: all, became: map[string][2]string{}}
	for _, r := range enabled {
		v.runs[r.Name] = true
	}
	if v.maps, err = newPathMaps(&f, enabled); err != nil {
		return nil, err
	}
	v.element(src, dst, domainTable, false)
	return v, nil
}

// element compares two elements of one name. host: the guest sees neither.
func (v *verifier) element(src, dst *etree.Element, n *node, host bool) {
	if n != nil && n.host {
		host = true
	}
	v.attributes(src, dst, n, host)
	v.text(src, dst, n, host)
	v.children(src, dst, n, host)
}

func (v *verifier) attributes(src, dst *etree.Element, n *node, host bool) {
	for i := range src.Attr {
		a := &src.Attr[i]
		if isDeclaration(a) {
			continue
		}
		d := attribute(dst, a)
		v.value(spot{e: src, attr: a}, n.leafFor(a), host || n.freeAttr(a), &a.Value, valueOf(d))
	}
	for i := range dst.Attr {
		a := &dst.Attr[i]
		if !isDeclaration(a) && attribute(src, a) == nil {
			v.value(spot{e: dst, attr: a}, n.leafFor(a), host || n.freeAttr(a), nil, &a.Value)
		}
	}
}

func (v *verifier) text(src, dst *etree.Element, n *node, host bool) {
	a, b := elementText(src), elementText(dst)
	if a == "" && b == "" {
		return
	}
	var l *leaf
	if n != nil {
		l = n.text
	}
	v.value(spot{e: src}, l, host, &a, &b)
}

// children pairs the children of one name by position, as libvirt pairs devices.
// The order of different names means nothing.
func (v *verifier) children(src, dst *etree.Element, n *node, host bool) {
	for _, pair := range pairChildren(src, dst) {
		switch {
		case n == domainTable && pair.space == "" && pair.local == "metadata":
			continue // all of them together, below
		case pair.src != nil && pair.dst != nil:
			v.element(pair.src, pair.dst, n.childFor(pair.space, pair.local), host)
		default:
			v.lone(pair, n.childFor(pair.space, pair.local), host)
		}
	}
	if n == domainTable {
		v.metadata(src, dst)
	}
}

// lone judges an element that only one document has.
func (v *verifier) lone(pair childPair, n *node, host bool) {
	host = host || n != nil && n.host
	e, source, dest := pair.src, "(present)", "(absent)"
	if e == nil {
		e, source, dest = pair.dst, "(absent)", "(present)"
	}
	if !host {
		v.report(spot{e: e}, source, dest, false, "the guest can see this element, so both documents must have it")
		return
	}
	if pair.src != nil {
		v.lostPaths(pair.src, n)
	} else {
		v.hunt(pair.dst, n)
	}
	v.report(spot{e: e}, source, dest, true, "only the host sees this element")
}

// lostPaths objects to host paths that went with their element.
func (v *verifier) lostPaths(e *etree.Element, n *node) {
	for i := range e.Attr {
		if l := n.leafFor(&e.Attr[i]); l != nil && v.maps.judgeLeaf(l, e.Attr[i].Value).moved {
			v.value(spot{e: e, attr: &e.Attr[i]}, l, true, &e.Attr[i].Value, nil)
		}
	}
	if text := elementText(e); text != "" && n != nil && v.maps.judgeLeaf(n.text, text).moved {
		v.value(spot{e: e}, n.text, true, &text, nil)
	}
	for _, c := range e.ChildElements() {
		v.lostPaths(c, n.childFor(namespaceOf(c), c.Tag))
	}
}

// hunt looks for source paths in an element that only the destination has.
func (v *verifier) hunt(e *etree.Element, n *node) {
	for i := range e.Attr {
		if !isDeclaration(&e.Attr[i]) {
			v.huntValue(spot{e: e, attr: &e.Attr[i]}, n.leafFor(&e.Attr[i]), e.Attr[i].Value)
		}
	}
	if n == nil {
		n = &node{}
	}
	v.huntValue(spot{e: e}, n.text, elementText(e))
	for _, c := range e.ChildElements() {
		v.hunt(c, n.childFor(namespaceOf(c), c.Tag))
	}
}

func (v *verifier) huntValue(at spot, l *leaf, value string) {
	if l.stays() || at.isSecret() || len(v.errs) > mostProblems {
		return
	}
	if match, found := v.maps.leftover(value); found {
		v.object(&LeftoverError{Device: at.device(), Path: at.path(v.indexes), Value: at.mask(l, value), Found: value[match.Start:match.End],
			Reason: "only the source pod has this path (rule " + match.rule + "); no rule may change this place, so take it out of the definition first"})
	}
}

// value judges one attribute or text; nil where a document does not have it.
func (v *verifier) value(at spot, l *leaf, host bool, src, dst *string) {
	host = host || l.isHost()
	if at.isDomainID() && v.runs["ID-6"] {
		if dst != nil {
			v.object(&LeftoverError{Device: "domain", Path: "/domain/@id", Value: *dst, Found: *dst,
				Reason: "the id belongs to the source's libvirt (rule ID-6)"})
		}
		return
	}
	if src != nil && l.isPath() {
		if want := v.maps.judgeLeaf(l, *src); !host || !v.maps.empty() {
			v.wanted(at, l, want, *src, dst)
			v.apart(at, l, *src, dst)
			return
		}
	}
	if dst != nil {
		v.huntValue(at, l, *dst)
	}
	reason := "the guest can see this value, so it must not change"
	switch {
	case src != nil && dst != nil && *src == *dst:
		return
	case src != nil && dst != nil && l != nil && l.same != nil && l.same(*src, *dst):
		if l.spelling {
			return
		}
		host, reason = true, "to the guest this value means the same"
	case host:
		reason = "only the host sees this value"
	}
	v.report(at, at.shown(l, src), at.shown(l, dst), host, reason)
}

// wanted insists on what the path map makes of the source's value.
func (v *verifier) wanted(at spot, l *leaf, want verdict, src string, dst *string) {
	found := at.shown(l, dst)
	switch {
	case dst != nil && *dst == want.value:
		if want.moved {
			v.report(at, cmp.Or(want.shownOld, at.mask(l, src)), cmp.Or(want.shownNew, found), true, "rule "+want.rule+": "+want.from+" -> "+want.to)
		}
	case want.moved:
		v.report(at, cmp.Or(want.shownOld, at.mask(l, src)), found, false, fmt.Sprintf("rule %s wants %s there", want.rule, quoteShort(cmp.Or(want.shownNew, want.value))))
	default:
		v.report(at, at.mask(l, src), found, false, "no path entry moves this path, so it must stay")
	}
}

// mostProblems bounds what is reported of two documents that have nothing to
// do with each other.
const mostProblems = 1000

func (v *verifier) report(at spot, source, dest string, legal bool, reason string) {
	if legal && !v.all || len(v.errs) > mostProblems {
		return
	}
	d := Difference{Device: at.device(), Path: at.path(v.indexes), Source: source, Dest: dest, Legal: legal, Reason: reason}
	v.diffs = append(v.diffs, d)
	if !legal {
		v.object(&ABIError{d})
	}
}

// object adds a problem, up to a bound.
func (v *verifier) object(err error) {
	switch {
	case len(v.errs) < mostProblems:
		v.errs = append(v.errs, err)
	case len(v.errs) == mostProblems:
		v.errs = append(v.errs, fmt.Errorf("more than %d problems, the rest is not shown", mostProblems))
	}
}
