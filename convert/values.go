package convert

import (
	"encoding/hex"
	"strings"
)

// oneOf refuses a value that is none of those wanted: libvirt could not read the
// domain.
func (s *state) oneOf(where ref, value string, wanted ...string) {
	for _, w := range wanted {
		if value == w {
			return
		}
	}
	last := len(wanted) - 1
	s.refuse(where, value, "want "+strings.Join(wanted[:last], ", ")+" or "+wanted[last])
}

// isName says whether text is not empty and has nothing but ASCII letters, digits
// and the marks given: what libvirt's schema takes for a name of some kind.
func isName(text, marks string) bool {
	for i := range len(text) {
		c := text[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(marks, c) >= 0) {
			return false
		}
	}
	return text != ""
}

// absolute refuses a path that does not start at the root.
func (s *state) absolute(where ref, path string) {
	if len(path) < 2 || path[0] != '/' {
		s.refuse(where, path, "want an absolute path")
	}
}

// isUUID says whether libvirt takes text for a UUID: 32 hexadecimal digits, in the
// usual five groups or in one.
func isUUID(text string) bool {
	if len(text) == 36 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-' {
		text = text[:8] + text[9:13] + text[14:18] + text[19:23] + text[24:]
	}
	_, err := hex.DecodeString(text)
	return err == nil && len(text) == 32
}
