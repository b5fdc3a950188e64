package xmledit

import (
	"fmt"
	"slices"
	"strings"
)

// Limits bound what is read. The zero value means the defaults.
type Limits struct {
	Bytes int // size of the document; 0 means 16 MiB; at most 1 GiB
	Depth int // levels of elements, the root being the first; 0 means 256, which is also the most
}

const (
	defaultBytes = 16 << 20
	maxBytes     = 1 << 30
	maxDepth     = 256 // libxml2 reads 257
	maxName      = 4096
	maxToken     = 8 << 20 // a tag, a text, a comment; libxml2 reads 10^7 bytes
)

func (l Limits) effective() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Depth <= 0 {
		l.Depth = maxDepth
	}
	return Limits{Bytes: min(l.Bytes, maxBytes), Depth: min(l.Depth, maxDepth)}
}

// Parse reads a document. It keeps its own copy of src. A refusal is an
// [*Error] with the place of the first fault. The time taken is proportional
// to the size of the document, whatever is in it.
func Parse(src []byte, lim Limits) (*Document, error) { return new(Reader).Parse(src, lim) }

// A Reader reads documents one after the other into memory that it keeps, for
// those who read many and hold none. The zero Reader is ready.
type Reader struct {
	elems []element
	attrs []attr
}

// Parse is the function [Parse]. The document with its elements and attributes is
// good until the Reader reads the next; strings taken from it stay good.
func (r *Reader) Parse(src []byte, lim Limits) (*Document, error) {
	lim = lim.effective()
	if len(src) > lim.Bytes {
		// Nothing of it is looked at, so the place is the start.
		return nil, &Error{Line: 1, Column: 1, Msg: tooLarge(len(src), lim.Bytes)}
	}
	return r.parse(string(src), lim)
}

func tooLarge(size, limit int) string {
	return fmt.Sprintf("document of %d bytes; at most %d are read", size, limit)
}

// parse is Parse for a string and effective limits.
func parse(src string, lim Limits) (*Document, error) { return new(Reader).parse(src, lim) }

func (r *Reader) parse(src string, lim Limits) (*Document, error) {
	if len(src) > lim.Bytes {
		return nil, &Error{Line: 1, Column: 1, Msg: tooLarge(len(src), lim.Bytes)}
	}
	p := parser{src: src, d: &Document{src: src, limits: lim}}
	p.d.spaces = append(p.d.room[:0], "", XMLSpace, XMLNSSpace)
	p.open = p.room[:0]
	elems, attrs := atMost(src)
	p.elems, p.attrs = slices.Grow(r.elems[:0], elems), slices.Grow(r.attrs[:0], attrs)
	err := p.document()
	r.elems, r.attrs = p.elems, p.attrs
	if err != nil {
		return nil, err
	}
	p.d.elems, p.d.attrs = p.elems, p.attrs
	return p.d, nil
}

// atMost says how many elements and attributes there can be, by counting the signs
// that each of them has. The shortest ones, <a/> and a="", bound what a document
// that misuses the signs can ask for.
func atMost(src string) (elems, attrs int) {
	return min(strings.Count(src, "<"), strings.Count(src, "/"), len(src)/len("<a/>")),
		min(strings.Count(src, "="), len(src)/len(` a=""`))
}
