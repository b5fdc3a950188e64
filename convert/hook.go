package convert

import (
	"encoding/json"
	"fmt"
	"strings"

	v1 "kubevirt.io/api/core/v1"
	"libvirt.org/go/libvirtxml"
)

// HookError is a domain hook that failed, or whose answer is no domain.
type HookError struct {
	Hook   string // its name
	Reason string
	Words  string // what the hook itself said, "" for nothing
}

func (e *HookError) Error() string {
	text := "hook " + e.Hook + ": " + e.Reason
	if e.Words != "" {
		text += ": " + e.Words
	}
	return text
}

// scaffold are the empty elements that hooks expect to find in the sysinfo and
// replace by text (hooks.md 4). libvirt's schema does not have them empty, so
// they are there for the hooks only.
const scaffold = "\t\t<bios></bios>\n\t\t<baseBoard></baseBoard>\n\t\t<chassis></chassis>\n"

// HookInput is what the first domain hook is given: the defaulted VMI as JSON,
// and the domain's XML as KubeVirt writes it for hooks, indented by tabs and with
// the elements that hooks look for.
func HookInput(r *Result, vmi *v1.VirtualMachineInstance, ctx Context) (vmiJSON, domainXML string, err error) {
	full, err := Defaulted(vmi, ctx)
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal(full)
	if err != nil {
		return "", "", err
	}
	text, err := r.XML()
	if err != nil {
		return "", "", err
	}
	text = tabs(text)
	if r.Domain.SysInfo != nil && strings.Contains(text, "\t</sysinfo>") {
		missing := ""
		for line := range strings.SplitAfterSeq(scaffold, "\n") {
			if name, _, ok := strings.Cut(line, ">"); ok && !strings.Contains(text, name+">") {
				missing += line
			}
		}
		text = strings.Replace(text, "\t</sysinfo>", missing+"\t</sysinfo>", 1)
	}
	return string(b), text, nil
}

// tabs indents every line by a tab where it was indented by two spaces. A line
// break inside a value is written as a reference, so every line is an element's.
func tabs(text string) string {
	var b strings.Builder
	for line := range strings.SplitAfterSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		b.WriteString(strings.Repeat("\t", (len(line)-len(rest))/2))
		b.WriteString(rest)
	}
	return b.String()
}

// HookOutput is the domain after the last hook: its text as it came, without the
// scaffold where no hook has used it.
func HookOutput(text string) string {
	for line := range strings.SplitAfterSeq(scaffold, "\n") {
		if line != "" {
			text = strings.Replace(text, line, "", 1)
		}
	}
	return strings.TrimRight(text, "\n")
}

// CheckHook reads the answer of a domain hook. It is a *HookError when libvirt
// could not read it either.
func CheckHook(name, text string) (*libvirtxml.Domain, error) {
	root, err := parseXML(text)
	if err != nil {
		return nil, &HookError{Hook: name, Reason: fmt.Sprintf("its answer is no XML: %v", err), Words: firstLine(text)}
	}
	if root.name != "domain" {
		return nil, &HookError{Hook: name, Reason: fmt.Sprintf("its answer is a <%s>, want a <domain>", root.name)}
	}
	d := &libvirtxml.Domain{}
	if err := d.Unmarshal(text); err != nil {
		return nil, &HookError{Hook: name, Reason: fmt.Sprintf("its answer is no domain: %v", err)}
	}
	return d, nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return shorten(line)
}

// Hook takes over the answer of a domain hook: the causes of what it left alone
// stay, those of what it changed or added become the hook's, and what it removed
// is listed as absent.
func (e *Explanation) Hook(name, text string) error {
	text = HookOutput(text)
	d, err := CheckHook(name, text)
	if err != nil {
		return err
	}
	root, err := parseXML(text)
	if err != nil {
		return err
	}
	before, err := e.XML()
	if err != nil {
		return err
	}
	was, err := parseXML(before)
	if err != nil {
		return err
	}
	h := hookWalk{origin: Origin("hook " + name), before: map[string]*Cause{}}
	for i := range e.Causes {
		h.before[e.Causes[i].Path] = &e.Causes[i]
	}
	h.element(was, root, "/domain", "/domain")
	e.Causes, e.Absent = h.causes, append(e.Absent, h.gone...)
	e.Domain, e.text = d, text
	return nil
}

// hookWalk compares two documents and carries the causes over.
type hookWalk struct {
	origin Origin
	before map[string]*Cause
	causes []Cause
	gone   []Absent
}

// element goes over a pair of elements; either may be nil.
func (h *hookWalk) element(was, is *xmlNode, wasPath, isPath string) {
	if is == nil {
		h.removed(was, wasPath)
		return
	}
	for _, a := range is.attrs {
		h.leaf(was.attr(a.name), wasPath+"/@"+a.name, isPath+"/@"+a.name, a.value)
	}
	if was != nil {
		for _, a := range was.attrs {
			if is.attr(a.name) == nil {
				h.lost(wasPath+"/@"+a.name, a.value)
			}
		}
		if was.leaf() && !is.leaf() && was.text != "" {
			h.lost(wasPath, was.text)
		}
	}
	if is.leaf() {
		var before *string
		if was != nil && was.leaf() {
			before = &was.text
		}
		h.leaf(before, wasPath, isPath, is.text)
	}
	for _, p := range pairKids(was, is) {
		h.element(p.was, p.is, wasPath+p.was.step(), isPath+p.is.step())
	}
}

func (h *hookWalk) leaf(before *string, wasPath, isPath, value string) {
	c := Cause{Path: isPath, Value: value, Step: "hooks", Origin: h.origin, Reason: "the hook added it"}
	if before != nil {
		if had := h.before[wasPath]; had != nil && *before == value {
			c = *had
			c.Path = isPath
		} else {
			c.Reason = fmt.Sprintf("the hook changed it from %q", *before)
		}
	}
	h.causes = append(h.causes, c)
}

func (h *hookWalk) removed(was *xmlNode, path string) {
	for _, a := range was.attrs {
		h.lost(path+"/@"+a.name, a.value)
	}
	if was.leaf() {
		h.lost(path, was.text)
	}
	for _, k := range was.kids {
		h.removed(k, path+k.step())
	}
}

func (h *hookWalk) lost(path, value string) {
	h.gone = append(h.gone, Absent{Path: path, Reason: fmt.Sprintf("%s removed it; it was %q", h.origin, value)})
}

func (n *xmlNode) attr(name string) *string {
	if n == nil {
		return nil
	}
	for i := range n.attrs {
		if n.attrs[i].name == name {
			return &n.attrs[i].value
		}
	}
	return nil
}
