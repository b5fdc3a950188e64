package migrate

import (
	"fmt"
	"strings"
)

// DocumentError refuses a document before any rule has looked at it: not
// well-formed, not a domain, too large.
type DocumentError struct {
	// Which says which document: "source" or "destination".
	Which string
	// Line and Column of the fault, from 1.
	Line, Column int
	Reason       string
}

func (e *DocumentError) Error() string {
	return fmt.Sprintf("%s XML, line %d column %d: %s", e.Which, e.Line, e.Column, e.Reason)
}

// FactError tells of a fact that a rule needs and does not have, of two facts
// that disagree, or, under strict policy, of a host-bound value that no fact
// speaks for.
type FactError struct {
	// Rule that needs the fact.
	Rule string
	// Device the fact is about, as in Edit.Device.
	Device string
	// Path, Line and Column of the place, where there is one.
	Path         string
	Line, Column int
	// Fact is the key in target.yaml.
	Fact string
	// Reason says what was found and what is wanted.
	Reason string
}

func (e *FactError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rule %s", e.Rule)
	if e.Device != "" {
		fmt.Fprintf(&b, ", %s", e.Device)
	}
	if e.Path != "" {
		fmt.Fprintf(&b, ", %s (line %d column %d)", e.Path, e.Line, e.Column)
	}
	fmt.Fprintf(&b, ": %s", e.Reason)
	if e.Fact != "" {
		fmt.Fprintf(&b, " (fact %s)", e.Fact)
	}
	return b.String()
}

// ABIError is a difference that the guest would see, or a place that holds
// something else than the facts make of the source's value there.
type ABIError struct {
	Difference
}

func (e *ABIError) Error() string {
	return fmt.Sprintf("%s, %s: source has %s, destination has %s: %s",
		e.Device, e.Path, e.Source, e.Dest, e.Reason)
}

// LeftoverError is something of the source pod that stands in the destination.
type LeftoverError struct {
	// Device and Path of the place in the destination document.
	Device string
	Path   string
	// Value found there, and the part of it that belongs to the source.
	Value, Found string
	Reason       string
}

func (e *LeftoverError) Error() string {
	return fmt.Sprintf("%s, %s: %s is left over from the source (in %s): %s",
		e.Device, e.Path, quoteShort(e.Found), quoteShort(e.Value), e.Reason)
}
