package pathmap

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Find finds the source paths of the map inside a longer text: a command line,
// a URL, JSON, a list of key=value pairs, prose. The matches are in order and do
// not overlap. Each covers only the source path itself, so that what the text
// has below it stays as it is.
//
// An occurrence begins at a slash that begins an absolute path. That is one at
// the start of text, or behind a character that does not belong to a path: white
// space, a control character, or one of
//
//	" ' ` = , : ; ( [ { < > | & ! ? # $ ^ \ @
//
// and, outside ASCII, a space or punctuation mark. Behind anything else (a letter
// or digit, one of . _ - ~ + % ) ] } *, or another slash) it is the middle of a
// relative path, of another path, or of a URL behind its host. Of several slashes
// in a row the last one begins the path. Two slashes behind a URL's scheme and
// colon begin a host and no path, unless that host is file://localhost.
//
// It goes on as long as the text agrees with a source path, doubled slashes and
// "." components apart, and takes the longest one that is followed by the end of
// the text, a slash, or a character that does not go on with a name: all but
// letters, digits, . _ - ~ + % @ and what is neither space nor punctuation
// outside ASCII. So "/srv/a" occurs in "/srv/a,ro" and in "/srv/a b" (a name with
// such characters is found if the map has it) but not in "/srv/ab" or "/srv/a.b".
// The search then continues behind the rest of that path.
//
// Where the source or the target is the root directory, the occurrence is the whole
// path that begins there, and a slash alone is no occurrence of the root.
//
// Text is taken as it is. No escape is decoded: XML references, "\/" of JSON,
// "%20" of URLs and ",," of QEMU options are for the caller, who knows which of
// them text has. For the same reason a remote path behind a colon, as in
// host:/srv/a, counts: the search rather reports too much than too little.
//
// Each match agrees with Rewrite of its Path, an occurrence that a ".."
// component follows included: see [Match.Err].
//
// The time grows linearly with the length of text, as long as no directory name
// in the map's sources ends in one of the characters that a path can begin
// behind; at worst with the length of text times the length of a source.
func (m *Map) Find(text string) []Match {
	if m.Len() == 0 {
		return nil
	}
	var found []Match
	for pos := 0; ; {
		start := nextStart(text, pos)
		if start < 0 {
			return found
		}
		index, end := m.longest(text, start, endsOccurrence)
		if index < 0 {
			pos = start + 1
			continue
		}
		pos = pathEnd(text, end)
		entry := m.entries[index]
		if entry.Source == "" {
			if nextComponent(text[:pos], start) == pos {
				pos = start + 1
				continue
			}
		}
		found = append(found, occurrence(text, start, end, pos, entry))
	}
}

// occurrence makes the match of an entry whose source is text[start:end] and
// whose path goes on up to rest. The source that is the root directory is empty
// and lies before the slash.
func occurrence(text string, start, end, rest int, entry Entry) Match {
	source := end
	if entry.Source == "" || entry.Target == "" {
		end = rest
	}
	if hasDotDot(text[source:rest]) {
		path := text[start:rest]
		entry = entry.rooted()
		err := &PathError{Path: path, Reason: reasonDotDot}
		return Match{Start: start, End: rest, Path: path, Target: path, Entry: entry, Err: err}
	}
	match := Match{Start: start, End: end, Path: text[start:end], Target: text[start:end], Entry: entry.rooted()}
	switch {
	case entry.Source == entry.Target:
	case entry.Source == "":
		match.Target, match.Moved = entry.target(match.Path), true
	case entry.Target == "":
		match.Target, match.Moved = rooted(text[source:rest]), true
	default:
		match.Target, match.Moved = entry.Target, true
	}
	return match
}

// nextStart returns the first slash from pos on that begins a path, or -1.
func nextStart(text string, pos int) int {
	for {
		i := strings.IndexByte(text[pos:], '/')
		if i < 0 {
			return -1
		}
		first := pos + i
		last := first
		for last+1 < len(text) && text[last+1] == '/' {
			last++
		}
		if startsPath(text, first, last) {
			return last
		}
		pos = last + 1
	}
}

// startsPath reports whether the slashes text[first:last+1] begin a path.
func startsPath(text string, first, last int) bool {
	before := text[:first]
	switch {
	case before == "":
		return true
	case strings.HasSuffix(before, "file://localhost"):
		return true
	case last == first+1 && before[first-1] == ':' && first > 1 && isSchemeByte(before[first-2]):
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(before)
	return r == '@' || !isNameRune(r) && !strings.ContainsRune(")]}*", r)
}

// endsOccurrence reports whether a path component of free text may end at pos.
func endsOccurrence(text string, pos int) bool {
	r, size := utf8.DecodeRuneInString(text[pos:])
	return size == 0 || !isNameRune(r)
}

// pathEnd returns where the path that goes on at pos ends.
func pathEnd(text string, pos int) int {
	for pos < len(text) {
		r, size := utf8.DecodeRuneInString(text[pos:])
		if r != '/' && !isNameRune(r) {
			break
		}
		pos += size
	}
	return pos
}

// isNameRune reports whether r goes on with a file name in free text. Bytes
// that are no UTF-8 do: nothing says that a name ends there.
func isNameRune(r rune) bool {
	if r < utf8.RuneSelf {
		return nameBytes[r]
	}
	return !unicode.IsSpace(r) && !unicode.IsPunct(r)
}

// isSchemeByte reports whether b can be part of a URL's scheme.
func isSchemeByte(b byte) bool { return b < utf8.RuneSelf && schemeBytes[b] }

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var (
	nameBytes   = bytesOf(alphanumeric + "._-~+%@")
	schemeBytes = bytesOf(alphanumeric + "+-.")
)

func bytesOf(ascii string) (set [utf8.RuneSelf]bool) {
	for _, r := range ascii {
		set[r] = true
	}
	return set
}
