package xmledit

import (
	"strings"
	"unicode/utf8"
)

// startTag reads a start tag or the tag of a self-closed element.
func (p *parser) startTag() error {
	start := p.pos
	p.pos++
	colon, err := p.name("element")
	if err != nil {
		return err
	}
	if len(p.open) == p.d.limits.Depth {
		return p.fail(start, "elements are nested more than %d deep", p.d.limits.Depth)
	}
	nameEnd := p.pos
	index, firstAttr := int32(len(p.elems)), len(p.attrs)
	f := frame{elem: index, last: -1, bindings: len(p.ns.bindings), unnamed: p.ns.unnamed}
	closed, declares, err := p.attributes(start)
	if err != nil {
		return err
	}
	if declares {
		if err := p.declare(p.attrs[firstAttr:]); err != nil {
			return err
		}
	}
	space := p.ns.unnamed
	if colon > 0 {
		if space, err = p.resolve(start+1, colon); err != nil {
			return err
		}
	}
	if err := p.resolveAttrs(p.attrs[firstAttr:]); err != nil {
		return err
	}
	end := int32(p.pos)
	p.elems = append(p.elems, element{
		start: int32(start), tagEnd: end, endTag: end, end: end,
		parent: -1, prev: -1, after: index + 1, attr: int32(firstAttr), space: space,
		name: uint16(nameEnd - start - 1), colon: uint16(colon), depth: uint16(len(p.open) + 1),
	})
	if n := len(p.open); n > 0 {
		parent, e := &p.open[n-1], &p.elems[index]
		e.parent, e.prev = parent.elem, parent.last
		parent.last = index
	}
	if closed {
		p.leave(f)
	} else {
		p.open = append(p.open, f)
	}
	return nil
}

// leave forgets the namespaces declared by an element that is closed now.
func (p *parser) leave(f frame) {
	if len(p.ns.bindings) > f.bindings {
		p.ns.drop(f.bindings)
	}
	p.ns.unnamed = f.unnamed
}

// endTag closes the innermost element.
func (p *parser) endTag() error {
	f := p.open[len(p.open)-1]
	e := &p.elems[f.elem]
	name := p.src[e.start+1 : int(e.start)+1+int(e.name)]
	start := p.pos
	p.pos += len("</")
	if !strings.HasPrefix(p.src[p.pos:], name) {
		return p.mismatch(start, name)
	}
	p.pos += len(name)
	if p.pos == len(p.src) || p.src[p.pos] != '>' {
		if p.pos < len(p.src) && !isSpace(p.src[p.pos]) {
			return p.mismatch(start, name)
		}
		p.skipSpace()
		if p.pos == len(p.src) {
			return p.unclosed()
		}
		if p.src[p.pos] != '>' {
			return p.fail(p.pos, "'>' expected at the end of the end tag %s", quote(name))
		}
		if p.pos-start > maxToken {
			return p.tooLong(start, "end tag")
		}
	}
	p.pos++
	e.endTag, e.end, e.after = int32(start), int32(p.pos), int32(len(p.elems))
	p.open = p.open[:len(p.open)-1]
	p.leave(f)
	return nil
}

// mismatch is the error for an end tag that is not the one of <name>.
func (p *parser) mismatch(start int, name string) error {
	p.pos = start + len("</")
	if p.pos == len(p.src) {
		return p.unclosed()
	}
	if _, err := p.name("end tag"); err != nil {
		return err
	}
	_, line := p.innermost()
	return p.fail(start, "end tag %s where element %s of line %d is open",
		quote(p.src[start+len("</"):p.pos]), quote(name), line)
}

// name reads a name with at most one prefix and gives the length of the
// prefix with its colon.
func (p *parser) name(what string) (colon int, err error) {
	src, start := p.src, p.pos
	i := start
	if i < len(src) && class[src[i]]&clsStart != 0 {
		i++
		for i < len(src) && class[src[i]]&clsName != 0 {
			i++
		}
		if i < len(src) && src[i] < utf8.RuneSelf && src[i] != ':' && i-start <= maxName {
			p.pos = i
			return 0, nil
		}
	}
	return p.oddName(what)
}

// oddName is name for names that have a prefix, characters beyond ASCII or a
// fault.
func (p *parser) oddName(what string) (colon int, err error) {
	start, i, first := p.pos, p.pos, true
	for i < len(p.src) {
		r, n := utf8.DecodeRuneInString(p.src[i:])
		switch {
		case r == ':' && !first && colon == 0:
			colon, first = i+1-start, true
			i++
			continue
		case r == utf8.RuneError && n <= 1, r >= utf8.RuneSelf && p.d.ascii:
			_, err := p.char(i)
			return 0, err
		case r == ':' && colon > 0:
			return 0, p.fail(i, "second colon in the name of the %s", what)
		case r == ':':
			return 0, p.fail(i, "a prefix is missing before the colon")
		case first && !isNameStart(r):
			return 0, p.nameStart(i, r, what)
		case !first && !isNameChar(r):
			return colon, p.nameEnd(start, i)
		}
		first = false
		i += n
	}
	if first {
		return 0, p.fail(i, "the document ends where the name of the %s is expected", what)
	}
	return colon, p.nameEnd(start, i)
}

// nameStart is the error for a character that cannot start a name.
func (p *parser) nameStart(i int, r rune, what string) error {
	if msg := charFault(r, utf8.RuneLen(r)); msg != "" {
		return p.fail(i, "%s", msg)
	}
	return p.fail(i, "%q cannot start the name of the %s", r, what)
}

func (p *parser) nameEnd(start, end int) error {
	if end-start > maxName {
		return p.fail(start, "name of %d bytes; at most %d are read", end-start, maxName)
	}
	p.pos = end
	return nil
}
