package migrate

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// FactsFile is one target.yaml: its name, for messages, and its contents.
type FactsFile struct {
	Name string
	Data []byte
}

// FactsFileError is a fault of target.yaml at a line and column, from 1.
type FactsFileError struct {
	File         string
	Line, Column int
	// Key is the path of keys to the place: paths[2].from
	Key    string
	Reason string
}

func (e *FactsFileError) Error() string {
	key := ""
	if e.Key != "" {
		key = e.Key + ": "
	}
	return fmt.Sprintf("%s:%d:%d: %s%s", e.File, e.Line, e.Column, key, e.Reason)
}

// maxFactsBytes bounds one facts file. A move with ten thousand path entries
// takes about one MiB.
const maxFactsBytes = 8 << 20

// maxFactsDepth bounds the nesting of a facts file; the format needs four levels.
const maxFactsDepth = 32

// ParseFacts reads one target.yaml.
func ParseFacts(name string, data []byte) (Facts, error) {
	return ParseFactsFiles(FactsFile{name, data})
}

// ParseFactsFiles reads several target.yaml, each with its part of the facts
// (the source's, the target's, the operator's), into one. Lists of paths are
// joined. Two files that give different values for one key contradict each other:
// the error names both places. Errors are *FactsFileError, all of them joined.
func ParseFactsFiles(files ...FactsFile) (Facts, error) {
	r := &factsReader{at: map[string]origin{}}
	for _, f := range files {
		r.file = f.Name
		r.read(f.Data)
	}
	if err := errors.Join(r.errs...); err != nil {
		return Facts{}, err
	}
	return r.facts, nil
}

// origin is where a value was read, and the value.
type origin struct {
	place string
	value string
}

type factsReader struct {
	file  string
	facts Facts
	at    map[string]origin
	errs  []error
}

func (r *factsReader) fail(n *yaml.Node, key, format string, args ...any) {
	r.errs = append(r.errs, &FactsFileError{File: r.file, Line: n.Line, Column: n.Column, Key: key, Reason: fmt.Sprintf(format, args...)})
}

func (r *factsReader) read(data []byte) {
	start := &yaml.Node{Line: 1, Column: 1}
	if len(data) > maxFactsBytes {
		r.fail(start, "", "file has %d bytes, the limit is %d", len(data), maxFactsBytes)
		return
	}
	dec := yaml.NewDecoder(strings.NewReader(string(data)))
	var doc, second yaml.Node
	err := dec.Decode(&doc)
	if errors.Is(err, io.EOF) {
		return // an empty file knows nothing, which is allowed
	}
	if err == nil && !errors.Is(dec.Decode(&second), io.EOF) {
		r.fail(start, "", "more than one YAML document, want one")
		return
	}
	if err != nil {
		r.fail(yamlPosition(err), "", "not YAML: %s", yamlMessage(err))
		return
	}
	root := doc.Content[0]
	if root.Tag == "!!null" {
		return
	}
	r.mapping(root, "", factsKeys, 0)
}

// mapping reads a mapping node with a fixed set of keys.
func (r *factsReader) mapping(n *yaml.Node, path string, keys map[string]key, depth int) {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		r.fail(n, path, "anchors and aliases are not allowed")
		return
	}
	if n.Kind != yaml.MappingNode || depth > maxFactsDepth {
		r.fail(n, path, "%s found, want a mapping with the keys %s", describe(n), keyList(keys))
		return
	}
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		full := strings.TrimPrefix(path+"."+k.Value, ".")
		if line, twice := seen[k.Value]; twice {
			r.fail(k, full, "duplicate key, first on line %d", line)
			continue
		}
		seen[k.Value] = k.Line
		read, known := keys[k.Value]
		switch {
		case k.Kind != yaml.ScalarNode:
			r.fail(k, path, "%s found as a key, want one of %s", describe(k), keyList(keys))
		case slices.Contains(laterKeys, full):
			r.fail(k, full, "no rule of this version uses this fact, so it is refused rather than ignored")
		case !known:
			r.fail(k, full, "unknown key, want one of %s", keyList(keys))
		case v.Kind == yaml.AliasNode || v.Anchor != "":
			r.fail(v, full, "anchors and aliases are not allowed")
		default:
			read(r, v, full, depth+1)
		}
	}
}

func section(keys map[string]key) key {
	return func(r *factsReader, n *yaml.Node, path string, depth int) {
		if n.Tag != "!!null" {
			r.mapping(n, path, keys, depth)
		}
	}
}

// scalar returns the text of a scalar as it was written: a UID of digits
// alone is no number.
func (r *factsReader) scalar(n *yaml.Node, path string) (string, bool) {
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		r.fail(n, path, "anchors and aliases are not allowed")
	case n.Kind != yaml.ScalarNode || n.Tag == "!!null":
		r.fail(n, path, "%s found, want a text", describe(n))
	case n.Style&yaml.TaggedStyle != 0:
		r.fail(n, path, "the tag %s is not allowed; write the text itself", n.Tag)
	case n.Value == "":
		r.fail(n, path, "empty text found, want a value; leave the key out when it is unknown")
	default:
		return n.Value, true
	}
	return "", false
}

// once notes where a value comes from and refuses another value from elsewhere.
func (r *factsReader) once(n *yaml.Node, path, value string) bool {
	place := fmt.Sprintf("%s:%d:%d", r.file, n.Line, n.Column)
	before, twice := r.at[path]
	if twice && before.value != value {
		r.fail(n, path, "%s contradicts %s at %s", quoteShort(value), quoteShort(before.value), before.place)
		return false
	}
	if !twice {
		r.at[path] = origin{place, value}
	}
	return true
}

func scalarKey(field func(*Facts) *string) key {
	return func(r *factsReader, n *yaml.Node, path string, _ int) {
		if value, ok := r.scalar(n, path); ok && r.once(n, path, value) {
			*field(&r.facts) = value
		}
	}
}

// nameKey is scalarKey for names that Kubernetes gives.
func nameKey(field func(*Facts) *string) key {
	read := scalarKey(field)
	return func(r *factsReader, n *yaml.Node, path string, depth int) {
		if fault := nameFault(path, n.Value); n.Kind == yaml.ScalarNode && n.Tag != "!!null" && fault != "" {
			r.fail(n, path, "%s", fault)
			return
		}
		read(r, n, path, depth)
	}
}

func boolKey(field func(*Facts) *bool) key {
	return func(r *factsReader, n *yaml.Node, path string, _ int) {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" {
			r.fail(n, path, "%s found, want true or false", describe(n))
			return
		}
		value := strings.ToLower(n.Value)
		if r.once(n, path, value) {
			*field(&r.facts) = value == "true"
		}
	}
}

func listKey(field func(*Facts) *[]string) key {
	return func(r *factsReader, n *yaml.Node, path string, _ int) {
		if n.Kind != yaml.SequenceNode {
			r.fail(n, path, "%s found, want a list of texts", describe(n))
			return
		}
		values := make([]string, 0, len(n.Content))
		for i, item := range n.Content {
			if value, ok := r.scalar(item, fmt.Sprintf("%s[%d]", path, i)); ok {
				values = append(values, value)
			}
		}
		if r.once(n, path, strings.Join(values, ", ")) {
			*field(&r.facts) = values
		}
	}
}

func keyList(keys map[string]key) string {
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// describe says what kind of value stands in the file.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if n.Tag == "!!null" {
			return "nothing"
		}
		return quoteShort(n.Value)
	}
	return "an alias"
}

// yamlPosition digs the line out of the YAML library's words.
func yamlPosition(err error) *yaml.Node {
	n := &yaml.Node{Line: 1, Column: 1}
	if _, after, found := strings.Cut(err.Error(), "line "); found {
		_, _ = fmt.Sscanf(after, "%d", &n.Line)
	}
	return n
}

func yamlMessage(err error) string {
	return oneLine(errors.New(strings.TrimPrefix(err.Error(), "yaml: ")))
}
