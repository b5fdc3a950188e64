package xmledit

import (
	"strings"
	"unicode/utf8"
)

// What the constructors say when they are asked for what cannot be.
const (
	msgNoAttr      = "there is no such attribute"
	msgNoElement   = "there is no such element"
	msgDeclaration = "a namespace declaration is not set; it changes what names mean"
)

// Set gives the attribute another value, in the quotes it has. A value that
// it has already changes nothing, however that is spelled. An empty value is
// changed together with its quotes, so that two changes of one attribute
// always overlap. It fails with a [*ContentError] for a value that XML cannot
// carry, a namespace declaration and the zero Attr.
func (a Attr) Set(value string) (Change, error) {
	switch {
	case a.d == nil:
		return Change{}, &ContentError{Value: value, Msg: msgNoAttr}
	case a.rec().space == xmlnsSpace:
		return Change{}, &ContentError{a.Path(), value, msgDeclaration}
	case a.Value() == value:
		return a.change(a.Raw()), nil
	}
	if isPlain(value) {
		return a.change(value), nil
	}
	if msg := valueFault(value); msg != "" {
		return Change{}, &ContentError{a.Path(), value, msg}
	}
	return a.change(string(appendValue(nil, value, a.Quote(), a.d.ascii))), nil
}

// change puts other text between the quotes.
func (a Attr) change(raw string) Change {
	s, q := a.Span(), string(a.Quote())
	if s.Len() == 0 {
		return a.d.change(Span{s.Start - 1, s.End + 1}, q+raw+q)
	}
	return a.d.change(s, raw)
}

// Remove takes the attribute away, with the white space before it. Whether a
// namespace declaration can go is seen when the change is applied. For the
// zero Attr it is the zero Change.
func (a Attr) Remove() Change {
	if a.d == nil {
		return Change{}
	}
	return a.d.change(a.Full(), "")
}

// SetAttr sets the attribute of that name, as [Attr.Set] does, or adds it
// behind the last one. A new one gets the kind of quotes that the tag uses,
// and libvirt's single ones where it uses none. Besides what Set refuses, a
// name is refused that is none or has a prefix that is not declared there.
func (e Element) SetAttr(name, value string) (Change, error) {
	if e.d == nil {
		return Change{}, &ContentError{Value: name, Msg: msgNoElement}
	}
	if a := e.Attr(name); a.Exists() {
		return a.Set(value)
	}
	if msg := e.newAttrFault(name); msg != "" {
		return Change{}, &ContentError{e.Path(), name, msg}
	}
	if msg := valueFault(value); msg != "" {
		return Change{}, &ContentError{e.Path() + "/@" + name, value, msg}
	}
	quote := byte('\'')
	if n := e.NumAttrs(); n > 0 {
		quote = e.AttrAt(n - 1).Quote()
	}
	at := e.tagText()
	after := make([]byte, 0, len(name)+len(value)+len(" =''"))
	after = append(after, ' ')
	after = append(after, name...)
	after = append(after, '=', quote)
	after = append(appendValue(after, value, quote, e.d.ascii), quote)
	return e.d.change(Span{at, at}, string(after)), nil
}

// tagText is the offset behind the last attribute of the start tag, or behind
// the name if there is none.
func (e Element) tagText() int {
	if n := e.NumAttrs(); n > 0 {
		return e.AttrAt(n - 1).Full().End
	}
	return int(e.rec().start) + 1 + int(e.rec().name)
}

// newAttrFault says why e cannot get an attribute of that name.
func (e Element) newAttrFault(name string) string {
	if msg := nameFault(name); msg != "" {
		return msg
	}
	if e.d.ascii && !isASCII(name) {
		return msgNotASCII
	}
	prefix, local, ok := strings.Cut(name, ":")
	if prefix == "xmlns" {
		return msgDeclaration
	}
	if !ok {
		return ""
	}
	space, ok := e.namespace(prefix)
	if !ok {
		return "namespace prefix " + quote(prefix) + " is not declared there"
	}
	for a := range e.Attrs() {
		if a.Local() == local && a.Space() == space {
			return "the attribute is there already as " + quote(a.Name())
		}
	}
	return ""
}

// namespace is what a prefix stands for within e.
func (e Element) namespace(prefix string) (string, bool) {
	if prefix == "xml" {
		return XMLSpace, true
	}
	declaration := "xmlns:" + prefix
	for ; e.d != nil; e = e.Parent() {
		if a := e.Attr(declaration); a.Exists() {
			return a.Value(), true
		}
	}
	return "", false
}

const msgNotASCII = "the document is declared as US-ASCII"

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// valueFault says why XML cannot carry s, "" if it can.
func valueFault(s string) string {
	if len(s) > maxToken {
		return "too long"
	}
	_, msg := badChar(s)
	return msg
}
