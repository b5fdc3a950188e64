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
