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
		for r := range t.runs {
			if !yield(r) {
				return
			}
		}
	}
}

// runs walks the gaps between the children. They were checked by the parser,
// so every piece of markup in them is closed.
func (t Text) runs(yield func(Run) bool) {
	if t.e.d == nil {
		return
	}
	gap := t.e.Content()
	for c := t.e.FirstChild(); c.d != nil; c = c.NextSibling() {
		s := c.Span()
		if !t.gap(Span{gap.Start, s.Start}, yield) {
			return
		}
		gap.Start = s.End
	}
	t.gap(gap, yield)
}

// gap gives the runs of a stretch without elements.
func (t Text) gap(s Span, yield func(Run) bool) bool {
	for s.Start < s.End {
		rest := t.e.d.src[s.Start:s.End]
		var skip int
		switch {
		case rest[0] != '<':
			n := strings.IndexByte(rest, '<')
			if n < 0 {
				n = len(rest)
			}
			if !yield(Run{Span: Span{s.Start, s.Start + n}, d: t.e.d}) {
				return false
			}
			skip = n
		case strings.HasPrefix(rest, cdataOpen):
			n := strings.Index(rest, cdataClose)
			if !yield(Run{Span: Span{s.Start + len(cdataOpen), s.Start + n}, CDATA: true, d: t.e.d}) {
				return false
			}
			skip = n + len(cdataClose)
		case rest[1] == '?':
			skip = strings.Index(rest, "?>") + len("?>")
		default:
			const open = len("<!--")
			skip = open + strings.Index(rest[open:], "-->") + len("-->")
		}
		s.Start += skip
	}
	return true
}

// Value is what the text says: references resolved, line ends read as \n,
// runs joined. It allocates only when that differs from what is written.
func (t Text) Value() string {
	var one string
	var all []byte
	n := 0
	for r := range t.runs {
		switch n {
		case 0:
			one = r.Value()
		case 1:
			all = append(append(all, one...), r.Value()...)
		default:
			all = append(all, r.Value()...)
		}
		n++
	}
	if n > 1 {
		return string(all)
	}
	return one
}

// Span reaches from the first run to the last, marks of CDATA sections and
// anything between them included. Without a run it is the empty span at the
// start of the content.
func (t Text) Span() Span {
	s := Span{t.e.Content().Start, t.e.Content().Start}
	first := true
	for r := range t.runs {
		if first {
			s.Start = r.section().Start
			first = false
		}
		s.End = r.section().End
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

// section is the run with the marks of a CDATA section.
func (r Run) section() Span {
	if r.CDATA {
		return Span{r.Start - len(cdataOpen), r.End + len(cdataClose)}
	}
	return r.Span
}
