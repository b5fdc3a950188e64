package convert

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Bounds on what is read. The API server stores no object above 1.5 MiB, and no
// field of a VMI is nested deeper than 20 levels.
const (
	maxInput = 2 << 20
	maxDepth = 64
	maxNodes = 500_000 // with every alias written out
)

// ParseError is one thing wrong with an input file.
type ParseError struct {
	Name   string // of the file
	Line   int    // from 1; 0 when the place is not known
	Column int
	Field  string // path of the field, "" when it is not about one
	Value  string // what stands there
	Reason string // what is wrong and what is wanted
}

func (e *ParseError) Error() string {
	var b strings.Builder
	b.WriteString(e.Name)
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	if e.Value != "" {
		b.WriteString(strconv.Quote(shorten(e.Value)) + ": ")
	}
	b.WriteString(e.Reason)
	return b.String()
}

func shorten(s string) string {
	const longest = 80
	if len(s) <= longest {
		return s
	}
	return strings.ToValidUTF8(s[:longest], "") + "…"
}

// decoder fills Go values from YAML nodes, by the names of their json tags, and
// accepts nothing that has no place in them.
type decoder struct {
	name  string
	nodes int
	errs  []error
}

// maxErrors is how many problems of one file are listed.
const maxErrors = 100

func (d *decoder) fail(n *yaml.Node, path, reason string) {
	if len(d.errs) > maxErrors {
		return
	}
	e := &ParseError{Name: d.name, Line: n.Line, Column: n.Column, Field: path, Reason: reason}
	if n.Kind == yaml.ScalarNode {
		e.Value = n.Value
	}
	d.errs = append(d.errs, e)
}

func (d *decoder) err() error { return errors.Join(d.errs...) }

// decode fills v from n. path is where n stands.
func (d *decoder) decode(n *yaml.Node, v reflect.Value, path string, depth int) {
	n, ok := d.enter(n, path, depth)
	if !ok || isNull(n) {
		return
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	if opaque(v.Type()) {
		d.decodeOpaque(n, v.Addr().Interface().(json.Unmarshaler), path, depth)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.decodeStruct(n, v, path, depth)
	case reflect.Map:
		d.decodeMap(n, v, path, depth)
	case reflect.Slice:
		d.decodeSlice(n, v, path, depth)
	case reflect.Pointer:
		d.decode(n, v, path, depth+1)
	default:
		d.decodeScalar(n, v, path)
	}
}

// opaque says whether a type reads JSON itself. A few structs of KubeVirt's API
// do, to tidy up an address that no domain shows, and would read unknown fields.
func opaque(t reflect.Type) bool {
	return reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) &&
		!(t.Kind() == reflect.Struct && strings.HasPrefix(t.PkgPath(), "kubevirt.io/api"))
}

// enter follows an alias and counts, so that neither a cycle nor an alias in an
// alias in an alias costs more than it should.
func (d *decoder) enter(n *yaml.Node, path string, depth int) (*yaml.Node, bool) {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	d.nodes++
	switch {
	case d.nodes > maxNodes:
		if d.nodes == maxNodes+1 {
			d.fail(&yaml.Node{Line: n.Line, Column: n.Column}, "", fmt.Sprintf("too large: more than %d values", maxNodes))
		}
		return nil, false
	case depth > maxDepth:
		d.fail(&yaml.Node{Line: n.Line, Column: n.Column}, shorten(path), fmt.Sprintf("nested deeper than %d levels", maxDepth))
		return nil, false
	}
	return n, true
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

func (d *decoder) decodeStruct(n *yaml.Node, v reflect.Value, path string, depth int) {
	d.eachPair(n, path, depth, func(key, value *yaml.Node) {
		at := join(path, key.Value)
		f, ok := fieldByName(v, key.Value)
		if !ok {
			d.fail(&yaml.Node{Line: key.Line, Column: key.Column}, at, "no such field"+suggestion(v.Type(), key.Value))
			return
		}
		d.decode(value, f, at, depth+1)
	})
}

func (d *decoder) decodeMap(n *yaml.Node, v reflect.Value, path string, depth int) {
	if v.Type().Key().Kind() != reflect.String {
		d.fail(n, path, "cannot be read")
		return
	}
	m := reflect.MakeMap(v.Type())
	d.eachPair(n, path, depth, func(key, value *yaml.Node) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.decode(value, e, joinKey(path, key.Value), depth+1)
		m.SetMapIndex(reflect.ValueOf(key.Value).Convert(v.Type().Key()), e)
	})
	v.Set(m)
}

func (d *decoder) decodeSlice(n *yaml.Node, v reflect.Value, path string, depth int) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		d.decodeBytes(n, v, path)
		return
	}
	if n.Kind != yaml.SequenceNode {
		d.fail(n, path, "want a list")
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, c := range n.Content {
		d.decode(c, list.Index(i), path+"["+strconv.Itoa(i)+"]", depth+1)
	}
	v.Set(list)
}

// eachPair calls do for every key of a mapping once, merged ones included.
func (d *decoder) eachPair(n *yaml.Node, path string, depth int, do func(key, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "want a mapping of fields")
		return
	}
	seen := map[string]int{}
	var merged []*yaml.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		for key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		switch {
		case key.Kind != yaml.ScalarNode:
			d.fail(key, path, "want a plain word as name of a field")
		case key.ShortTag() == "!!merge":
			merged = append(merged, value)
		case seen[key.Value] > 0:
			d.fail(&yaml.Node{Line: key.Line, Column: key.Column}, join(path, key.Value), fmt.Sprintf("given twice, first in line %d", seen[key.Value]))
		default:
			seen[key.Value] = max(key.Line, 1)
			do(key, value)
		}
	}
	for _, m := range merged {
		d.merge(m, path, depth+1, seen, do)
	}
}

// merge reads the fields behind a "<<" key that are not given beside it.
func (d *decoder) merge(n *yaml.Node, path string, depth int, seen map[string]int, do func(key, value *yaml.Node)) {
	n, ok := d.enter(n, path, depth)
	if !ok {
		return
	}
	if n.Kind == yaml.SequenceNode {
		for _, c := range n.Content {
			d.merge(c, path, depth+1, seen, do)
		}
		return
	}
	d.eachPair(n, path, depth, func(key, value *yaml.Node) {
		if seen[key.Value] == 0 {
			seen[key.Value] = max(key.Line, 1)
			do(key, value)
		}
	})
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func joinKey(path, key string) string {
	if plainKey(key) {
		return join(path, key)
	}
	return path + "[" + strconv.Quote(key) + "]"
}

// fieldByName finds the field of that json name, in embedded structs too.
func fieldByName(v reflect.Value, name string) (reflect.Value, bool) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && (tag == "" || strings.Contains(options, "inline")):
			e := v.Field(i)
			if e.Kind() == reflect.Pointer {
				if _, ok := fieldByName(reflect.New(e.Type().Elem()).Elem(), name); !ok {
					continue
				}
				if e.IsNil() {
					e.Set(reflect.New(e.Type().Elem()))
				}
				e = e.Elem()
			}
			if e.Kind() == reflect.Struct {
				if got, ok := fieldByName(e, name); ok {
					return got, true
				}
			}
		case tag == name && name != "-" && name != "":
			return v.Field(i), f.IsExported()
		}
	}
	return reflect.Value{}, false
}
