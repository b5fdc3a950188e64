package migrate

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/migxml/migxml/pathmap"
)

// Facts is what a plan needs to know besides the source XML: the contents of
// target.yaml, field by key. The zero Facts knows nothing, and a plan made with
// it only strips what always goes. Facts are plain values: the same facts
// and the same document give the same plan on any machine.
type Facts struct {
	// Source says who and what the guest is now.
	Source SourceFacts
	// Target says who the guest will be, and what the target can do.
	Target TargetFacts
	// Migration names the attempt that the facts were collected for.
	Migration MigrationFacts
	// Policy holds decisions of the agent or operator.
	Policy Policy
	// Paths maps host files, directories and sockets, the longest match on
	// whole components first. An entry with From equal to To says that the
	// path is valid in both pods.
	Paths []PathFact
	// Roots says where pod layouts differ from KubeVirt v1.9.0's own.
	Roots pathmap.Roots
}

// SourceFacts is the section source of target.yaml.
type SourceFacts struct {
	// Namespace and Name of the VMI. Empty: read from the domain's name,
	// namespace_name, where the target names one.
	Namespace, Name string
	// UID of the VMI, which names the directory of its sockets and logs.
	UID string
	// Libvirt and QEMU are the versions on the source, for the reader.
	Libvirt, QEMU string
}

// TargetFacts is the section target of target.yaml.
type TargetFacts struct {
	// Namespace, Name and UID of the VMI on the target. Empty: as the source.
	Namespace, Name, UID string
	// Libvirt and QEMU are the versions on the target, for the reader.
	Libvirt, QEMU string
	// Machines lists the machine types of the target's QEMU. Empty: unknown.
	Machines []string
}

// MigrationFacts is the section migration of target.yaml.
type MigrationFacts struct{ ID, CollectedAt string }

// Policy is the section policy of target.yaml.
type Policy struct {
	// Strict refuses a host-bound value that no fact covers.
	Strict bool
	// Side says which side runs which rule.
	Side SidePolicy
}

// SidePolicy is policy.side of target.yaml: rule names, or "all" for every rule
// that the other side does not name. The zero SidePolicy gives every
// rule to either side.
type SidePolicy struct{ Source, Target []string }

// PathFact is one entry of paths in target.yaml.
type PathFact struct{ From, To string }

// destName is the DestName parameter of the run.
func (f *Facts) destName() string {
	if f.Target.Namespace == "" && f.Target.Name == "" {
		return ""
	}
	return f.Target.Namespace + "_" + f.Target.Name
}

// complete fills in what the facts leave to the document: the source's
// namespace and name come from the domain's name, and a target that names only
// one of the two keeps the source's other.
func (f Facts) complete(domain domainName) (Facts, error) {
	errs := f.checkNames()
	if f.Target.UID != "" && f.Source.UID == "" {
		errs = append(errs, &FactError{Rule: "ID-3", Device: "domain", Fact: "source.uid",
			Reason: fmt.Sprintf("target.uid is %s, but the UID that names the source's directories is missing", f.Target.UID)})
	}
	if domain.uid != "" && f.Source.UID != "" && domain.uid != f.Source.UID && domain.uid != f.Target.UID {
		errs = append(errs, &FactError{Rule: "ID-3", Device: "metadata", Fact: "source.uid",
			Reason: fmt.Sprintf("KubeVirt's metadata in the document says that the guest's UID is %s, the facts say %s", quoteShort(domain.uid), quoteShort(f.Source.UID))})
	}
	namespace, name, ok := domain.parts()
	if ok && !f.bears(namespace, name) {
		errs = append(errs, &FactError{Rule: "D-3", Device: "domain", Path: "/domain/name", Line: domain.line, Column: domain.column, Fact: "source",
			Reason: fmt.Sprintf("the domain's name is %s, but the facts call %s", quoteShort(domain.text), f.called(namespace, name))})
	}
	if f.Target.Namespace != "" || f.Target.Name != "" {
		for _, part := range []struct {
			value *string
			found string
			fact  string
		}{{&f.Source.Namespace, namespace, "source.namespace"}, {&f.Source.Name, name, "source.name"}} {
			if *part.value != "" {
				continue
			}
			if !ok {
				errs = append(errs, &FactError{Rule: "D-3", Device: "domain", Path: "/domain/name", Line: domain.line, Column: domain.column, Fact: part.fact,
					Reason: fmt.Sprintf("the domain's name is %s, not namespace_name, so the facts must say source: {namespace: …, name: …}", quoteShort(domain.text))})
				continue
			}
			*part.value = part.found
		}
		f.Target.Namespace = cmp.Or(f.Target.Namespace, f.Source.Namespace)
		f.Target.Name = cmp.Or(f.Target.Name, f.Source.Name)
	}
	return f, errors.Join(errs...)
}

// called says what the facts call the guest, for a message; namespace and name stand in
// where they leave out the source's.
func (f *Facts) called(namespace, name string) string {
	namespace, name = cmp.Or(f.Source.Namespace, namespace), cmp.Or(f.Source.Name, name)
	words := "the source " + namespace + "/" + name
	if f.Target.Namespace != "" || f.Target.Name != "" {
		words += " and the target " + cmp.Or(f.Target.Namespace, namespace) + "/" + cmp.Or(f.Target.Name, name)
	}
	return words
}

// domainName is the name in a document and where it stands, and the UID in KubeVirt's
// metadata. The verifier, whose parser knows no places, has the name alone.
type domainName struct {
	text         string
	line, column int
	uid          string
}

// parts takes namespace_name apart.
func (d domainName) parts() (namespace, name string, ok bool) {
	namespace, name, ok = strings.Cut(d.text, "_")
	return namespace, name, ok && namespace != "" && name != "" && !strings.Contains(name, "_")
}

// bears tells whether a domain name is the source's, or the target's, which a
// document bears in the target's hook. A part that the facts leave out is fine.
func (f *Facts) bears(namespace, name string) bool {
	fits := func(wantNamespace, wantName string) bool {
		return (wantNamespace == "" || wantNamespace == namespace) && (wantName == "" || wantName == name)
	}
	named := f.Target.Namespace != "" || f.Target.Name != ""
	return fits(f.Source.Namespace, f.Source.Name) || named && fits(f.Target.Namespace, f.Target.Name)
}

// checkNames refuses names that Kubernetes cannot have given: they become
// components of paths, and the name of the domain on the target.
func (f *Facts) checkNames() []error {
	var errs []error
	for _, n := range []struct{ fact, value string }{
		{"source.namespace", f.Source.Namespace}, {"source.name", f.Source.Name},
		{"target.namespace", f.Target.Namespace}, {"target.name", f.Target.Name},
	} {
		if fault := nameFault(n.fact, n.value); fault != "" {
			errs = append(errs, &FactError{Rule: "ID-1", Device: "domain", Fact: n.fact, Reason: fault})
		}
	}
	return errs
}

// nameFault says why Kubernetes cannot have given a name; "" if it can.
func nameFault(fact, value string) string {
	faults, want := validation.IsDNS1123Subdomain, "at most 253 lower-case letters, digits, hyphens and dots"
	if strings.HasSuffix(fact, ".namespace") {
		faults, want = validation.IsDNS1123Label, "at most 63 lower-case letters, digits and hyphens"
	}
	if value == "" || len(faults(value)) == 0 {
		return ""
	}
	return quoteShort(value) + " is no name that Kubernetes gives: want " + want
}

// rules returns the rules that one side runs, in order. Each rule must belong
// to exactly one side once the policy speaks.
func (s SidePolicy) rules(side Side) ([]*Rule, error) {
	owner, err := s.owners()
	if err != nil {
		return nil, err
	}
	enabled := make([]*Rule, 0, len(rules))
	for i := range rules {
		r := &rules[i]
		on := side == SideBoth || owner == nil || owner[r.Name] == side
		if on && (r.Side == SideBoth || side == SideBoth || r.Side == side) {
			enabled = append(enabled, r)
		}
	}
	return enabled, nil
}

// owners says which side each rule belongs to, or nil for an empty policy.
func (s SidePolicy) owners() (map[string]Side, error) {
	if len(s.Source) == 0 && len(s.Target) == 0 {
		return nil, nil
	}
	owner := map[string]Side{}
	all := SideBoth
	var errs []error
	complain := func(format string, args ...any) {
		errs = append(errs, &FactError{Rule: "policy", Fact: "policy.side", Reason: fmt.Sprintf(format, args...)})
	}
	for _, list := range []struct {
		side  Side
		names []string
	}{{SideSource, s.Source}, {SideTarget, s.Target}} {
		for _, name := range list.names {
			if name == "all" {
				if all != SideBoth {
					complain("all stands on both sides; one side runs what the other does not name")
				}
				all = list.side
				continue
			}
			if _, found := ruleNamed(name); !found {
				complain("%s names the rule %s, which does not exist; migxml rules lists them", list.side, quoteShort(name))
			}
			if _, twice := owner[name]; twice {
				complain("rule %s stands twice; each rule runs exactly once", name)
			}
			owner[name] = list.side
		}
	}
	var nowhere []string
	for i := range rules {
		if _, named := owner[rules[i].Name]; !named {
			nowhere = append(nowhere, rules[i].Name)
			owner[rules[i].Name] = all
		}
	}
	if all == SideBoth && len(nowhere) > 0 {
		complain("%s on neither side; each rule runs exactly once, so give one side all, which stands for the rest", strings.Join(nowhere, ", "))
	}
	return owner, errors.Join(errs...)
}
