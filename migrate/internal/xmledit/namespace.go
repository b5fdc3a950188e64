package xmledit

import "strings"

// scope holds the namespaces in force at the place of the parser.
type scope struct {
	bindings []binding        // of prefixes, innermost last
	unnamed  int32            // the default namespace
	byPrefix map[string]int32 // innermost binding of each prefix, once there are many
	byName   map[string]int32 // number of each namespace, once there are many
}

// binding ties a prefix to a namespace.
type binding struct {
	prefix string
	space  int32
	outer  int32 // the binding that this one hides, -1 if none
}

// few is how many names are compared one by one; beyond it a map is used, so
// that no document can make the comparing expensive.
const few = 12

// isDeclaration reports whether an attribute of that name declares a
// namespace.
func isDeclaration(from string, name uint16) bool {
	const word = "xmlns"
	return int(name) >= len(word) && from[0] == 'x' && from[:len(word)] == word &&
		(int(name) == len(word) || from[len(word)] == ':')
}

// declare takes the namespace declarations of a start tag.
func (p *parser) declare(attrs []attr) error {
	for i := range attrs {
		a := &attrs[i]
		if !isDeclaration(p.src[a.start:], a.name) {
			continue
		}
		a.space = xmlnsSpace
		name := p.src[a.start : int(a.start)+int(a.name)]
		value := p.src[a.value:a.end]
		if !a.plain {
			value = decode(value, true)
		}
		at := int(a.value)
		switch prefix := name[a.colon:]; {
		case strings.ContainsAny(value, "\t\n\r"):
			// libxml2 reads it, but does not write it as it read it.
			return p.fail(at, "tab or line end in the name of a namespace")
		case value == XMLNSSpace:
			return p.fail(at, "namespace %s cannot be declared", quote(value))
		case prefix == "xmlns" && a.colon > 0:
			return p.fail(int(a.start), "prefix xmlns cannot be declared")
		case prefix == "xml" && a.colon > 0 && value != XMLSpace:
			return p.fail(at, "prefix xml is bound to %s; it stands for %s", quote(value), XMLSpace)
		case prefix == "xml" && a.colon > 0: // says what is so anyway
		case value == XMLSpace:
			return p.fail(at, "namespace %s belongs to the prefix xml", XMLSpace)
		case a.colon == 0:
			p.ns.unnamed = p.space(value)
		case value == "":
			return p.fail(at, "prefix %s is bound to no namespace", quote(prefix))
		default:
			p.ns.bind(prefix, p.space(value))
		}
	}
	return nil
}

// space gives the number of a namespace.
func (p *parser) space(name string) int32 {
	d := p.d
	if p.ns.byName != nil {
		if n, ok := p.ns.byName[name]; ok {
			return n
		}
		p.ns.byName[name] = int32(len(d.spaces))
	} else {
		for i, known := range d.spaces {
			if known == name {
				return int32(i)
			}
		}
	}
	d.spaces = append(d.spaces, name)
	if p.ns.byName == nil && len(d.spaces) > few {
		p.ns.byName = make(map[string]int32)
		for i, known := range d.spaces {
			p.ns.byName[known] = int32(i)
		}
	}
	return int32(len(d.spaces) - 1)
}

// bind puts a binding in force.
func (s *scope) bind(prefix string, space int32) {
	b := binding{prefix: prefix, space: space, outer: -1}
	if s.byPrefix == nil && len(s.bindings) == few {
		s.byPrefix = make(map[string]int32)
		for i, b := range s.bindings {
			if outer, ok := s.byPrefix[b.prefix]; ok {
				s.bindings[i].outer = outer
			}
			s.byPrefix[b.prefix] = int32(i)
		}
	}
	if s.byPrefix != nil {
		if outer, ok := s.byPrefix[prefix]; ok {
			b.outer = outer
		}
		s.byPrefix[prefix] = int32(len(s.bindings))
	}
	s.bindings = append(s.bindings, b)
}

// drop takes all bindings but the first n out of force.
func (s *scope) drop(n int) {
	if s.byPrefix != nil {
		for i := len(s.bindings) - 1; i >= n; i-- {
			if b := s.bindings[i]; b.outer >= 0 {
				s.byPrefix[b.prefix] = b.outer
			} else {
				delete(s.byPrefix, b.prefix)
			}
		}
	}
	s.bindings = s.bindings[:n]
}

// find gives the namespace that a prefix stands for.
func (s *scope) find(prefix string) (space int32, ok bool) {
	if s.byPrefix != nil {
		i, ok := s.byPrefix[prefix]
		if !ok {
			return 0, false
		}
		return s.bindings[i].space, true
	}
	for i := len(s.bindings) - 1; i >= 0; i-- {
		if s.bindings[i].prefix == prefix {
			return s.bindings[i].space, true
		}
	}
	return 0, false
}

// resolve gives the namespace of the prefix that stands at start, colon bytes
// long with its colon.
func (p *parser) resolve(start, colon int) (int32, error) {
	prefix := p.src[start : start+colon-1]
	switch prefix {
	case "xml":
		return xmlSpace, nil
	case "xmlns":
		return 0, p.fail(start, "prefix xmlns is for namespace declarations only")
	}
	space, ok := p.ns.find(prefix)
	if !ok {
		return 0, p.fail(start, "namespace prefix %s is not declared", quote(prefix))
	}
	return space, nil
}

// resolveAttrs finds the namespaces of attributes and refuses two of the same
// name, however that is written.
func (p *parser) resolveAttrs(attrs []attr) error {
	if len(attrs) == 0 {
		return nil
	}
	for i := range attrs {
		a := &attrs[i]
		if a.colon > 0 && a.space != xmlnsSpace {
			space, err := p.resolve(int(a.start), int(a.colon))
			if err != nil {
				return err
			}
			a.space = space
		}
	}
	if len(attrs) > few {
		return p.distinct(attrs)
	}
	for i := 1; i < len(attrs); i++ {
		a := &attrs[i]
		size := a.name - a.colon
		for j := range attrs[:i] {
			// The length tells most names apart.
			if b := &attrs[j]; b.name-b.colon == size && b.space == a.space && p.local(*b) == p.local(*a) {
				return p.duplicate(*a)
			}
		}
	}
	return nil
}

// distinct refuses two attributes of the same name among many.
func (p *parser) distinct(attrs []attr) error {
	type key struct {
		space int32
		local string
	}
	seen := make(map[key]bool, len(attrs))
	for _, a := range attrs {
		k := key{a.space, p.local(a)}
		if seen[k] {
			return p.duplicate(a)
		}
		seen[k] = true
	}
	return nil
}

func (p *parser) local(a attr) string {
	return p.src[int(a.start)+int(a.colon) : int(a.start)+int(a.name)]
}

func (p *parser) duplicate(a attr) error {
	name := p.src[a.start : int(a.start)+int(a.name)]
	if a.space > xmlnsSpace {
		return p.fail(int(a.start), "second attribute %s of namespace %s", quote(p.local(a)), quote(p.d.spaces[a.space]))
	}
	return p.fail(int(a.start), "second attribute %s", quote(name))
}
