package xmledit

import (
	"iter"
	"strings"
)

// Text is the character data directly within an element: everything between
// its tags that is not a child element, a comment or a processing
// instruction.
type Text struct{ e Element }

// Run is an unbroken piece of character data, or one CDATA section.
type Run struct {
	Span       // the characters as written, without the marks of a CDATA section
	CDATA bool // the run is a CDATA section

	d *Document
}

const (
	cdataOpen  = "<![CDATA["
	cdataClose = "]]>"
)

// Text is the character data directly within e.
func (e Element) Text() Text { return Text{e} }

// Runs gives the runs of the text in order. Empty CDATA sections are runs too.
func (t Text) Runs() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for c := t.cursor(); c.next(); {
			if !yield(c.run) {
				return
			}
		}
	}
}

// cursor goes through the content of an element from run to run. The parser
// has seen that every piece of markup in it is closed.
type cursor struct {
	run Run // the current one

	d     *Document
	pos   int
	end   int
	child Element // the next one
}

func (t Text) cursor() cursor {
	s := t.e.Content()
	return cursor{d: t.e.d, pos: s.Start, end: s.End, child: t.e.FirstChild()}
}

// next goes to the next run and reports whether there is one.
func (c *cursor) next() bool {
	for c.pos < c.end {
		rest := c.d.src[c.pos:c.end]
		switch {
		case rest[0] != '<':
			n := strings.IndexByte(rest, '<')
			if n < 0 {
				n = len(rest)
			}
			c.run = Run{Span: Span{c.pos, c.pos + n}, d: c.d}
			c.pos += n
			return true
		case c.child.d != nil && c.pos == int(c.child.rec().start):
			c.pos = int(c.child.rec().end)
			c.child = c.child.NextSibling()
		case strings.HasPrefix(rest, cdataOpen):
			n := strings.Index(rest, cdataClose)
			c.run = Run{Span: Span{c.pos + len(cdataOpen), c.pos + n}, CDATA: true, d: c.d}
			c.pos += n + len(cdataClose)
			return true
		case rest[1] == '?':
			c.pos += strings.Index(rest, "?>") + len("?>")
		default:
			const open = len("<!--")
			c.pos += open + strings.Index(rest[open:], "-->") + len("-->")
		}
	}
	return false
}

// Value is what the text says: references resolved, line ends read as \n,
// runs joined. It allocates only when that differs from what is written.
func (t Text) Value() string {
	if s, ok := t.plain(); ok {
		return decode(s, false)
	}
	c := t.cursor()
	if !c.next() {
		return ""
	}
	one := c.run.Value()
	if !c.next() {
		return one
	}
	all := append([]byte(one), c.run.Value()...)
	for c.next() {
		all = append(all, c.run.Value()...)
	}
	return string(all)
}

// Trimmed is Value without the white space around it, and "" for the
// indentation between child elements: the part that [Element.SetText]
// replaces. White space written as references is no white space here. It
// allocates as rarely as Value, and not for indentation.
func (t Text) Trimmed() string {
	if t.e.d == nil || !t.e.rec().text {
		return ""
	}
	if s, ok := t.plain(); ok {
		return decode(trimLeft(trimRight(s)), false)
	}
	var first Run
	for c := t.cursor(); c.next(); {
		switch {
		case isBlank(c.run.Raw()):
		case first.d == nil:
			first = c.run
		default:
			return joined(t.e.cores(""))
		}
	}
	first.Span = first.trim(true, true)
	return first.Value()
}

// plain is the content of an element that holds nothing but text.
func (t Text) plain() (string, bool) {
	if t.e.d == nil || t.e.FirstChild().d != nil {
		return "", false
	}
	s := t.e.Content()
	content := t.e.d.src[s.Start:s.End]
	return content, strings.IndexByte(content, '<') < 0
}

// Span reaches from the first run to the last, marks of CDATA sections and
// anything between them included. Without a run it is the empty span at the
// start of the content.
func (t Text) Span() Span {
	c := t.cursor()
	start := c.pos
	if !c.next() {
		return Span{start, start}
	}
	s := c.run.section()
	for c.next() {
		s.End = c.run.section().End
	}
	return s
}

// Raw is the run as written, without the marks of a CDATA section.
func (r Run) Raw() string {
	if r.d == nil {
		return ""
	}
	return r.d.src[r.Start:r.End]
}

// Value is what the run says.
func (r Run) Value() string {
	raw := r.Raw()
	if r.CDATA {
		return normalizeLines(raw)
	}
	return decode(raw, false)
}

// trim is the span of the run without the white space at its start, at its
// end or both.
func (r Run) trim(start, end bool) Span {
	raw := r.Raw()
	if start {
		raw = trimLeft(raw)
		r.Start = r.End - len(raw)
	}
	if end {
		r.End = r.Start + len(trimRight(raw))
	}
	return r.Span
}

func trimLeft(s string) string {
	for s != "" && isSpace(s[0]) {
		s = s[1:]
	}
	return s
}

func trimRight(s string) string {
	for s != "" && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// isBlank reports whether s is white space only.
func isBlank(s string) bool { return trimLeft(s) == "" }

// section is the run with the marks of a CDATA section.
func (r Run) section() Span {
	if r.CDATA {
		return Span{r.Start - len(cdataOpen), r.End + len(cdataClose)}
	}
	return r.Span
}
