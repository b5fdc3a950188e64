package xmledit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// TestOtherParsers holds what is read against two other parsers.
func TestOtherParsers(t *testing.T) {
	for _, c := range corpus(t) {
		d, err := Parse([]byte(c.src), Limits{})
		if err != nil {
			t.Errorf("%s:%v", c.name, err)
			continue
		}
		if err := agreesWithXML(d); err != nil {
			t.Errorf("%s: encoding/xml: %v", c.name, err)
		}
		if err := agreesWithEtree(d); err != nil {
			t.Errorf("%s: etree: %v", c.name, err)
		}
	}
}

// passThrough lets encoding/xml read documents declared as US-ASCII.
func passThrough(charset string, r io.Reader) (io.Reader, error) {
	if strings.EqualFold(charset, "US-ASCII") {
		return r, nil
	}
	return nil, fmt.Errorf("charset %s", charset)
}

// agreesWithXML compares a document with what encoding/xml reads, element by
// element: names, namespaces, attributes and text. Two differences are known
// and allowed for: encoding/xml does not turn white space in attribute values
// into blanks, in namespaces neither (blanks makes both the same), and its
// namespaces of attributes that declare some are spelled otherwise.
func agreesWithXML(d *Document) error {
	dec := xml.NewDecoder(strings.NewReader(d.Source()))
	dec.CharsetReader = passThrough
	var open []Element
	var texts []*bytes.Buffer
	next := 0
	for {
		token, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if next == d.Len() {
				return fmt.Errorf("more elements than %d", next)
			}
			e := Element{d, int32(next)}
			next++
			if len(open) > 0 && e.Parent() != open[len(open)-1] {
				return fmt.Errorf("%s: another parent", e.Path())
			}
			if err := agreesWithStart(e, token); err != nil {
				return fmt.Errorf("%s: %w", e.Path(), err)
			}
			open = append(open, e)
			texts = append(texts, new(bytes.Buffer))
		case xml.EndElement:
			last := len(open) - 1
			if got, want := open[last].Text().Value(), texts[last].String(); got != want {
				return fmt.Errorf("%s: text %q, want %q", open[last].Path(), got, want)
			}
			if int(dec.InputOffset()) != open[last].Span().End {
				return fmt.Errorf("%s: ends at %d, want %d", open[last].Path(), open[last].Span().End, dec.InputOffset())
			}
			open, texts = open[:last], texts[:last]
		case xml.CharData:
			if len(texts) > 0 {
				texts[len(texts)-1].Write(token)
			}
		}
	}
	if next != d.Len() {
		return fmt.Errorf("%d elements, want %d", d.Len(), next)
	}
	return nil
}

// agreesWithStart compares an element's name and attributes.
func agreesWithStart(e Element, start xml.StartElement) error {
	if e.Local() != start.Name.Local || e.Space() != blanks(start.Name.Space) && e.Space() != XMLSpace {
		return fmt.Errorf("name %q of %q, want %v", e.Local(), e.Space(), start.Name)
	}
	if e.NumAttrs() != len(start.Attr) {
		return fmt.Errorf("%d attributes, want %d", e.NumAttrs(), len(start.Attr))
	}
	for i, want := range start.Attr {
		a := e.AttrAt(i)
		space := blanks(want.Name.Space)
		switch {
		case space == "xmlns", space == "" && want.Name.Local == "xmlns":
			space = XMLNSSpace
		case space == "xml":
			space = XMLSpace
		}
		if a.Local() != want.Name.Local || a.Space() != space {
			return fmt.Errorf("attribute %q of %q, want %v", a.Local(), a.Space(), want.Name)
		}
		if blanks(a.Value()) != blanks(want.Value) {
			return fmt.Errorf("attribute %s is %q, want %q", a.Name(), a.Value(), want.Value)
		}
	}
	return nil
}

var blanks = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace

// agreesWithEtree compares a document with what etree reads.
func agreesWithEtree(d *Document) error {
	doc := etree.NewDocument()
	doc.ReadSettings.CharsetReader = passThrough
	if err := doc.ReadFromString(d.Source()); err != nil {
		return err
	}
	return agreesWithTree(d.Root(), doc.Root())
}

func agreesWithTree(e Element, want *etree.Element) error {
	if e.Name() != want.FullTag() || e.NumAttrs() != len(want.Attr) {
		return fmt.Errorf("%s: want %s with %d attributes", e.Path(), want.FullTag(), len(want.Attr))
	}
	if e.Space() != blanks(want.NamespaceURI()) && e.Space() != XMLSpace {
		return fmt.Errorf("%s: in %q, want %q", e.Path(), e.Space(), want.NamespaceURI())
	}
	for i, a := range want.Attr {
		if got := e.AttrAt(i); got.Name() != a.FullKey() || blanks(got.Value()) != blanks(a.Value) {
			return fmt.Errorf("%s is %q, want %s, %q", got.Path(), got.Value(), a.FullKey(), a.Value)
		}
	}
	var text strings.Builder
	child := e.FirstChild()
	for _, token := range want.Child {
		switch token := token.(type) {
		case *etree.CharData:
			text.WriteString(token.Data)
		case *etree.Element:
			if !child.Exists() {
				return fmt.Errorf("%s: a child %s is missing", e.Path(), token.FullTag())
			}
			if err := agreesWithTree(child, token); err != nil {
				return err
			}
			child = child.NextSibling()
		}
	}
	if child.Exists() || e.Text().Value() != text.String() {
		return fmt.Errorf("%s: text %q, want %q", e.Path(), e.Text().Value(), text.String())
	}
	return nil
}
