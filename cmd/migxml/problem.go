package main

import (
	"errors"

	"github.com/migxml/migxml/migrate"
)

// problem is the JSON form of one reason why something is refused: the message, and the
// parts of it that a program can use.
type problem struct {
	Message string `json:"message"`
	Rule    string `json:"rule,omitempty"`
	Device  string `json:"device,omitempty"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Fact    string `json:"fact,omitempty"`
}

// problems takes joined errors apart.
func problems(err error) []problem {
	list := []problem{}
	for _, e := range flatten(err) {
		p := problem{Message: e.Error()}
		var fact *migrate.FactError
		var abi *migrate.ABIError
		var left *migrate.LeftoverError
		switch {
		case errors.As(e, &fact):
			p.Rule, p.Device, p.Path, p.Line, p.Column, p.Fact = fact.Rule, fact.Device, fact.Path, fact.Line, fact.Column, fact.Fact
		case errors.As(e, &abi):
			p.Device, p.Path = abi.Device, abi.Path
		case errors.As(e, &left):
			p.Device, p.Path = left.Device, left.Path
		}
		list = append(list, p)
	}
	return list
}

// flatten takes joined errors apart.
func flatten(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, e := range joined.Unwrap() {
			all = append(all, flatten(e)...)
		}
		return all
	}
	if inner := errors.Unwrap(err); inner != nil && inner.Error() == err.Error() {
		return flatten(inner) // a wrapper that adds no words
	}
	return []error{err}
}
