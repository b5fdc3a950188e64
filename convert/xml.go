package convert

import (
	"encoding/xml"
	"strings"
)

const qemuNamespace = "http://libvirt.org/schemas/domain/qemu/1.0"

// XML is the domain as text, indented by two spaces, without an XML declaration.
// It declares the qemu namespace at the top and writes the QEMU command line with
// the prefix everyone knows, so that a hook that works on text finds both.
func (r *Result) XML() (string, error) {
	d := *r.Domain
	d.QEMUCommandline = nil
	var b strings.Builder
	b.Grow(r.size())
	enc := xml.NewEncoder(&b)
	enc.Indent("", "  ")
	if err := enc.EncodeElement(&d, domainStart); err != nil {
		return "", err
	}
	text := b.String()
	if l := d.LaunchSecurity; l != nil && l.TDX != nil {
		text = withoutEmptyTDX(text)
	}
	if r.Domain.QEMUCommandline == nil {
		return text, nil
	}
	text = strings.TrimSuffix(text, "</domain>")
	b.Reset()
	b.WriteString(text)
	r.writeCommandline(&b)
	b.WriteString("</domain>")
	return b.String(), nil
}

var domainStart = xml.StartElement{
	Name: xml.Name{Local: "domain"},
	Attr: []xml.Attr{{Name: xml.Name{Local: "xmlns:qemu"}, Value: qemuNamespace}},
}

// size is about how long the text will be.
func (r *Result) size() int {
	size := 3072
	if d := r.Domain.Devices; d != nil {
		size += 440 * (len(d.Disks) + len(d.Interfaces) + len(d.Hostdevs))
	}
	if v := r.Domain.VCPUs; v != nil {
		size += 72 * len(v.VCPU)
	}
	return size
}

func (r *Result) writeCommandline(b *strings.Builder) {
	b.WriteString("  <qemu:commandline>\n")
	for _, a := range r.Domain.QEMUCommandline.Args {
		b.WriteString(`    <qemu:arg value="`)
		_ = xml.EscapeText(b, []byte(a.Value)) // a Builder takes everything
		b.WriteString("\"></qemu:arg>\n")
	}
	for _, e := range r.Domain.QEMUCommandline.Envs {
		b.WriteString(`    <qemu:env name="`)
		_ = xml.EscapeText(b, []byte(e.Name))
		b.WriteString(`" value="`)
		_ = xml.EscapeText(b, []byte(e.Value))
		b.WriteString("\"></qemu:env>\n")
	}
	b.WriteString("  </qemu:commandline>\n")
}

// withoutEmptyTDX takes out elements that libvirtxml writes although there is no
// value for them. To libvirt an empty one is none, but to a reader of the
// domain it looks like a measurement that was forgotten.
func withoutEmptyTDX(text string) string {
	for _, name := range []string{"mrConfigId", "mrOwner", "mrOwnerConfig"} {
		text = strings.Replace(text, "    <"+name+"></"+name+">\n", "", 1)
	}
	return text
}
