package xmledit

import (
	"iter"
	"sync"
)

// Document is an immutable XML document. It may be used by several goroutines
// at once.
type Document struct {
	src    string
	elems  []element // in document order
	attrs  []attr    // in document order, so an element's own are consecutive
	spaces []string  // namespace names; the first is the empty one
	room   [6]string // for spaces; most documents fit
	limits Limits
	ascii  bool // declared as US-ASCII: everything else is written as a reference

	lines    lineIndex
	lineEnd  lineEndOnce
	siblings siblingIndex
}

// element is what is kept of an element. Offsets are 32 bits wide, which
// Parse makes sure of.
type element struct {
	start, tagEnd int32  // the start tag
	endTag, end   int32  // the end tag; empty when the element is self-closed
	parent, prev  int32  // element numbers; -1 if none
	after         int32  // number of the first element behind this one's subtree
	attr          int32  // number of its first attribute
	space         int32  // index into Document.spaces
	name          uint16 // length of the name
	colon         uint16 // length of the prefix with its colon
	depth         uint16
	text          bool // it holds a CDATA section, or text that is more than white space
}

// attr is what is kept of an attribute.
type attr struct {
	start      int32 // of the name
	value, end int32 // the value, without quotes
	space      int32
	name       uint16
	colon      uint16
	plain      bool // the value stands for itself: no reference, no white space but blanks
}

// Numbers of the namespaces that every document knows.
const (
	noSpace = iota
	xmlSpace
	xmlnsSpace
)

// The namespaces that are bound without a declaration.
const (
	XMLSpace   = "http://www.w3.org/XML/1998/namespace" // of the prefix xml
	XMLNSSpace = "http://www.w3.org/2000/xmlns/"        // of namespace declarations themselves
)

// Source is the document as it was read, byte for byte.
func (d *Document) Source() string { return d.src }

// Root is the outermost element.
func (d *Document) Root() Element { return Element{d: d} }

// Len is the number of elements; [Element.Index] is always less.
func (d *Document) Len() int { return len(d.elems) }

// Elements gives all elements in document order, the root first.
func (d *Document) Elements() iter.Seq[Element] {
	return func(yield func(Element) bool) {
		for i := range d.elems {
			if !yield(Element{d, int32(i)}) {
				return
			}
		}
	}
}

// siblingIndex numbers elements among their siblings of the same name, once
// somebody asks for a path.
type siblingIndex struct {
	once sync.Once
	nth  []int32 // from 1; 0 for the only one of its name
}
