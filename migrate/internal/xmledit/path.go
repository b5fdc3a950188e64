package xmledit

import "strconv"

// Path is the way from the root: /domain/devices/disk[2]/source. An index
// stands only where siblings of the same name exist. Names are as written,
// prefix and all. [Document.Find] finds the element by it.
func (e Element) Path() string { return e.path(Element{}, "", "") }

// PathFrom is Path for those who know already that path is the one of above, e or
// an element around it: they look through fewer siblings.
func (e Element) PathFrom(above Element, path string) string { return e.path(above, path, "") }

// path goes from above, whose path is start, to e and adds the tail.
func (e Element) path(above Element, start, tail string) string {
	if e.d == nil {
		return ""
	}
	var room [16]Element
	way := room[:0]
	size := len(start) + len(tail)
	for ; e.d != nil && e != above; e = e.Parent() {
		way = append(way, e)
		size += len("/[000]") + int(e.rec().name)
	}
	path := append(make([]byte, 0, size), start...)
	for i := len(way) - 1; i >= 0; i-- {
		path = append(path, '/')
		path = append(path, way[i].Name()...)
		if n := way[i].nth(); n > 0 {
			path = append(path, '[')
			path = strconv.AppendInt(path, int64(n), 10)
			path = append(path, ']')
		}
	}
	return string(append(path, tail...))
}

// nth is the number of e among its siblings of the same name, 0 if there are
// none.
func (e Element) nth() int32 {
	if n, few := e.nthOfFew(); few {
		return n
	}
	s := &e.d.siblings
	s.once.Do(func() { s.nth = numberSiblings(e.d) })
	return s.nth[e.i]
}

// manySiblings is where looking along a row for each of its elements costs more
// than to number all elements once.
const manySiblings = 64

// nthOfFew is nth where the row of siblings is short.
func (e Element) nthOfFew() (n int32, few bool) {
	if e.i == 0 {
		return 0, true
	}
	elems, name := e.d.elems, e.Name()
	parent := elems[e.i].parent
	all, row := int32(0), 0
	for i := parent + 1; int(i) < len(elems) && elems[i].parent == parent; i = elems[i].after {
		if row++; row > manySiblings {
			return 0, false
		}
		// The length tells most names apart.
		if int(elems[i].name) == len(name) && (Element{e.d, i}).Name() == name {
			all++
			if i == e.i {
				n = all
			}
		}
	}
	if all <= 1 {
		n = 0
	}
	return n, true
}

// numberSiblings numbers all elements at once, so that many paths in a long
// row of siblings cost no more than the row.
func numberSiblings(d *Document) []int32 {
	nth := make([]int32, len(d.elems))
	var c counter
	for e := range d.Elements() {
		c.reset()
		for child := range e.Children() {
			first, n := c.count(child.Name(), child.i)
			switch n {
			case 1:
			case 2:
				nth[first] = 1
				fallthrough
			default:
				nth[child.i] = n
			}
		}
	}
	return nth
}

// counter counts names, one by one while they are few.
type counter struct {
	groups []group
	byName map[string]int // index into groups, once there are many
}

// group is what is known of a name: who bore it first, and how many do.
type group struct {
	name  string
	first int32
	n     int32
}

func (c *counter) reset() {
	c.groups = c.groups[:0]
	c.byName = nil
}

// count takes one more of a name, and gives the first one and the number.
func (c *counter) count(name string, who int32) (first, n int32) {
	g := c.find(name)
	if g == nil {
		if c.byName != nil {
			c.byName[name] = len(c.groups)
		}
		c.groups = append(c.groups, group{name, who, 0})
		g = &c.groups[len(c.groups)-1]
	}
	g.n++
	return g.first, g.n
}

func (c *counter) find(name string) *group {
	if c.byName == nil && len(c.groups) > 4*few {
		c.byName = make(map[string]int)
		for i, g := range c.groups {
			c.byName[g.name] = i
		}
	}
	if c.byName != nil {
		if i, ok := c.byName[name]; ok {
			return &c.groups[i]
		}
		return nil
	}
	for i := range c.groups {
		if c.groups[i].name == name {
			return &c.groups[i]
		}
	}
	return nil
}
