package convert

import (
	"math/rand"
	"reflect"
	"testing"
)

// TestDomainSharesNothing: whoever changes the domain does not change the VMI,
// although the conversion itself works on memory that it shares with it.
func TestDomainSharesNothing(t *testing.T) {
	check := func(name string, vmi, dom any) {
		t.Helper()
		held := map[uintptr]string{}
		walkMemory(reflect.ValueOf(vmi), "VMI", func(p uintptr, path string) { held[p] = path })
		walkMemory(reflect.ValueOf(dom), "Domain", func(p uintptr, path string) {
			if of, shared := held[p]; shared {
				t.Errorf("%s: %s is the memory of %s", name, path, of)
			}
		})
	}
	for _, c := range cases(t) {
		vmi := c.vmi(t)
		if r, err := VMI(vmi, c.context(t)); err == nil {
			check(c.name, vmi, r.Domain)
		}
	}
	for seed := range int64(300) {
		vmi, ctx := randomVMI(rand.New(rand.NewSource(seed)))
		if r, err := VMI(vmi, ctx); err == nil {
			check("a random VMI", vmi, r.Domain)
		}
		if full, err := Defaulted(vmi, ctx); err == nil {
			check("a defaulted random VMI", vmi, full)
		}
	}
}

// walkMemory calls visit for everything that can be written to through v.
func walkMemory(v reflect.Value, path string, visit func(p uintptr, path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			if v.Elem().Type().Size() > 0 {
				visit(v.Pointer(), path)
			}
			walkMemory(v.Elem(), path, visit)
		}
	case reflect.Slice:
		if v.Len() > 0 && v.Type().Elem().Size() > 0 {
			visit(v.Pointer(), path)
		}
		for i := range v.Len() {
			walkMemory(v.Index(i), path+"[]", visit)
		}
	case reflect.Map:
		if v.Len() > 0 {
			visit(v.Pointer(), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walkMemory(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
			}
		}
	}
}
