package main

import (
	"errors"
	"fmt"

	"github.com/migxml/migxml/convert"
)

// located is a problem with a field, with the place of the field in the file it was read
// from; its JSON form is for programs. No file: nobody knows the place.
type located struct {
	convert.FieldError
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

func (l *located) Error() string {
	if l.File == "" {
		return l.FieldError.Error()
	}
	return fmt.Sprintf("%s:%d:%d: %s", l.File, l.Line, l.Column, l.FieldError.Error())
}

func (l *located) Unwrap() error { return &l.FieldError }

// file is what was read under a name.
type file struct {
	name string
	data []byte
}

// inputs are the files of a conversion.
type inputs struct{ vmi, context file }

// place finds the field of a problem in the files.
func (s *inputs) place(f *convert.FieldError) *located {
	l := &located{FieldError: *f}
	from, locate := s.vmi, convert.Locate
	if convert.IsFact(f.Field) {
		from, locate = s.context, convert.LocateFact
	}
	if at, ok := locate(from.data, f.Field); ok {
		l.File, l.Line, l.Column, l.Field = from.name, at.Line, at.Column, at.Path
	}
	return l
}

// places is place for several, and for none.
func (s *inputs) places(list []*convert.FieldError) []*located {
	var all []*located
	for _, f := range list {
		all = append(all, s.place(f))
	}
	return all
}

// inFiles puts the places before the problems that are about fields.
func (s *inputs) inFiles(err error) error {
	var all []error
	for _, e := range flatten(err) {
		var f *convert.FieldError
		if errors.As(e, &f) {
			e = s.place(f)
		}
		all = append(all, e)
	}
	return errors.Join(all...)
}
