package xmledit

import (
	"fmt"
	"strings"
	"testing"
)

// TestIdentity reads every document there is and holds it against its bytes:
// the spans of its pieces put together are the source again, and every path
// leads back to where it came from.
func TestIdentity(t *testing.T) {
	for _, c := range corpus(t) {
		d, err := Parse([]byte(c.src), Limits{})
		if err != nil {
			t.Errorf("%s:%v", c.name, err)
			continue
		}
		if err := sound(d, c.src); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if out, err := d.Apply(nil); err != nil || out != c.src {
			t.Errorf("%s: no change changed it: %v", c.name, err)
		}
	}
}

// sound checks what holds of every document.
func sound(d *Document, src string) error {
	if d.Source() != src {
		return fmt.Errorf("the source is not what was read")
	}
	if got := pieces(d, d.Root()); got != src[d.Root().Span().Start:d.Root().Span().End] {
		return fmt.Errorf("the pieces of the root are not the root")
	}
	n := 0
	for e := range d.Elements() {
		if e.Index() != n {
			return fmt.Errorf("element %d has the index %d", n, e.Index())
		}
		n++
		if err := soundElement(d, e); err != nil {
			return fmt.Errorf("%s: %w", e.Path(), err)
		}
	}
	if n != d.Len() {
		return fmt.Errorf("%d elements, Len is %d", n, d.Len())
	}
	return nil
}

// pieces puts an element together again from the spans of what is in it.
func pieces(d *Document, e Element) string {
	var b strings.Builder
	src, pos := d.Source(), e.Span().Start
	upTo := func(s Span, text string) {
		b.WriteString(src[pos:s.Start])
		b.WriteString(text)
		pos = s.End
	}
	for a := range e.Attrs() {
		q := string(a.Quote())
		upTo(Span{a.Full().Start, a.Span().Start}, src[a.Full().Start:a.Span().Start-1]+q)
		upTo(a.Span(), a.Raw())
	}
	for c := range e.Children() {
		upTo(c.Span(), pieces(d, c))
	}
	upTo(Span{e.Span().End, e.Span().End}, "")
	return b.String()
}

func soundElement(d *Document, e Element) error {
	src := d.Source()
	s, tag, content := e.Span(), e.StartTag(), e.Content()
	switch {
	case !s.Contains(tag) || !s.Contains(content) || content.Start != tag.End || tag.Start != s.Start:
		return fmt.Errorf("spans do not nest: %v %v %v", s, tag, content)
	case !strings.HasPrefix(src[s.Start:], "<"+e.Name()) || src[tag.End-1] != '>' || src[s.End-1] != '>':
		return fmt.Errorf("%q is no element", src[s.Start:s.End])
	case e.SelfClosed() && (tag != s || src[tag.End-2] != '/'):
		return fmt.Errorf("%q is not self-closed", src[s.Start:s.End])
	case !e.SelfClosed() && !strings.HasPrefix(src[content.End:], "</"+e.Name()):
		return fmt.Errorf("content ends at %q", src[content.End:])
	case !e.Lines().Contains(s):
		return fmt.Errorf("lines %v do not hold %v", e.Lines(), s)
	case strings.Trim(src[e.Lines().Start:s.Start]+src[s.End:e.Lines().End], " \t\r\n"+byteOrderMark) != "":
		return fmt.Errorf("lines hold more than the element")
	case e.Parent().Exists() && (!e.Parent().Content().Contains(s) || e.Depth() != e.Parent().Depth()+1):
		return fmt.Errorf("not within its parent")
	case e.Parent().Exists() != (e.Index() > 0):
		return fmt.Errorf("only the root has no parent")
	}
	if err := soundChildren(e); err != nil {
		return err
	}
	pos := tag.Start + 1 + len(e.Name())
	for a := range e.Attrs() {
		full, value := a.Full(), a.Span()
		if full.Start != pos || !full.Contains(value) || src[value.Start-1] != a.Quote() || src[value.End] != a.Quote() || !tag.Contains(full) {
			return fmt.Errorf("attribute %s: %v and %v behind %d", a.Name(), full, value, pos)
		}
		if e.Attr(a.Name()) != a || a.Element() != e {
			return fmt.Errorf("attribute %s is not found by its name", a.Name())
		}
		if err := leads(d, a.Path(), a.Span()); err != nil {
			return err
		}
		pos = full.End
	}
	pos = content.Start
	for r := range e.Text().Runs() {
		if r.Start < pos || r.section().End > content.End || strings.ContainsRune(r.Raw(), '<') && !r.CDATA {
			return fmt.Errorf("run %v behind %d in %v", r.Span, pos, content)
		}
		pos = r.section().End
	}
	return leads(d, e.Path(), e.Span())
}

// soundChildren walks the children forwards and backwards.
func soundChildren(e Element) error {
	var prev Element
	for c := range e.Children() {
		if c.Parent() != e || c.PrevSibling() != prev || prev.Exists() && prev.NextSibling() != c || prev.Span().End > c.Span().Start {
			return fmt.Errorf("child %s is out of order", c.Path())
		}
		prev = c
	}
	if e.LastChild() != prev || prev.NextSibling().Exists() {
		return fmt.Errorf("last child is %s", e.LastChild().Path())
	}
	return nil
}

// leads checks that a path leads to one place. Finding costs as much as the
// document is long, so that only small documents are looked at in full.
func leads(d *Document, path string, s Span) error {
	if d.Len() > 400 && s.Start%7 > 0 {
		return nil
	}
	p, err := Compile(path)
	if err != nil {
		return err
	}
	nodes := p.Find(d)
	if len(nodes) != 1 || nodes[0].Span() != s || nodes[0].Path() != path {
		return fmt.Errorf("%s leads to %d nodes", path, len(nodes))
	}
	return nil
}
