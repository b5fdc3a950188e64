package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/migxml/migxml/migrate/internal/xmledit"
	"github.com/migxml/migxml/pathmap"
)

// Options says which rules a plan runs. The zero Options runs all rules of
// both sides.
type Options struct {
	// Side whose rules run; which rule belongs to which side is decided by
	// policy.side in the facts, and without that every rule runs on either.
	Side Side
	// Strict refuses a host-bound value that no fact covers, as policy.strict
	// in the facts does.
	Strict bool
}

// Plan is what a set of facts makes of one document: the edits, and what was
// left alone and why. It is immutable and safe for concurrent use.
type Plan struct {
	// Edits in document order.
	Edits []Edit `json:"edits"`
	// Kept lists the host-bound values that no edit touches, in document order.
	Kept []Kept `json:"kept"`
	// Unused lists the entries of the facts' paths that no place of the
	// document needed.
	Unused []pathmap.Entry `json:"unused"`
	// DestName is the DestName parameter of the run, namespace_name of the
	// target, or "" when the facts name no target. The name in the document
	// stays: libvirt refuses any other.
	DestName string `json:"destName,omitempty"`

	source  []byte
	facts   Facts
	options Options
	refused error
}

// Kept is a host-bound value that stays as it is.
type Kept struct {
	Device string `json:"device"`
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Value  string `json:"value"`
	// Covered tells that a fact, or the value itself, says it is good on the
	// target. Strict policy refuses the others.
	Covered bool   `json:"covered"`
	Reason  string `json:"reason"`
}

// NewPlan reads the migratable XML of a running guest, or the persistent
// definition, and works out what the facts ask to change. The two documents are
// planned separately with the same facts.
//
// A document that is no domain is refused with *DocumentError and a nil plan.
// When facts are missing or disagree, NewPlan returns every *FactError, joined,
// together with the plan as far as the facts carry it: good for showing, and
// refused by Apply with the same errors.
func NewPlan(source []byte, f Facts, o Options) (*Plan, error) {
	w := takeWorkspace()
	defer w.giveBack(len(source))
	doc, err := parseDomain(&w.reader, source, "source")
	if err != nil {
		return nil, err
	}
	p, err := newPlanner(doc, f, o)
	if err != nil {
		return nil, err
	}
	p.workspace = w
	p.collect()
	p.reserve()
	for _, r := range p.enabled {
		r.run(p)
	}
	p.keep()
	p.keepApart()
	plan := p.plan()
	plan.source = source
	return plan, plan.refused
}

// reserve makes room for what stays.
func (p *planner) reserve() {
	moved := 0
	for i := range p.hits {
		if p.hits[i].moved {
			moved++
		}
	}
	p.kept = make([]Kept, 0, len(p.hits)-moved)
}

// Source is the SHA-256 of the source document, in hexadecimal. It is worked out when
// it is asked for: a plan that is applied at once does not need it.
func (p *Plan) Source() string {
	sum := sha256.Sum256(p.source)
	return hex.EncodeToString(sum[:])
}

// Apply splices the edits into the source document and verifies the result.
// Errors are those of NewPlan, *EditError when the document has changed under
// the plan, and those of Verify.
func (p *Plan) Apply() ([]byte, error) {
	if p.refused != nil {
		return nil, p.refused
	}
	dest, err := Splice(p.source, p.Edits)
	if err != nil {
		return nil, err
	}
	// NewPlan has checked that the source is well-formed.
	if err := verify(p.source, dest, p.facts, p.options, true); err != nil {
		return nil, err
	}
	return dest, nil
}

// maxElements bounds what the verifier's tree takes of memory. A domain as
// large as xmledit reads one (16 MiB) has fewer, unless it is made of nothing but tags.
const maxElements = 1 << 19

// maxAttributes bounds the attributes of one element. libvirt's own reader takes
// minutes for some hundred thousand, and no element of its has fifty.
const maxAttributes = 512

// parseDomain reads a document with r and insists that it is a domain.
func parseDomain(r *xmledit.Reader, data []byte, which string) (*xmledit.Document, error) {
	doc, err := r.Parse(data, xmledit.Limits{})
	var bad *xmledit.Error
	if errors.As(err, &bad) {
		return nil, &DocumentError{Which: which, Line: bad.Line, Column: bad.Column, Reason: bad.Msg}
	}
	if err != nil {
		return nil, err
	}
	if doc.Len() > maxElements {
		return nil, &DocumentError{Which: which, Line: 1, Column: 1, Reason: fmt.Sprintf("%d elements, the limit is %d", doc.Len(), maxElements)}
	}
	for e := range doc.Elements() {
		if n := e.NumAttrs(); n > maxAttributes {
			line, column := doc.Position(e.Span().Start)
			return nil, &DocumentError{Which: which, Line: line, Column: column, Reason: fmt.Sprintf("element %s has %d attributes, the limit is %d", quoteShort(e.Name()), n, maxAttributes)}
		}
	}
	root := doc.Root()
	if root.Name() != "domain" || root.Space() != "" {
		line, column := doc.Position(root.Span().Start)
		return nil, &DocumentError{Which: which, Line: line, Column: column,
			Reason: "root element is " + quoteShort(root.Name()) + " in namespace " + quoteShort(root.Space()) + ", want domain in none"}
	}
	return doc, nil
}

// planner is one run of the rules over one document.
type planner struct {
	*workspace
	doc     *xmledit.Document
	facts   Facts
	options Options
	enabled []*Rule
	maps    *pathMaps
	around  xmledit.Element // the device, or section, that is being walked
	kept    []Kept
	used    map[string]bool
	errs    []error
}

func newPlanner(doc *xmledit.Document, f Facts, o Options) (*planner, error) {
	f, err := f.complete(nameOf(doc))
	if err != nil {
		return nil, err
	}
	enabled, err := f.Policy.Side.rules(o.Side)
	if err != nil {
		return nil, err
	}
	maps, err := newPathMaps(&f, enabled)
	if err != nil {
		return nil, err
	}
	o.Strict = o.Strict || f.Policy.Strict
	return &planner{doc: doc, facts: f, options: o, enabled: enabled, maps: maps}, nil
}

// plan closes the run.
func (p *planner) plan() *Plan {
	edits := inOrder(p.edits)
	for i := range edits {
		edits[i].Line, edits[i].Column = p.doc.Position(edits[i].Start)
	}
	return &Plan{
		Edits:    edits,
		Kept:     p.kept,
		Unused:   p.unused(),
		DestName: p.facts.destName(),
		facts:    p.facts,
		options:  p.options,
		refused:  errors.Join(p.errs...),
	}
}

// inOrder copies edits sorted by place, those of one place as the rules gave them.
// It moves each edit once: they are large.
func inOrder(edits []Edit) []Edit {
	order := make([]int32, len(edits))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return edits[a].Start - edits[b].Start })
	sorted := make([]Edit, len(edits))
	for i, at := range order {
		sorted[i] = edits[at]
	}
	return sorted
}

// unused lists the path entries of the facts that no hit was mapped by.
func (p *planner) unused() []pathmap.Entry {
	var unused []pathmap.Entry
	if p.maps.explicit.Len() > 0 && contains(p.enabled, "paths") {
		for _, e := range p.maps.explicit.All() {
			if !p.used[e.Source] {
				unused = append(unused, e)
			}
		}
	}
	return unused
}

// removeElement reports that an element goes, with its own line.
func (p *planner) removeElement(rule string, e xmledit.Element, old, reason string) {
	span := e.Lines()
	p.edits = append(p.edits, Edit{
		Rule: rule, Device: deviceOf(e), Path: e.Path(),
		Start: span.Start, End: span.End,
		Before: p.doc.Source()[span.Start:span.End],
		Old:    old, New: "(removed)", Reason: reason,
	})
}

// refuse reports a fact that is missing, or wrong, for a place.
func (p *planner) refuse(rule, fact string, e xmledit.Element, path string, at int, reason string) {
	line, column := p.doc.Position(at)
	p.errs = append(p.errs, &FactError{
		Rule: rule, Device: deviceOf(e), Path: path, Line: line, Column: column, Fact: fact, Reason: reason,
	})
}

// nameOf reads the domain's name and its place.
func nameOf(doc *xmledit.Document) domainName {
	name := doc.Root().Child("name")
	line, column := doc.Position(name.Span().Start)
	return domainName{name.Text().Trimmed(), line, column, kubevirtUID(doc)}
}
