package convert

import (
	"reflect"
	"strconv"
	"sync"
	"unicode/utf8"
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
	c.value(reflect.ValueOf(&s.vmi.Spec.Domain).Elem(), "spec.domain")
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

// value looks at every text at and below v. Paths are put together only for
// those that are refused.
func (c textCheck) value(v reflect.Value, path string) {
	if !c.clean(v) {
		c.find(v, path)
	}
}

// clean is the fast way: is everything fine?
func (c textCheck) clean(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return plainText(v.String())
	case reflect.Pointer:
		return v.IsNil() || c.clean(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if !c.clean(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !c.clean(it.Key()) || !c.clean(it.Value()) {
				return false
			}
		}
	case reflect.Struct:
		for _, i := range textFields(v.Type()) {
			if !c.clean(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// find is the slow way, which knows where.
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
			c.find(it.Key(), path)
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

// textFieldsOf caches, by type, which fields of a struct can hold text.
var textFieldsOf sync.Map

func textFields(t reflect.Type) []int {
	if l, ok := textFieldsOf.Load(t); ok {
		return l.([]int)
	}
	list := []int{}
	for i := range t.NumField() {
		if holdsText(t.Field(i).Type, 0) {
			list = append(list, i)
		}
	}
	textFieldsOf.Store(t, list)
	return list
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
