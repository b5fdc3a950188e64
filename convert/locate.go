package convert

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// Position is the place of a field in the file that it was read from.
type Position struct {
	Line, Column int // from 1
	// Path of the field as the file has it: in a VirtualMachine it lies below spec.template.
	Path string
}

// Locator tells where the fields of a VMI or a context stand in the file that it was read
// from. A nil Locator, of a text that cannot be read, knows nothing.
type Locator struct {
	root    *yaml.Node
	context bool
	machine bool // a VirtualMachine
	keys    map[*yaml.Node]map[string]*yaml.Node
}

// LocateVMI is the Locator of a text that ParseVMI reads.
func LocateVMI(data []byte) *Locator {
	docs, err := readYAML("", data)
	if err != nil {
		return nil
	}
	machines, _, err := findMachines("", docs)
	if err != nil || len(machines) != 1 {
		return nil
	}
	return &Locator{root: machines[0].node, machine: machines[0].kind == kindVM}
}

// LocateContext is the Locator of a text that ParseContext reads.
func LocateContext(data []byte) *Locator {
	docs, err := readYAML("", data)
	if err != nil || len(docs) != 1 {
		return nil
	}
	return &Locator{root: docs[0], context: true}
}

// Find gives the place of a field as FieldError names it, or of the nearest part around it
// that is written in the file. A VMI's file has no facts, and a context's nothing else.
func (l *Locator) Find(field string) (Position, bool) {
	if l == nil || field == "" || IsFact(field) != l.context {
		return Position{}, false
	}
	path := strings.TrimPrefix(field, contextPrefix)
	if l.machine && field != "metadata.name" && field != "metadata.namespace" {
		path = "spec.template." + field
		field = path
	}
	n := l.nearest(path)
	return Position{n.Line, n.Column, field}, true
}

// nearest goes along a path, as ref writes it, as far as the text has it.
func (l *Locator) nearest(path string) *yaml.Node {
	n := l.root
	for path != "" {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		var below *yaml.Node
		below, path = l.step(n, path)
		if below == nil || below.Line == 0 {
			return n
		}
		n = below
	}
	return n
}

// step takes the first part off a path and finds it in a node; nil if it is not there.
func (l *Locator) step(n *yaml.Node, path string) (below *yaml.Node, rest string) {
	key, index, rest := cutPart(path)
	switch {
	case index < 0:
		return l.child(n, key), rest
	case n.Kind == yaml.SequenceNode && index < len(n.Content):
		return n.Content[index], rest
	}
	return nil, rest
}

// child is the value behind a key. Thousands of facts can stand in one mapping, and as many
// problems can be about them.
func (l *Locator) child(n *yaml.Node, key string) *yaml.Node {
	if len(n.Content) <= 2*fewNames {
		return child(n, key)
	}
	if l.keys == nil {
		l.keys = map[*yaml.Node]map[string]*yaml.Node{}
	}
	known, indexed := l.keys[n]
	if !indexed {
		known = make(map[string]*yaml.Node, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			v := n.Content[i+1]
			if v.Kind == yaml.AliasNode {
				v = v.Alias // as child does
			}
			known[n.Content[i].Value] = v
		}
		l.keys[n] = known
	}
	return known[key]
}
