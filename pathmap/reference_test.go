package pathmap

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The look-ups once more, written from their documentation, plainly and slowly:
// every entry is tried at every place.

type reference struct{ entries []Entry }

// rewrite returns the index of the entry for a good path and the offset behind
// the source.
func (r reference) rewrite(path string) (index, end int) {
	return r.longest(path, 0, "")
}

// longest tries all entries at start; enders are the characters besides "/" that
// end a component, "" meaning that only the end of the text does.
func (r reference) longest(text string, start int, enders string) (index, end int) {
	index, longest := -1, 0
	for i, e := range r.entries {
		if e.Source == "/" && index < 0 {
			index, end = i, start // what nothing longer covers
			continue
		}
		at, ok := matchAt(text, start, e.Source, enders)
		if ok && len(e.Source) > longest {
			index, end, longest = i, at, len(e.Source)
		}
	}
	return index, end
}

// matchAt compares component by component.
func matchAt(text string, start int, source, enders string) (end int, ok bool) {
	at := start
	for component := range strings.SplitSeq(source[1:], "/") {
		if !strings.HasPrefix(text[at:], "/") {
			return 0, false
		}
		for {
			switch rest := text[at:]; {
			case strings.HasPrefix(rest, "/./"):
				at += 2
			case strings.HasPrefix(rest, "//"):
				at++
			case strings.HasPrefix(rest, "/"+component):
				at += 1 + len(component)
				goto next
			default:
				return 0, false
			}
		}
	next:
	}
	return at, at == len(text) || text[at] == '/' || enders != "" && ends(text[at:], enders)
}

const (
	startCharacters = "\"'`=,:;([{<>|&!?#$^\\@"
	endCharacters   = "\"'`=,:;([{<>|&!?#$^\\)]}*"
)

func ends(rest, characters string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return separates(r, characters)
}

func separates(r rune, characters string) bool {
	switch {
	case r < utf8.RuneSelf:
		return r <= ' ' || r == 0x7f || strings.ContainsRune(characters, r)
	default:
		return unicode.IsSpace(r) || unicode.IsPunct(r)
	}
}

// find returns the matches of a text.
func (r reference) find(text string) []Match {
	var found []Match
	for at := 0; at < len(text); at++ {
		if text[at] != '/' || strings.HasPrefix(text[at:], "//") || !beginsPath(text[:at]) {
			continue
		}
		index, end := r.longest(text, at, endCharacters)
		if index < 0 {
			continue
		}
		rest := end
		for rest < len(text) && (text[rest] == '/' || !ends(text[rest:], endCharacters)) {
			_, size := utf8.DecodeRuneInString(text[rest:])
			rest += size
		}
		if e := r.entries[index]; e.Source != "/" || !onlyRoot(text[at:rest]) {
			found = append(found, r.match(text, at, end, rest, e))
			at = rest - 1
		}
	}
	return found
}

func (r reference) match(text string, start, end, rest int, e Entry) Match {
	for component := range strings.SplitSeq(text[end:rest], "/") {
		if component == ".." {
			path := text[start:rest]
			err := &PathError{Path: path, Reason: reasonDotDot}
			return Match{Start: start, End: rest, Path: path, Target: path, Entry: e, Err: err}
		}
	}
	if e.Source == "/" || e.Target == "/" {
		m := Match{Start: start, End: rest, Path: text[start:rest], Target: text[start:rest], Entry: e}
		if e.Source != e.Target {
			m.Target, m.Moved = joined(e.Target, text[end:rest]), true
		}
		return m
	}
	m := Match{Start: start, End: end, Path: text[start:end], Target: text[start:end], Entry: e}
	if e.Source != e.Target {
		m.Target, m.Moved = e.Target, true
	}
	return m
}

// onlyRoot says whether a path names the root directory, however it is written.
func onlyRoot(path string) bool {
	for component := range strings.SplitSeq(path, "/") {
		if component != "" && component != "." {
			return false
		}
	}
	return true
}

// joined puts what follows a source behind a target.
func joined(target, rest string) string {
	if target == "/" {
		target = ""
	}
	if target+rest == "" {
		return "/"
	}
	return target + rest
}

// beginsPath says whether a slash behind before, the last one of its row, begins
// a path.
func beginsPath(before string) bool {
	trimmed := strings.TrimRight(before, "/")
	if trimmed == "" || strings.HasSuffix(trimmed, "file://localhost") {
		return true
	}
	if slashes := len(before) - len(trimmed); slashes == 1 && strings.HasSuffix(trimmed, ":") && len(trimmed) > 1 {
		scheme := rune(trimmed[len(trimmed)-2])
		if scheme < utf8.RuneSelf && (unicode.IsLetter(scheme) || unicode.IsDigit(scheme) || strings.ContainsRune("+-.", scheme)) {
			return false
		}
	}
	r, _ := utf8.DecodeLastRuneInString(trimmed)
	return separates(r, startCharacters)
}
