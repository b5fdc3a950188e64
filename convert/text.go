package convert

import (
	"reflect"
	"strconv"
	"sync"
	"unicode/utf8"

	v1 "kubevirt.io/api/core/v1"
)

// text refuses characters that no XML document can hold, anywhere where the
// domain could take them from. encoding/xml would write a replacement character
// instead, and the guest would have a device of another name.
func (s *state) text() {
	c := textCheck{s}
	for _, m := range [...]struct{ path, value string }{
		{"metadata.name", s.vmi.Name},
		{"metadata.namespace", s.vmi.Namespace},
		{"metadata.uid", string(s.vmi.UID)},
		{`metadata.annotations["kubevirt.io/qgs-socket-path"]`, s.vmi.Annotations["kubevirt.io/qgs-socket-path"]},
	} {
		if !plainText(m.value) {
			c.refuse(m.path, m.value)
		}
	}
	if d := reflect.ValueOf(&s.vmi.Spec.Domain).Elem(); !domainTexts().clean(d) {
		c.find(d, "spec.domain")
	}
	for i := range s.vmi.Spec.Volumes {
		v := &s.vmi.Spec.Volumes[i]
		if !plainText(v.Name) {
			c.refuse("spec.volumes["+strconv.Itoa(i)+"].name", v.Name)
		}
		if h := v.HostDisk; h != nil && !plainText(h.Path) {
			c.refuse("spec.volumes["+strconv.Itoa(i)+"].hostDisk.path", h.Path)
		}
	}
}

type textCheck struct{ s *state }

func (c textCheck) refuse(path, value string) {
	c.s.refuse(field(path), value, "holds a character that XML cannot, want text without control characters")
}

// find names every text below a value that XML cannot hold.
func (c textCheck) find(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.String:
		if !plainText(v.String()) {
			c.refuse(path, v.String())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			c.find(v.Elem(), path)
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.find(v.Index(i), path+"["+strconv.Itoa(i)+"]")
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			c.find(it.Value(), joinKey(path, it.Key().String()))
		}
	case reflect.Struct:
		for _, name := range jsonNames(v.Type()) {
			if f, err := v.FieldByIndexErr(fieldIndexes(v.Type())[name]); err == nil {
				c.find(f, join(path, name))
			}
		}
	}
}

// plainText says whether XML can hold a text as it is.
func plainText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c < 0x20 && c != '\t' && c != '\n' && c != '\r' {
			return c >= 0x80 && plainRunes(s)
		}
	}
	return true
}

func plainRunes(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return false
		}
	}
	return true
}

// textPlan is where texts can be below a value of a type, worked out once.
type textPlan struct {
	kind   reflect.Kind
	elem   *textPlan // of a pointer, list or map
	fields []textField
}

type textField struct {
	index int
	plan  *textPlan
}

var domainTexts = sync.OnceValue(func() *textPlan {
	return planTexts(reflect.TypeFor[v1.DomainSpec](), map[reflect.Type]*textPlan{})
})

// planTexts makes the plan of a type that holds text.
func planTexts(t reflect.Type, known map[reflect.Type]*textPlan) *textPlan {
	if p := known[t]; p != nil {
		return p
	}
	p := &textPlan{kind: t.Kind()}
	known[t] = p
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		p.elem = planTexts(t.Elem(), known)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && holdsText(f.Type, 0) {
				p.fields = append(p.fields, textField{i, planTexts(f.Type, known)})
			}
		}
	}
	return p
}

// clean says whether every text below a value is one that XML can hold.
func (p *textPlan) clean(v reflect.Value) bool {
	switch p.kind {
	case reflect.String:
		return plainText(v.String())
	case reflect.Pointer:
		return v.IsNil() || p.elem.clean(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if !p.elem.clean(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !p.elem.clean(it.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for i := range p.fields {
			if !p.fields[i].plan.clean(v.Field(p.fields[i].index)) {
				return false
			}
		}
	}
	return true
}

func holdsText(t reflect.Type, depth int) bool {
	switch t.Kind() {
	case reflect.String:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return holdsText(t.Elem(), depth+1)
	case reflect.Struct:
		if opaque(t) || depth > maxDepth {
			return false // a quantity or a time, which read and write themselves
		}
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && holdsText(f.Type, depth+1) {
				return true
			}
		}
	}
	return false
}
