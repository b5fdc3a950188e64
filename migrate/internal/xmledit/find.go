package xmledit

import "slices"

// Kind says what a node is.
type Kind uint8

// The kinds of nodes. The zero Node has none of them.
const (
	KindElement Kind = 1 + iota
	KindAttr
	KindText
)

// Node is what a path leads to: an element, an attribute or the text of an
// element.
type Node struct {
	kind Kind
	e    Element // the element itself, or the one that the attribute or the text belongs to
	a    Attr
}

// Kind says what the node is.
func (n Node) Kind() Kind { return n.kind }

// Element is the element itself, or the one that the attribute or the text
// belongs to.
func (n Node) Element() Element { return n.e }

// Attr is the attribute, none if the node is no attribute.
func (n Node) Attr() Attr { return n.a }

// Value is the value of the attribute, or the text directly within the
// element.
func (n Node) Value() string {
	if n.kind == KindAttr {
		return n.a.Value()
	}
	return n.e.Text().Value()
}

// Span is the element, the value of the attribute or the text.
func (n Node) Span() Span {
	switch n.kind {
	case KindAttr:
		return n.a.Span()
	case KindText:
		return n.e.Text().Span()
	}
	return n.e.Span()
}

// Path is the path of the attribute or of the element.
func (n Node) Path() string {
	if n.kind == KindAttr {
		return n.a.Path()
	}
	return n.e.Path()
}

// Find gives the nodes that a path leads to, in document order. It is
// [Compile] and [Path.Find] in one, for paths written in code: one that does
// not compile leads nowhere.
func (d *Document) Find(path string) []Node {
	p, err := Compile(path)
	if err != nil {
		return nil
	}
	return p.Find(d)
}

// Find gives the nodes that the path leads to, in document order and each
// once. The time is proportional to the size of the document times the number
// of steps.
func (p *Path) Find(d *Document) []Node {
	places := []int32{above}
	for _, s := range p.steps {
		if places = s.children(d, s.parents(d, places)); len(places) == 0 {
			return nil
		}
	}
	if p.end.kind == KindElement {
		nodes := make([]Node, len(places))
		for i, n := range places {
			nodes[i] = Node{kind: KindElement, e: Element{d, n}}
		}
		return nodes
	}
	var nodes []Node
	for _, n := range p.end.parents(d, places) {
		if n != above {
			nodes = p.end.of(nodes, Element{d, n})
		}
	}
	return nodes
}

// above stands for the place above the root, where every path starts.
const above = -1

// parents gives the elements among whose children a step looks: the places
// themselves, or, behind //, everything in them too.
func (s step) parents(d *Document, places []int32) []int32 {
	if !s.deep {
		return places
	}
	var all []int32
	next := int32(above)
	for _, n := range places {
		end := int32(len(d.elems))
		if n != above {
			end = d.elems[n].after
		}
		for n = max(n, next); n < end; n++ {
			all = append(all, n)
		}
		next = max(next, end)
	}
	return all
}

// children gives the children that a step matches, in document order.
func (s step) children(d *Document, parents []int32) []int32 {
	var found []int32
	seen := make([]int, len(s.tests)) // how many passed the tests before
	for _, n := range parents {
		e := d.Root()
		if n != above {
			e = Element{d, n}.FirstChild()
		}
		clear(seen)
		for ; e.d != nil; e = e.NextSibling() {
			if s.matches(e, seen) {
				found = append(found, e.i)
			}
		}
	}
	if !slices.IsSorted(found) {
		slices.Sort(found)
	}
	return found
}

func (s step) matches(e Element, seen []int) bool {
	if s.name != "*" && e.Name() != s.name {
		return false
	}
	for i, t := range s.tests {
		seen[i]++
		if t.attr == "" {
			if seen[i] != t.nth {
				return false
			}
		} else if a := e.Attr(t.attr); !a.Exists() || a.Value() != t.value {
			return false
		}
	}
	return true
}

// of adds what the last step of a path wants of an element.
func (s step) of(nodes []Node, e Element) []Node {
	if s.kind == KindText {
		for r := range e.Text().Runs() {
			if r.Len() > 0 {
				return append(nodes, Node{kind: KindText, e: e})
			}
		}
		return nodes
	}
	for a := range e.Attrs() {
		if s.name == "*" || a.Name() == s.name {
			nodes = append(nodes, Node{kind: KindAttr, e: e, a: a})
		}
	}
	return nodes
}
