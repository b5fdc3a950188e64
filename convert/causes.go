package convert

import (
	"strconv"
	"strings"
)

// Origin says who decided a value.
type Origin string

// The origins of a value. A hook's is "hook " and its name.
const (
	OriginField   Origin = "field"             // a field of the VMI, as the user set it or left it out
	OriginDefault Origin = "admission default" // a field of the VMI that admission filled in
	OriginFact    Origin = "fact"              // the context
	OriginPolicy  Origin = "policy"            // built in here
)

// Cause is why one leaf of the domain, an attribute, a text or an empty element,
// is what it is.
type Cause struct {
	Path   string `json:"path"`  // XPath of the leaf
	Value  string `json:"value"` // "" for an empty element
	Step   string `json:"step"`  // the step of the conversion
	Origin Origin `json:"origin"`
	// Fields are the places that bring this value: to change or remove one of
	// them, or all together, changes the value or makes the conversion fail.
	// Paths in the VMI after admission; facts stand behind "context.".
	Fields []string `json:"fields,omitempty"`
	// Assumed are those of Fields that are facts and that the context does not
	// state, so that what is usual was assumed. The other facts were supplied.
	Assumed []string `json:"assumed,omitempty"`
	// Via are the places that an admission default was taken from.
	Via    []string `json:"via,omitempty"`
	Reason string   `json:"reason"`
}

// causeTree finds the record of a leaf: by its path, or the nearest one above.
type causeTree struct {
	nodes []causeNode
}

// causeNode is an element or attribute that a record names.
type causeNode struct {
	name   string // with "@" for an attribute
	index  int32  // from 1; 0 for any
	record int32  // index of the record + 1, 0 for none
	child  int32  // first child with an index; 0 for none
	anyOf  int32  // first child that stands for all of its name; 0 for none
	next   int32  // next sibling of its kind; 0 for none
	recent int32  // the child with an index that was found last; 0 for none
}

// build makes the tree of the records, in the room of the one before.
func (t *causeTree) build(records []record) {
	t.nodes = append(t.nodes[:0], causeNode{})
	path, index, above := "", int32(-1), int32(0)
	for i := range records {
		r := &records[i]
		if i == 0 || r.path != path || r.index != index {
			path, index = r.path, r.index
			above = t.descend(0, path, index+1)
		}
		t.nodes[t.descend(above, r.leaf, 0)].record = int32(i + 1)
	}
}

// descend goes down a path, making what is missing. index is that of the last
// element where the path does not say it, 0 for none.
func (t *causeTree) descend(at int32, path string, index int32) int32 {
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		i := int32(1)
		if open := strings.IndexByte(name, '['); open >= 0 {
			n, _ := strconv.Atoi(name[open+1 : len(name)-1]) // "*" is 0
			i, name = int32(n), name[:open]
		} else if path == "" && index > 0 {
			i = index
		}
		next := t.find(at, name, i)
		if next == 0 {
			next = t.add(at, name, i)
		}
		at = next
	}
	return at
}

// add gives a node another child.
func (t *causeTree) add(at int32, name string, index int32) int32 {
	n := int32(len(t.nodes))
	above := &t.nodes[at]
	added := causeNode{name: name, index: index}
	if index == 0 {
		added.next, above.anyOf = above.anyOf, n
	} else {
		added.next, above.child, above.recent = above.child, n, n
	}
	t.nodes = append(t.nodes, added)
	return n
}

// find is the child of that name and index, 0 for none.
func (t *causeTree) find(at int32, name string, index int32) int32 {
	if index == 0 {
		for c := t.nodes[at].anyOf; c != 0; c = t.nodes[c].next {
			if t.nodes[c].name == name {
				return c
			}
		}
		return 0
	}
	if r := t.nodes[at].recent; r != 0 && t.nodes[r].index == index && t.nodes[r].name == name {
		return r
	}
	for c := t.nodes[at].child; c != 0; c = t.nodes[c].next {
		if t.nodes[c].index == index && t.nodes[c].name == name {
			t.nodes[at].recent = c
			return c
		}
	}
	return 0
}

// cursor is where the walk over the document is in the tree: the nodes that
// match by index or by "any", and the nearest record so far.
type cursor struct {
	at    [2]int32 // -1: none
	found int32
}

func (t *causeTree) root() cursor { return cursor{at: [2]int32{0, -1}, found: t.nodes[0].record} }

func (t *causeTree) step(c cursor, name string, index int32) cursor {
	next := cursor{at: [2]int32{-1, -1}, found: c.found}
	n := 0
	// Later matches are the more precise ones.
	for _, i := range [2]int32{0, index} {
		for _, at := range c.at {
			if at < 0 || n == len(next.at) {
				continue
			}
			if to := t.find(at, name, i); to != 0 {
				next.at[n] = to
				n++
				if r := t.nodes[to].record; r > 0 {
					next.found = r
				}
			}
		}
	}
	return next
}

// stepAttr is step for an attribute, which has no index.
func (t *causeTree) stepAttr(c cursor, name string) cursor {
	for _, at := range c.at {
		if at < 0 {
			continue
		}
		for n := t.nodes[at].child; n != 0; n = t.nodes[n].next {
			if have := t.nodes[n].name; len(have) == len(name)+1 && have[0] == '@' && have[1:] == name {
				if r := t.nodes[n].record; r > 0 {
					c.found = r
				}
			}
		}
	}
	return c
}
