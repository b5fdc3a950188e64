package migrate

import (
	"fmt"
	"sort"
	"strings"
)

// Edit is one change of the source document, as plain data: what stands at
// bytes [Start, End) and what goes there instead. It holds no pointer into the
// document and can be stored, shown or sent.
type Edit struct {
	// Rule is the name of the rule that wants the change, as in Rules.
	Rule string `json:"rule"`
	// Device groups edits for a reader: "disk vda (root)", "serial 0", "domain".
	Device string `json:"device"`
	// Path is the place in the source document: /domain/devices/disk[2]/source/@file.
	Path string `json:"path"`
	// Start and End are byte offsets into the source document, half open.
	Start int `json:"start"`
	End   int `json:"end"`
	// Line and Column of Start, from 1; columns count characters.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Before is the source text at [Start, End), After the text that replaces
	// it, both as they stand in the document (with entities). They are the
	// document's own bytes: an argument of QEMU can hold a secret beside its path.
	Before string `json:"before"`
	After  string `json:"after"`
	// Old and New are the values a reader compares: Before and After with
	// entities resolved, of a longer text the paths alone, or an element in words.
	Old string `json:"old"`
	New string `json:"new"`
	// Reason is a sentence for the person who reviews the change.
	Reason string `json:"reason"`
	// Group ties edits that stand or fall together; empty for an edit of its own.
	Group string `json:"group,omitempty"`
}

// EditError tells of an edit that does not fit the document it is applied to.
type EditError struct {
	Edit   Edit
	Reason string
}

func (e *EditError) Error() string {
	return fmt.Sprintf("edit of %s by rule %s at bytes %d to %d: %s", e.Edit.Path, e.Edit.Rule, e.Edit.Start, e.Edit.End, e.Reason)
}

// Splice applies edits to source and returns the new document. It is the bare
// operation, for edits that were stored: it checks that every edit lies inside
// the document, that its Before stands there, and that no two overlap, and
// then joins the pieces. It verifies nothing about the result; Plan.Apply
// does. Inserts at one offset keep the order in which they were given. The
// caller's slice is not reordered. Errors are *EditError.
func Splice(source []byte, edits []Edit) ([]byte, error) {
	ordered := edits
	byStart := func(i, j int) bool { return ordered[i].Start < ordered[j].Start }
	if !sort.SliceIsSorted(ordered, byStart) {
		ordered = append([]Edit(nil), edits...)
		sort.SliceStable(ordered, byStart)
	}
	size := len(source)
	for i := range ordered {
		size += len(ordered[i].After) - len(ordered[i].Before)
	}
	out := make([]byte, 0, max(size, 0))
	at := 0
	for i := range ordered {
		e := &ordered[i]
		if reason := misfit(source, e, at); reason != "" {
			return nil, &EditError{Edit: *e, Reason: reason}
		}
		out = append(out, source[at:e.Start]...)
		out = append(out, e.After...)
		at = e.End
	}
	return append(out, source[at:]...), nil
}

func misfit(source []byte, e *Edit, at int) string {
	switch {
	case e.Start < 0 || e.End < e.Start || e.End > len(source):
		return fmt.Sprintf("outside the document of %d bytes", len(source))
	case e.Start < at:
		return "overlaps the edit before it"
	case string(source[e.Start:e.End]) != e.Before:
		return fmt.Sprintf("the document no longer has %s there, but %s", quoteShort(e.Before), quoteShort(string(source[e.Start:e.End])))
	}
	return ""
}

// quoteShort quotes a value for a message, cut where a reader stops reading.
func quoteShort(s string) string {
	const most = 80
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
