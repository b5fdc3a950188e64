package xmledit

import (
	"strconv"
	"strings"
)

// Path is a compiled path. It may be used by several goroutines at once.
type Path struct {
	text  string
	steps []step // to elements
	end   step   // its kind says what is wanted of them
}

// step is one step of a path.
type step struct {
	deep  bool // behind //
	kind  Kind
	name  string // "*" for any
	tests []test
}

// test is a condition in brackets: a number, or an attribute and its value.
type test struct {
	nth         int
	attr, value string
}

// maxSteps is more than any document is deep.
const maxSteps = maxDepth + 8

// Compile reads a path. The language is a small part of XPath:
//
//	/domain/devices/disk       a child by its name as written, prefix and all
//	/domain/devices/*          any child
//	//source                   a child at any depth
//	disk[2]                    the second one among its siblings
//	disk[@device='disk']       an attribute has that value; quotes may be "
//	/source/@file              an attribute; @* is any
//	/name/text()               the text, of elements that have some
//
// A path starts with a slash. Conditions narrow in the order in which they
// stand: disk[@device='cdrom'][1] is the first of the CD-ROM drives. Attributes
// and text end a path. Names are compared as they are written in the document,
// so that a path says what a reader sees; whoever cares for namespaces asks
// [Element.Space]. What [Element.Path] and [Attr.Path] give is a path. A path
// that is none is a [*PathError].
func Compile(path string) (*Path, error) {
	c := compiler{path: path}
	p := &Path{text: path, end: step{kind: KindElement}}
	for c.pos < len(path) || c.pos == 0 {
		s, err := c.step()
		if err != nil {
			return nil, err
		}
		if s.kind == KindElement {
			if len(p.steps) == maxSteps {
				return nil, c.fail("more than " + strconv.Itoa(maxSteps) + " steps")
			}
			p.steps = append(p.steps, s)
			continue
		}
		if len(p.steps) == 0 && !s.deep {
			return nil, c.fail("an attribute or text of no element")
		}
		if c.pos < len(path) {
			return nil, c.fail("an attribute or text ends a path")
		}
		p.end = s
	}
	return p, nil
}

// String is the path as it was compiled.
func (p *Path) String() string { return p.text }

type compiler struct {
	path string
	pos  int
}

func (c *compiler) fail(msg string) error {
	return &PathError{Path: c.path, Offset: c.pos, Msg: msg}
}

// take skips s if it stands here.
func (c *compiler) take(s string) bool {
	if !strings.HasPrefix(c.path[c.pos:], s) {
		return false
	}
	c.pos += len(s)
	return true
}

func (c *compiler) step() (step, error) {
	if !c.take("/") {
		return step{}, c.fail("'/' expected")
	}
	s := step{kind: KindElement, deep: c.take("/")}
	switch {
	case c.take("@"):
		s.kind = KindAttr
	case c.take("text()"):
		s.kind = KindText
		return s, nil
	}
	if c.take("*") {
		s.name = "*"
	} else {
		name, err := c.name("/[")
		if err != nil {
			return s, err
		}
		s.name = name
	}
	for s.kind == KindElement && c.take("[") {
		t, err := c.test()
		if err != nil {
			return s, err
		}
		s.tests = append(s.tests, t)
	}
	return s, nil
}

// name reads a name up to one of the given signs.
func (c *compiler) name(until string) (string, error) {
	name := c.path[c.pos:]
	if end := strings.IndexAny(name, until); end >= 0 {
		name = name[:end]
	}
	if msg := nameFault(name); msg != "" {
		return "", c.fail(msg)
	}
	c.pos += len(name)
	return name, nil
}

// test reads a condition behind its opening bracket.
func (c *compiler) test() (test, error) {
	var t test
	if c.take("@") {
		name, err := c.name("=]")
		if err != nil {
			return t, err
		}
		t.attr = name
		if !c.take("=") {
			return t, c.fail("'=' expected")
		}
		if t.value, err = c.value(); err != nil {
			return t, err
		}
	} else {
		digits := c.path[c.pos:]
		if end := strings.IndexByte(digits, ']'); end >= 0 {
			digits = digits[:end]
		}
		n, err := strconv.ParseUint(digits, 10, 31)
		if err != nil || n == 0 {
			return t, c.fail("a number from 1 or @name='value' expected in brackets")
		}
		c.pos += len(digits)
		t.nth = int(n)
	}
	if !c.take("]") {
		return t, c.fail("']' expected")
	}
	return t, nil
}

// value reads a value in quotes.
func (c *compiler) value() (string, error) {
	rest := c.path[c.pos:]
	if rest == "" || rest[0] != '\'' && rest[0] != '"' {
		return "", c.fail("a value in quotes expected")
	}
	end := strings.IndexByte(rest[1:], rest[0])
	if end < 0 {
		return "", c.fail("the value has no closing quote")
	}
	c.pos += end + len("''")
	return rest[1 : end+1], nil
}
