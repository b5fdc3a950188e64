package pathmap

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Check returns all problems of the layout as joined *LayoutErrors: names that
// are no path component, facts of a volume that contradict its source, two
// volumes of one name, two volumes in one place, and a cloud-init volume of a
// guest without namespace or name.
func (l Layout) Check() error { return l.check("") }

func (l Layout) check(side string) error {
	problems := append(l.Roots.check(), l.checkIdentity()...)
	problems = append(problems, l.checkVolumes()...)
	if len(problems) == 0 {
		problems = l.checkCollisions()
	}
	return joinLayout(side, problems)
}

func joinLayout(side string, problems []*LayoutError) error {
	joined := make([]error, len(problems))
	for i, problem := range problems {
		problem.Side = side
		joined[i] = problem
	}
	return errors.Join(joined...)
}

func (l Layout) checkIdentity() []*LayoutError {
	var problems []*LayoutError
	for _, name := range []struct{ field, value string }{
		{"namespace", l.Namespace}, {"name", l.Name}, {"uid", l.UID},
	} {
		if name.value == "" {
			continue
		}
		if reason := badName(name.value); reason != "" {
			problems = append(problems, &LayoutError{Field: name.field, Value: name.value, Reason: reason})
		}
	}
	if slices.Contains(privateNames, l.UID) {
		reason := "is the name of another directory of the pod; want the UID of the VMI"
		problems = append(problems, &LayoutError{Field: "uid", Value: l.UID, Reason: reason})
	}
	return problems
}

func (l Layout) checkVolumes() []*LayoutError {
	var problems []*LayoutError
	byName := make(map[string]int, len(l.Volumes))
	for i, v := range l.Volumes {
		field := fmt.Sprintf("volumes[%d]", i)
		problems = append(problems, l.checkVolume(v, field)...)
		if first, again := byName[v.Name]; again {
			reason := fmt.Sprintf("is the name of volumes[%d] too; want each name once", first)
			problems = append(problems, &LayoutError{Field: field + ".name", Value: v.Name, Reason: reason})
		} else {
			byName[v.Name] = i
		}
	}
	return problems
}

// checkVolume returns the problems of one volume; field is where it is.
func (l Layout) checkVolume(v Volume, field string) []*LayoutError {
	problems := v.check(field)
	if !v.isCloudInit() {
		return problems
	}
	if _, known := l.CloudInitDir(); !known {
		reason := "is a cloud-init image, whose place depends on namespace and name; want both"
		problems = append(problems, &LayoutError{Field: field + ".name", Value: v.Name, Reason: reason})
	}
	return problems
}

// checkCollisions refuses two volumes in one place, such as two container disks
// in one position. The layout has no other problems.
func (l Layout) checkCollisions() []*LayoutError {
	var problems []*LayoutError
	index := make(map[string]int)
	for i, v := range l.Volumes {
		if sources[v.Source].shared {
			continue
		}
		paths, _ := l.Paths(v)
		for _, place := range []string{paths.Disk, paths.Overlay, paths.Base, paths.Files} {
			if place == "" {
				continue
			}
			first, taken := index[place]
			if !taken {
				index[place] = i
				continue
			}
			reason := fmt.Sprintf("has the place %s, like volume %s; want a place for each", quote(place), quote(l.Volumes[first].Name))
			problems = append(problems, &LayoutError{Field: fmt.Sprintf("volumes[%d]", i), Value: v.Name, Reason: reason})
		}
	}
	return problems
}

// badName says why a name cannot be a path component; it is empty if it can.
func badName(name string) string {
	switch {
	case name == "":
		return "empty; want a name"
	case strings.Contains(name, "/"):
		return `contains "/"; want one path component`
	case strings.IndexByte(name, 0) >= 0:
		return "contains a NUL byte; want a name that a file can have"
	case name == "." || name == "..":
		return "names a directory relative to another; want a name of its own"
	}
	return ""
}
