package xmledit

import (
	"fmt"
	"unicode/utf8"
)

// byteOrderMark may stand before everything else and is no part of the text.
const byteOrderMark = "\uFEFF"

// Classes of bytes. Everything beyond ASCII stops a scan and is looked at as
// a character.
const (
	clsName  = 1 << iota // may stand in a name, without the colon
	clsStart             // may start a name
	clsSpace             // blank, tab, line end
	clsText              // nothing to look at in text
	clsValue             // nothing to look at in an attribute value
	clsPlain             // nothing to look at in comments and the like
)

var class = func() (t [256]uint8) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = clsText | clsValue | clsPlain
	}
	for _, c := range "\t\n\r" {
		t[c] = clsSpace | clsText | clsPlain
	}
	t[' '] |= clsSpace
	for c := range utf8.RuneSelf {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '_':
			t[c] |= clsStart | clsName
		case '0' <= c && c <= '9', c == '-', c == '.':
			t[c] |= clsName
		}
	}
	for _, c := range "<&]" {
		t[c] &^= clsText
	}
	for _, c := range "<&'\"" {
		t[c] &^= clsValue
	}
	for _, c := range "-?]" {
		t[c] &^= clsPlain
	}
	return t
}()

func isSpace(c byte) bool { return class[c]&clsSpace != 0 }

// isChar reports whether XML 1.0 has the character at all (production 2).
func isChar(r rune) bool {
	return r >= 0x20 && r <= 0xD7FF || r == '\t' || r == '\n' || r == '\r' ||
		r >= 0xE000 && r <= 0xFFFD || r >= 0x10000 && r <= 0x10FFFF
}

// isNameStart reports whether a name may start with r (production 4, without
// the colon, which separates a prefix).
func isNameStart(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && class[r]&clsStart != 0
	}
	return r >= 0xC0 && r <= 0x2FF && r != 0xD7 && r != 0xF7 ||
		r >= 0x370 && r <= 0x1FFF && r != 0x37E ||
		r >= 0x200C && r <= 0x200D || r >= 0x2070 && r <= 0x218F ||
		r >= 0x2C00 && r <= 0x2FEF || r >= 0x3001 && r <= 0xD7FF ||
		r >= 0xF900 && r <= 0xFDCF || r >= 0xFDF0 && r <= 0xFFFD ||
		r >= 0x10000 && r <= 0xEFFFF
}

// isNameChar reports whether r may stand in a name (production 4a, without
// the colon).
func isNameChar(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 0 && class[r]&clsName != 0
	}
	return isNameStart(r) || r == 0xB7 || r >= 0x300 && r <= 0x36F || r >= 0x203F && r <= 0x2040
}

// badChar finds the first character that XML cannot carry, not even as a
// reference, and says what is wrong with it; msg is "" if all is well.
func badChar(s string) (at int, msg string) {
	for i := 0; i < len(s); {
		if c := s[i]; c >= 0x20 && c < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if msg := charFault(r, n); msg != "" {
			return i, msg
		}
		i += n
	}
	return 0, ""
}

// charFault says what is wrong with a character as utf8 decoded it.
func charFault(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size <= 1:
		return "not UTF-8"
	case r == 0:
		return "NUL character"
	case !isChar(r):
		return fmt.Sprintf("character U+%04X is not allowed in XML", r)
	}
	return ""
}

// nameFault says why s is no name with at most one prefix, "" if it is one.
func nameFault(s string) string {
	if s == "" {
		return "a name is missing"
	}
	if len(s) > maxName {
		return fmt.Sprintf("name of %d bytes; at most %d are read", len(s), maxName)
	}
	colons, start := 0, true
	for i, r := range s {
		switch {
		case r == utf8.RuneError && s[i] != "\uFFFD"[0]:
			return "not UTF-8"
		case r == ':' && !start && colons == 0:
			colons, start = 1, true
		case start && !isNameStart(r):
			return fmt.Sprintf("%q cannot start a name", r)
		case !start && !isNameChar(r):
			return fmt.Sprintf("%q cannot stand in a name", r)
		default:
			start = false
		}
	}
	if start {
		return "a name is missing after the colon"
	}
	return ""
}
