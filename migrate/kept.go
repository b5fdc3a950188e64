package migrate

import (
	"net/netip"
	"strings"

	"github.com/migxml/migxml/migrate/internal/xmledit"
)

// keep lists every host-bound value that no edit touches, with the reason, and
// under strict policy refuses those that no fact covers.
func (p *planner) keep() {
	for i := range p.hits {
		h := &p.hits[i]
		if h.moved || h.err != nil {
			continue
		}
		value, path := h.old, p.pathOf(h)
		if h.place.kind == kindHost && h.attr.Local() == "bus" {
			value, path = hostAddress(h.elem), h.elem.Path()
		}
		if h.place.kind == kindText || h.place.kind == kindQEMUArg {
			value = pathIn(h.place.kind, h.old)
		}
		reason, covered := p.keepReason(h)
		if reason == "" {
			continue
		}
		line, column := p.doc.Position(h.span().Start)
		k := Kept{Device: p.deviceOf(h), Path: path, Line: line, Column: column,
			Value: value, Covered: covered, Reason: reason}
		p.kept = append(p.kept, k)
		if p.options.Strict && !covered {
			p.errs = append(p.errs, &FactError{Rule: "policy", Device: k.Device, Path: k.Path, Line: line, Column: column, Fact: "policy.strict",
				Reason: quoteShort(value) + " is bound to the source's host and strict policy wants a fact for it: " + reason})
		}
	}
}

// keepReason says why a value stays, and whether a fact covers it; no reason
// means that the value is not host-bound after all.
func (p *planner) keepReason(h *hit) (reason string, covered bool) {
	what := "the " + h.place.what
	switch {
	case h.loose:
		return "not a place known to hold a host path, so no rule may touch it", false
	case h.known && h.rule == "paths" && h.from != "":
		return what + " is valid in both pods, says the path entry " + h.from, true
	case h.known:
		return what + " lies at the same place in every pod of this guest", true
	case h.place.kind == kindHost || h.place.kind == kindPath && !strings.HasPrefix(h.old, "/"):
		if isEverywhere(h.old) {
			return what + " exists on every host", true
		}
		return what + ": no fact speaks for it", false
	case h.place.kind == kindPath:
		return what + ": no path entry covers it", false
	case pathIn(h.place.kind, h.old) != "":
		return what + " names a path that no path entry covers", false
	}
	return "", false
}

// pathIn returns the first absolute path that a text, or an option of a QEMU
// argument, has as its value; the rest of the text can hold secrets.
func pathIn(k kind, text string) string {
	options := []string{text}
	if k == kindQEMUArg {
		options = splitOptions(text)
	}
	for _, option := range options {
		value := option[strings.LastIndexAny(option, "=:")+1:]
		if strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "//") {
			return value
		}
	}
	return ""
}

// isEverywhere: loopback and wildcard addresses are the same on any host.
func isEverywhere(value string) bool {
	if value == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(value)
	return err == nil && (addr.IsLoopback() || addr.IsUnspecified())
}

// hostAddress joins the attributes of a host device's address.
func hostAddress(e xmledit.Element) string {
	hex := func(name string) string { return strings.TrimPrefix(e.Attr(name).Value(), "0x") }
	switch {
	case e.Attr("device").Exists():
		return e.Attr("bus").Value() + ":" + e.Attr("device").Value()
	case !e.Attr("slot").Exists():
		return e.Attr("bus").Value() + ":" + e.Attr("target").Value() + ":" + e.Attr("unit").Value()
	}
	return hex("domain") + ":" + hex("bus") + ":" + hex("slot") + "." + hex("function")
}
