package migrate

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// keepApart refuses facts that make one file of two: both guests' disks would end up on
// one image, and the target would start all the same.
func (p *planner) keepApart() {
	p.order = p.order[:0]
	for i := range p.hits {
		if h := &p.hits[i]; h.place.kind == kindPath && h.err == nil && strings.HasPrefix(h.value, "/") {
			p.order = append(p.order, int32(i))
		}
	}
	slices.SortFunc(p.order, func(a, b int32) int {
		return cmp.Or(strings.Compare(p.hits[a].value, p.hits[b].value), cmp.Compare(a, b))
	})
	for i := 1; i < len(p.order); i++ {
		a, b := &p.hits[p.order[i-1]], &p.hits[p.order[i]]
		if a.value != b.value || samePath(a.old, b.old) {
			continue
		}
		rule := b.rule
		if !b.moved {
			rule = a.rule
		}
		p.refuse(rule, "paths", b.elem, p.pathOf(b), b.span().Start, oneFile(b.old, b.value, a.old, p.deviceOf(a)))
	}
}

// apart insists that two paths of the source are two in the destination.
func (v *verifier) apart(at spot, l *leaf, src string, dst *string) {
	if l.kind != kindPath || dst == nil || !strings.HasPrefix(*dst, "/") {
		return
	}
	first, taken := v.became[*dst]
	switch {
	case !taken:
		v.became[*dst] = [2]string{src, at.device()}
	case !samePath(first[0], src):
		v.report(at, src, *dst, false, oneFile(src, *dst, first[0], first[1]))
	}
}

// oneFile says that two paths become one.
func oneFile(old, value, otherOld, otherDevice string) string {
	const want = ": want a path of its own for each"
	switch {
	case otherOld == value:
		return quoteShort(old) + " becomes " + quoteShort(value) + ", which " + otherDevice + " has already" + want
	case old == value:
		return quoteShort(old) + " stays, and " + quoteShort(otherOld) + " of " + otherDevice + " becomes it too" + want
	}
	return quoteShort(old) + " becomes " + quoteShort(value) + ", and so does " + quoteShort(otherOld) + " of " + otherDevice + want
}

// samePath: doubled slashes make no other path.
func samePath(a, b string) bool { return a == b || path.Clean(a) == path.Clean(b) }
