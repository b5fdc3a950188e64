package xmledit

import "strings"

// comment reads a comment.
func (p *parser) comment() error {
	start := p.pos
	i := start + len("<!--")
	for i < len(p.src) {
		n, err := p.plain(i)
		if err != nil {
			return err
		}
		i += n
		if !strings.HasPrefix(p.src[i:], "--") {
			i++
			continue
		}
		if !strings.HasPrefix(p.src[i:], "-->") {
			if i+2 == len(p.src) {
				break
			}
			return p.fail(i, "'--' within a comment")
		}
		return p.markupEnd(start, i+len("-->"), "comment")
	}
	return p.markupOpen(start, "comment")
}

// cdata reads a CDATA section.
func (p *parser) cdata() error {
	p.hasText()
	start := p.pos
	i := start + len(cdataOpen)
	for i < len(p.src) {
		n, err := p.plain(i)
		if err != nil {
			return err
		}
		i += n
		if strings.HasPrefix(p.src[i:], cdataClose) {
			return p.markupEnd(start, i+len(cdataClose), "CDATA section")
		}
		i++
	}
	return p.markupOpen(start, "CDATA section")
}

// instruction reads a processing instruction.
func (p *parser) instruction() error {
	start := p.pos
	p.pos += len("<?")
	colon, err := p.name("processing instruction")
	if err != nil {
		return err
	}
	target := p.src[start+len("<?") : p.pos]
	switch {
	case strings.EqualFold(target, "xml"):
		return p.fail(start, "<?%s within the document; an XML declaration stands at its very start, in lower case", target)
	case colon > 0:
		return p.fail(start, "colon in the name of the processing instruction %s", quote(target))
	}
	i := p.pos
	if i < len(p.src) && !isSpace(p.src[i]) && !strings.HasPrefix(p.src[i:], "?>") {
		if _, err := p.char(i); err != nil {
			return err
		}
		return p.fail(i, "white space expected behind the name of the processing instruction %s", quote(target))
	}
	for i < len(p.src) {
		n, err := p.plain(i)
		if err != nil {
			return err
		}
		i += n
		if strings.HasPrefix(p.src[i:], "?>") {
			return p.markupEnd(start, i+len("?>"), "processing instruction")
		}
		i++
	}
	return p.markupOpen(start, "processing instruction")
}

// plain gives how many bytes from i on are of no interest in comments,
// CDATA sections and processing instructions, whose ends start with '-', ']'
// and '?'.
func (p *parser) plain(i int) (int, error) {
	start := i
	for i < len(p.src) {
		c := p.src[i]
		if class[c]&clsPlain != 0 {
			i++
			continue
		}
		if c == '-' || c == ']' || c == '?' {
			break
		}
		n, err := p.char(i)
		if err != nil {
			return 0, err
		}
		i += n
	}
	return i - start, nil
}

func (p *parser) markupEnd(start, end int, what string) error {
	if end-start > maxToken {
		return p.tooLong(start, what)
	}
	p.pos = end
	return nil
}

func (p *parser) markupOpen(start int, what string) error {
	line, _ := position(p.src, start)
	return p.fail(len(p.src), "the document ends within a %s of line %d", what, line)
}

// declaration reads <?xml version='1.0' encoding='UTF-8' standalone='yes'?>.
func (p *parser) declaration() error {
	rest := p.src[p.pos:]
	if !strings.HasPrefix(rest, "<?xml") || len(rest) == len("<?xml") || !isSpace(rest[len("<?xml")]) {
		return nil
	}
	p.pos += len("<?xml")
	version, at, err := p.pseudo("version")
	switch {
	case err != nil:
		return err
	case at < 0:
		return p.fail(p.pos, "version expected in the XML declaration")
	case version != "1.0":
		return p.fail(at, "XML version %s; 1.0 is read", quote(version))
	}
	encoding, at, err := p.pseudo("encoding")
	if err != nil {
		return err
	}
	if at >= 0 {
		switch {
		case strings.EqualFold(encoding, "US-ASCII"):
			if strings.HasPrefix(p.src, byteOrderMark) {
				return p.fail(at, "encoding %s behind a byte order mark of UTF-8", quote(encoding))
			}
			p.d.ascii = true
		case !strings.EqualFold(encoding, "UTF-8"):
			return p.fail(at, "encoding %s; UTF-8 is read", quote(encoding))
		}
	}
	standalone, at, err := p.pseudo("standalone")
	if err != nil {
		return err
	}
	if at >= 0 && standalone != "yes" && standalone != "no" {
		return p.fail(at, "standalone is %s; yes or no expected", quote(standalone))
	}
	p.skipSpace()
	if !strings.HasPrefix(p.src[p.pos:], "?>") {
		return p.fail(p.pos, "'?>' expected at the end of the XML declaration")
	}
	p.pos += len("?>")
	return nil
}

// pseudo reads one of the three parts of the XML declaration. It gives its
// value and the offset of that, which is negative if another part, or none,
// stands here.
func (p *parser) pseudo(name string) (value string, at int, err error) {
	start := p.pos
	p.skipSpace()
	if !strings.HasPrefix(p.src[p.pos:], name) || p.pos == start {
		p.pos = start
		return "", -1, nil
	}
	p.pos += len(name)
	p.skipSpace()
	if !strings.HasPrefix(p.src[p.pos:], "=") {
		return "", -1, p.fail(p.pos, "'=' expected behind %s in the XML declaration", name)
	}
	p.pos++
	p.skipSpace()
	rest := p.src[p.pos:]
	if rest == "" || rest[0] != '\'' && rest[0] != '"' {
		return "", -1, p.fail(p.pos, "the value of %s in the XML declaration is not in quotes", name)
	}
	at = p.pos + 1
	end := strings.IndexByte(rest[1:], rest[0])
	if end < 0 {
		return "", -1, p.fail(p.pos, "the value of %s in the XML declaration has no end", name)
	}
	p.pos = at + end + 1
	return p.src[at : at+end], at, nil
}
