package xmledit

import "unicode/utf8"

// attributes reads the rest of a start tag. It says whether the element is
// self-closed and whether it declares namespaces.
func (p *parser) attributes(tag int) (closed, declares bool, err error) {
	src, i := p.src, p.pos
	for {
		before := i
		for i < len(src) && isSpace(src[i]) {
			i++
		}
		if i == len(src) || src[i] == '>' || src[i] == '/' || i == before {
			p.pos = i
			closed, err = p.tagEnd(tag)
			return closed, declares, err
		}
		a := attr{start: int32(i)}
		if name, value := simpleAttr(src, i); value > 0 {
			a.name, a.plain = uint16(name-i), true
			a.value, a.end = int32(name+len("='")), int32(value)
			i = value + 1
		} else {
			p.pos = i
			if err := p.attribute(&a, tag); err != nil {
				return false, false, err
			}
			i = p.pos
		}
		if isDeclaration(src[a.start:], a.name) {
			declares = true
		}
		p.attrs = append(p.attrs, a)
	}
}

// tagEnd reads the end of a start tag, or says what stands there instead.
func (p *parser) tagEnd(tag int) (closed bool, err error) {
	rest := p.src[p.pos:]
	switch {
	case rest == "", rest == "/":
		return false, p.tagEnds(tag)
	case rest[0] == '/' && rest[1] != '>':
		return false, p.fail(p.pos, "'/' in a tag; '/>' expected")
	case rest[0] == '/':
		closed = true
		p.pos += len("/>")
	case rest[0] == '>':
		p.pos++
	default:
		if _, err := p.char(p.pos); err != nil {
			return false, err
		}
		r, _ := utf8.DecodeRuneInString(rest)
		return false, p.fail(p.pos, "white space expected before %q", r)
	}
	if p.pos-tag > maxToken {
		return false, p.tooLong(tag, "tag")
	}
	return closed, nil
}

func (p *parser) tagEnds(tag int) error {
	line, _ := position(p.src, tag)
	return p.fail(len(p.src), "the document ends within a tag of line %d", line)
}

// simpleAttr reads an attribute as nearly all are: an ASCII name without
// prefix, an equals sign and a value without references. It gives the ends of
// the name and the value. All others, and all errors, are left to attribute;
// for them the second end is 0.
func simpleAttr(src string, i int) (name, value int) {
	start := i
	if class[src[i]]&clsStart == 0 {
		return 0, 0
	}
	for i < len(src) && class[src[i]]&clsName != 0 {
		i++
	}
	if i+1 >= len(src) || src[i] != '=' || i-start > maxName {
		return 0, 0
	}
	name = i
	mark := src[i+1]
	if mark != '\'' && mark != '"' {
		return 0, 0
	}
	for i += len("='"); i < len(src) && class[src[i]]&clsValue != 0; i++ {
	}
	if i == len(src) || src[i] != mark {
		return 0, 0
	}
	return name, i
}

// attribute reads a name, an equals sign and a value in quotes.
func (p *parser) attribute(a *attr, tag int) error {
	colon, err := p.name("attribute")
	if err != nil {
		return err
	}
	a.name, a.colon = uint16(p.pos-int(a.start)), uint16(colon)
	if p.pos < len(p.src) && p.src[p.pos] != '=' {
		p.skipSpace()
	}
	name := p.src[a.start : int(a.start)+int(a.name)]
	if p.pos == len(p.src) {
		return p.tagEnds(tag)
	}
	if p.src[p.pos] != '=' {
		return p.fail(p.pos, "'=' expected behind the attribute name %s", quote(name))
	}
	p.pos++
	p.skipSpace()
	if p.pos == len(p.src) {
		return p.tagEnds(tag)
	}
	if c := p.src[p.pos]; c != '\'' && c != '"' {
		return p.fail(p.pos, "the value of attribute %s is not in quotes", quote(name))
	}
	return p.value(a, name)
}

// value reads an attribute value in quotes.
func (p *parser) value(a *attr, name string) error {
	src, mark := p.src, p.src[p.pos]
	start := p.pos + 1
	i, plain := start, true
	for i < len(src) {
		c := src[i]
		if class[c]&clsValue != 0 {
			i++
			continue
		}
		if c == mark {
			a.value, a.end, a.plain = int32(start), int32(i), plain
			p.pos = i + 1
			return nil
		}
		n, err := 1, error(nil)
		switch c {
		case '<':
			return p.fail(i, "'<' in the value of attribute %s; write '&lt;'", quote(name))
		case '\'', '"':
		case '\t', '\n', '\r':
			plain = false
		case '&':
			plain = false
			n, err = p.reference(i)
		default:
			n, err = p.char(i)
		}
		if err != nil {
			return err
		}
		i += n
	}
	line, _ := position(p.src, start-1)
	return p.fail(len(p.src), "the document ends within the value of attribute %s of line %d", quote(name), line)
}
