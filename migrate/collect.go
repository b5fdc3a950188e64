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
}

func (h *hit) span() xmledit.Span {
	if h.attr.Exists() {
		return h.attr.Span()
	}
	return h.elem.Text().Span()
}

func (h *hit) path() string {
	if h.attr.Exists() {
		return h.attr.Path()
	}
	return h.elem.Path()
}

// collect walks the document once and notes every host-bound value.
func (p *planner) collect() {
	p.hits = make([]hit, 0, 32)
	p.walk(p.doc.Root(), domainTable)
}

func (p *planner) walk(e xmledit.Element, n *node) {
	for i := range e.NumAttrs() {
		a := e.AttrAt(i)
		var l *leaf
		if n != nil && a.Space() == "" {
			l = n.attrs.get(a.Local())
		}
		p.note(l, e, a)
	}
	if !e.SelfClosed() && (n != nil && n.text != nil || !e.FirstChild().Exists()) {
		var l *leaf
		if n != nil {
			l = n.text
		}
		p.note(l, e, xmledit.Attr{})
	}
	for c := e.FirstChild(); c.Exists(); c = c.NextSibling() {
		if n == domainTable && c.Name() == "metadata" {
			continue // nobody's host path: KubeVirt's own goes, everyone else's stays
		}
		p.walk(c, n.childFor(c.Space(), c.Local()))
	}
}

// note keeps a value that is host-bound, or looks it.
func (p *planner) note(l *leaf, e xmledit.Element, a xmledit.Attr) {
	var pl *place
	if l != nil {
		pl = l.place
	}
	switch {
	case pl != nil && pl.kind == kindStay:
		return
	case pl == nil && a.Exists() && !strings.HasPrefix(a.Raw(), "/"):
		return // nearly every attribute of a document
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
	if pl == nil {
		h.place, h.loose, h.value = unknownPlace, true, h.old
	} else {
		h.verdict = p.maps.judge(pl.kind, h.old)
		if h.err != nil {
			p.refuse("paths", "paths", e, h.path(), h.span().Start, h.err.Error())
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
	e := Edit{Rule: h.rule, Device: deviceOf(h.elem), Path: h.path(), Old: h.old, New: h.value, Reason: reason}
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
