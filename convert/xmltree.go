package convert

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// xmlNode is an element of a finished domain: what has a cause.
type xmlNode struct {
	name  string // with its prefix, if it has one
	attrs []xmlAttr
	text  string // without white space around it
	kids  []*xmlNode
	index int // from 1, among its siblings of that name
	alone bool
}

type xmlAttr struct{ name, value string }

// number gives every child its index.
func (n *xmlNode) number() {
	if len(n.kids) > fewNames {
		n.numberMany()
		return
	}
	for i, k := range n.kids {
		k.index, k.alone = 1, true
		for j := i - 1; j >= 0; j-- {
			if before := n.kids[j]; before.name == k.name {
				k.index, k.alone, before.alone = before.index+1, false, false
				break
			}
		}
	}
}

func (n *xmlNode) numberMany() {
	last := make(map[string]*xmlNode, len(n.kids))
	for _, k := range n.kids {
		k.index, k.alone = 1, true
		if before := last[k.name]; before != nil {
			k.index, k.alone, before.alone = before.index+1, false, false
		}
		last[k.name] = k
	}
}

// spelled is a path below the domain as the paths of its values are written: without the
// index of an element that is the only one of its name.
func (n *xmlNode) spelled(path string) string {
	if !strings.Contains(path, "[1]") {
		return path
	}
	parts := strings.Split(strings.TrimPrefix(path, "/domain/"), "/")
	for at, i := n, 0; at != nil && i < len(parts); i++ {
		name, _, _ := strings.Cut(parts[i], "[")
		at = at.kid(name, parts[i])
		if at != nil && at.alone {
			parts[i] = name
		}
	}
	return "/domain/" + strings.Join(parts, "/")
}

// kid is the child of that name whose step, with its index, is step.
func (n *xmlNode) kid(name, step string) *xmlNode {
	for _, k := range n.kids {
		if k.name == name && (step == name && k.index == 1 || step == name+"["+strconv.Itoa(k.index)+"]") {
			return k
		}
	}
	return nil
}

// leaf says whether the element itself has a value: a text, or nothing at all,
// which then means something by being there.
func (n *xmlNode) leaf() bool { return len(n.attrs) == 0 && len(n.kids) == 0 || n.text != "" }

// leaves counts the values at and below the element.
func (n *xmlNode) leaves() int {
	count := len(n.attrs)
	if n.leaf() {
		count++
	}
	for _, k := range n.kids {
		count += k.leaves()
	}
	return count
}

// scanXML reads what encoding/xml has written: elements with attributes and
// text, in which every special character is escaped. It is many times faster
// than parsing, which matters where it is done for every conversion.
func scanXML(text string) (*xmlNode, error) { return new(xmlScan).scan(text) }

func (s *xmlScan) scan(text string) (*xmlNode, error) {
	s.attrs = s.attrs[:0]
	s.used = 0
	top := s.node()
	open := append(make([]*xmlNode, 0, 16), top)
	for {
		start := strings.IndexByte(text, '<')
		if start < 0 {
			break
		}
		at := open[len(open)-1]
		if t := strings.TrimSpace(text[:start]); t != "" {
			at.text += unescape(t)
		}
		end := strings.IndexByte(text[start:], '>')
		if end < 0 {
			return nil, errScan
		}
		tag := text[start+1 : start+end]
		text = text[start+end+1:]
		if strings.HasPrefix(tag, "/") {
			if len(open) == 1 || at.name != tag[1:] {
				return nil, errScan
			}
			at.number()
			open = open[:len(open)-1]
			continue
		}
		n := s.node()
		inner, closed := strings.CutSuffix(tag, "/")
		if !s.tag(n, inner) {
			return nil, errScan
		}
		at.kids = append(at.kids, n)
		if !closed {
			open = append(open, n)
		}
	}
	if len(open) != 1 || len(top.kids) != 1 {
		return nil, errScan
	}
	top.number()
	return top.kids[0], nil
}

// xmlScan holds what the nodes are made of. A second scan uses it again and
// ends what the first one returned.
type xmlScan struct {
	nodes []*xmlNode
	used  int
	attrs []xmlAttr
}

func (s *xmlScan) node() *xmlNode {
	if s.used == len(s.nodes) {
		for more := make([]xmlNode, 64); len(more) > 0; more = more[1:] {
			s.nodes = append(s.nodes, &more[0])
		}
	}
	n := s.nodes[s.used]
	s.used++
	*n = xmlNode{kids: n.kids[:0]}
	return n
}

var errScan = errors.New("not the XML that encoding/xml writes")

func (s *xmlScan) tag(n *xmlNode, tag string) bool {
	name, rest, _ := strings.Cut(tag, " ")
	n.name = name
	first := len(s.attrs)
	for rest != "" {
		key, more, ok := strings.Cut(rest, `="`)
		if !ok {
			return false
		}
		value, after, ok := strings.Cut(more, `"`)
		if !ok {
			return false
		}
		if key != "xmlns" && !strings.HasPrefix(key, "xmlns:") {
			s.attrs = append(s.attrs, xmlAttr{key, unescape(value)})
		}
		rest = strings.TrimPrefix(after, " ")
	}
	if last := len(s.attrs); last > first {
		n.attrs = s.attrs[first:last:last]
	}
	return name != ""
}

func unescape(s string) string {
	if strings.IndexByte(s, '&') < 0 {
		return s
	}
	return xmlEscapes.Replace(s)
}

var xmlEscapes = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&#x9;", "\t", "&#xA;", "\n", "&#xD;", "\r")

// parseXML reads any document.
func parseXML(text string) (*xmlNode, error) {
	dec := xml.NewDecoder(strings.NewReader(text))
	top := &xmlNode{}
	open := []*xmlNode{top}
	for {
		tok, err := dec.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		at := open[len(open)-1]
		switch tok := tok.(type) {
		case xml.StartElement:
			n := newNode(tok)
			at.kids = append(at.kids, n)
			if open = append(open, n); len(open) > maxDepth {
				return nil, fmt.Errorf("nested deeper than %d levels", maxDepth)
			}
		case xml.EndElement:
			if len(open) == 1 || at.name != qualified(tok.Name) {
				return nil, fmt.Errorf("line %d: </%s> closes nothing", lineOf(dec), qualified(tok.Name))
			}
			at.text = strings.TrimSpace(at.text)
			at.number()
			open = open[:len(open)-1]
		case xml.CharData:
			at.text += string(tok)
		}
	}
	switch {
	case len(open) > 1:
		return nil, fmt.Errorf("<%s> is not closed", open[len(open)-1].name)
	case len(top.kids) != 1 || strings.TrimSpace(top.text) != "":
		return nil, errors.New("want one element that holds everything")
	}
	top.number()
	return top.kids[0], nil
}

func lineOf(dec *xml.Decoder) int {
	line, _ := dec.InputPos()
	return line
}

func newNode(tok xml.StartElement) *xmlNode {
	n := &xmlNode{name: qualified(tok.Name)}
	for _, a := range tok.Attr {
		if name := qualified(a.Name); name != "xmlns" && a.Name.Space != "xmlns" {
			n.attrs = append(n.attrs, xmlAttr{name, a.Value})
		}
	}
	return n
}

func qualified(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
