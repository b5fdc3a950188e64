package convert

import (
	"math/bits"
	"reflect"
	"strings"

	v1 "kubevirt.io/api/core/v1"
)

// places knows of each place that a cause names whether it is set and by whom.
type places struct {
	why       *recorder
	given     reflect.Value // the VMI as it was handed in
	defaulted reflect.Value
	context   reflect.Value

	known    []place
	slots    []int32         // hash table: index into known + 1, 0 for free
	names    strings.Builder // the texts of all known places
	texts    []string        // of all causes, one behind the other
	defaults []string        // the texts of the recorder's defaulted fields
	bases    map[string]basePlace
	routes   map[routeKey][]int
}

// place is what is known of one of them.
type place struct {
	text     string
	origin   Origin
	ref      int32 // index of the first ref of this place
	fallback int32 // index of its default + 1, 0 for none
	set      bool
}

// basePlace is where the first part of a ref leads to in both VMIs. Many refs
// share one.
type basePlace struct{ given, defaulted reflect.Value }

// routeKey is a path below a type, such as "disk.bus" below a disk.
type routeKey struct {
	t    reflect.Type
	path string
}

// begin starts with nothing known.
func (p *places) begin(why *recorder, given, defaulted *v1.VirtualMachineInstance, ctx *Context) {
	p.why = why
	p.given = reflect.ValueOf(given).Elem()
	p.defaulted = reflect.ValueOf(defaulted).Elem()
	p.context = reflect.ValueOf(ctx).Elem()
	p.known = p.known[:0]
	size := 1 << bits.Len(uint(len(why.refs)+len(why.refs)/2))
	if size > cap(p.slots) {
		p.slots = make([]int32, size)
	} else {
		p.slots = p.slots[:size]
		clear(p.slots)
	}
	p.texts = make([]string, 0, len(why.refs)+len(why.refs)/4)
	p.names.Grow(16 * len(why.refs))
	p.defaults = p.defaults[:0]
	for i := range why.defaults {
		p.defaults = append(p.defaults, why.defaults[i].field.String())
	}
	if p.bases == nil {
		p.bases = make(map[string]basePlace, 32)
		p.routes = make(map[routeKey][]int, 32)
	}
}

// end lets go of the VMIs and of what was returned. The routes hold for any VMI.
func (p *places) end() {
	p.given, p.defaulted, p.context = reflect.Value{}, reflect.Value{}, reflect.Value{}
	clear(p.bases)
	p.names.Reset()
	p.texts = nil
}

// fill completes a cause with its places. Its origin is that of the first place
// that is set: the others matter by not being so.
func (p *places) fill(c *Cause, r *record) {
	var decided *place
	first := len(p.texts)
	for i := r.places.first; i < r.places.last; i++ {
		at := p.find(i)
		if decided == nil || !decided.set && at.set {
			decided = at
		}
		p.texts = append(p.texts, at.text)
		if at.origin == OriginFact && !at.set {
			c.Assumed = append(c.Assumed, at.text)
		}
	}
	c.Origin = OriginPolicy
	if decided == nil {
		return
	}
	last := len(p.texts)
	c.Fields = p.texts[first:last:last]
	if !r.policy {
		c.Origin = decided.origin
	}
	if decided.fallback == 0 {
		return
	}
	d := &p.why.defaults[decided.fallback-1]
	if c.Origin == OriginDefault {
		c.Reason += "; filled in by admission: " + d.reason
	}
	c.Via = p.textsOf(d.from)
}

func (p *places) text(i int32) string { return p.find(i).text }

func (p *places) textsOf(s span) []string {
	if s.first == s.last {
		return nil
	}
	first := len(p.texts)
	for i := s.first; i < s.last; i++ {
		p.texts = append(p.texts, p.text(i))
	}
	last := len(p.texts)
	return p.texts[first:last:last]
}

// find looks up the place of the i-th ref. What it returns is good until the next
// call.
func (p *places) find(i int32) *place {
	r := &p.why.refs[i]
	mask := uint32(len(p.slots) - 1)
	slot := r.hash() & mask
	for p.slots[slot] != 0 {
		at := &p.known[p.slots[slot]-1]
		if p.why.refs[at.ref] == *r {
			return at
		}
		slot = (slot + 1) & mask
	}
	at := place{ref: i}
	start := p.names.Len()
	r.write(&p.names)
	at.text = p.names.String()[start:]
	if r.fact {
		at.origin, at.set = OriginFact, isSet(p.lookupFact(r, at.text[len(contextPrefix):]))
	} else {
		p.findField(r, &at)
	}
	p.known = append(p.known, at)
	p.slots[slot] = int32(len(p.known))
	return &p.known[len(p.known)-1]
}

// hash tells most refs apart by what is at hand without looking at whole texts.
func (r *ref) hash() uint32 {
	const prime = 16777619
	h := uint32(2166136261)
	for _, s := range [3]string{r.base, r.rest, r.key} {
		h = (h ^ uint32(len(s))) * prime
		if n := len(s); n > 0 {
			h = (h ^ uint32(s[n-1])) * prime
			h = (h ^ uint32(s[n/2])) * prime
		}
	}
	h = (h ^ uint32(r.i)) * prime
	return (h ^ uint32(r.j)) * prime
}

func (p *places) findField(r *ref, at *place) {
	at.origin = OriginField
	before, after := p.lookupBoth(r, at.text)
	at.set = isSet(after)
	if !at.set || isSet(before) && (!scalar(after) || sameScalar(before, after)) {
		return
	}
	at.origin = OriginDefault
	for i, filled := range p.defaults {
		if within(at.text, filled) {
			at.fallback = int32(i + 1)
		}
	}
}

// lookupFact finds a place in the context. Only ways without a user's key are worth
// remembering.
func (p *places) lookupFact(r *ref, path string) reflect.Value {
	if r.key == "" && r.i < 0 && r.j < 0 {
		return p.along(p.context, path)
	}
	return lookup(p.context, path)
}

// lookupBoth finds a place in the VMI as given and as defaulted. It does for the
// usual refs, with at most one index, what lookup does for any path.
func (p *places) lookupBoth(r *ref, text string) (before, after reflect.Value) {
	if r.key != "" || r.j >= 0 {
		return lookup(p.given, text), lookup(p.defaulted, text)
	}
	b, ok := p.bases[r.base]
	if !ok {
		b = basePlace{p.along(p.given, r.base), p.along(p.defaulted, r.base)}
		p.bases[r.base] = b
	}
	return p.below(b.given, r), p.below(b.defaulted, r)
}

func (p *places) below(v reflect.Value, r *ref) reflect.Value {
	if r.i >= 0 {
		if v.Kind() != reflect.Slice || int(r.i) >= v.Len() {
			return reflect.Value{}
		}
		v = v.Index(int(r.i))
	}
	if r.rest == "" {
		return v
	}
	return p.along(v, r.rest)
}

// along is lookup, which remembers the way below a type.
func (p *places) along(v reflect.Value, path string) reflect.Value {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return lookup(v, path)
	}
	key := routeKey{v.Type(), path}
	route, ok := p.routes[key]
	if !ok {
		route = routeTo(key.t, path)
		p.routes[key] = route
	}
	if route == nil {
		return lookup(v, path)
	}
	for _, i := range route {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if !v.IsValid() {
			return v
		}
		v = v.Field(i)
	}
	return v
}

// routeTo is the fields on the way along a path of names, nil where it takes more
// than fields of structs.
func routeTo(t reflect.Type, path string) []int {
	route := []int{}
	for name := range strings.SplitSeq(path, ".") {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct {
			return nil
		}
		index, ok := fieldIndexes(t)[name]
		if !ok {
			return nil
		}
		route = append(route, index...)
		t = t.FieldByIndex(index).Type
	}
	return route
}
