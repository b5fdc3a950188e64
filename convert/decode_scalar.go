package convert

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

func (d *decoder) decodeScalar(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode {
		d.fail(n, path, "want "+kindWanted(v.Kind())+", not a list or mapping")
		return
	}
	tag := n.ShortTag()
	switch v.Kind() {
	case reflect.String:
		if tag != "!!str" && tag != "!!timestamp" {
			d.fail(n, path, "want text; put it in quotes")
			return
		}
		v.SetString(n.Value)
	case reflect.Bool:
		b, ok := parseBool(n, tag)
		if !ok {
			d.fail(n, path, "want true or false")
			return
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		i, err := strconv.ParseInt(strings.ReplaceAll(n.Value, "_", ""), 0, v.Type().Bits())
		if tag != "!!int" || err != nil {
			d.fail(n, path, "want a whole number of at most "+strconv.Itoa(v.Type().Bits())+" bits")
			return
		}
		v.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		i, err := strconv.ParseUint(strings.ReplaceAll(n.Value, "_", ""), 0, v.Type().Bits())
		if tag != "!!int" || err != nil {
			d.fail(n, path, "want a whole number from 0 of at most "+strconv.Itoa(v.Type().Bits())+" bits")
			return
		}
		v.SetUint(i)
	case reflect.Float32, reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, v.Type().Bits())
		if tag != "!!int" && tag != "!!float" || err != nil {
			d.fail(n, path, "want a number")
			return
		}
		v.SetFloat(f)
	default:
		d.fail(n, path, "cannot be read")
	}
}

// parseBool also knows the words of YAML 1.1, which Kubernetes accepts.
func parseBool(n *yaml.Node, tag string) (value, ok bool) {
	if tag == "!!bool" {
		return strings.EqualFold(n.Value, "true"), true
	}
	if tag != "!!str" || n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return false, false
	}
	switch strings.ToLower(n.Value) {
	case "yes", "on", "y":
		return true, true
	case "no", "off", "n":
		return false, true
	}
	return false, false
}

func kindWanted(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	}
	return "a number"
}

func (d *decoder) decodeBytes(n *yaml.Node, v reflect.Value, path string) {
	if n.Kind != yaml.ScalarNode {
		d.fail(n, path, "want base64 text")
		return
	}
	b, err := base64.StdEncoding.DecodeString(n.Value)
	if err != nil {
		d.fail(n, path, "want base64 text")
		return
	}
	v.SetBytes(b)
}

// decodeOpaque hands a value to a type that reads JSON itself: a quantity, a
// time, an object of another API.
func (d *decoder) decodeOpaque(n *yaml.Node, u json.Unmarshaler, path string, depth int) {
	var b bytes.Buffer
	before := len(d.errs)
	d.writeJSON(&b, n, path, depth)
	if len(d.errs) > before {
		return
	}
	if err := u.UnmarshalJSON(b.Bytes()); err != nil {
		d.fail(n, path, err.Error())
	}
}

func (d *decoder) writeJSON(b *bytes.Buffer, n *yaml.Node, path string, depth int) {
	n, ok := d.enter(n, path, depth)
	if !ok {
		return
	}
	switch n.Kind {
	case yaml.MappingNode:
		b.WriteByte('{')
		first := true
		d.eachPair(n, path, depth, func(key, value *yaml.Node) {
			if !first {
				b.WriteByte(',')
			}
			first = false
			writeText(b, key.Value)
			b.WriteByte(':')
			d.writeJSON(b, value, joinKey(path, key.Value), depth+1)
		})
		b.WriteByte('}')
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, c := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			d.writeJSON(b, c, path+"["+strconv.Itoa(i)+"]", depth+1)
		}
		b.WriteByte(']')
	default:
		writeScalar(b, n)
	}
}

func writeScalar(b *bytes.Buffer, n *yaml.Node) {
	switch n.ShortTag() {
	case "!!null":
		b.WriteString("null")
		return
	case "!!bool":
		b.WriteString(strings.ToLower(n.Value))
		return
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			b.WriteString(n.Value)
			return
		}
	}
	writeText(b, n.Value)
}

func writeText(b *bytes.Buffer, s string) {
	text, _ := json.Marshal(s) // no string fails
	b.Write(text)
}

// suggestion names the field that was probably meant.
func suggestion(t reflect.Type, name string) string {
	best, distance := "", 3
	for _, f := range jsonNames(t) {
		if strings.EqualFold(f, name) {
			return "; did you mean " + f + "?"
		}
		if d := editDistance(f, name, distance); d < distance && d < len(name) {
			best, distance = f, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

func jsonNames(t reflect.Type) []string {
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		e := f.Type
		if e.Kind() == reflect.Pointer {
			e = e.Elem()
		}
		switch {
		case f.Anonymous && e.Kind() == reflect.Struct && (tag == "" || strings.Contains(options, "inline")):
			names = append(names, jsonNames(e)...)
		case tag != "" && tag != "-":
			names = append(names, tag)
		}
	}
	return names
}

// editDistance counts insertions, deletions and replacements; from limit on it
// gives up.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
