package xmledit

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// decode resolves references and line ends of checked character data. In an
// attribute value white space written as such becomes blanks.
func decode(raw string, value bool) string {
	special, space := "&\r", byte('\n')
	if value {
		special, space = "&\r\n\t", ' '
	} else if strings.IndexByte(raw, '&') < 0 && strings.IndexByte(raw, '\r') < 0 {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for i := strings.IndexAny(raw, special); i >= 0; i = strings.IndexAny(raw, special) {
		out = append(out, raw[:i]...)
		raw = raw[i:]
		switch {
		case raw[0] == '&':
			end := strings.IndexByte(raw, ';')
			out = utf8.AppendRune(out, reference(raw[1:end]))
			raw = raw[end+1:]
			continue
		case strings.HasPrefix(raw, "\r\n"):
			raw = raw[1:]
		}
		out = append(out, space)
		raw = raw[1:]
	}
	return string(append(out, raw...))
}

// normalizeLines reads every line end as \n.
func normalizeLines(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// reference is the character that stands between & and ;, -1 if there is no
// such entity or character. Leading zeros are fine, as in XML.
func reference(name string) rune {
	switch name {
	case "amp":
		return '&'
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "apos":
		return '\''
	case "quot":
		return '"'
	}
	digits, ok := strings.CutPrefix(name, "#")
	if !ok {
		return -1
	}
	base := 10
	if hex, ok := strings.CutPrefix(digits, "x"); ok {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !isChar(rune(n)) || n > utf8.MaxRune {
		return -1
	}
	return rune(n)
}
