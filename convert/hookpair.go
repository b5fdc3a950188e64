package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// nodePair is an element before and after a hook; one of them may be nil.
type nodePair struct{ was, is *xmlNode }

// pairKids pairs the children of an element with those it had before: devices
// with the same identity first, then equal ones, then what is left in order
// unless identities say that they are different ones. The pairs stand in the
// order of the new document, what is gone behind them.
func pairKids(was, is *xmlNode) []nodePair {
	pairs := make([]nodePair, len(is.kids))
	for i, k := range is.kids {
		pairs[i].is = k
	}
	if was == nil {
		return pairs
	}
	left := append([]*xmlNode(nil), was.kids...)
	name := func(n *xmlNode) string { return n.name }
	nameless := func(n *xmlNode) string {
		if n.identity() != "" {
			return ""
		}
		return n.name
	}
	pairBy(pairs, left, (*xmlNode).identity, (*xmlNode).identity)
	pairBy(pairs, left, (*xmlNode).content, (*xmlNode).content)
	pairBy(pairs, left, nameless, name)
	pairBy(pairs, left, name, nameless)
	for _, k := range left {
		if k != nil {
			pairs = append(pairs, nodePair{was: k})
		}
	}
	return pairs
}

// pairBy pairs, in order, what has the same name and the same key, "" being none.
func pairBy(pairs []nodePair, left []*xmlNode, wasKey, isKey func(*xmlNode) string) {
	waiting := map[string][]int{}
	for j, k := range left {
		if k == nil {
			continue
		}
		if key := wasKey(k); key != "" {
			waiting[k.name+" "+key] = append(waiting[k.name+" "+key], j)
		}
	}
	for i := range pairs {
		if pairs[i].was != nil {
			continue
		}
		key := pairs[i].is.name + " " + isKey(pairs[i].is)
		if list := waiting[key]; len(list) > 0 {
			pairs[i].was, left[list[0]] = left[list[0]], nil
			waiting[key] = list[1:]
		}
	}
}

// identity is what tells a device, or an entry of a list, from others of its
// kind: its alias, its name on the bus, its number; "" for nothing.
func (n *xmlNode) identity() string {
	for _, k := range n.kids {
		if k.name == "alias" {
			return "alias " + k.attrText("name")
		}
	}
	for _, k := range n.kids {
		if dev := k.attrText("dev"); k.name == "target" && dev != "" {
			return "target " + dev
		}
	}
	for _, name := range []string{"id", "vcpu", "iothread", "cellid", "name"} {
		if v := n.attrText(name); v != "" {
			return name + " " + v
		}
	}
	if n.name == "controller" {
		return "controller " + n.attrText("type") + " " + n.attrText("index")
	}
	return ""
}

func (n *xmlNode) attrText(name string) string {
	if v := n.attr(name); v != nil {
		return *v
	}
	return ""
}

// content is the whole element as text, its attributes in order of their names.
func (n *xmlNode) content() string {
	var b strings.Builder
	n.writeContent(&b)
	return b.String()
}

func (n *xmlNode) writeContent(b *strings.Builder) {
	attrs := slices.Clone(n.attrs)
	slices.SortFunc(attrs, func(a, b xmlAttr) int { return strings.Compare(a.name, b.name) })
	fmt.Fprintf(b, "<%s %q %q>", n.name, attrs, n.text)
	for _, k := range n.kids {
		k.writeContent(b)
	}
	b.WriteString("</>")
}

// step is the element as a step of a path; "" for none.
func (n *xmlNode) step() string {
	if n == nil {
		return ""
	}
	return string(n.appendStep(nil))
}

func (n *xmlNode) appendStep(path []byte) []byte {
	path = append(append(path, '/'), n.name...)
	if !n.alone {
		path = append(strconv.AppendInt(append(path, '['), int64(n.index), 10), ']')
	}
	return path
}
