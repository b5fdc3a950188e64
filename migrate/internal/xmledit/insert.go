package xmledit

import (
	"strings"
	"sync"

	"github.com/beevik/etree"
)

// Remove takes the element away, and its lines if it stands alone on them;
// see [Element.Lines]. For the zero Element it is the zero Change.
func (e Element) Remove() Change {
	if e.d == nil {
		return Change{}
	}
	return e.d.change(e.Lines(), "")
}

// Replace puts a new element in the place of e, written in libvirt's style at
// e's indentation. It fails with a [*ContentError] for what XML cannot carry,
// for a prefix that is not declared at the place, and for the zero Element.
// So do the other methods that take new elements.
func (e Element) Replace(n *etree.Element) (Change, error) {
	w, err := e.write(e.Parent(), e.style(), n)
	if err != nil {
		return Change{}, err
	}
	return e.d.change(e.Span(), w[0]), nil
}

// InsertBefore puts new elements before e, each on a line of its own if e's
// line starts with it. The root has no siblings.
func (e Element) InsertBefore(n ...*etree.Element) (Change, error) {
	s := e.style()
	w, err := e.writeSiblings(s, n)
	if err != nil {
		return Change{}, err
	}
	at := e.Span().Start
	if s.block {
		at, _ = lineStart(e.d.src, at)
	}
	return e.d.change(Span{at, at}, s.lines(w)), nil
}

// InsertAfter puts new elements behind e, each on a line of its own if e
// stands alone on its lines. The root has no siblings.
func (e Element) InsertAfter(n ...*etree.Element) (Change, error) {
	s := e.style()
	s.block = s.block && e.alone()
	w, err := e.writeSiblings(s, n)
	if err != nil {
		return Change{}, err
	}
	at := e.Span().End
	if s.block {
		at = e.Lines().End
	}
	return e.d.change(Span{at, at}, s.lines(w)), nil
}

// Append puts new elements behind everything in e, each on a line of its own
// if e's end tag starts a line or, where e holds nothing yet, if e stands
// alone on its lines. A self-closed element is opened for them.
func (e Element) Append(children ...*etree.Element) (Change, error) {
	s, at := e.childStyle(), e.Content().End
	w, err := e.write(e, s, children...)
	if err != nil {
		return Change{}, err
	}
	content := s.lines(w)
	if e.Content().Len() > 0 {
		if s.block {
			at, _ = lineStart(e.d.src, at)
		}
		return e.d.change(Span{at, at}, content), nil
	}
	if s.block && content != "" {
		content = s.eol + content + e.style().indent
	}
	if e.SelfClosed() && content != "" {
		return e.open(content), nil
	}
	return e.d.change(Span{at, at}, content), nil
}

// writeSiblings writes elements that are to stand beside e.
func (e Element) writeSiblings(s style, n []*etree.Element) ([]string, error) {
	if e.d != nil && e.i == 0 {
		return nil, &ContentError{e.Path(), tags(n), "the root has no siblings"}
	}
	return e.write(e.Parent(), s, n...)
}

// tags names new elements for an error.
func tags(elements []*etree.Element) string {
	if len(elements) == 0 || elements[0] == nil {
		return ""
	}
	return elements[0].FullTag()
}

// alone reports whether e stands alone on its line or lines.
func (e Element) alone() bool { return e.Lines() != e.Span() }

// style says how a new element is laid out.
type style struct {
	block  bool   // on lines of their own
	indent string // before it
	unit   string // more of it for each level within
	eol    string
}

// lines puts elements on lines of their own, or just side by side.
func (s style) lines(elements []string) string {
	if !s.block {
		return strings.Join(elements, "")
	}
	var b strings.Builder
	for _, e := range elements {
		b.WriteString(s.indent)
		b.WriteString(e)
		b.WriteString(s.eol)
	}
	return b.String()
}

// style is how a new element in e's place is laid out: on lines of its own if
// e's line starts with e and the document has lines.
func (e Element) style() style {
	if e.d == nil {
		return style{}
	}
	s := style{eol: e.d.eol()}
	if s.eol == "" {
		return s
	}
	if s.indent, s.block = e.indent(); s.block {
		s.unit = e.unit(s.indent)
	}
	return s
}

// childStyle is how a new last child of e is laid out.
func (e Element) childStyle() style {
	if e.d == nil {
		return style{}
	}
	s := e.style()
	content := e.Content()
	if content.Len() == 0 {
		s.block = s.block && e.alone()
		s.indent += s.unit
		return s
	}
	at, ok := lineStart(e.d.src, content.End)
	if s.eol == "" || !ok || at <= content.Start {
		return style{eol: s.eol}
	}
	own, _ := e.indent()
	s.block = true
	for c := e.LastChild(); c.d != nil; c = c.PrevSibling() {
		if indent, ok := c.indent(); ok {
			s.indent, s.unit = indent, c.unit(indent)
			return s
		}
	}
	s.unit = e.unit(own)
	s.indent = own + s.unit
	return s
}

// indent is the white space before e on its line, and whether there is
// nothing else before it.
func (e Element) indent() (string, bool) {
	start := e.Span().Start
	line, ok := lineStart(e.d.src, start)
	return e.d.src[line:start], ok
}

// unit is one level's worth of indentation at e, which is indented by own:
// what e has more than its parent or, where that tells nothing, what its
// first child has more than e.
func (e Element) unit(own string) string {
	if p := e.Parent(); p.d != nil {
		if outer, ok := p.indent(); ok && len(own) > len(outer) && strings.HasPrefix(own, outer) {
			return own[len(outer):]
		}
	}
	if c := e.FirstChild(); c.d != nil {
		if inner, ok := c.indent(); ok && len(inner) > len(own) && strings.HasPrefix(inner, own) {
			return inner[len(own):]
		}
	}
	if strings.HasSuffix(own, "\t") {
		return "\t"
	}
	return "  "
}

// lineEndOnce is the line end of a document, once somebody asks for it.
type lineEndOnce struct {
	once sync.Once
	eol  string
}

// eol is the line end of the document's first line, "" if there is no other.
func (d *Document) eol() string {
	d.lineEnd.once.Do(func() {
		switch i := strings.IndexByte(d.src, '\n'); {
		case i > 0 && d.src[i-1] == '\r':
			d.lineEnd.eol = "\r\n"
		case i >= 0:
			d.lineEnd.eol = "\n"
		}
	})
	return d.lineEnd.eol
}
