package migrate

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/migxml/migxml/pathmap"
)

// readPaths reads the list of path entries; several files' lists are joined.
func readPaths(r *factsReader, n *yaml.Node, path string, depth int) {
	if n.Kind != yaml.SequenceNode {
		r.fail(n, path, "%s found, want a list of {from: PATH, to: PATH}", describe(n))
		return
	}
	for i, item := range n.Content {
		at := fmt.Sprintf("%s[%d]", path, i)
		var from, to string
		before := len(r.errs)
		part := func(field *string) key {
			return func(r *factsReader, n *yaml.Node, path string, _ int) {
				*field, _ = r.scalar(n, path)
			}
		}
		r.mapping(item, at, map[string]key{"from": part(&from), "to": part(&to)}, depth)
		if len(r.errs) > before {
			continue
		}
		if from == "" || to == "" {
			r.fail(item, at, "from %s, to %s: want both", quoteShort(from), quoteShort(to))
			continue
		}
		if _, err := pathmap.New(pathmap.Entry{Source: from, Target: to}); err != nil {
			r.fail(item, at, "%s", entryFault(err))
			continue
		}
		if r.once(item, "paths from "+cutSlashes(from), cutSlashes(to)) {
			r.facts.Paths = append(r.facts.Paths, PathFact{from, to})
		}
	}
}

// entryFault says what is wrong with the paths of an entry; the place says which it is.
func entryFault(err error) string {
	var words []string
	for _, e := range flattened(err) {
		var bad *pathmap.EntryError
		if errors.As(e, &bad) {
			side := map[string]string{"source": "from", "target": "to"}[bad.Field]
			words = append(words, side+": "+bad.Err.Error())
		}
	}
	return strings.Join(words, "; ")
}

// flattened takes joined errors apart.
func flattened(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// cutSlashes spells a folder one way, so that two files that name it agree.
func cutSlashes(path string) string {
	if cut := strings.TrimRight(path, "/"); cut != "" {
		return cut
	}
	return path
}
