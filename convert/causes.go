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
	// Given says of a fact whether the context states it; otherwise its usual
	// value was assumed.
	Given bool `json:"given,omitempty"`
	// Via are the places that an admission default was taken from.
	Via    []string `json:"via,omitempty"`
	Reason string   `json:"reason"`
}

// causeTree finds the record of a leaf: by its path, or the nearest one above.
type causeTree struct {
	edges map[causeEdge]int
	nodes []int // index of the record + 1, 0 for none
}

type causeEdge struct {
	parent int
	name   string // with "@" for an attribute
	index  int    // from 1; 0 for any
}

func newCauseTree(records []record) *causeTree {
	t := &causeTree{edges: make(map[causeEdge]int, 2*len(records)), nodes: make([]int, 1, 2*len(records)+1)}
	for i := range records {
		r := &records[i]
		at := t.descend(0, r.path, r.index+1)
		at = t.descend(at, r.leaf, 0)
		t.nodes[at] = i + 1
	}
	return t
}

// descend goes down a path, making what is missing. index is that of the last
// element where the path does not say it, 0 for none.
func (t *causeTree) descend(at int, path string, index int) int {
	for path != "" {
		var name string
		name, path, _ = strings.Cut(path, "/")
		e := causeEdge{parent: at, name: name, index: 1}
		if i := strings.IndexByte(name, '['); i >= 0 {
			e.name = name[:i]
			e.index, _ = strconv.Atoi(name[i+1 : len(name)-1]) // "*" is 0
		} else if path == "" && index > 0 {
			e.index = index
		}
		next, ok := t.edges[e]
		if !ok {
			next = len(t.nodes)
			t.nodes = append(t.nodes, 0)
			t.edges[e] = next
		}
		at = next
	}
	return at
}

// cursor is where the walk over the document is in the tree: the nodes that
// match by index or by "any", and the nearest record so far.
type cursor struct {
	at    [2]int // -1: none
	found int
}

func (t *causeTree) root() cursor { return cursor{at: [2]int{0, -1}, found: t.nodes[0]} }

func (t *causeTree) step(c cursor, name string, index int) cursor {
	next := cursor{at: [2]int{-1, -1}, found: c.found}
	n := 0
	// Later matches are the more precise ones.
	for _, i := range [2]int{0, index} {
		for _, at := range c.at {
			if at < 0 || n == len(next.at) {
				continue
			}
			if to, ok := t.edges[causeEdge{at, name, i}]; ok {
				next.at[n] = to
				n++
				if t.nodes[to] > 0 {
					next.found = t.nodes[to]
				}
			}
		}
	}
	return next
}
