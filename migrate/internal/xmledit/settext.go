package xmledit

import "strings"

// white is the white space of XML.
const white = " \t\r\n"

// SetText makes value the text of e. What is replaced is the text without the
// white space around it: the first run that holds some of it gets the value,
// the others lose their share, comments and child elements stay where they
// are. At an end where value has white space of its own, that replaces what
// is there. A CDATA section stays one unless value cannot stand in it.
//
// An element without text gets the value at the start of its content; white
// space gives way if it is all that e holds. There is no change if e says
// value already. It fails with a [*ContentError] for a value that XML cannot
// carry and for the zero Element.
func (e Element) SetText(value string) ([]Change, error) {
	if e.d == nil {
		return nil, &ContentError{Value: value, Msg: msgNoElement}
	}
	if msg := valueFault(value); msg != "" {
		return nil, &ContentError{e.Path(), value, msg}
	}
	cores := e.cores(value)
	if cores == nil {
		return e.firstText(value), nil
	}
	now := ""
	for _, c := range cores {
		now += Run{c.part, c.run.CDATA, e.d}.Value()
	}
	if now == value {
		return nil, nil
	}
	changes := []Change{cores[0].set(value)}
	for _, c := range cores[1:] {
		changes = append(changes, c.set(""))
	}
	return changes, nil
}

// core is the part of a run that SetText replaces.
type core struct {
	run  Run
	part Span
}

// cores gives what value takes the place of, nil if e holds no text.
func (e Element) cores(value string) []core {
	var all []core
	for r := range e.Text().runs {
		if strings.Trim(r.Raw(), white) != "" {
			all = append(all, core{r, r.Span})
		}
	}
	if all == nil {
		for r := range e.Text().runs {
			if value != "" && r.section() == e.Content() {
				return []core{{r, r.Span}}
			}
		}
		return nil
	}
	first, last := &all[0], &all[len(all)-1]
	if strings.TrimLeft(value, white) == value {
		raw := first.run.Raw()
		first.part.Start += len(raw) - len(strings.TrimLeft(raw, white))
	}
	if strings.TrimRight(value, white) == value {
		raw := last.run.Raw()
		last.part.End -= len(raw) - len(strings.TrimRight(raw, white))
	}
	return all
}

// set puts value in the place of the core.
func (c core) set(value string) Change {
	d := c.run.d
	switch {
	case !c.run.CDATA:
		return d.change(c.part, string(appendText(nil, value, d.ascii)))
	case value == "" && c.part == c.run.Span:
		return d.change(c.run.section(), "")
	case inCDATA(value, d.ascii):
		return d.change(c.part, value)
	}
	text := []byte(d.src[c.run.Start:c.part.Start])
	text = appendText(text, value, d.ascii)
	text = append(text, d.src[c.part.End:c.run.End]...)
	return d.change(c.run.section(), string(text))
}

// inCDATA reports whether value can stand in a CDATA section, where nothing
// can be escaped.
func inCDATA(value string, ascii bool) bool {
	return !strings.Contains(value, cdataClose) && strings.IndexByte(value, '\r') < 0 && (!ascii || isASCII(value))
}

// firstText gives an element without text one.
func (e Element) firstText(value string) []Change {
	if value == "" {
		return nil
	}
	at := e.Content()
	if !e.SelfClosed() {
		at.End = at.Start
		return []Change{e.d.change(at, string(appendText(nil, value, e.d.ascii)))}
	}
	return []Change{e.open(string(appendText(nil, value, e.d.ascii)))}
}

// open gives a self-closed element content.
func (e Element) open(content string) Change {
	return e.d.change(Span{e.tagText(), e.StartTag().End}, ">"+content+"</"+e.Name()+">")
}
