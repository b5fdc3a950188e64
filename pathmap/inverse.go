package pathmap

import (
	"errors"
	"strings"
)

// Inverse returns the map that leads back: for a path p that m knows, the
// inverse's Rewrite of m's Rewrite of p gives p again (doubled slashes and "."
// components in the part that an entry covers apart).
//
// It exists if m makes no two different paths the same one. Else the errors are
// joined *AmbiguousErrors, each with two such paths. Two sources that share a
// target are the plain case; the other is a target below another target, as in
// /a -> /x with /b -> /x/c, where /a/c and /b both become /x/c.
//
// The inverse may know more than it needs: of /a -> /x with /a/b -> /y it also
// leads from /x/b, which m makes of nothing, to /a/b. So it need not have an
// inverse itself.
func (m *Map) Inverse() (*Map, error) {
	inverse := &Map{entries: m.clone()}
	for i, e := range inverse.entries {
		inverse.entries[i].Source, inverse.entries[i].Target = e.Target, e.Source
	}
	sortBySource(inverse.entries)
	if err := m.sharedTargets(inverse); err != nil {
		return nil, err
	}
	if err := m.nestedTargets(inverse); err != nil {
		return nil, err
	}
	return inverse, nil
}

// sharedTargets finds entries with different sources and the same target.
func (m *Map) sharedTargets(inverse *Map) error {
	var problems []error
	for i := 1; i < inverse.Len(); i++ {
		first, second := inverse.entries[i-1].swap().rooted(), inverse.entries[i].swap().rooted()
		if first.Target == second.Target {
			problems = append(problems, &AmbiguousError{
				FirstPath: first.Source, SecondPath: second.Source, Target: first.Target, First: first, Second: second,
			})
		}
	}
	return errors.Join(problems...)
}

// nestedTargets finds entries whose target is also made from another path, by
// an entry whose target is above it. The nearest such entry is enough: where a
// farther one does it, it does so to the nearest one's target as well.
func (m *Map) nestedTargets(inverse *Map) error {
	var problems []error
	for _, e := range inverse.entries {
		second := e.swap()
		if second.Target == "" {
			continue // nothing is above the root directory
		}
		parent := second.Target[:strings.LastIndexByte(second.Target, '/')]
		index, end := inverse.longest(parent, 0, endsComponent)
		if index < 0 {
			continue
		}
		first := inverse.entries[index].swap()
		path := first.Source + second.Target[end:]
		if by, _ := m.longest(path, 0, endsComponent); m.entries[by].Source == first.Source {
			problems = append(problems, &AmbiguousError{
				FirstPath: rooted(path), SecondPath: rooted(second.Source), Target: second.Target,
				First: first.rooted(), Second: second.rooted(),
			})
		}
	}
	return errors.Join(problems...)
}

func (e Entry) swap() Entry {
	e.Source, e.Target = e.Target, e.Source
	return e
}
