package convert

import "fmt"

// FieldError is one reason why a VMI cannot be converted.
type FieldError struct {
	Field  string `json:"field,omitempty"` // where: a path in the VMI, or in the context behind "context."
	Value  string `json:"value,omitempty"` // what stands there, "" when nothing does
	Reason string `json:"reason"`          // what is wrong with it and what is wanted
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	if e.Value == "" {
		return e.Field + ": " + e.Reason
	}
	return fmt.Sprintf("%s: %q: %s", e.Field, e.Value, e.Reason)
}

// refuse notes a problem; the conversion goes on to find the others and then
// fails. value is what the field holds (nil or "" when it is not set).
func (s *state) refuse(where ref, value any, reason string) {
	s.problems = append(s.problems, newFieldError(where, value, reason))
}

// refusef is refuse with a reason put together from parts.
func (s *state) refusef(where ref, value any, format string, args ...any) {
	s.refuse(where, value, fmt.Sprintf(format, args...))
}

func newFieldError(where ref, value any, reason string) *FieldError {
	text := ""
	if value != nil {
		text = fmt.Sprint(value)
	}
	return &FieldError{Field: where.String(), Value: text, Reason: reason}
}
