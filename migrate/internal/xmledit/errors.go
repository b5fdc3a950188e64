package xmledit

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// Error says why a document was refused and where.
type Error struct {
	Offset int // in bytes, from 0
	Line   int // from 1
	Column int // from 1, in characters
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Msg) }

// ContentError says why a change could not be made: the value, the name or
// the new element is one that XML cannot carry at that place.
type ContentError struct {
	Path  string // of the place to change, as [Element.Path] and [Attr.Path] give it; empty if there is no such place
	Value string // what was to be written: a value, a name or the tag of a new element
	Msg   string
}

func (e *ContentError) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("no such place to write %s: %s", quote(e.Value), e.Msg)
	}
	return fmt.Sprintf("%s: %s: %s", e.Path, quote(e.Value), e.Msg)
}

// ChangeError says why changes could not be applied.
type ChangeError struct {
	Change Change // the offending change; zero when all of them together are at fault
	Msg    string
	Err    error // an *Error when the result would not be a document, else nil
}

func (e *ChangeError) Error() string {
	if e.Err != nil {
		return e.Msg + ": " + e.Err.Error()
	}
	return fmt.Sprintf("change of bytes %d to %d: %s", e.Change.Start, e.Change.End, e.Msg)
}

// Unwrap gives the error of the parser, if the result was refused by it.
func (e *ChangeError) Unwrap() error { return e.Err }

// PathError says why a path is not one of the path language of [Compile].
type PathError struct {
	Path   string
	Offset int // in bytes, from 0
	Msg    string
}

func (e *PathError) Error() string {
	return fmt.Sprintf("path %s, at character %d: %s", quote(e.Path), utf8.RuneCountInString(e.Path[:e.Offset])+1, e.Msg)
}

// quote spells s for a message: quoted, one line, never long.
func quote(s string) string {
	const most = 60
	if len(s) <= most {
		return strconv.Quote(s)
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strconv.Quote(s[:cut]) + "…"
}
