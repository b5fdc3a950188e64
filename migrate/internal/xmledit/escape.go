package xmledit

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// isPlain tells that appendValue would write s as it is, whatever the quotes.
func isPlain(s string) bool {
	for i := range len(s) {
		if class[s[i]]&clsValue == 0 {
			return false
		}
	}
	return len(s) <= maxToken
}

// appendValue writes s as an attribute value between two quotes of that kind.
// White space other than blanks is written as references, since it would be
// read as blanks otherwise.
func appendValue(dst []byte, s string, quote byte, ascii bool) []byte {
	for i, r := range s {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '\'' && quote == '\'':
			dst = append(dst, "&apos;"...)
		case r == '"' && quote == '"':
			dst = append(dst, "&quot;"...)
		case r < ' ', r >= utf8.RuneSelf && ascii:
			dst = appendReference(dst, r)
		case r < utf8.RuneSelf:
			dst = append(dst, s[i])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// appendText writes s as text. A '>' is escaped only behind "]]", where it
// would end a CDATA section.
func appendText(dst []byte, s string, ascii bool) []byte {
	for i, r := range s {
		switch {
		case r == '&':
			dst = append(dst, "&amp;"...)
		case r == '<':
			dst = append(dst, "&lt;"...)
		case r == '>' && bytes.HasSuffix(dst, []byte("]]")):
			dst = append(dst, "&gt;"...)
		case r == '\r', r >= utf8.RuneSelf && ascii:
			dst = appendReference(dst, r)
		case r < utf8.RuneSelf:
			dst = append(dst, s[i])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return dst
}

// appendReference writes a character reference as libvirt does.
func appendReference(dst []byte, r rune) []byte {
	dst = append(dst, "&#"...)
	dst = strconv.AppendInt(dst, int64(r), 10)
	return append(dst, ';')
}
