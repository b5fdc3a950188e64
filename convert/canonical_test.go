package convert

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// canonical is a domain as libvirt reads it, a line for each element, so that
// two spellings of one domain give the same lines: without the order of
// attributes and of differently named children, white space, metadata, units of
// memory, empty elements that mean nothing, and spellings that libvirt's parser
// fills in or passes over.
func canonical(t *testing.T, text string, anyUUID bool) string {
	t.Helper()
	doc := etree.NewDocument()
	if err := doc.ReadFromString(text); err != nil {
		t.Fatalf("not XML: %v\n%s", err, text)
	}
	n := fold(doc.Root(), "", anyUUID)
	var b strings.Builder
	n.write(&b, 0)
	return b.String()
}

type canonNode struct {
	tag   string
	attrs map[string]string
	text  string
	kids  []*canonNode
}

func (n *canonNode) write(b *strings.Builder, depth int) {
	names := make([]string, 0, len(n.attrs))
	for k := range n.attrs {
		names = append(names, k)
	}
	sort.Strings(names)
	fmt.Fprintf(b, "%s<%s", strings.Repeat("  ", depth), n.tag)
	for _, k := range names {
		fmt.Fprintf(b, " %s=%q", k, n.attrs[k])
	}
	fmt.Fprintf(b, ">%s\n", n.text)
	for _, k := range n.kids {
		k.write(b, depth+1)
	}
}

var (
	memoryUnits = map[string]int{"b": 1, "bytes": 1, "k": 1024, "KiB": 1024, "KB": 1000, "M": 1 << 20, "MiB": 1 << 20,
		"MB": 1e6, "G": 1 << 30, "GiB": 1 << 30, "GB": 1e9, "T": 1 << 40, "TiB": 1 << 40, "": 1024}
	memoryTags = map[string]bool{"memory": true, "currentMemory": true, "maxMemory": true, "size": true, "block": true, "requested": true, "current": true}
	emptyTags  = map[string]bool{"bios": true, "baseBoard": true, "chassis": true, "source": true, "sysinfo": true}
	uuidText   = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	numberText = regexp.MustCompile(`^(0x[0-9a-fA-F]+|[0-9]+)$`)
)

func fold(e *etree.Element, parent string, anyUUID bool) *canonNode {
	n := &canonNode{tag: e.Tag, attrs: map[string]string{}, text: strings.TrimSpace(e.Text())}
	if e.Space != "" {
		n.tag = e.Space + ":" + e.Tag
	}
	for _, a := range e.Attr {
		if a.Space != "xmlns" && a.Key != "xmlns" {
			n.attrs[a.Key] = a.Value
		}
	}
	foldMemory(n)
	foldSpelling(n, parent)
	if anyUUID && uuidText.MatchString(n.text) && (parent == "domain" && n.tag == "uuid" || n.tag == "entry" && n.attrs["name"] == "uuid") {
		n.text = "(uuid)"
	}
	for _, k := range e.ChildElements() {
		if k.Tag == "metadata" {
			continue
		}
		if c := fold(k, e.Tag, anyUUID); c != nil {
			n.kids = append(n.kids, c)
		}
	}
	sort.SliceStable(n.kids, func(i, j int) bool { return n.kids[i].tag < n.kids[j].tag })
	empty := len(n.attrs) == 0 && n.text == "" && len(n.kids) == 0
	if empty && emptyTags[n.tag] {
		return nil
	}
	return n
}

func foldMemory(n *canonNode) {
	if v, err := strconv.Atoi(n.text); err == nil && memoryTags[n.tag] {
		n.text = strconv.Itoa(v * memoryUnits[n.attrs["unit"]])
		delete(n.attrs, "unit")
	}
	if v, err := strconv.Atoi(n.attrs["memory"]); err == nil && n.tag == "cell" {
		n.attrs["memory"] = strconv.Itoa(v * memoryUnits[n.attrs["unit"]])
		delete(n.attrs, "unit")
	}
}

func foldSpelling(n *canonNode, parent string) {
	fill := func(name, value string) {
		if _, ok := n.attrs[name]; !ok {
			n.attrs[name] = value
		}
	}
	switch n.tag {
	case "maxMemory":
		if n.attrs["slots"] == "0" {
			delete(n.attrs, "slots")
		}
	case "source":
		if n.attrs["dev"] != "" || n.attrs["file"] != "" {
			delete(n.attrs, "name")
		}
		if parent == "filesystem" && n.attrs["dir"] == "" {
			delete(n.attrs, "dir")
		}
	case "filesystem":
		if v, ok := n.attrs["accessMode"]; ok {
			n.attrs["accessmode"] = v
			delete(n.attrs, "accessMode")
		}
		fill("accessmode", "passthrough")
	case "hostdev":
		fill("mode", "subsystem")
	case "feature":
		if parent == "cpu" {
			fill("policy", "require")
		}
	case "policy":
		if v, err := strconv.ParseUint(n.text, 0, 64); err == nil && parent == "launchSecurity" {
			n.text = strconv.FormatUint(v, 10)
		}
	case "address":
		if parent == "source" && n.attrs["type"] == "pci" {
			delete(n.attrs, "type")
		}
		for k, v := range n.attrs {
			if k != "uuid" && numberText.MatchString(v) && !strings.HasPrefix(v, "00") {
				base := 10
				if strings.HasPrefix(v, "0x") {
					base, v = 16, v[2:]
				}
				if x, err := strconv.ParseUint(v, base, 64); err == nil {
					n.attrs[k] = strconv.FormatUint(x, 10)
				}
			}
		}
	}
}
