package convert

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ParseContext reads a context file; name is what messages call it. Every key is
// optional and an unknown one is an error that names it and its line, as
// *ParseErrors joined by errors.Join. An empty file is the zero Context.
func ParseContext(name string, data []byte) (Context, error) {
	var ctx Context
	docs, err := readYAML(name, data)
	if err != nil {
		return ctx, err
	}
	if len(docs) == 0 {
		return ctx, nil
	}
	if len(docs) > 1 {
		return ctx, &ParseError{Name: name, Line: docs[1].Line, Column: docs[1].Column, Reason: "a second document; a context is one"}
	}
	d := &decoder{name: name}
	d.decode(docs[0], reflect.ValueOf(&ctx).Elem(), "", 0)
	if err := d.err(); err != nil {
		return Context{}, err
	}
	return ctx, nil
}

// readYAML splits a stream into its documents' root nodes; empty documents are
// left out. JSON is read as YAML.
func readYAML(name string, data []byte) ([]*yaml.Node, error) {
	if len(data) > maxInput {
		return nil, &ParseError{Name: name, Reason: fmt.Sprintf("%d bytes; at most %d are read", len(data), maxInput)}
	}
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		// JSON may be indented with tabs, YAML may not. Inside JSON text a tab
		// is always written \t.
		data = bytes.ReplaceAll(data, []byte("\t"), []byte(" "))
	}
	var docs []*yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		if errors.Is(err, io.EOF) {
			return docs, nil
		}
		if err != nil {
			return nil, yamlError(name, err)
		}
		if len(doc.Content) == 1 && !isNull(doc.Content[0]) {
			docs = append(docs, doc.Content[0])
		}
	}
}

// yamlError takes the line out of the parser's own words: "yaml: line 3: …".
func yamlError(name string, err error) error {
	e := &ParseError{Name: name, Reason: strings.TrimPrefix(err.Error(), "yaml: ")}
	var line int
	if _, scan := fmt.Sscanf(e.Reason, "line %d:", &line); scan == nil {
		_, rest, _ := strings.Cut(e.Reason, ": ")
		e.Line, e.Column, e.Reason = line, 1, rest
	}
	return e
}
