package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/migxml/migxml/migrate"
)

// writeText writes the report for a person: the changes device by device in
// document order, then what is kept, then what is missing.
func (r *report) writeText(w io.Writer) error {
	var b strings.Builder
	changes := count(len(r.Edits), "change")
	if r.Source == "" {
		changes = "nothing could be planned"
	}
	fmt.Fprintf(&b, "%s: %s", plain(r.File), changes)
	if r.DestName != "" {
		fmt.Fprintf(&b, ", to be started as %s", plain(r.DestName))
	}
	b.WriteString("\n")
	r.writeEdits(&b)
	r.writeKept(&b)
	r.writeUnused(&b)
	r.writeVerdict(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *report) writeEdits(b *strings.Builder) {
	for _, device := range devices(r.Edits, func(e migrate.Edit) string { return e.Device }) {
		fmt.Fprintf(b, "\n%s\n", plain(device))
		group := ""
		for _, e := range r.Edits {
			if e.Device != device || e.Group != "" && e.Group == group {
				continue
			}
			group = e.Group
			fmt.Fprintf(b, "  line %d:%d  %s  %s\n", e.Line, e.Column, e.Rule, plain(e.Path))
			fmt.Fprintf(b, "    - %s\n    + %s\n    %s\n", plain(e.Old), plain(e.New), plain(e.Reason))
		}
	}
}

func (r *report) writeKept(b *strings.Builder) {
	if len(r.Kept) == 0 {
		return
	}
	fmt.Fprintf(b, "\nkept as it is\n")
	for _, device := range devices(r.Kept, func(k migrate.Kept) string { return k.Device }) {
		fmt.Fprintf(b, "  %s\n", plain(device))
		for _, k := range r.Kept {
			if k.Device == device {
				fmt.Fprintf(b, "    line %d:%d  %s\n      = %s\n      %s\n", k.Line, k.Column, plain(k.Path), plain(k.Value), plain(k.Reason))
			}
		}
	}
}

func (r *report) writeUnused(b *strings.Builder) {
	if len(r.Unused) == 0 {
		return
	}
	fmt.Fprintf(b, "\npath entries that nothing in the document needs\n")
	for _, e := range r.Unused {
		fmt.Fprintf(b, "  %s -> %s\n", plain(e.Source), plain(e.Target))
	}
}

func (r *report) writeVerdict(b *strings.Builder) {
	if len(r.Missing) == 0 {
		b.WriteString("\nverified: the guest sees no difference, and no path that the facts move is left")
		if open := r.uncovered(); open > 0 {
			fmt.Fprintf(b, "; no fact covers %d of the %d values kept", open, len(r.Kept))
		}
		b.WriteString("\n")
		return
	}
	fmt.Fprintf(b, "\nmissing or contradictory: the move would be refused\n")
	for _, m := range r.Missing {
		fmt.Fprintf(b, "  %s\n", plain(m.Message))
	}
}

// uncovered counts the kept values that no fact speaks for.
func (r *report) uncovered() int {
	n := 0
	for _, k := range r.Kept {
		if !k.Covered {
			n++
		}
	}
	return n
}

// devices lists the devices of a list in the order of their first place.
func devices[T any](list []T, device func(T) string) []string {
	var order []string
	seen := map[string]bool{}
	for _, item := range list {
		if d := device(item); !seen[d] {
			seen[d] = true
			order = append(order, d)
		}
	}
	return order
}

func count(n int, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// plain keeps a document from writing to the terminal: text with anything
// that is not printable is quoted.
func plain(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return strconv.Quote(s)
	}
	return s
}
