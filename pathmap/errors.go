package pathmap

import (
	"fmt"
	"strconv"
)

// A PathError is a text that cannot be used as a path: empty, relative, with a
// NUL byte, or with a ".." component.
type PathError struct {
	Path   string
	Reason string // what is wrong and what was wanted
}

func (e *PathError) Error() string { return fmt.Sprintf("path %s: %s", quote(e.Path), e.Reason) }

// An UnknownPathError is a good path about which the map says nothing.
type UnknownPathError struct {
	Path string
}

func (e *UnknownPathError) Error() string {
	return fmt.Sprintf("path %s: unknown; want an entry of the path map for it or for a directory above it", quote(e.Path))
}

// An EntryError is an entry that New refuses for one of its paths.
type EntryError struct {
	Index int    // place in New's arguments, from 0
	Field string // "source" or "target"
	Entry Entry
	Err   *PathError
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("path map entry %d, %s: %s: %v", e.Index, e.Entry, e.Field, e.Err)
}

func (e *EntryError) Unwrap() error { return e.Err }

// A ConflictError is one source path with two different targets.
type ConflictError struct {
	First, Second Entry // in the order given
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("path map: source %s has two targets: %s, and %s; want one", quote(e.First.Source), e.First, e.Second)
}

// An AmbiguousError is a pair of source paths that the map makes one target
// path, so that nothing can lead back.
type AmbiguousError struct {
	FirstPath, SecondPath string // two different source paths
	Target                string // what both become
	First, Second         Entry  // the entries that do it
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("path map: no inverse: %s (by %s) and %s (by %s) both become %s; want one source for each target",
		quote(e.FirstPath), e.First, quote(e.SecondPath), e.Second, quote(e.Target))
}

// A LayoutError is a fact of a Layout that gives no usable place.
type LayoutError struct {
	Side   string // "source" or "target" if Between was asked, else empty
	Field  string // such as "volumes[2].name"
	Value  string // what was found there
	Reason string // what is wrong and what was wanted
}

func (e *LayoutError) Error() string {
	side := ""
	if e.Side != "" {
		side = e.Side + " "
	}
	return fmt.Sprintf("%spod layout, %s: %s: %s", side, e.Field, quote(e.Value), e.Reason)
}

// A VolumeError is a volume that cannot be paired between two layouts.
type VolumeError struct {
	Volume string
	Reason string // what the source pod has and the target pod lacks
}

func (e *VolumeError) Error() string {
	return fmt.Sprintf("volume %s: %s", quote(e.Volume), e.Reason)
}

// quoteLimit keeps a hostile value of megabytes out of a one-line message.
const quoteLimit = 256

// quote writes s for a message: quoted, on one line, not too long.
func quote(s string) string {
	if len(s) <= quoteLimit {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(s[:quoteLimit]), len(s))
}
