package xmledit

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// parser goes once over the source. Its steps return an error that is
// already complete, or nil.
type parser struct {
	src   string
	pos   int
	d     *Document
	elems []element // the ones of the document
	attrs []attr
	open  []frame // the elements that are not closed yet, outermost first
	ns    scope

	room [24]frame // saves an allocation; most documents fit
}

// frame is an element that is not closed yet.
type frame struct {
	elem     int32
	last     int32 // its last child so far, -1 if none
	bindings int   // how many bindings of prefixes there were outside it
	unnamed  int32 // the default namespace outside it
}

func (p *parser) fail(at int, format string, args ...any) *Error {
	line, column := position(p.src, at)
	return &Error{Offset: at, Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
}

// document reads everything: prolog, root element, epilog.
func (p *parser) document() error {
	if err := p.encoding(); err != nil {
		return err
	}
	if err := p.declaration(); err != nil {
		return err
	}
	if err := p.misc("before"); err != nil {
		return err
	}
	if p.pos == len(p.src) {
		return p.fail(p.pos, "there is no element; a document has one")
	}
	if err := p.root(); err != nil {
		return err
	}
	if err := p.misc("behind"); err != nil {
		return err
	}
	if p.pos < len(p.src) {
		return p.fail(p.pos, "second root element; a document has one")
	}
	return nil
}

// encoding tells UTF-8 from what else documents come in.
func (p *parser) encoding() error {
	switch s := p.src; {
	case s == "":
		return p.fail(0, "the document is empty")
	case strings.HasPrefix(s, "\x00\x00\xFE\xFF"), strings.HasPrefix(s, "\xFF\xFE\x00\x00"),
		strings.HasPrefix(s, "\x00\x00\x00<"), strings.HasPrefix(s, "<\x00\x00\x00"):
		return p.fail(0, "the document is in UTF-32; UTF-8 is read")
	case strings.HasPrefix(s, "\xFE\xFF"), strings.HasPrefix(s, "\xFF\xFE"),
		strings.HasPrefix(s, "\x00<"), strings.HasPrefix(s, "<\x00"):
		return p.fail(0, "the document is in UTF-16; UTF-8 is read")
	case strings.HasPrefix(s, byteOrderMark):
		p.pos = len(byteOrderMark)
	}
	return nil
}

// misc reads white space, comments and processing instructions outside the
// root up to the next start tag or the end of the document.
func (p *parser) misc(where string) error {
	for {
		start := p.pos
		p.skipSpace()
		if p.pos-start > maxToken {
			return p.tooLong(start, "white space")
		}
		rest := p.src[p.pos:]
		var err error
		switch {
		case rest == "":
			return nil
		case rest[0] != '<':
			if r, n := utf8.DecodeRuneInString(rest); charFault(r, n) != "" {
				return p.fail(p.pos, "%s", charFault(r, n))
			}
			return p.fail(p.pos, "text %s the root element", where)
		case strings.HasPrefix(rest, "<!--"):
			err = p.comment()
		case strings.HasPrefix(rest, "<?"):
			err = p.instruction()
		case strings.HasPrefix(rest, "<!DOCTYPE"):
			return p.fail(p.pos, "document type declaration; none is read")
		case strings.HasPrefix(rest, cdataOpen):
			return p.fail(p.pos, "CDATA section %s the root element", where)
		case strings.HasPrefix(rest, "</"):
			return p.fail(p.pos, "end tag %s the root element", where)
		default:
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// root reads the root element and everything in it.
func (p *parser) root() error {
	if err := p.startTag(); err != nil {
		return err
	}
	for len(p.open) > 0 {
		if err := p.text(); err != nil {
			return err
		}
		rest := p.src[p.pos:]
		if len(rest) < 2 {
			return p.unclosed()
		}
		var err error
		switch {
		case rest[1] == '/':
			err = p.endTag()
		case rest[1] == '?':
			err = p.instruction()
		case rest[1] != '!':
			err = p.startTag()
		case strings.HasPrefix(rest, "<!--"):
			err = p.comment()
		case strings.HasPrefix(rest, cdataOpen):
			err = p.cdata()
		case strings.HasPrefix(rest, "<!DOCTYPE"):
			err = p.fail(p.pos, "document type declaration; none is read")
		default:
			err = p.fail(p.pos, "'<!' starts neither a comment nor a CDATA section")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unclosed is the error for a document that ends too early.
func (p *parser) unclosed() error {
	name, line := p.innermost()
	return p.fail(len(p.src), "the document ends within element %s of line %d", quote(name), line)
}

// innermost gives the name and the line of the innermost open element.
func (p *parser) innermost() (name string, line int) {
	e := p.elems[p.open[len(p.open)-1].elem]
	line, _ = position(p.src, int(e.start))
	return p.src[e.start+1 : int(e.start)+1+int(e.name)], line
}

// text reads character data up to the next '<' or the end of the document.
func (p *parser) text() error {
	src, i := p.src, p.pos
	for i < len(src) && isSpace(src[i]) {
		i++
	}
	if i < len(src) && src[i] != '<' {
		p.hasText()
	}
	for i < len(src) {
		c := src[i]
		if class[c]&clsText != 0 {
			i++
			continue
		}
		if c == '<' {
			break
		}
		n, err := p.textChar(i)
		if err != nil {
			return err
		}
		i += n
	}
	if i-p.pos > maxToken {
		return p.tooLong(p.pos, "text")
	}
	p.pos = i
	return nil
}

// hasText notes that the innermost element has text worth looking at.
func (p *parser) hasText() { p.elems[p.open[len(p.open)-1].elem].text = true }

// textChar looks at a character of text that may not be taken as it is, and
// gives the length of what stands there.
func (p *parser) textChar(i int) (int, error) {
	switch p.src[i] {
	case '&':
		return p.reference(i)
	case ']':
		if strings.HasPrefix(p.src[i:], cdataClose) {
			return 0, p.fail(i, "']]>' in text; write ']]&gt;'")
		}
		return 1, nil
	}
	return p.char(i)
}

// char checks a character that is not plain ASCII.
func (p *parser) char(i int) (int, error) {
	r, n := utf8.DecodeRuneInString(p.src[i:])
	if msg := charFault(r, n); msg != "" {
		return 0, p.fail(i, "%s", msg)
	}
	if p.d.ascii && n > 1 {
		return 0, p.fail(i, "character %q in a document that is declared as US-ASCII", r)
	}
	return n, nil
}

// reference checks a reference and gives its length.
func (p *parser) reference(i int) (int, error) {
	end := strings.IndexByte(p.src[i:min(len(p.src), i+maxName)], ';')
	if end < 0 {
		return 0, p.fail(i, "'&' starts no reference; write '&amp;'")
	}
	name := p.src[i+1 : i+end]
	if reference(name) >= 0 {
		return end + 1, nil
	}
	switch {
	case strings.HasPrefix(name, "#"):
		return 0, p.fail(i, "%s is no character of XML", quote("&"+name+";"))
	case nameFault(name) == "":
		return 0, p.fail(i, "entity %s is not declared", quote(name))
	}
	return 0, p.fail(i, "'&' starts no reference; write '&amp;'")
}

func (p *parser) skipSpace() {
	for p.pos < len(p.src) && isSpace(p.src[p.pos]) {
		p.pos++
	}
}

func (p *parser) tooLong(at int, what string) error {
	return p.fail(at, "%s of more than %d bytes", what, maxToken)
}
