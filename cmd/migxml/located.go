package main

import (
	"errors"
	"fmt"
	"sync"

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

// file is where something was read from, and the places in it, which are looked for only
// when there is something to say. The zero file is none.
type file struct {
	name   string
	places func() *convert.Locator
}

func newFile(name string, data []byte, locate func([]byte) *convert.Locator) file {
	return file{label(name), sync.OnceValue(func() *convert.Locator { return locate(data) })}
}

// inputs are the files of a conversion.
type inputs struct{ vmi, context file }

// place finds the field of a problem in the files.
func (s *inputs) place(f *convert.FieldError) *located {
	l := &located{FieldError: *f}
	from := s.vmi
	if convert.IsFact(f.Field) {
		from = s.context
	}
	if from.places == nil {
		return l
	}
	if at, ok := from.places().Find(f.Field); ok {
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

// told is several problems as one error, each with its place.
func (s *inputs) told(list []*convert.FieldError) error {
	var all []error
	for _, l := range s.places(list) {
		all = append(all, l)
	}
	return errors.Join(all...)
}
