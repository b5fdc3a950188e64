package migrate

import (
	"strings"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// hit is a place of the tables, found in the document with a value.
type hit struct {
	place *place
	elem  xmledit.Element
	attr  xmledit.Attr // the zero Attr for the element's text
	verdict
	// old is the value in the document.
	old string
	// loose marks a value that no row knows and that starts with "/".
	loose bool
	// device is the index of the device it belongs to in planner.devices.
	device int
}

func (h *hit) span() xmledit.Span {
	if h.attr.Exists() {
		return h.attr.Span()
	}
	return h.elem.Text().Span()
}

// hitDevice is a device, or a section that is none, with hits. Many values share
// one, so its name and its path are worked out once.
type hitDevice struct {
	elem       xmledit.Element
	name, path string
}

// device is the index of the device that is being walked.
func (p *planner) device() int {
	last := len(p.devices) - 1
	if last < 0 || p.devices[last].elem != p.around {
		p.devices = append(p.devices, hitDevice{elem: p.around})
		last++
	}
	return last
}

// deviceOf names the device of a hit.
func (p *planner) deviceOf(h *hit) string {
	d := &p.devices[h.device]
	if d.name == "" {
		d.name = deviceOf(d.elem)
	}
	return d.name
}

// pathOf is the place of a hit.
func (p *planner) pathOf(h *hit) string {
	d := &p.devices[h.device]
	if d.path == "" {
		d.path = d.elem.Path()
	}
	if h.attr.Exists() {
		return h.attr.PathFrom(d.elem, d.path)
	}
	return h.elem.PathFrom(d.elem, d.path)
}

// collect walks the document once and notes every host-bound value.
func (p *planner) collect() {
	p.walk(p.doc.Root(), domainTable, 1)
}

func (p *planner) walk(e xmledit.Element, n *node, depth int) {
	if depth <= deviceDepth {
		p.around = e
	}
	for a := range e.Attrs() {
		var l *leaf
		if n != nil {
			l = n.attrs.get(a.Name()) // the tables have no attribute with a prefix
		}
		if (l == nil || l.place == nil) && !strings.HasPrefix(a.Raw(), "/") {
			continue // nearly every attribute of a document
		}
		p.note(l, e, a)
	}
	if e.SelfClosed() {
		return
	}
	c := e.FirstChild()
	switch {
	case n != nil && n.text != nil:
		p.note(n.text, e, xmledit.Attr{})
	case !c.Exists():
		p.note(nil, e, xmledit.Attr{})
	}
	var before, space string
	var below *node
	for ; c.Exists(); c = c.NextSibling() {
		name := c.Name()
		if n == domainTable && name == "metadata" {
			continue // nobody's host path: KubeVirt's own goes, everyone else's stays
		}
		if s := c.Space(); name != before || s != space {
			before, space, below = name, s, n.childFor(s, c.Local()) // those of one kind stand together
		}
		p.walk(c, below, depth+1)
	}
}

// deviceDepth is where devices are: /domain/devices/disk.
const deviceDepth = 3

// note keeps a value that is host-bound, or looks it.
func (p *planner) note(l *leaf, e xmledit.Element, a xmledit.Attr) {
	var pl *place
	if l != nil {
		pl = l.place
	}
	switch {
	case pl != nil && pl.kind == kindStay:
		return
	case isSecret(e.Local(), a.Local()):
		return
	}
	h := hit{place: pl, elem: e, attr: a}
	if a.Exists() {
		h.old = a.Value()
	} else {
		h.old = e.Text().Trimmed()
		if pl == nil && !strings.HasPrefix(h.old, "/") {
			return
		}
	}
	if h.old == "" {
		return
	}
	h.device = p.device()
	if pl == nil {
		h.place, h.loose, h.value = unknownPlace, true, h.old
	} else {
		h.verdict = p.maps.judge(pl.kind, h.old)
		if h.err != nil {
			p.refuse("paths", "paths", e, p.pathOf(&h), h.span().Start, h.err.Error())
		}
		if h.known && h.rule == "paths" {
			p.use(&h)
		}
	}
	p.hits = append(p.hits, h)
}

var unknownPlace = &place{where: "", kind: kindHost, what: "value"}

// use remembers the path entries that covered something.
func (p *planner) use(h *hit) {
	if p.used == nil {
		p.used = map[string]bool{}
	}
	if h.place.kind == kindPath {
		p.used[h.from] = true
		return
	}
	for _, match := range p.maps.find(h.old) {
		p.used[match.Entry.Source] = true
	}
}

// setValue reports the edit that puts the verdict's value in its place.
func (p *planner) setValue(h *hit, reason string) {
	e := Edit{Rule: h.rule, Device: p.deviceOf(h), Path: p.pathOf(h), Old: h.old, New: h.value, Reason: reason}
	if h.shownOld != "" {
		e.Old, e.New = h.shownOld, h.shownNew
	}
	var changes []xmledit.Change
	var err error
	if h.attr.Exists() {
		var c xmledit.Change
		c, err = h.attr.Set(h.value)
		changes = []xmledit.Change{c}
	} else {
		changes, err = h.elem.SetText(h.value)
	}
	if err != nil {
		p.refuse(h.rule, "paths", h.elem, e.Path, h.span().Start, "the new value cannot stand in XML: "+err.Error())
		return
	}
	if len(changes) > 1 {
		e.Group = e.Path
	}
	for _, c := range changes {
		e.Start, e.End, e.Before, e.After = c.Start, c.End, c.Before, c.After
		p.edits = append(p.edits, e)
	}
}

// childFor finds the node of a child element; nil when no row knows it.
func (n *node) childFor(space, local string) *node {
	if n == nil {
		return nil
	}
	if space == "" {
		return n.children.get(local)
	}
	if prefix, known := namespaces[space]; known {
		return n.children.get(prefix + ":" + local)
	}
	return nil
}

// trimSpace cuts XML's white space, as libvirt's readers of paths do not see
// line breaks that a hand put around a value.
func trimSpace(s string) string { return strings.Trim(s, " \t\r\n") }
