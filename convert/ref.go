package convert

import (
	"strconv"
	"strings"
)

// ref names a place in the VMI or in the context. It is put together from
// constants and indexes, so that naming a place costs nothing until someone
// wants to read it.
type ref struct {
	fact bool   // of the context
	base string // "spec.domain.devices.disks"
	key  string // a map key behind base, "" for none
	i    int32  // an index behind base, -1 for none
	rest string // "disk.bus"
	j    int32  // an index behind rest, -1 for none
	last string
}

// field names a place in the VMI: field("spec.domain.cpu.model").
func field(path string) ref { return ref{base: path, i: -1, j: -1} }

// fieldAt names a place in a list of the VMI:
// fieldAt("spec.domain.devices.disks", 2, "disk.bus"); rest may be empty.
func fieldAt(list string, i int, rest string) ref {
	return ref{base: list, i: int32(i), rest: rest, j: -1}
}

// at goes on into a second list: fieldAt(…, 0, "ports").at(1, "protocol").
func (r ref) at(j int, last string) ref {
	r.j, r.last = int32(j), last
	return r
}

// annotation names an annotation of the VMI.
func annotation(name string) ref {
	return ref{base: "metadata.annotations", key: name, i: -1, j: -1}
}

// fact names a place in the context: fact("node.kvm") is context.node.kvm.
func fact(path string) ref { return ref{fact: true, base: path, i: -1, j: -1} }

// factAt names a place in a list of the context.
func factAt(list string, i int, rest string) ref {
	r := fieldAt(list, i, rest)
	r.fact = true
	return r
}

// factOf names a place below a named entry of the context:
// factOf("volumes", "root", "mode") is context.volumes.root.mode.
func factOf(section, name, rest string) ref {
	return ref{fact: true, base: section, key: name, i: -1, rest: rest, j: -1}
}

const contextPrefix = "context."

// IsFact says whether a place that a cause or a problem names is one of the
// context and not of the VMI.
func IsFact(place string) bool { return strings.HasPrefix(place, contextPrefix) }

// String is the place as a path: names joined by dots, indexes from 0 in
// brackets, map keys that are no plain words in brackets and quotes.
func (r ref) String() string {
	var b strings.Builder
	r.write(&b)
	return b.String()
}

func (r ref) write(b *strings.Builder) {
	if r.fact {
		b.WriteString(contextPrefix)
	}
	b.WriteString(r.base)
	if r.key != "" {
		if plainKey(r.key) {
			b.WriteByte('.')
			b.WriteString(r.key)
		} else {
			b.WriteString("[" + strconv.Quote(r.key) + "]")
		}
	}
	writeIndex(b, r.i)
	if r.rest != "" {
		b.WriteByte('.')
		b.WriteString(r.rest)
	}
	writeIndex(b, r.j)
	if r.last != "" {
		b.WriteByte('.')
		b.WriteString(r.last)
	}
}

func writeIndex(b *strings.Builder, i int32) {
	if i >= 0 {
		var digits [12]byte
		b.WriteByte('[')
		b.Write(strconv.AppendInt(digits[:0], int64(i), 10))
		b.WriteByte(']')
	}
}

// cutPart takes the first part off a path as write makes it: a name or a key, or an index,
// which is -1 for the others. Of what write does not make it leaves nothing.
func cutPart(path string) (key string, index int, rest string) {
	if !strings.HasPrefix(path, "[") {
		path = strings.TrimPrefix(path, ".")
		end := 0
		for end < len(path) && path[end] != '.' && path[end] != '[' {
			end++
		}
		return path[:end], -1, path[end:]
	}
	if quoted, err := strconv.QuotedPrefix(path[1:]); err == nil {
		key, _ := strconv.Unquote(quoted)
		return key, -1, strings.TrimPrefix(path[1+len(quoted):], "]")
	}
	digits, rest, _ := strings.Cut(path[1:], "]")
	index, err := strconv.Atoi(digits)
	if err != nil || index < 0 {
		return "", -1, ""
	}
	return "", index, rest
}

func plainKey(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}
