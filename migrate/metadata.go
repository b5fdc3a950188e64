package migrate

import (
	"fmt"
	"slices"

	"github.com/beevik/etree"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// kubevirtNamespace is the namespace of KubeVirt's own domain metadata.
const kubevirtNamespace = "http://kubevirt.io"

// removeKubeVirtMetadata is ID-5. Where nothing else is left the metadata
// element goes too.
func removeKubeVirtMetadata(p *planner) {
	for metadata := range p.doc.Root().Children() {
		if metadata.Name() != "metadata" {
			continue
		}
		var gone []xmledit.Element
		others := 0
		for e := range metadata.Children() {
			if e.Space() == kubevirtNamespace {
				gone = append(gone, e)
			} else {
				others++
			}
		}
		const reason = "it describes the guest on the source pod; the target writes its own"
		switch {
		case len(gone) == 0:
		case others == 0:
			p.removeElement("ID-5", metadata, "KubeVirt's metadata", reason)
		default:
			for _, e := range gone {
				p.removeElement("ID-5", e, "KubeVirt's metadata", reason)
			}
		}
	}
}

// kubevirtUID is the UID of the VMI that KubeVirt's metadata names, or "".
func kubevirtUID(doc *xmledit.Document) string {
	for e := range doc.Root().Child("metadata").Children() {
		if e.Space() != kubevirtNamespace {
			continue
		}
		for c := range e.Children() {
			if c.Space() == kubevirtNamespace && c.Local() == "uid" {
				return c.Text().Trimmed()
			}
		}
	}
	return ""
}

// metadata: KubeVirt's own must be gone, everyone else's must be as it was.
func (v *verifier) metadata(src, dst *etree.Element) {
	before, after := foreignMetadata(src, v.runs["ID-5"]), foreignMetadata(dst, false)
	for _, e := range after {
		if v.runs["ID-5"] && namespaceOf(e) == kubevirtNamespace {
			v.object(&LeftoverError{Device: "metadata", Path: e.GetPath(), Value: e.FullTag(), Found: e.FullTag(),
				Reason: "KubeVirt's metadata describes the guest on the source pod (rule ID-5)"})
			return
		}
	}
	if len(before) != len(after) {
		v.report(spot{e: src}, fmt.Sprintf("%d elements", len(before)), fmt.Sprintf("%d elements", len(after)), false,
			"metadata of others must stay")
		return
	}
	for i := range before {
		if !sameTree(before[i], after[i]) {
			v.report(spot{e: before[i]}, "(as it was)", "(changed)", false, "metadata of others must stay")
		}
		v.hunt(after[i], nil)
	}
}

func foreignMetadata(domain *etree.Element, strip bool) []*etree.Element {
	var children []*etree.Element
	for _, e := range domain.SelectElements("metadata") {
		children = append(children, e.ChildElements()...)
	}
	if !strip {
		return children
	}
	return slices.DeleteFunc(children, func(c *etree.Element) bool { return namespaceOf(c) == kubevirtNamespace })
}

// sameTree compares two elements to the last character, comments aside.
func sameTree(a, b *etree.Element) bool {
	if a.Tag != b.Tag || namespaceOf(a) != namespaceOf(b) || len(a.Attr) != len(b.Attr) || elementText(a) != elementText(b) {
		return false
	}
	for i := range a.Attr {
		if d := attribute(b, &a.Attr[i]); d == nil || d.Value != a.Attr[i].Value {
			return false
		}
	}
	x, y := a.ChildElements(), b.ChildElements()
	return slices.EqualFunc(x, y, sameTree)
}
