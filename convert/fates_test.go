package convert

import (
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	v1 "kubevirt.io/api/core/v1"
)

// placed is a field that a case sets.
type placed struct {
	c    testCase
	path string
}

// TestFates holds the list of TestFieldsHandled to its word: to change a handled
// field changes the domain, or makes the conversion fail, in at least one case
// in which it is set, by the user or by defaulting; to change an irrelevant one
// changes nothing in any.
func TestFates(t *testing.T) {
	found := map[string][]placed{} // by the pattern of the path
	for _, c := range cases(t) {
		vmi, err := Defaulted(c.vmi(t), c.context(t))
		if err != nil {
			continue
		}
		walkValues(reflect.ValueOf(&vmi.Spec).Elem(), "spec", "spec", func(path, pattern string) {
			found[pattern] = append(found[pattern], placed{c, path})
		})
	}
	var patterns []string
	walkFields(reflect.TypeFor[v1.VirtualMachineInstanceSpec](), "spec", nil, func(path string, leaf bool) bool {
		if leaf {
			patterns = append(patterns, path)
		}
		return true
	})
	sort.Strings(patterns)
	for _, pattern := range patterns {
		f := fateOf(pattern)
		switch {
		case f == handled && !anyMatters(t, found[pattern]):
			t.Errorf("%s is said to be handled, but to change it changes nothing in the %d cases that set it", pattern, len(found[pattern]))
		case strings.HasPrefix(string(f), "irrelevant"):
			for _, p := range found[pattern] {
				if matters(t, p) {
					t.Errorf("%s is said to be irrelevant, but to change it changes the domain of %s", p.path, p.c.name)
				}
			}
		}
	}
}

// fateOf is that of the path itself or the nearest one above.
func fateOf(path string) fate {
	best := ""
	for above := range apiFields {
		if within(path, above) && len(above) > len(best) {
			best = above
		}
	}
	return apiFields[best]
}

func anyMatters(t *testing.T, list []placed) bool {
	for _, p := range list {
		if matters(t, p) {
			return true
		}
	}
	return false
}

// matters says whether one of the changes of a place changes the outcome, in the
// VMI as given or as defaulted.
func matters(t *testing.T, p placed) bool {
	t.Helper()
	given, ctx := p.c.vmi(t), p.c.context(t)
	full, err := Defaulted(given, ctx)
	if err != nil {
		t.Fatal(err)
	}
	cf := &counterfactual{t: t, ctx: ctx}
	before := cf.runOn(given, func(*v1.VirtualMachineInstance, *Context) bool { return true })
	for _, base := range []*v1.VirtualMachineInstance{given, full} {
		for n := -1; n < 8; n++ {
			after := cf.runOn(base, func(vmi *v1.VirtualMachineInstance, ctx *Context) bool { return cf.apply(vmi, ctx, p.path, n) })
			if after == nil {
				break
			}
			if after.failed != before.failed || !reflect.DeepEqual(after.values, before.values) {
				return true
			}
		}
	}
	return false
}

// walkValues calls visit for every set leaf of a value.
func walkValues(v reflect.Value, path, pattern string, visit func(path, pattern string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			if e := v.Elem(); e.Kind() == reflect.Struct && e.NumField() == 0 || e.Kind() != reflect.Struct && e.IsZero() {
				visit(path, pattern)
			}
			walkValues(v.Elem(), path, pattern, visit)
		}
		return
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.String || v.Type().Elem().Kind() == reflect.Uint8 {
			if v.Len() > 0 {
				visit(path, pattern)
			}
			return
		}
		for i := range v.Len() {
			walkValues(v.Index(i), path+"["+strconv.Itoa(i)+"]", pattern+"[]", visit)
		}
		return
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			visit(joinKey(path, it.Key().String()), pattern)
		}
		return
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[resource.Quantity]() || opaque(v.Type()) {
			visit(path, pattern)
			return
		}
		for _, name := range jsonNames(v.Type()) {
			if f, err := v.FieldByIndexErr(fieldIndexes(v.Type())[name]); err == nil {
				walkValues(f, path+"."+name, pattern+"."+name, visit)
			}
		}
		return
	}
	if !v.IsZero() {
		visit(path, pattern)
	}
}
