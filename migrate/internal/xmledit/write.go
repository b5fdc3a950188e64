package xmledit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"
)

// write spells new elements as libvirt does, for a place within parent.
func (e Element) write(parent Element, s style, elements ...*etree.Element) ([]string, error) {
	if e.d == nil {
		return nil, &ContentError{Value: tags(elements), Msg: msgNoElement}
	}
	w := writer{style: s, ascii: e.d.ascii, most: e.d.limits.Bytes}
	written := make([]string, len(elements))
	for i, n := range elements {
		if n == nil {
			return nil, &ContentError{e.Path(), "", "no element given"}
		}
		w.out = w.out[:0]
		if err := w.element(n, s.indent, e.d.limits.Depth-parent.Depth()); err != nil {
			return nil, &ContentError{e.Path(), n.FullTag(), err.Error()}
		}
		written[i] = string(w.out)
		if err := w.check(parent); err != nil {
			return nil, &ContentError{e.Path(), n.FullTag(), err.Error()}
		}
	}
	return written, nil
}

// check reads what was written as if it stood in parent, for all that shows
// in its context only: prefixes, and attributes that are the same by them.
func (w *writer) check(parent Element) error {
	b := []byte("<x")
	for _, prefix := range w.prefixes {
		// What the new elements declare themselves hides this.
		if space, ok := parent.namespace(prefix); ok && prefix != "xml" {
			b = append(append(b, " xmlns:"...), prefix...)
			b = append(appendValue(append(b, "='"...), space, '\'', false), '\'')
		}
	}
	b = append(append(append(b, '>'), w.out...), "</x>"...)
	if _, err := parse(string(b), Limits{Bytes: maxBytes, Depth: maxDepth + 1}); err != nil {
		return errors.New(err.(*Error).Msg)
	}
	return nil
}

// writer writes etree elements. Its methods return what is wrong with them.
type writer struct {
	style
	out      []byte
	prefixes []string // of all names
	ascii    bool
	most     int // bytes
}

func (w *writer) element(n *etree.Element, indent string, levels int) error {
	if levels <= 0 {
		return errors.New("nested too deep")
	}
	if len(w.out) > w.most {
		return fmt.Errorf("more than %d bytes", w.most)
	}
	name := n.FullTag()
	if err := w.name(name); err != nil {
		return err
	}
	w.out = append(append(w.out, '<'), name...)
	for _, a := range n.Attr {
		if err := w.attr(a); err != nil {
			return fmt.Errorf("%s: attribute %s: %w", quote(name), quote(a.FullKey()), err)
		}
	}
	if len(n.Child) == 0 {
		w.out = append(w.out, "/>"...)
		return nil
	}
	w.out = append(w.out, '>')
	if err := w.content(n, indent, levels); err != nil {
		return err
	}
	w.out = append(append(append(w.out, "</"...), name...), '>')
	return nil
}

func (w *writer) name(name string) error {
	if msg := nameFault(name); msg != "" {
		return fmt.Errorf("name %s: %s", quote(name), msg)
	}
	if prefix, _, ok := strings.Cut(name, ":"); ok && prefix != "xmlns" && !slices.Contains(w.prefixes, prefix) {
		w.prefixes = append(w.prefixes, prefix)
	}
	return w.fits(name)
}

// fits refuses what cannot be written in the document's encoding and has no
// other spelling.
func (w *writer) fits(s string) error {
	if w.ascii && !isASCII(s) {
		return fmt.Errorf("%s: %s", quote(s), msgNotASCII)
	}
	return nil
}

func (w *writer) attr(a etree.Attr) error {
	if err := w.name(a.FullKey()); err != nil {
		return err
	}
	if msg := valueFault(a.Value); msg != "" {
		return fmt.Errorf("%s: %s", quote(a.Value), msg)
	}
	w.out = append(append(append(w.out, ' '), a.FullKey()...), "='"...)
	w.out = append(appendValue(w.out, a.Value, '\'', w.ascii), '\'')
	return nil
}

// content writes what is in an element. Where that is markup only, each piece
// gets a line of its own and white space in between is dropped.
func (w *writer) content(n *etree.Element, indent string, levels int) error {
	markup, text := contents(n)
	inner := indent + w.unit
	lines := w.block && !text
	for _, t := range n.Child {
		if c, ok := t.(*etree.CharData); ok {
			if markup && !text {
				continue
			}
			if err := w.chars(c); err != nil {
				return fmt.Errorf("%s: %w", quote(n.FullTag()), err)
			}
			continue
		}
		if lines {
			w.out = append(append(w.out, w.eol...), inner...)
		}
		if err := w.markup(t, inner, levels); err != nil {
			return err
		}
	}
	if lines && markup {
		w.out = append(append(w.out, w.eol...), indent...)
	}
	return nil
}

// contents says whether an element holds markup, and whether it holds text
// that is more than white space.
func contents(n *etree.Element) (markup, text bool) {
	for _, t := range n.Child {
		if c, ok := t.(*etree.CharData); !ok {
			markup = true
		} else if !isBlank(c.Data) {
			text = true
		}
	}
	return markup, text
}

func (w *writer) chars(c *etree.CharData) error {
	if msg := valueFault(c.Data); msg != "" {
		return fmt.Errorf("%s: %s", quote(c.Data), msg)
	}
	if c.IsCData() && inCDATA(c.Data, w.ascii) {
		w.out = append(append(append(w.out, cdataOpen...), c.Data...), cdataClose...)
		return nil
	}
	w.out = appendText(w.out, c.Data, w.ascii)
	return nil
}

// markup writes a child that is no text.
func (w *writer) markup(t etree.Token, indent string, levels int) error {
	switch t := t.(type) {
	case *etree.Element:
		return w.element(t, indent, levels-1)
	case *etree.Comment:
		if strings.Contains(t.Data, "--") || strings.HasSuffix(t.Data, "-") {
			return fmt.Errorf("comment %s: '--' within", quote(t.Data))
		}
		return w.verbatim("<!--", t.Data, "-->")
	case *etree.ProcInst:
		if msg := nameFault(t.Target); msg != "" {
			return fmt.Errorf("processing instruction %s: %s", quote(t.Target), msg)
		}
		if strings.Contains(t.Inst, "?>") {
			return fmt.Errorf("processing instruction %s: '?>' within", quote(t.Target))
		}
		return w.verbatim("<?"+t.Target+" ", t.Inst, "?>")
	}
	return fmt.Errorf("%T cannot be written", t)
}

// verbatim writes what nothing can be escaped in. A return would be read as
// another line end.
func (w *writer) verbatim(open, s, end string) error {
	if msg := valueFault(s); msg != "" {
		return fmt.Errorf("%s: %s", quote(s), msg)
	}
	if strings.IndexByte(s, '\r') >= 0 {
		return fmt.Errorf("%s: a return cannot stand there", quote(s))
	}
	w.out = append(append(append(w.out, open...), s...), end...)
	return w.fits(open + s)
}
