package pathmap

import (
	"errors"
	"slices"
	"strings"
)

// A Map holds entries and answers for paths. It is immutable and safe for
// concurrent use. The zero Map, like a nil one, knows no path.
type Map struct {
	entries []Entry // by Source, which is unique; both paths clean, as cleanPath gives them
}

// New returns a map of the entries. Their order does not matter.
//
// Doubled and trailing slashes and "." components of the entries' paths are
// dropped. The root directory is a path like others: as a source it covers every
// path that no longer source covers, and as a target it takes what lies below the
// source. A path that is empty or relative, or has a NUL byte or a ".." component
// gives an *EntryError; one source with two targets a
// *ConflictError. All problems are joined. Repeating an entry is fine; of
// repetitions that differ only in Volume or Kind, the first is kept.
func New(entries ...Entry) (*Map, error) {
	var problems []error
	kept := make([]Entry, 0, len(entries))
	bySource := make(map[string]int, len(entries))
	for i, e := range entries {
		clean, errs := e.clean(i)
		if len(errs) > 0 {
			problems = append(problems, errs...)
			continue
		}
		at, again := bySource[clean.Source]
		if !again {
			bySource[clean.Source] = len(kept)
			kept = append(kept, clean)
		} else if kept[at].Target != clean.Target {
			problems = append(problems, &ConflictError{First: kept[at].rooted(), Second: clean.rooted()})
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	sortBySource(kept)
	return &Map{entries: kept}, nil
}

// clean returns the entry with clean paths, or what is wrong with them.
func (e Entry) clean(index int) (Entry, []error) {
	var problems []error
	source, err := cleanPath(e.Source)
	if err != nil {
		problems = append(problems, &EntryError{Index: index, Field: "source", Entry: e, Err: err})
	}
	target, err := cleanPath(e.Target)
	if err != nil {
		problems = append(problems, &EntryError{Index: index, Field: "target", Entry: e, Err: err})
	}
	e.Source, e.Target = source, target
	return e, problems
}

func sortBySource(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int { return strings.Compare(a.Source, b.Source) })
}

// Len returns the number of entries.
func (m *Map) Len() int {
	if m == nil {
		return 0
	}
	return len(m.entries)
}

// All returns the entries with clean paths, sorted by source path. The slice
// is the caller's.
func (m *Map) All() []Entry {
	all := m.clone()
	for i := range all {
		all[i] = all[i].rooted()
	}
	return all
}

// clone copies the entries as they are kept.
func (m *Map) clone() []Entry {
	if m == nil {
		return nil
	}
	return slices.Clone(m.entries)
}

// longest finds the entry with the longest source that text has at start, where
// text[start] is a slash. Doubled slashes and "." components in text are passed
// over, and ends says where a component of text may end. It returns the entry's
// index, or -1, and the offset behind the source in text: start, if that is the
// root directory.
//
// The sources are sorted, so those that agree with what was read so far lie in
// a row. Each byte makes the row shorter; those on which all of it agrees are
// passed over at a stretch.
func (m *Map) longest(text string, start int, ends func(text string, pos int) bool) (index, end int) {
	index = -1
	lo, hi := 0, m.Len()
	if hi > 0 && m.entries[0].Source == "" {
		index, end, lo = 0, start, 1
	}
	for depth, pos := 0, start; pos < len(text); depth++ {
		c, next := text[pos], pos+1
		if c == '/' {
			next = nextComponent(text, pos)
		}
		if agree := m.agree(lo, hi, depth, text[pos:]); agree > 1 {
			// The last byte goes the long way, where a source may end.
			depth, pos = depth+agree-1, pos+agree-1
			c, next = text[pos], pos+1
		}
		if lo, hi = m.narrow(lo, hi, depth, c); lo == hi {
			break
		}
		pos = next
		if len(m.entries[lo].Source) > depth+1 {
			continue
		}
		if ends(text, pos) {
			index, end = lo, pos
		}
		if lo++; lo == hi {
			break
		}
	}
	return index, end
}

// agree returns how many bytes of text, up to the next slash, the whole row
// [lo, hi) has at depth: the first and the last of its sorted sources do.
func (m *Map) agree(lo, hi, depth int, text string) int {
	if lo == hi {
		return 0
	}
	first, last := m.entries[lo].Source[depth:], m.entries[hi-1].Source[depth:]
	most := min(len(first), len(last), len(text))
	n := 0
	for n < most && first[n] == text[n] && last[n] == text[n] && text[n] != '/' {
		n++
	}
	return n
}

// narrow returns the part of the row [lo, hi) that has c at depth. All sources
// in the row agree on the bytes before depth and are longer than it.
func (m *Map) narrow(lo, hi, depth int, c byte) (int, int) {
	if lo == hi {
		return lo, lo
	}
	first, last := m.entries[lo].Source[depth], m.entries[hi-1].Source[depth]
	if c < first || c > last {
		return lo, lo
	}
	if c > first {
		lo = m.first(lo, hi, depth, c)
	}
	if c < last {
		hi = m.first(lo, hi, depth, c+1)
	}
	return lo, hi
}

// first returns where the sources of the row [lo, hi) begin to have c or a
// greater byte at depth; hi if none has.
func (m *Map) first(lo, hi, depth int, c byte) int {
	for lo < hi {
		middle := int(uint(lo+hi) >> 1)
		if m.entries[middle].Source[depth] < c {
			lo = middle + 1
		} else {
			hi = middle
		}
	}
	return lo
}
