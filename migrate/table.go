package migrate

import (
	"strings"

	"github.com/beevik/etree"
)

// node is one element of domain XML in the tables: which of its attributes,
// and whether its text, are places, and what the guest can see of it.
type node struct {
	children names[*node]
	attrs    names[*leaf]
	text     *leaf
	// host: the element may come and go, and so may all below it that no
	// row names.
	host bool
	// hostAttrs: every attribute that no row names is host side.
	hostAttrs bool
}

// names is a small table by name. Most elements have a handful of children and
// attributes in the tables, and to look along them beats hashing; a large one
// (devices) is hashed.
type names[T any] struct {
	few  []named[T]
	many map[string]T
}

type named[T any] struct {
	name  string
	value T
}

const fewNames = 8

func (t *names[T]) get(name string) (value T) {
	if t.many != nil {
		return t.many[name]
	}
	for i := range t.few {
		if t.few[i].name == name {
			return t.few[i].value
		}
	}
	return value
}

func (t *names[T]) set(name string, value T) {
	for i := range t.few {
		if t.few[i].name == name {
			t.few[i].value = value
			if t.many != nil {
				t.many[name] = value
			}
			return
		}
	}
	t.few = append(t.few, named[T]{name, value})
	if len(t.few) <= fewNames {
		return
	}
	if t.many == nil {
		t.many = map[string]T{}
	}
	for _, n := range t.few {
		t.many[n.name] = n.value
	}
}

// leaf is one attribute or text.
type leaf struct {
	*place
	// host: a difference is the host's business (class C of the guest ABI).
	host bool
	// same, when set, says whether two values that differ as text mean the
	// same to the guest.
	same func(a, b string) bool
	// spelling: values that same accepts are not even a difference.
	spelling bool
}

// namespaces whose elements the tables name, by the prefix used there.
var namespaces = map[string]string{
	"http://libvirt.org/schemas/domain/qemu/1.0":  "qemu",
	"http://libvirt.org/schemas/domain/xen/1.0":   "xen",
	"http://libvirt.org/schemas/domain/bhyve/1.0": "bhyve",
}

// domainTable is the root: the domain element.
var domainTable = buildTable()

func buildTable() *node {
	root := &node{}
	for _, rows := range [][]place{hostPaths, looksLikePath, hostValues} {
		for i := range rows {
			for _, where := range alternatives(rows[i].where) {
				l := root.leafAt(where)
				l.place = &rows[i]
				l.host = rows[i].kind == kindPath && !strings.Contains(where, "/rom/")
			}
		}
	}
	for _, row := range hostSide {
		for _, where := range alternatives(row) {
			root.markHost(where)
		}
	}
	for i := range meanings {
		m := &meanings[i]
		for _, where := range alternatives(m.where) {
			l := root.leafAt(where)
			l.host, l.same, l.spelling = false, m.same, m.spelling
		}
	}
	linkStorage(root)
	return root
}

// linkStorage closes the recursion of storage chains: a backing store, a mirror
// and a data store hold what a disk holds, and a firmware variables file has
// a source like a disk's. All of them are host side as a whole, so they are
// copies of the nodes that share the maps.
func linkStorage(root *node) {
	disk := root.at("devices/disk")
	source := disk.at("source")
	chain := &node{}
	disk.children.set("backingStore", chain)
	disk.children.set("mirror", chain)
	source.children.set("dataStore", chain)
	*chain = *disk
	nvram := *source
	chain.host, nvram.host = true, true
	root.at("os/nvram").children.set("source", &nvram)
}

// alternatives expands {a,b} in a place.
func alternatives(where string) []string {
	before, rest, found := strings.Cut(where, "{")
	if !found {
		return []string{where}
	}
	inner, after, _ := strings.Cut(rest, "}")
	var all []string
	for _, name := range strings.Split(inner, ",") {
		all = append(all, alternatives(before+name+after)...)
	}
	return all
}

// at returns the node of an element path, making what is not there.
func (n *node) at(path string) *node {
	for name := range strings.SplitSeq(path, "/") {
		next := n.children.get(name)
		if next == nil {
			next = &node{}
			n.children.set(name, next)
		}
		n = next
	}
	return n
}

// leafAt returns the leaf that a row names, making what is not there.
func (n *node) leafAt(where string) *leaf {
	path, attr, isAttr := strings.Cut(where, "/@")
	if !isAttr && strings.HasPrefix(where, "@") {
		return n.attr(where[1:])
	}
	n = n.at(path)
	if isAttr {
		return n.attr(attr)
	}
	if n.text == nil {
		n.text = &leaf{}
	}
	return n.text
}

func (n *node) attr(name string) *leaf {
	l := n.attrs.get(name)
	if l == nil {
		l = &leaf{}
		n.attrs.set(name, l)
	}
	return l
}

// markHost marks a row of hostSide.
func (n *node) markHost(where string) {
	switch {
	case strings.HasSuffix(where, "/**"):
		n.at(strings.TrimSuffix(where, "/**")).host = true
	case strings.HasSuffix(where, "/@*"):
		n.at(strings.TrimSuffix(where, "/@*")).hostAttrs = true
	default:
		n.leafAt(where).host = true
	}
}

// leafFor finds the row of an attribute of the verifier's tree.
func (n *node) leafFor(a *etree.Attr) *leaf {
	if n == nil || a.Space != "" {
		return nil
	}
	return n.attrs.get(a.Key)
}

// freeAttr: the attribute is host side because all of the element's are.
func (n *node) freeAttr(a *etree.Attr) bool {
	l := n.leafFor(a)
	return n != nil && n.hostAttrs && a.Space == "" && (l == nil || l.same == nil)
}

func (l *leaf) isHost() bool { return l != nil && l.host }

// stays: the place holds no path, whatever it looks like.
func (l *leaf) stays() bool { return l != nil && l.place != nil && !l.isPath() }

// isPath: the place can hold host paths.
func (l *leaf) isPath() bool {
	return l != nil && l.place != nil && l.kind != kindStay && l.kind != kindHost
}

// judgeLeaf is judge for a row that may be missing.
func (m *pathMaps) judgeLeaf(l *leaf, value string) verdict {
	if !l.isPath() {
		return verdict{value: value}
	}
	return m.judge(l.kind, value)
}

// empty tells that no fact speaks of paths.
func (m *pathMaps) empty() bool { return m.explicit.Len() == 0 && m.identity.Len() == 0 }
