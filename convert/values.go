package convert

import "strings"

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
	grouped := len(text) == 36
	if !grouped && len(text) != 32 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if grouped && (i == 8 || i == 13 || i == 18 || i == 23) {
			if c != '-' {
				return false
			}
			continue
		}
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F') {
			return false
		}
	}
	return true
}
