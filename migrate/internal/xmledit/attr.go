package xmledit

// Attr is one attribute of an element, namespace declarations included. The
// zero Attr is none at all; its methods return zero values.
type Attr struct {
	d *Document
	e int32 // number of its element
	i int32 // its own number
}

// Exists reports whether a is an attribute.
func (a Attr) Exists() bool { return a.d != nil }

func (a Attr) rec() *attr { return &a.d.attrs[a.i] }

// Element is the element that a belongs to.
func (a Attr) Element() Element {
	if a.d == nil {
		return Element{}
	}
	return Element{a.d, a.e}
}

// Name is the name as written, prefix and all: "xmlns:qemu".
func (a Attr) Name() string {
	if a.d == nil {
		return ""
	}
	r := a.rec()
	return a.d.src[r.start : int(r.start)+int(r.name)]
}

// Local is the name without its prefix.
func (a Attr) Local() string {
	if a.d == nil {
		return ""
	}
	return a.Name()[a.rec().colon:]
}

// Space is the name of the namespace that a is in: "" without a prefix,
// [XMLNSSpace] for a namespace declaration.
func (a Attr) Space() string {
	if a.d == nil {
		return ""
	}
	return a.d.spaces[a.rec().space]
}

// Value is what the attribute says: references resolved, each line end, tab
// and return written as such read as a blank (XML 1.0, 3.3.3). It allocates
// only when that differs from what is written.
func (a Attr) Value() string {
	if a.d == nil {
		return ""
	}
	r := a.rec()
	raw := a.d.src[r.value:r.end]
	if r.plain {
		return raw
	}
	return decode(raw, true)
}

// Raw is the value as written, without its quotes.
func (a Attr) Raw() string {
	if a.d == nil {
		return ""
	}
	r := a.rec()
	return a.d.src[r.value:r.end]
}

// Span is the value, without its quotes.
func (a Attr) Span() Span {
	if a.d == nil {
		return Span{}
	}
	r := a.rec()
	return Span{int(r.value), int(r.end)}
}

// Full is the attribute with its name, its quotes and the white space before
// it: what goes when the attribute goes.
func (a Attr) Full() Span {
	if a.d == nil {
		return Span{}
	}
	start := int(a.rec().start)
	for isSpace(a.d.src[start-1]) {
		start--
	}
	return Span{start, int(a.rec().end) + 1}
}

// Quote is the quote that the value stands in: ' or ".
func (a Attr) Quote() byte {
	if a.d == nil {
		return 0
	}
	return a.d.src[a.rec().end]
}

// Path is the path of the element and the name: /domain/devices/disk[2]/source/@file.
func (a Attr) Path() string {
	if a.d == nil {
		return ""
	}
	return a.Element().path(Element{}, "", "/@"+a.Name())
}

// PathFrom is Path, as [Element.PathFrom] is.
func (a Attr) PathFrom(above Element, path string) string {
	if a.d == nil {
		return ""
	}
	return a.Element().path(above, path, "/@"+a.Name())
}
