package convert

import (
	"reflect"
	"strings"
	"sync"
)

// within says whether path is at or below above.
func within(path, above string) bool {
	return strings.HasPrefix(path, above) && (len(path) == len(above) || path[len(above)] == '.' || path[len(above)] == '[')
}

func isSet(v reflect.Value) bool {
	if !v.IsValid() {
		return false
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() > 0
	case reflect.Struct:
		return true
	}
	return !v.IsZero()
}

func scalar(v reflect.Value) bool {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint32, reflect.Uint64:
		return true
	}
	return false
}

func sameScalar(a, b reflect.Value) bool {
	for a.Kind() == reflect.Pointer && b.Kind() == reflect.Pointer && !a.IsNil() && !b.IsNil() {
		a, b = a.Elem(), b.Elem()
	}
	return a.Kind() == b.Kind() && a.Comparable() && b.Comparable() && a.Equal(b)
}

// lookup finds the value at a path as ref writes it; the invalid value when
// there is none.
func lookup(v reflect.Value, path string) reflect.Value {
	for path != "" {
		for v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		if !v.IsValid() {
			return v
		}
		var key string
		var index int
		switch key, index, path = cutPart(path); {
		case index < 0:
			v = lookupName(v, key)
		case v.Kind() == reflect.Slice && index < v.Len():
			v = v.Index(index)
		default:
			return reflect.Value{}
		}
	}
	return v
}

func lookupName(v reflect.Value, name string) reflect.Value {
	switch v.Kind() {
	case reflect.Map:
		return v.MapIndex(reflect.ValueOf(name).Convert(v.Type().Key()))
	case reflect.Struct:
		if index, ok := fieldIndexes(v.Type())[name]; ok {
			f, err := v.FieldByIndexErr(index) // an embedded pointer may be nil
			if err == nil {
				return f
			}
		}
	}
	return reflect.Value{}
}

// indexesOf caches, by type, where the field of a json name is.
var indexesOf sync.Map

func fieldIndexes(t reflect.Type) map[string][]int {
	if m, ok := indexesOf.Load(t); ok {
		return m.(map[string][]int)
	}
	m := map[string][]int{}
	addIndexes(m, t, nil)
	indexesOf.Store(t, m)
	return m
}

func addIndexes(m map[string][]int, t reflect.Type, above []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int(nil), above...), i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		e := f.Type
		if e.Kind() == reflect.Pointer {
			e = e.Elem()
		}
		if f.Anonymous && e.Kind() == reflect.Struct && (tag == "" || strings.Contains(options, "inline")) {
			addIndexes(m, e, index)
		} else if tag != "" && tag != "-" && f.IsExported() {
			m[tag] = index
		}
	}
}
