package migrate

import (
	"errors"
	"slices"
	"strings"

	"github.com/migxml/migxml/pathmap"
)

// pathMaps answers what becomes of a path: what the facts' paths say, and
// where they are silent, what the two pod layouts say. The editor and the
// verifier ask the same maps, each for the value that it found itself.
type pathMaps struct {
	// explicit holds the paths of the facts, identity the pod layouts of the
	// old and the new identity. Either can be empty, none is nil.
	explicit, identity *pathmap.Map
	// targets is made by onTarget, when it is needed. pathMaps serves one run.
	targets *pathmap.Map
	facts   *Facts
}

// verdict is the answer for one value.
type verdict struct {
	// value that belongs on the target; the old one unless moved.
	value string
	// moved: the value changes. known: a fact speaks for it, moved or not.
	moved, known bool
	// rule, and the entry that decided; of a longer text, the first that moved.
	rule     string
	from, to string
	// shownOld and shownNew are the paths that moved in a longer text, which can
	// hold secrets beside them.
	shownOld, shownNew string
	// err: the value is a path that no map may judge.
	err error
}

func newPathMaps(f *Facts, enabled []*Rule) (*pathMaps, error) {
	m := &pathMaps{explicit: &pathmap.Map{}, identity: &pathmap.Map{}, facts: f}
	var errs []error
	if contains(enabled, "paths") && len(f.Paths) > 0 {
		entries := make([]pathmap.Entry, len(f.Paths))
		for i, p := range f.Paths {
			entries[i] = pathmap.Entry{Source: p.From, Target: p.To}
		}
		explicit, err := pathmap.New(entries...)
		if err != nil {
			errs = append(errs, &FactError{Rule: "paths", Fact: "paths", Reason: oneLine(err)})
		} else {
			m.explicit = explicit
		}
	}
	identity, err := identityMap(f, enabled)
	if err != nil {
		errs = append(errs, err)
	} else if identity != nil {
		m.identity = identity
	}
	return m, errors.Join(errs...)
}

// ruleOf names the rule of an entry of one of the maps.
func (m *pathMaps) ruleOf(side *pathmap.Map, e pathmap.Entry) string {
	if side == m.explicit {
		return "paths"
	}
	return m.facts.ruleOf(e)
}

// oneLine folds a joined error into one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// path judges a value that is one path. In a pod /var/run is a link to /run, so
// what the layouts call /var/run/x is looked up for /run/x too.
func (m *pathMaps) path(value string) verdict {
	v := m.pathAsWritten(value)
	if !v.known && v.err == nil && strings.HasPrefix(value, "/run/") {
		if long := m.pathAsWritten("/var" + value); long.moved && strings.HasPrefix(long.value, "/var/run/") {
			long.value = strings.TrimPrefix(long.value, "/var")
			return long
		}
	}
	return v
}

func (m *pathMaps) pathAsWritten(value string) verdict {
	v := verdict{value: value}
	for _, side := range []*pathmap.Map{m.explicit, m.identity} {
		if side.Len() == 0 {
			continue
		}
		match, err := side.Rewrite(value)
		if err == nil {
			v.known, v.moved, v.from, v.to = true, match.Moved, match.Entry.Source, match.Entry.Target
			if match.Moved {
				v.value = match.Target
			}
			v.rule = m.ruleOf(side, match.Entry)
			return v
		}
		if _, unknown := err.(*pathmap.UnknownPathError); !unknown {
			v.err = err
			return v
		}
	}
	return v
}

// text judges every path inside a longer text.
func (m *pathMaps) text(value string) verdict {
	v := verdict{value: value}
	if !strings.Contains(value, "/") {
		return v
	}
	matches := m.find(value)
	var b strings.Builder
	at := 0
	for _, match := range matches {
		v.known = true
		if match.Err != nil {
			v.err = match.Err
			return v
		}
		if !match.Moved {
			continue
		}
		if !v.moved {
			v.moved, v.rule, v.from, v.to = true, match.rule, match.Entry.Source, match.Entry.Target
		}
		v.shownOld = joinShown(v.shownOld, match.Path)
		v.shownNew = joinShown(v.shownNew, match.Target)
		b.WriteString(value[at:match.Start])
		b.WriteString(match.Target)
		at = match.End
	}
	if v.moved {
		b.WriteString(value[at:])
		v.value = b.String()
	}
	return v
}

// ruledMatch is a match and the rule it belongs to.
type ruledMatch struct {
	pathmap.Match
	rule string
}

// find lists the paths in a text that either map knows, in order; where both
// know one the facts' own entry has the say.
func (m *pathMaps) find(text string) []ruledMatch {
	var all []ruledMatch
	for _, match := range m.explicit.Find(text) {
		all = append(all, ruledMatch{match, "paths"})
	}
	named := len(all)
	for _, match := range m.identity.Find(text) {
		if !slices.ContainsFunc(all[:named], func(o ruledMatch) bool { return match.Start < o.End && o.Start < match.End }) {
			all = append(all, ruledMatch{match, m.facts.ruleOf(match.Entry)})
		}
	}
	slices.SortStableFunc(all, func(a, b ruledMatch) int { return a.Start - b.Start })
	return all
}

// qemuArg judges a QEMU argument. Options are joined by commas, and a comma
// inside a value is doubled; JSON arguments, and those that are one plain value,
// have no such rule.
func (m *pathMaps) qemuArg(value string) verdict {
	if strings.HasPrefix(value, "{") || !strings.ContainsAny(value, ",=") {
		return m.text(value)
	}
	v := verdict{value: value}
	options := splitOptions(value)
	for i, option := range options {
		o := m.text(option)
		v.known = v.known || o.known
		if o.err != nil {
			return verdict{value: value, known: true, err: o.err}
		}
		if !o.moved {
			continue
		}
		options[i] = o.value
		v.shownOld = joinShown(v.shownOld, o.shownOld)
		v.shownNew = joinShown(v.shownNew, o.shownNew)
		if !v.moved {
			v.moved, v.rule, v.from, v.to = true, o.rule, o.from, o.to
		}
	}
	if v.moved {
		for i, option := range options {
			options[i] = strings.ReplaceAll(option, ",", ",,")
		}
		v.value = strings.Join(options, ",")
	}
	return v
}

func joinShown(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

// splitOptions cuts a QEMU argument at its single commas and undoes the
// doubled ones.
func splitOptions(arg string) []string {
	var options []string
	var b strings.Builder
	for i := 0; i < len(arg); i++ {
		switch {
		case arg[i] != ',':
			b.WriteByte(arg[i])
		case i+1 < len(arg) && arg[i+1] == ',':
			b.WriteByte(',')
			i++
		default:
			options = append(options, b.String())
			b.Reset()
		}
	}
	return append(options, b.String())
}

// judge is the answer for a value of a place.
func (m *pathMaps) judge(k kind, value string) verdict {
	switch k {
	case kindPath:
		if strings.HasPrefix(value, "/") {
			return m.path(value)
		}
	case kindText:
		return m.text(value)
	case kindQEMUArg:
		return m.qemuArg(value)
	}
	return verdict{value: value}
}

// leftover finds the first path in a text that only the source pod has: an
// entry moves it, and it is nothing that an entry moves to. An entry for the
// root directory makes no path the source's own: every pod has a root.
func (m *pathMaps) leftover(text string) (ruledMatch, bool) {
	if !strings.Contains(text, "/") {
		return ruledMatch{}, false
	}
	var onTarget []pathmap.Match
	for _, match := range m.find(text) {
		if !match.Moved || match.Entry.Source == "/" {
			continue
		}
		if onTarget == nil {
			onTarget = m.onTarget().Find(text)
		}
		if !slices.ContainsFunc(onTarget, func(t pathmap.Match) bool {
			return t.Start == match.Start && len(t.Entry.Source) >= len(match.Entry.Source)
		}) {
			return match, true
		}
	}
	return ruledMatch{}, false
}

// onTarget maps every path that an entry moves something to, to itself.
func (m *pathMaps) onTarget() *pathmap.Map {
	if m.targets == nil {
		var entries []pathmap.Entry
		for _, side := range []*pathmap.Map{m.explicit, m.identity} {
			for _, e := range side.All() {
				entries = append(entries, pathmap.Entry{Source: e.Target, Target: e.Target})
			}
		}
		// The targets of a map are clean paths, so this cannot fail.
		m.targets, _ = pathmap.New(entries...)
	}
	return m.targets
}
