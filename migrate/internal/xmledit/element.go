package xmledit

import (
	"iter"
	"strings"
)

// Element is one element of a document: a small value, compared with ==. The
// zero Element is none at all; its methods return zero values.
type Element struct {
	d *Document
	i int32
}

// Exists reports whether e is an element.
func (e Element) Exists() bool { return e.d != nil }

// Document is the document that e is part of.
func (e Element) Document() *Document { return e.d }

func (e Element) rec() *element { return &e.d.elems[e.i] }

// Name is the name as written, prefix and all: "qemu:arg".
func (e Element) Name() string {
	if e.d == nil {
		return ""
	}
	r := e.rec()
	return e.d.src[r.start+1 : int(r.start)+1+int(r.name)]
}

// Local is the name without its prefix.
func (e Element) Local() string {
	if e.d == nil {
		return ""
	}
	return e.Name()[e.rec().colon:]
}

// Space is the name of the namespace that e is in, "" for none.
func (e Element) Space() string {
	if e.d == nil {
		return ""
	}
	return e.d.spaces[e.rec().space]
}

// Index is the number of the element in document order: 0 for the root, and
// always less than [Document.Len]. It is meant for tables beside the document.
func (e Element) Index() int { return int(e.i) }

// Depth is 1 for the root, 2 for its children, 0 for no element.
func (e Element) Depth() int {
	if e.d == nil {
		return 0
	}
	return int(e.rec().depth)
}

// Parent is the element around e, none for the root.
func (e Element) Parent() Element {
	if e.d == nil || e.i == 0 {
		return Element{}
	}
	return Element{e.d, e.rec().parent}
}

// FirstChild is the first element directly within e.
func (e Element) FirstChild() Element {
	if e.d == nil || e.rec().after == e.i+1 {
		return Element{}
	}
	return Element{e.d, e.i + 1}
}

// LastChild is the last element directly within e.
func (e Element) LastChild() Element {
	if e.d == nil || e.rec().after == e.i+1 {
		return Element{}
	}
	// The last element of the subtree is e's last child or within it; the
	// climb is as long as the document is deep.
	i := e.rec().after - 1
	for e.d.elems[i].parent != e.i {
		i = e.d.elems[i].parent
	}
	return Element{e.d, i}
}

// NextSibling is the next element of the same parent.
func (e Element) NextSibling() Element {
	if e.d == nil {
		return Element{}
	}
	r := e.rec()
	if int(r.after) == len(e.d.elems) || e.d.elems[r.after].parent != r.parent {
		return Element{}
	}
	return Element{e.d, r.after}
}

// PrevSibling is the previous element of the same parent.
func (e Element) PrevSibling() Element {
	if e.d == nil || e.rec().prev < 0 {
		return Element{}
	}
	return Element{e.d, e.rec().prev}
}

// Children gives the elements directly within e, in order.
func (e Element) Children() iter.Seq[Element] {
	return func(yield func(Element) bool) {
		for c := e.FirstChild(); c.d != nil; c = c.NextSibling() {
			if !yield(c) {
				return
			}
		}
	}
}

// Child is the first child of that name in no namespace, which is where all
// of libvirt's own elements are.
func (e Element) Child(local string) Element {
	for c := e.FirstChild(); c.d != nil; c = c.NextSibling() {
		if c.rec().space == noSpace && c.Name() == local {
			return c
		}
	}
	return Element{}
}

// NumAttrs is the number of attributes, namespace declarations included.
func (e Element) NumAttrs() int {
	if e.d == nil {
		return 0
	}
	return int(e.attrEnd() - e.rec().attr)
}

func (e Element) attrEnd() int32 {
	if int(e.i)+1 < len(e.d.elems) {
		return e.d.elems[e.i+1].attr
	}
	return int32(len(e.d.attrs))
}

// AttrAt is the attribute number i, from 0; none if there is no such one.
func (e Element) AttrAt(i int) Attr {
	if i < 0 || i >= e.NumAttrs() {
		return Attr{}
	}
	return Attr{e.d, e.i, e.rec().attr + int32(i)}
}

// Attr is the attribute of that name as written, prefix and all.
func (e Element) Attr(name string) Attr {
	if e.d == nil {
		return Attr{}
	}
	for i, end := e.rec().attr, e.attrEnd(); i < end; i++ {
		if a := (Attr{e.d, e.i, i}); a.Name() == name {
			return a
		}
	}
	return Attr{}
}

// Attrs gives the attributes in order, namespace declarations included.
func (e Element) Attrs() iter.Seq[Attr] {
	return func(yield func(Attr) bool) {
		if e.d == nil {
			return
		}
		for i, end := e.rec().attr, e.attrEnd(); i < end; i++ {
			if !yield(Attr{e.d, e.i, i}) {
				return
			}
		}
	}
}

// Span is the whole element, from its '<' to the '>' of its end tag.
func (e Element) Span() Span {
	if e.d == nil {
		return Span{}
	}
	r := e.rec()
	return Span{int(r.start), int(r.end)}
}

// StartTag is the start tag, or the only tag of a self-closed element.
func (e Element) StartTag() Span {
	if e.d == nil {
		return Span{}
	}
	r := e.rec()
	return Span{int(r.start), int(r.tagEnd)}
}

// Content is what stands between the tags, empty for a self-closed element.
func (e Element) Content() Span {
	if e.d == nil {
		return Span{}
	}
	r := e.rec()
	return Span{int(r.tagEnd), int(r.endTag)}
}

// SelfClosed reports whether e is written <a/> rather than <a></a>.
func (e Element) SelfClosed() bool { return e.d != nil && e.rec().endTag == e.rec().end }

// Lines is the span to delete when e goes. An element that stands alone on
// its line or lines takes them along: its indentation and the line end behind
// it. Otherwise it is just [Element.Span].
func (e Element) Lines() Span {
	s := e.Span()
	if e.d == nil {
		return s
	}
	start, ok := lineStart(e.d.src, s.Start)
	if !ok {
		return s
	}
	end, ok := lineEnd(e.d.src, s.End)
	if !ok {
		return s
	}
	return Span{start, end}
}

// lineStart is the start of the line that pos is on, if nothing but blanks
// and tabs stands before pos.
func lineStart(src string, pos int) (int, bool) {
	for pos > 0 && (src[pos-1] == ' ' || src[pos-1] == '\t') {
		pos--
	}
	return pos, pos == 0 || src[pos-1] == '\n' || src[:pos] == byteOrderMark
}

// lineEnd is the offset behind the line end that follows pos, if nothing but
// blanks and tabs stands in between. The end of the document ends a line too.
func lineEnd(src string, pos int) (int, bool) {
	for pos < len(src) && (src[pos] == ' ' || src[pos] == '\t') {
		pos++
	}
	rest := src[pos:]
	switch {
	case rest == "":
		return pos, true
	case rest[0] == '\n':
		return pos + 1, true
	case strings.HasPrefix(rest, "\r\n"):
		return pos + 2, true
	}
	return pos, false
}
