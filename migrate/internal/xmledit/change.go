package xmledit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Change replaces a span of the source. An empty span is an insertion. A
// change is made by the methods of [Attr] and [Element]; it belongs to the
// document that it was made from. The zero Change changes nothing.
type Change struct {
	Span
	Before string // what the span holds now
	After  string // what it will hold
}

// Changes reports whether anything is different afterwards.
func (c Change) Changes() bool { return c.Before != c.After }

// change makes a change of d.
func (d *Document) change(s Span, after string) Change {
	return Change{Span: s, Before: d.src[s.Start:s.End], After: after}
}

// Apply gives the source with the changes made, all of them or, with a
// [*ChangeError], none. Every byte outside their spans stays as it is. The
// order of changes does not matter, except that insertions at one offset come
// in the order given; they stand before what a replacement that starts there
// puts in. The caller's slice is not touched.
//
// Refused are spans outside the source, spans that overlap, an insertion
// within a replacement, a Before that is not what stands there, and changes
// that together give no document any more: a root that goes, an attribute
// added twice, a prefix that lost its declaration.
func (d *Document) Apply(changes []Change) (string, error) {
	after, err := d.Edited(changes)
	if err != nil {
		return "", err
	}
	return after.src, nil
}

// Edited is Apply for those who go on with the result. If nothing changes it
// is the document itself.
func (d *Document) Edited(changes []Change) (*Document, error) {
	out, err := Splice(d.src, changes)
	if err != nil {
		return nil, err
	}
	if out == d.src {
		return d, nil
	}
	after, err := parse(out, d.limits)
	if err != nil {
		return nil, &ChangeError{Msg: "the result is no document any more", Err: err}
	}
	return after, nil
}

// Splice makes changes in a text that need not be a document. It refuses what
// [Document.Apply] refuses, except that it does not look at the result: for
// stored changes, and where somebody else reads the result anyway. That an
// insertion belongs to another text cannot be told, as it expects nothing.
func Splice(source string, changes []Change) (string, error) {
	if !slices.IsSortedFunc(changes, order) {
		changes = slices.Clone(changes)
		slices.SortStableFunc(changes, order)
	}
	size, last := len(source), Change{}
	for _, c := range changes {
		switch {
		case c.Start < 0 || c.End < c.Start || c.End > len(source):
			return "", &ChangeError{Change: c, Msg: fmt.Sprintf("outside the source, which has %d bytes", len(source))}
		case c.Start < last.End:
			return "", &ChangeError{Change: c, Msg: fmt.Sprintf("overlaps the change of bytes %d to %d", last.Start, last.End)}
		case source[c.Start:c.End] != c.Before:
			return "", &ChangeError{Change: c, Msg: fmt.Sprintf("%s stands there, not %s", quote(source[c.Start:c.End]), quote(c.Before))}
		}
		size += len(c.After) - len(c.Before)
		last = c
	}
	var out strings.Builder
	out.Grow(size)
	pos := 0
	for _, c := range changes {
		out.WriteString(source[pos:c.Start])
		out.WriteString(c.After)
		pos = c.End
	}
	out.WriteString(source[pos:])
	return out.String(), nil
}

// order is the order in which changes are made.
func order(a, b Change) int {
	if c := cmp.Compare(a.Start, b.Start); c != 0 {
		return c
	}
	// An insertion comes before a replacement that starts at its place.
	return cmp.Compare(min(a.Len(), 1), min(b.Len(), 1))
}
