package xmledit

import "strings"

// SetText makes value the text of e. What is replaced is the text without the
// white space around it: the first run that holds some of it gets the value,
// the others lose their share, comments and child elements stay where they
// are. At an end where value has white space of its own, that replaces what
// is there. A CDATA section stays one unless value cannot stand in it.
//
// An element without text gets the value at the start of its content; white
// space gives way if it is all that e holds. There is no change if e says
// value already; two changes of one text overlap. It fails with a
// [*ContentError] for a value that XML cannot carry and for the zero Element.
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
	if joined(cores) == value {
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
	for r := range e.Text().Runs() {
		if !isBlank(r.Raw()) {
			all = append(all, core{r, r.Span})
		}
	}
	if all == nil {
		return e.blankCore(value)
	}
	if trimLeft(value) == value {
		all[0].part.Start = all[0].run.trim(true, false).Start
	}
	if trimRight(value) == value {
		last := &all[len(all)-1]
		last.part.End = last.run.trim(false, true).End
	}
	return all
}

// blankCore is the only run of an element that holds nothing else and white
// space in that.
func (e Element) blankCore(value string) []core {
	c := e.Text().cursor()
	if value == "" || !c.next() || c.run.section() != e.Content() {
		return nil
	}
	return []core{{c.run, c.run.Span}}
}

// joined is what cores say.
func joined(cores []core) string {
	var b strings.Builder
	for _, c := range cores {
		c.run.Span = c.part
		b.WriteString(c.run.Value())
	}
	return b.String()
}

// set puts value in the place of the core.
func (c core) set(value string) Change {
	d := c.run.d
	switch {
	case !c.run.CDATA:
		return d.change(c.part, string(appendText(nil, value, d.ascii)))
	case value == "" && c.part == c.run.Span:
		return d.change(c.run.section(), "")
	case inCDATA(value, d.ascii) && c.part.Len() > 0:
		return d.change(c.part, value)
	case inCDATA(value, d.ascii):
		return d.change(c.run.section(), cdataOpen+value+cdataClose)
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

// firstText gives an element without text one. The sign that ends the start
// tag is part of the change, so that two of them overlap.
func (e Element) firstText(value string) []Change {
	if value == "" {
		return nil
	}
	text := string(appendText(nil, value, e.d.ascii))
	if e.SelfClosed() {
		return []Change{e.open(text)}
	}
	end := e.StartTag().End
	return []Change{e.d.change(Span{end - 1, end}, ">"+text)}
}

// open gives a self-closed element content.
func (e Element) open(content string) Change {
	return e.d.change(Span{e.tagText(), e.StartTag().End}, ">"+content+"</"+e.Name()+">")
}
