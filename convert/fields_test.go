package convert

import (
	"reflect"
	"sort"
	"testing"

	v1 "kubevirt.io/api/core/v1"
)

// fate says what becomes of a field of the API.
type fate string

// A field is handled (it reaches the domain), refused, or irrelevant with a
// reason. A fate of a field that holds others counts for all below it that have
// none of their own.
const (
	handled fate = "handled" // it reaches the domain, or decides about it
	refused fate = "refused" // a VMI that sets it cannot be converted
)

// irrelevant is the fate of a field that does not reach the domain.
func irrelevant(why string) fate { return fate("irrelevant: " + why) }

// apiFields is the fate of every field of VirtualMachineInstanceSpec, by its
// path as ref writes it, with "[]" for each element of a list. The areas add
// theirs in files of their own.
var apiFields = map[string]fate{}

var twoFates []string

// addFields is called by the areas' lists.
func addFields(list map[string]fate) bool {
	for path, f := range list {
		if _, twice := apiFields[path]; twice {
			twoFates = append(twoFates, path)
		}
		apiFields[path] = f
	}
	return true
}

// TestFieldsHandled walks over the API's types: a field that a newer version adds
// fails here until someone has decided what becomes of it.
func TestFieldsHandled(t *testing.T) {
	used := map[string]bool{}
	var open []string
	walkFields(reflect.TypeFor[v1.VirtualMachineInstanceSpec](), "spec", nil, func(path string, leaf bool) bool {
		if _, ok := apiFields[path]; ok {
			used[path] = true
			return hasBelow(path)
		}
		if leaf && !coveredAbove(path) {
			open = append(open, path)
		}
		return true
	})
	for _, path := range twoFates {
		t.Errorf("%s: two fates", path)
	}
	sort.Strings(open)
	for _, path := range open {
		t.Errorf("%s: nobody has decided what becomes of this field", path)
	}
	for path := range apiFields {
		if !used[path] {
			t.Errorf("%s: the API has no such field", path)
		}
	}
}

func hasBelow(path string) bool {
	for other := range apiFields {
		if other != path && within(other, path) {
			return true
		}
	}
	return false
}

func coveredAbove(path string) bool {
	for above := range apiFields {
		if within(path, above) {
			return true
		}
	}
	return false
}

// walkFields calls visit for every field; visit says whether to go below.
func walkFields(t reflect.Type, path string, seen []reflect.Type, visit func(path string, leaf bool) bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		if t.Kind() == reflect.Slice {
			path += "[]"
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || opaque(t) {
		return
	}
	for _, s := range seen {
		if s == t {
			return
		}
	}
	for _, name := range jsonNames(t) {
		f := t.FieldByIndex(fieldIndexes(t)[name])
		below := path + "." + name
		if visit(below, isLeafType(f.Type)) {
			walkFields(f.Type, below, append(seen, t), visit)
		}
	}
}

func isLeafType(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t.Kind() != reflect.Struct || opaque(t) || t.NumField() == 0
}

var _ = addFields(map[string]fate{
	"spec.architecture":                             handled,
	"spec.domain.machine":                           handled,
	"spec.priorityClassName":                        irrelevant("priority of the pod"),
	"spec.nodeSelector":                             irrelevant("where the pod runs"),
	"spec.affinity":                                 irrelevant("where the pod runs"),
	"spec.schedulerName":                            irrelevant("where the pod runs"),
	"spec.tolerations":                              irrelevant("where the pod runs"),
	"spec.topologySpreadConstraints":                irrelevant("where the pod runs"),
	"spec.evictionStrategy":                         irrelevant("what happens when the node is drained"),
	"spec.terminationGracePeriodSeconds":            irrelevant("how the guest is stopped; the launcher keeps it"),
	"spec.livenessProbe":                            irrelevant("how the running guest is watched"),
	"spec.readinessProbe":                           irrelevant("how the running guest is watched"),
	"spec.hostname":                                 irrelevant("name of the pod, and cloud-init's data"),
	"spec.subdomain":                                irrelevant("name of the pod, and cloud-init's data"),
	"spec.dnsPolicy":                                irrelevant("network of the pod"),
	"spec.dnsConfig":                                irrelevant("network of the pod"),
	"spec.accessCredentials":                        irrelevant("given to the guest through cloud-init or its agent"),
	"spec.domain.resources.overcommitGuestOverhead": irrelevant("requests of the pod"),
	"spec.domain.resources.requests":                handled,
	"spec.domain.resources.limits":                  handled,
})
