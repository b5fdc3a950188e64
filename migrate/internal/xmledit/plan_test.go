package xmledit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// plan makes changes as its data chooses them, and keeps a second record of
// what they are to do, which knows nothing of bytes.
type plan struct {
	t       testing.TB
	d       *Document
	data    []byte
	changes []Change

	values  map[Attr]*string // new values of attributes; nil where they go
	added   map[Element][]etree.Attr
	texts   map[Element]string
	gone    map[Element]bool
	instead map[Element]*etree.Element
	gaps    map[gap][]inserted
}

// gap is a place between children: before the child of that number.
type gap struct {
	parent Element
	before int
}

// inserted are new elements in a gap, at an offset.
type inserted struct {
	at int
	n  []*etree.Element
}

func (p *plan) byte() int {
	if len(p.data) == 0 {
		return 0
	}
	b := p.data[0]
	p.data = p.data[1:]
	return int(b)
}

// value takes a value from a list of awkward ones or from the data.
func (p *plan) value() string {
	list := []string{"", "x", "it's \"y\"", "<&>]]>", "]]", "]", ">", " ", "\t\n\r", "\n  z\n", "ä\U0001F600", "/srv/pods/a", "&amp;", "--", "\x00", "\xff"}
	n := p.byte()
	if n < len(list) {
		return list[n]
	}
	n = min(n%16, len(p.data))
	s := string(p.data[:n])
	p.data = p.data[n:]
	return s
}

func (p *plan) name() string {
	list := []string{"n", "m", "source", "q:n", "xml:n", "ä", "x:n", "xmlns:n", "1", "n n"}
	return list[p.byte()%len(list)]
}

func (p *plan) element(levels int) *etree.Element {
	e := etree.NewElement(p.name())
	for range p.byte() % 3 {
		e.CreateAttr(p.name(), p.value())
	}
	for range p.byte() % 4 {
		switch p.byte() % 6 {
		case 0, 1:
			if levels > 0 {
				e.AddChild(p.element(levels - 1))
			}
		case 2:
			e.CreateText(p.value())
		case 3:
			e.CreateCData(p.value())
		case 4:
			e.CreateComment(p.value())
		case 5:
			e.CreateProcInst(p.name(), p.value())
		}
	}
	return e
}

// add takes a change, if it could be made.
func (p *plan) add(c Change, err error) bool {
	if err != nil {
		if !errors.As(err, new(*ContentError)) || c != (Change{}) {
			p.t.Fatalf("no proper error: %v beside %v", err, c)
		}
		return false
	}
	p.changes = append(p.changes, c)
	return true
}

func (p *plan) choose() {
	p.values, p.added, p.texts = map[Attr]*string{}, map[Element][]etree.Attr{}, map[Element]string{}
	p.gone, p.instead, p.gaps = map[Element]bool{}, map[Element]*etree.Element{}, map[gap][]inserted{}
	for n := 0; n < 16 && len(p.data) > 0; n++ {
		what := p.byte()
		e := Element{p.d, int32(p.byte() * p.d.Len() / 256)}
		a := e.AttrAt(p.byte() % max(1, e.NumAttrs()))
		switch what % 9 {
		case 0:
			p.set(a)
		case 1:
			p.setAttr(e)
		case 2:
			if p.add(a.Remove(), nil); a.Exists() {
				p.values[a] = nil
			}
		case 3:
			p.setText(e)
		case 4:
			p.add(e.Remove(), nil)
			p.gone[e] = true
		case 5:
			n := p.element(2)
			if p.add(e.Replace(n)) {
				p.instead[e] = n
			}
		default:
			p.insert(e, what%9, p.element(2))
		}
	}
}

func (p *plan) set(a Attr) {
	v := p.value()
	if c, err := a.Set(v); p.add(c, err) {
		p.values[a] = &v
	}
}

func (p *plan) setAttr(e Element) {
	name, v := p.name(), p.value()
	for _, a := range p.added[e] {
		if a.Key == name {
			return // Apply refuses two of a name
		}
	}
	a := e.Attr(name)
	if c, err := e.SetAttr(name, v); !p.add(c, err) {
		return
	}
	if a.Exists() {
		p.values[a] = &v
	} else {
		p.added[e] = append(p.added[e], etree.Attr{Key: name, Value: v})
	}
}

func (p *plan) setText(e Element) {
	v := p.value()
	changes, err := e.SetText(v)
	if err != nil {
		p.add(Change{}, err)
		return
	}
	if len(changes) > 0 {
		p.changes = append(p.changes, changes...)
		p.texts[e] = v
	}
}

func (p *plan) insert(e Element, how int, n *etree.Element) {
	place := gap{parent: e.Parent()}
	for c := e.PrevSibling(); c.Exists(); c = c.PrevSibling() {
		place.before++
	}
	var c Change
	var err error
	switch how {
	case 6:
		c, err = e.InsertBefore(n)
	case 7:
		c, err = e.InsertAfter(n)
		place.before++
	case 8:
		c, err = e.Append(n, n)
		place = gap{parent: e}
		for range e.Children() {
			place.before++
		}
	}
	if p.add(c, err) {
		p.gaps[place] = append(p.gaps[place], inserted{c.Start, []*etree.Element{n, n}[:1+how/8]})
	}
}

// kept checks that every byte between the changes is where it should be.
func (p *plan) kept(out string) error {
	changes := slices.Clone(p.changes)
	slices.SortStableFunc(changes, func(a, b Change) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
	src, from, shift := p.d.Source(), 0, 0
	for _, c := range append(changes, Change{Span: Span{len(src), len(src)}}) {
		if from > c.Start || from+shift < 0 || c.Start+shift > len(out) || src[from:c.Start] != out[from+shift:c.Start+shift] {
			return fmt.Errorf("bytes %d to %d are not what they were", from, c.Start)
		}
		from, shift = c.End, shift+len(c.After)-c.Len()
	}
	return nil
}

// node is what an element is to be.
type node struct {
	name     string
	attrs    []string
	text     string
	loose    bool // the text's white space does not count
	children []node
}

// expect gives what an element is to be after all changes.
func (p *plan) expect(e Element) node {
	n := node{name: e.Name(), text: e.Text().Value()}
	for a := range e.Attrs() {
		switch v, ok := p.values[a]; {
		case !ok:
			n.attrs = append(n.attrs, a.Name()+"="+a.Value())
		case v != nil:
			n.attrs = append(n.attrs, a.Name()+"="+*v)
		}
	}
	for _, a := range p.added[e] {
		n.attrs = append(n.attrs, a.Key+"="+a.Value)
	}
	if text, ok := p.texts[e]; ok {
		n.text, n.loose = text, true
	}
	i := 0
	for c := range e.Children() {
		p.insertInto(&n, gap{e, i})
		switch {
		case p.gone[c]:
			n.loose = true
		case p.instead[c] != nil:
			n.children = append(n.children, written(p.instead[c]))
		default:
			n.children = append(n.children, p.expect(c))
		}
		i++
	}
	p.insertInto(&n, gap{e, i})
	if e == p.d.Root() && p.instead[e] != nil {
		return written(p.instead[e])
	}
	return n
}

// insertInto adds what is inserted in a gap: by offset, then in the order
// given.
func (p *plan) insertInto(n *node, g gap) {
	all := p.gaps[g]
	slices.SortStableFunc(all, func(a, b inserted) int { return a.at - b.at })
	for _, in := range all {
		n.loose = true
		for _, e := range in.n {
			n.children = append(n.children, written(e))
		}
	}
}

// written is what a new element is to be.
func written(e *etree.Element) node {
	n := node{name: e.FullTag(), loose: true}
	for _, a := range e.Attr {
		n.attrs = append(n.attrs, a.FullKey()+"="+a.Value)
	}
	for _, token := range e.Child {
		switch token := token.(type) {
		case *etree.CharData:
			n.text += token.Data
		case *etree.Element:
			n.children = append(n.children, written(token))
		}
	}
	return n
}

// is compares an element with what it is to be.
func (n node) is(e Element) error {
	if e.Name() != n.name {
		return fmt.Errorf("%s is to be named %s", e.Path(), n.name)
	}
	var attrs []string
	for a := range e.Attrs() {
		attrs = append(attrs, a.Name()+"="+a.Value())
	}
	if !slices.Equal(attrs, n.attrs) {
		return fmt.Errorf("%s has the attributes %q, not %q", e.Path(), attrs, n.attrs)
	}
	got, want := e.Text().Value(), n.text
	if n.loose {
		got, want = strings.Join(strings.Fields(got), ""), strings.Join(strings.Fields(want), "")
	}
	if got != want {
		return fmt.Errorf("%s has the text %q, not %q", e.Path(), got, want)
	}
	c := e.FirstChild()
	for _, want := range n.children {
		if !c.Exists() {
			return fmt.Errorf("%s lacks a child %s", e.Path(), want.name)
		}
		if err := want.is(c); err != nil {
			return err
		}
		c = c.NextSibling()
	}
	if c.Exists() {
		return fmt.Errorf("%s is too much", c.Path())
	}
	return nil
}
