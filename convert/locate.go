package convert

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Position is the place of a field in the file that it was read from.
type Position struct {
	Line, Column int // from 1
	// Path of the field as the file has it: in a VirtualMachine it lies below spec.template.
	Path string
}

// Locate finds a field of the VMI, as FieldError names it, in the text that ParseVMI reads
// it from. Of a field that is not written there it gives the place of the nearest part
// around it. It finds nothing in a text that ParseVMI refuses, and no fact.
func Locate(data []byte, field string) (Position, bool) {
	docs, err := readYAML("", data)
	if err != nil || IsFact(field) || field == "" {
		return Position{}, false
	}
	machines, _, err := findMachines("", docs)
	if err != nil || len(machines) != 1 {
		return Position{}, false
	}
	if machines[0].kind == kindVM && field != "metadata.name" && field != "metadata.namespace" {
		field = "spec.template." + field
	}
	n := nearest(machines[0].node, field)
	return Position{n.Line, n.Column, field}, true
}

// LocateFact is Locate for a fact, in the text that ParseContext reads.
func LocateFact(data []byte, field string) (Position, bool) {
	docs, err := readYAML("", data)
	if err != nil || len(docs) != 1 || !IsFact(field) {
		return Position{}, false
	}
	n := nearest(docs[0], strings.TrimPrefix(field, contextPrefix))
	return Position{n.Line, n.Column, field}, true
}

// nearest goes along a path, as ref writes it, as far as the text has it.
func nearest(n *yaml.Node, path string) *yaml.Node {
	for path != "" {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		var below *yaml.Node
		below, path = stepInto(n, path)
		if below == nil || below.Line == 0 {
			return n
		}
		n = below
	}
	return n
}

// stepInto takes the first part off a path and finds it in a node; nil if it is not there.
func stepInto(n *yaml.Node, path string) (below *yaml.Node, rest string) {
	if strings.HasPrefix(path, "[") {
		if quoted, err := strconv.QuotedPrefix(path[1:]); err == nil {
			key, _ := strconv.Unquote(quoted)
			return child(n, key), strings.TrimPrefix(path[1+len(quoted):], "]")
		}
		digits, rest, _ := strings.Cut(path[1:], "]")
		if i, err := strconv.Atoi(digits); err == nil && n.Kind == yaml.SequenceNode && i >= 0 && i < len(n.Content) {
			return n.Content[i], rest
		}
		return nil, rest
	}
	path = strings.TrimPrefix(path, ".")
	end := 0
	for end < len(path) && path[end] != '.' && path[end] != '[' {
		end++
	}
	return child(n, path[:end]), path[end:]
}
