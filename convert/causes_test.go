package convert

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	v1 "kubevirt.io/api/core/v1"
)

// TestCauses holds every cause of every case to its word: each leaf has one,
// each place it names exists, and to change the places changes the leaf or makes
// the conversion fail.
func TestCauses(t *testing.T) {
	for _, c := range cases(t) {
		if c.has("error.txt") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			vmi, ctx := c.vmi(t), c.context(t)
			e, err := Explain(vmi, ctx)
			if err != nil {
				t.Skip("refused; TestCases reports it")
			}
			checkCauses(t, e)
			checkCounterfactual(t, e, vmi, ctx)
		})
	}
}

func checkCauses(t *testing.T, e *Explanation) {
	t.Helper()
	for _, c := range e.Causes {
		if c.Reason == noCause {
			t.Errorf("%s = %q has no cause", c.Path, c.Value)
		}
		if c.Step == "" || c.Reason == "" {
			t.Errorf("%s: step %q, reason %q", c.Path, c.Step, c.Reason)
		}
		if c.Origin != OriginPolicy && len(c.Fields) == 0 {
			t.Errorf("%s: origin %s without a place", c.Path, c.Origin)
		}
		for _, f := range slices.Concat(c.Fields, c.Via) {
			if err := placeExists(f); err != nil {
				t.Errorf("%s: %v", c.Path, err)
			}
		}
	}
	for _, a := range e.Absent {
		for _, f := range a.Fields {
			if err := placeExists(f); err != nil {
				t.Errorf("absent %s: %v", a.Path, err)
			}
		}
		if len(e.Why(a.Path)) > 0 {
			t.Errorf("absent %s is there", a.Path)
		}
	}
	for _, u := range e.Unknown {
		if err := placeExists(u.Fact); err != nil || !strings.HasPrefix(u.Fact, contextPrefix) {
			t.Errorf("unknown %s: %s is no place of the context", u.Path, u.Fact)
		}
	}
}

func placeExists(path string) error {
	v := reflect.New(reflect.TypeFor[v1.VirtualMachineInstance]()).Elem()
	rest := path
	if fact, ok := strings.CutPrefix(path, contextPrefix); ok {
		v, rest = reflect.New(reflect.TypeFor[Context]()).Elem(), fact
	}
	t := v.Type()
	for rest != "" {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if t.Kind() == reflect.Slice && rest[0] == '[' {
			_, rest, _ = strings.Cut(rest, "]")
			t = t.Elem()
			continue
		}
		var name string
		name, rest = splitName(rest)
		switch t.Kind() {
		case reflect.Map:
			t = t.Elem()
		case reflect.Struct:
			index, ok := fieldIndexes(t)[name]
			if !ok {
				return fmt.Errorf("%s: there is no %s", path, name)
			}
			t = t.FieldByIndex(index).Type
		default:
			return fmt.Errorf("%s: nothing is below a %s", path, t)
		}
	}
	return nil
}

// leavesOf are the values of a domain by their fully numbered paths, in order.
func leavesOf(t testing.TB, text string) (paths []string, values map[string]string) {
	t.Helper()
	root, err := scanXML(text)
	if err != nil {
		t.Fatal(err)
	}
	values = map[string]string{}
	var walk func(n *xmlNode, path string)
	add := func(path, value string) {
		paths = append(paths, path)
		values[path] = value
	}
	walk = func(n *xmlNode, path string) {
		for _, a := range n.attrs {
			add(path+"/@"+a.name, a.value)
		}
		if n.leaf() {
			add(path, n.text)
		}
		for _, k := range n.kids {
			walk(k, path+"/"+k.name+"["+strconv.Itoa(k.index)+"]")
		}
	}
	walk(root, "/domain")
	return paths, values
}

// trial is the outcome of a conversion of changed input.
type trial struct {
	failed bool
	values map[string]string
}

func (x trial) differs(path, value string) bool {
	if x.failed {
		return true
	}
	got, ok := x.values[path]
	return !ok || got != value
}

type counterfactual struct {
	t      *testing.T
	vmi    *v1.VirtualMachineInstance
	full   *v1.VirtualMachineInstance // with defaults
	ctx    Context
	trials map[string]*trials // by the place changed
}

func checkCounterfactual(t *testing.T, e *Explanation, vmi *v1.VirtualMachineInstance, ctx Context) {
	t.Helper()
	full, err := Defaulted(vmi, ctx)
	if err != nil {
		t.Fatal(err)
	}
	text, err := e.XML()
	if err != nil {
		t.Fatal(err)
	}
	paths, values := leavesOf(t, text)
	if len(paths) != len(e.Causes) {
		t.Fatalf("%d causes for %d leaves", len(e.Causes), len(paths))
	}
	cf := &counterfactual{t, vmi, full, ctx, map[string]*trials{}}
	bad := map[string]string{}
	for i, c := range e.Causes {
		if len(c.Fields) > 0 && !cf.holds(c.Fields, paths[i], values[paths[i]]) {
			bad[c.Path] = fmt.Sprintf("%s = %q does not depend on %s (step %s)", c.Path, c.Value, strings.Join(c.Fields, ", "), c.Step)
		}
	}
	var list []string
	for _, b := range bad {
		list = append(list, b)
	}
	sort.Strings(list)
	for _, b := range list {
		t.Error(b)
	}
}

func (cf *counterfactual) holds(fields []string, path, value string) bool {
	for _, f := range fields {
		for n := 0; ; n++ {
			x := cf.change(f, n)
			if x == nil {
				break
			}
			if x.differs(path, value) {
				return true
			}
		}
	}
	if len(fields) == 1 {
		return false
	}
	// No single place is enough: all of them removed, or all but one of them
	// removed and that one changed.
	for i := range fields {
		for n := range 6 {
			for _, base := range []*v1.VirtualMachineInstance{cf.vmi, cf.full} {
				x := cf.runOn(base, func(vmi *v1.VirtualMachineInstance, ctx *Context) bool {
					for j, f := range fields {
						if j == i {
							cf.apply(vmi, ctx, f, n-1)
						} else {
							cf.apply(vmi, ctx, f, -1)
						}
					}
					return true
				})
				if x.differs(path, value) {
					return true
				}
			}
		}
	}
	return false
}

// trials are the outcomes of the changes of one place that have been tried.
type trials struct {
	done []*trial
	next int // the change to try next; see apply
	end  bool
}

// change is the outcome of the n-th change of one place, nil when there are no
// more. Each is tried once, and only when the ones before it were not enough.
func (cf *counterfactual) change(place string, n int) *trial {
	known := cf.trials[place]
	if known == nil {
		known = &trials{next: -1}
		cf.trials[place] = known
	}
	for n >= len(known.done) && !known.end {
		before := len(known.done)
		for _, base := range []*v1.VirtualMachineInstance{cf.vmi, cf.full} {
			x := cf.runOn(base, func(vmi *v1.VirtualMachineInstance, ctx *Context) bool { return cf.apply(vmi, ctx, place, known.next) })
			if x != nil {
				known.done = append(known.done, x)
			}
		}
		known.next++
		known.end = len(known.done) == before
	}
	if n >= len(known.done) {
		return nil
	}
	return known.done[n]
}

// apply makes the n-th change at a place, or removes it for n = -1; it says no
// when there is none.
func (cf *counterfactual) apply(vmi *v1.VirtualMachineInstance, ctx *Context, place string, n int) bool {
	root, path := reflect.ValueOf(vmi).Elem(), place
	if fact, ok := strings.CutPrefix(place, contextPrefix); ok {
		root, path = reflect.ValueOf(ctx).Elem(), fact
	}
	if n < 0 {
		return remove(root, path)
	}
	done := false
	alter(root, path, func(v reflect.Value) {
		if list := changes(v.Type()); n < len(list) {
			list[n](v)
			done = true
		}
	})
	return done
}

func (cf *counterfactual) runOn(base *v1.VirtualMachineInstance, change func(*v1.VirtualMachineInstance, *Context) bool) *trial {
	vmi, ctx := base.DeepCopy(), copyContext(cf.t, cf.ctx)
	if !change(vmi, &ctx) {
		return nil
	}
	r, err := VMI(vmi, ctx)
	if err != nil {
		return &trial{failed: true}
	}
	text, err := r.XML()
	if err != nil {
		cf.t.Fatal(err)
	}
	_, values := leavesOf(cf.t, text)
	return &trial{values: values}
}

func copyContext(t testing.TB, ctx Context) Context {
	t.Helper()
	b, err := json.Marshal(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var c Context
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	return c
}
