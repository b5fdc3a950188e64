package convert

import (
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// alter calls do with the value at a path as ref writes it, addressable, and
// makes what is missing on the way. It says no where an index is behind the end
// of a list.
func alter(v reflect.Value, path string, do func(reflect.Value)) bool {
	if path == "" {
		do(v)
		return true
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		return alter(v.Elem(), path, do)
	}
	if path[0] == '[' && v.Kind() == reflect.Slice {
		text, rest, _ := strings.Cut(path[1:], "]")
		i, err := strconv.Atoi(text)
		if err != nil || i >= v.Len() {
			return false
		}
		return alter(v.Index(i), rest, do)
	}
	name, rest := splitName(path)
	switch v.Kind() {
	case reflect.Map:
		key := reflect.ValueOf(name).Convert(v.Type().Key())
		e := reflect.New(v.Type().Elem()).Elem()
		if have := v.MapIndex(key); have.IsValid() {
			e.Set(have)
		}
		ok := alter(e, rest, do)
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		v.SetMapIndex(key, e)
		return ok
	case reflect.Struct:
		index, ok := fieldIndexes(v.Type())[name]
		if !ok {
			return false
		}
		for _, i := range index {
			if v.Kind() == reflect.Pointer {
				if v.IsNil() {
					v.Set(reflect.New(v.Type().Elem()))
				}
				v = v.Elem()
			}
			v = v.Field(i)
		}
		return alter(v, rest, do)
	}
	return false
}

// splitName takes the first name, or quoted key, off a path.
func splitName(path string) (name, rest string) {
	if path[0] == '[' {
		quoted, err := strconv.QuotedPrefix(path[1:])
		if err != nil {
			return "", ""
		}
		name, _ = strconv.Unquote(quoted)
		return name, strings.TrimPrefix(path[1+len(quoted):], "]")
	}
	path = strings.TrimPrefix(path, ".")
	end := strings.IndexAny(path, ".[")
	if end < 0 {
		end = len(path)
	}
	return path[:end], path[end:]
}

// remove takes the value at a path away: from its list, its map, or by making it
// zero.
func remove(v reflect.Value, path string) bool {
	cut := strings.LastIndexAny(path, ".[")
	if cut > 0 {
		above, last := path[:cut], strings.Trim(path[cut:], ".[]\"")
		removed := false
		alter(v, above, func(v reflect.Value) {
			switch v.Kind() {
			case reflect.Slice:
				if i, err := strconv.Atoi(last); err == nil && i < v.Len() {
					v.Set(reflect.AppendSlice(v.Slice(0, i), v.Slice(i+1, v.Len())))
					removed = true
				}
			case reflect.Map:
				v.SetMapIndex(reflect.ValueOf(last).Convert(v.Type().Key()), reflect.Value{})
				removed = true
			}
		})
		if removed {
			return true
		}
	}
	return alter(v, path, func(v reflect.Value) { v.SetZero() })
}

// words are values for text fields: some that mean nothing, and the words of the
// API's enumerations.
var words = []string{"other", "virtio", "sata", "scsi", "usb", "amd64", "arm64", "s390x", "0000:06:07.0", "Block", "Filesystem", "tap",
	"shared", "auto", "supplementalPool", "Terminate", "Reboot", "Paused", "ac97", "ich9", "none", "writeback", "native", "threads", "require",
	"disable", "down", "absent", "e1000", "true", "false", "/tmp/other", "qcow2", "raw", "5", "hyperv-direct", "custom", "host-model", "2-9", "ignition", "delay", "bochs", "report", "ignore"}

// changes are ways to make the value v another one.
func changes(t reflect.Type) []func(reflect.Value) {
	var list []func(reflect.Value)
	set := func(x any) {
		list = append(list, func(v reflect.Value) { v.Set(reflect.ValueOf(x).Convert(v.Type())) })
	}
	switch {
	case t == reflect.TypeFor[resource.Quantity]():
		for _, q := range []string{"3Gi", "4Mi", "3", "7"} {
			set(resource.MustParse(q))
		}
	case t.Kind() == reflect.Pointer:
		for _, c := range changes(t.Elem()) {
			list = append(list, func(v reflect.Value) {
				e := reflect.New(t.Elem())
				if !v.IsNil() {
					e.Elem().Set(v.Elem())
				}
				c(e.Elem())
				v.Set(e)
			})
		}
		list = append(list, func(v reflect.Value) { v.Set(reflect.New(t.Elem())) })
	case t.Kind() == reflect.Bool:
		list = append(list, func(v reflect.Value) { v.SetBool(!v.Bool()) }, func(v reflect.Value) { v.SetBool(true) }, func(v reflect.Value) { v.SetBool(false) })
	case t.Kind() == reflect.String:
		for _, w := range words {
			set(w)
		}
	case t.ConvertibleTo(reflect.TypeFor[int64]()):
		for _, i := range []int64{1, 2, 7, 9, 4096} {
			set(i)
		}
	case t.Kind() == reflect.Slice:
		list = append(list, func(v reflect.Value) { v.Set(reflect.Append(v, reflect.New(t.Elem()).Elem())) })
		for _, c := range changes(t.Elem()) {
			list = append(list, func(v reflect.Value) {
				e := reflect.New(t.Elem()).Elem()
				c(e)
				v.Set(reflect.Append(reflect.MakeSlice(t, 0, 1), e))
			})
		}
	}
	return list
}
