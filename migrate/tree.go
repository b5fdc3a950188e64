package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/beevik/etree"
)

// readTrees parses both documents at the same time: reading them is most of what
// a verification takes.
func readTrees(source, dest []byte, checked bool) (src, dst *etree.Element, err error) {
	var errSource, errDest error
	var reading sync.WaitGroup
	reading.Go(func() { src, errSource = readTree(source, "source", checked) })
	dst, errDest = readTree(dest, "destination", false)
	reading.Wait()
	return src, dst, errors.Join(errSource, errDest)
}

// readTree parses a document with etree, which is lenient: well-formedness is
// checked first, unless that has been done.
func readTree(data []byte, which string, checked bool) (*etree.Element, error) {
	if !checked {
		if err := checkDomain(data, which); err != nil {
			return nil, err
		}
	}
	doc := etree.NewDocument()
	if err := doc.ReadFromBytes(data); err != nil {
		return nil, &DocumentError{Which: which, Line: 1, Column: 1, Reason: err.Error()}
	}
	return doc.Root(), nil
}

func childText(e *etree.Element, name string) string {
	if c := e.SelectElement(name); c != nil {
		return trimSpace(c.Text())
	}
	return ""
}

// spot is a place in one of the verifier's trees: an attribute, or with none an
// element or its text.
type spot struct {
	e    *etree.Element
	attr *etree.Attr
}

func (s spot) isDomainID() bool {
	return s.attr != nil && s.attr.Key == "id" && s.attr.Space == "" && isRoot(s.e)
}

func isRoot(e *etree.Element) bool {
	return e.Parent() == nil || e.Parent().Tag == ""
}

// indexes remembers the index of every child of a parent that was asked about,
// so that thousands of places in one list cost no more than the list.
type indexes map[*etree.Element]string

// path of the place, with an index where siblings share the name.
func (s spot) path(known indexes) string {
	var parts []string
	if s.attr != nil {
		parts = append(parts, "@"+s.attr.FullKey())
	}
	for e := s.e; e != nil && e.Tag != ""; e = e.Parent() {
		parts = append(parts, e.FullTag()+known.of(e))
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(parts[i])
	}
	return b.String()
}

func (known indexes) of(e *etree.Element) string {
	if isRoot(e) {
		return ""
	}
	if index, asked := known[e]; asked {
		return index
	}
	counts := map[string]int{}
	siblings := e.Parent().ChildElements()
	for _, sibling := range siblings {
		counts[sibling.FullTag()]++
	}
	at := map[string]int{}
	for _, sibling := range siblings {
		tag := sibling.FullTag()
		at[tag]++
		known[sibling] = ""
		if counts[tag] > 1 {
			known[sibling] = fmt.Sprintf("[%d]", at[tag])
		}
	}
	return known[e]
}

// device names the device of the place, as the plan names it.
func (s spot) device() string {
	var device, section *etree.Element
	for e := s.e; !isRoot(e); e = e.Parent() {
		device, section = section, e
	}
	switch {
	case section == nil:
		return "domain"
	case section.Tag != "devices" || device == nil:
		return section.Tag
	}
	return deviceName(device.Tag, func(child, attr string) string {
		e := device
		if child != "" {
			e = device.SelectElement(child)
		}
		if e == nil {
			return ""
		}
		return e.SelectAttrValue(attr, "")
	})
}

// mask hides the values of places that hold secrets, and of a longer text, which can
// hold some beside its paths, all but a path.
func (s spot) mask(l *leaf, value string) string {
	switch {
	case s.isSecret():
		return "(secret)"
	case l == nil || l.place == nil || l.kind != kindText && l.kind != kindQEMUArg:
		return value
	}
	return cmp.Or(pathIn(l.kind, value), "(text that can hold secrets)")
}

// shown is mask for a value that may be missing.
func (s spot) shown(l *leaf, value *string) string {
	if value == nil {
		return "(absent)"
	}
	return s.mask(l, *value)
}

func (s spot) isSecret() bool {
	if s.attr != nil {
		return isSecret(s.e.Tag, s.attr.Key)
	}
	return isSecret(s.e.Tag, "")
}

// isSecret tells the places of domain XML whose values are passwords or as good
// as one: an attribute, or with none the text of an element.
func isSecret(element, attr string) bool {
	return attr == "passwd" || attr == "password" || attr == "" && element == "cookie"
}

// childPair is two children of one name at one position; either can be nil.
type childPair struct {
	space, local string
	src, dst     *etree.Element
}

// namespaceBelow resolves the prefix of a child whose parent's default namespace
// is known. Most elements have neither prefix nor declaration, and asking etree
// for each would climb to the root each time.
func namespaceBelow(e *etree.Element, inherited string) string {
	if e.Space != "" {
		return e.NamespaceURI()
	}
	for i := range e.Attr {
		if e.Attr[i].Space == "" && e.Attr[i].Key == "xmlns" {
			return e.Attr[i].Value
		}
	}
	return inherited
}

// defaultNamespace is what an element without prefix is in below e.
func defaultNamespace(e *etree.Element) string {
	for ; e != nil; e = e.Parent() {
		for i := range e.Attr {
			if e.Attr[i].Space == "" && e.Attr[i].Key == "xmlns" {
				return e.Attr[i].Value
			}
		}
	}
	return ""
}

// pairChildren pairs by name and position.
func pairChildren(src, dst *etree.Element) []childPair {
	a, b := src.ChildElements(), dst.ChildElements()
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	below, belowDest := defaultNamespace(src), defaultNamespace(dst)
	pairs := make([]childPair, len(a), max(len(a), len(b)))
	aligned := len(a) == len(b)
	for i, e := range a {
		pairs[i] = childPair{space: namespaceBelow(e, below), local: e.Tag, src: e}
		aligned = aligned && b[i].Tag == e.Tag && namespaceBelow(b[i], belowDest) == pairs[i].space
	}
	if aligned {
		for i, e := range b {
			pairs[i].dst = e
		}
		return pairs
	}
	type name struct{ space, local string }
	open := map[name][]int{}
	for i := range pairs {
		n := name{pairs[i].space, pairs[i].local}
		open[n] = append(open[n], i)
	}
	for _, e := range b {
		n := name{namespaceBelow(e, belowDest), e.Tag}
		if waiting := open[n]; len(waiting) > 0 {
			pairs[waiting[0]].dst = e
			open[n] = waiting[1:]
			continue
		}
		pairs = append(pairs, childPair{space: n.space, local: n.local, dst: e})
	}
	return pairs
}

func valueOf(a *etree.Attr) *string {
	if a == nil {
		return nil
	}
	return &a.Value
}

func isDeclaration(a *etree.Attr) bool {
	return a.Space == "xmlns" || a.Space == "" && a.Key == "xmlns"
}

// attribute finds the attribute of e with another's name.
func attribute(e *etree.Element, like *etree.Attr) *etree.Attr {
	for i := range e.Attr {
		if e.Attr[i].Key == like.Key && e.Attr[i].Space == like.Space {
			return &e.Attr[i]
		}
	}
	return nil
}

// elementText is the element's own text without the white space around it.
func elementText(e *etree.Element) string {
	text, blank := "", true
	for _, c := range e.Child {
		t, ok := c.(*etree.CharData)
		switch {
		case !ok || blank && t.IsWhitespace() && !t.IsCData():
			// Indentation, which no text has begun before.
		case blank:
			text, blank = t.Data, false
		default:
			text += t.Data
		}
	}
	return trimSpace(text)
}

// namespaceOf resolves an element's prefix.
func namespaceOf(e *etree.Element) string { return e.NamespaceURI() }
