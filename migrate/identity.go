package migrate

import (
	"slices"
	"sync/atomic"

	"github.com/migxml/migxml/pathmap"
)

// identityMap maps the pod layout of the old identity to that of the new one; nil
// when the identity does not change. Only real pod paths move this way: a
// namespace called var moves no /var. An entry whose rule does not run is left
// out, so that the other side finds its path untouched.
func identityMap(f *Facts, enabled []*Rule) (*pathmap.Map, error) {
	target := f.Source
	for _, field := range []struct {
		place *string
		value string
	}{{&target.Namespace, f.Target.Namespace}, {&target.Name, f.Target.Name}, {&target.UID, f.Target.UID}} {
		if field.value != "" {
			*field.place = field.value
		}
	}
	if target == f.Source {
		return nil, nil
	}
	m, err := between(identity{f.Source.Namespace, f.Source.Name, f.Source.UID},
		identity{target.Namespace, target.Name, target.UID}, f.Roots)
	if err == nil && len(enabled) < len(rules) {
		entries := slices.DeleteFunc(m.All(), func(e pathmap.Entry) bool {
			return e.Source != e.Target && !contains(enabled, f.ruleOf(e))
		})
		m, err = pathmap.New(entries...)
	}
	if err != nil {
		return nil, &FactError{Rule: "D-3", Device: "domain", Fact: "source, target, roots", Reason: oneLine(err)}
	}
	return m, nil
}

// identity is what the pod layouts of one guest depend on.
type identity struct{ namespace, name, uid string }

func (i identity) layout(roots pathmap.Roots) pathmap.Layout {
	return pathmap.Layout{Namespace: i.namespace, Name: i.name, UID: i.uid, Roots: roots}
}

// identityMove is the last move that a map was made for. The running and the stored
// definition, the dry run and the verifier all ask for the same one.
type identityMove struct {
	source, target identity
	roots          pathmap.Roots
	paths          *pathmap.Map
}

var lastMove atomic.Pointer[identityMove]

// between is pathmap.Between, made once for a move.
func between(source, target identity, roots pathmap.Roots) (*pathmap.Map, error) {
	if last := lastMove.Load(); last != nil && last.source == source && last.target == target && last.roots == roots {
		return last.paths, nil
	}
	paths, err := pathmap.Between(source.layout(roots), target.layout(roots))
	if err != nil {
		return nil, err
	}
	lastMove.Store(&identityMove{source, target, roots, paths})
	return paths, nil
}

// ruleOf names the rule that an entry of the identity map belongs to.
func (f *Facts) ruleOf(e pathmap.Entry) string {
	switch e.Kind {
	case pathmap.KindUID:
		return "ID-3"
	case pathmap.KindNVRAM:
		return "F-2"
	}
	if f.Source.Namespace == f.Target.Namespace {
		return "D-3a"
	}
	return "D-3"
}

func contains(enabled []*Rule, name string) bool {
	return slices.ContainsFunc(enabled, func(r *Rule) bool { return r.Name == name })
}

func mapUID(p *planner)       { p.mapBy("ID-3") }
func mapNamespace(p *planner) { p.mapBy("D-3") }
func mapName(p *planner)      { p.mapBy("D-3a") }
func mapVariables(p *planner) { p.mapBy("F-2") }
func mapPaths(p *planner)     { p.mapBy("paths") }

// mapBy reports an edit for every value that an entry of the rule moves.
func (p *planner) mapBy(rule string) {
	for i := range p.hits {
		h := &p.hits[i]
		if !h.moved || h.rule != rule {
			continue
		}
		p.setValue(h, p.moveReason(h))
	}
}

// moveReason says why a path moves. Plain joins: a plan of a large domain has
// thousands of these.
func (p *planner) moveReason(h *hit) string {
	from, to := &p.facts.Source, &p.facts.Target
	switch h.rule {
	case "ID-3":
		return "the " + h.place.what + " lies in the directory that bears the VMI's UID, which changes from " + from.UID + " to " + to.UID
	case "F-2":
		return "the " + h.place.what + " is named after the VMI, whose name changes from " + from.Name + " to " + to.Name +
			"; under the old name the next boot would start with empty variables"
	case "D-3", "D-3a":
		return "the " + h.place.what + " lies below namespace and name of the VMI, which change from " +
			from.Namespace + "/" + from.Name + " to " + to.Namespace + "/" + to.Name
	}
	return "the " + h.place.what + " is covered by the path entry " + h.from + " -> " + h.to
}

// removeDomainID is ID-6: the id is the source libvirt's number of the running
// domain. libvirt ignores it on the way in.
func removeDomainID(p *planner) {
	id := p.doc.Root().Attr("id")
	if !id.Exists() {
		return
	}
	span := id.Full()
	p.edits = append(p.edits, Edit{
		Rule: "ID-6", Device: "domain", Path: id.Path(), Start: span.Start, End: span.End,
		Before: p.doc.Source()[span.Start:span.End], Old: id.Value(), New: "(removed)",
		Reason: "the id numbers the running domain within the source's libvirt and means nothing on the target",
	})
}
