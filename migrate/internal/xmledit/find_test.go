package xmledit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const findSource = `<domain xmlns:qemu='urn:qemu'><name>vm-a</name><devices>` +
	`<disk device='disk'><source file='/a'/><target dev='vda'/></disk>` +
	`<disk device='cdrom'><target dev='sda'/></disk>` +
	`<disk device='cdrom'><source file='/b'><source file='/c'>x</source></source><target dev='sdb'/></disk>` +
	`<interface/></devices><disk/><qemu:arg/><qemu:arg value="it's"/></domain>`

func TestFind(t *testing.T) {
	tests := []struct {
		path   string
		want   string // the paths found
		reason string
	}{
		{"/domain", "/domain", "the root"},
		{"/domain/name", "/domain/name", "a child"},
		{"/domain/name/text()", "/domain/name", "the text of an element has its path"},
		{"/domain/devices/text()", "", "an element without text has none"},
		{"/domain/devices/disk/source/text()", "", "not even an empty one"},
		{"/domain/disk", "/domain/disk", "the only one of its name has no index"},
		{"/domain/devices/disk", "/domain/devices/disk[1] /domain/devices/disk[2] /domain/devices/disk[3]", "all of a name"},
		{"/domain/devices/disk[2]", "/domain/devices/disk[2]", "by its number"},
		{"/domain/devices/disk[4]", "", "there are three"},
		{"/domain/disk[1]", "/domain/disk", "the only one is the first"},
		{"/domain/devices/*[4]", "/domain/devices/interface", "numbers count what the step matches"},
		{"/domain/devices/disk[2]/target/@dev", "/domain/devices/disk[2]/target/@dev", "an attribute"},
		{"/domain/devices/disk/@device", "/domain/devices/disk[1]/@device /domain/devices/disk[2]/@device /domain/devices/disk[3]/@device", "of each"},
		{"/domain/devices/disk[@device='cdrom']/target/@dev", "/domain/devices/disk[2]/target/@dev /domain/devices/disk[3]/target/@dev", "by a value"},
		{`/domain/devices/disk[@device="cdrom"][1]`, "/domain/devices/disk[2]", "conditions narrow one after the other"},
		{"/domain/devices/disk[1][@device='cdrom']", "", "in their order"},
		{"/domain/devices/disk[@nothing='']", "", "an absent attribute is not an empty one"},
		{"//source", "/domain/devices/disk[1]/source /domain/devices/disk[3]/source /domain/devices/disk[3]/source/source", "at any depth, in document order, each once"},
		{"//source//source", "/domain/devices/disk[3]/source/source", "at any depth below"},
		{"//source/source", "/domain/devices/disk[3]/source/source", "directly below"},
		{"//disk[2]", "/domain/devices/disk[2]", "numbers count among siblings"},
		{"//disk[1]", "/domain/devices/disk[1] /domain/disk", "so that several may be the first"},
		{"//disk//@file", "/domain/devices/disk[1]/source/@file /domain/devices/disk[3]/source/@file /domain/devices/disk[3]/source/source/@file", "attributes at any depth"},
		{"//@file", "/domain/devices/disk[1]/source/@file /domain/devices/disk[3]/source/@file /domain/devices/disk[3]/source/source/@file", "attributes anywhere"},
		{"//text()", "/domain/name /domain/devices/disk[3]/source/source", "texts anywhere"},
		{"//*/source", "/domain/devices/disk[1]/source /domain/devices/disk[3]/source /domain/devices/disk[3]/source/source", "children of anything, in document order"},
		{"/domain/*/@*", "/domain/qemu:arg[2]/@value", "any attribute of any child"},
		{"/domain/@xmlns:qemu", "/domain/@xmlns:qemu", "declarations are attributes"},
		{"/domain/qemu:arg", "/domain/qemu:arg[1] /domain/qemu:arg[2]", "a prefix is part of the name"},
		{"/domain/arg", "", "and cannot be left out"},
		{`/domain/qemu:arg[@value="it's"]`, "/domain/qemu:arg[2]", "the other quote within quotes"},
		{"/devices", "", "paths start at the root"},
		{"/domain/name/@a/b", "", "no path at all leads nowhere"},
	}
	d := mustParse(t, findSource)
	for _, test := range tests {
		var got []string
		for _, n := range d.Find(test.path) {
			got = append(got, n.Path())
			if strings.HasSuffix(test.path, "text()") != (n.Kind() == KindText) || strings.Contains(test.path, "/@") != (n.Kind() == KindAttr) {
				t.Errorf("%s leads to the kind %d", test.path, n.Kind())
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s leads to %s, want %s: %s", test.path, got, test.want, test.reason)
		}
	}
}

func TestNode(t *testing.T) {
	d := mustParse(t, findSource)
	e := mustFind(t, d, "/domain/name")
	if e.Kind() != KindElement || e.Value() != "vm-a" || e.Element() != d.Root().Child("name") || e.Attr().Exists() || e.Span() != e.Element().Span() {
		t.Errorf("element %+v", e)
	}
	a := mustFind(t, d, "/domain/devices/disk[1]/@device")
	if a.Kind() != KindAttr || a.Value() != "disk" || a.Attr() != a.Element().Attr("device") || a.Span() != a.Attr().Span() {
		t.Errorf("attribute %+v", a)
	}
	x := mustFind(t, d, "/domain/name/text()")
	if x.Kind() != KindText || x.Value() != "vm-a" || x.Element() != e.Element() || x.Span() != x.Element().Text().Span() {
		t.Errorf("text %+v", x)
	}
	var none Node
	if none.Kind() != 0 || none.Value() != "" || none.Path() != "" || none.Span() != (Span{}) || none.Element().Exists() || none.Attr().Exists() {
		t.Errorf("none %+v", none)
	}
}

func TestCompileRefuses(t *testing.T) {
	tests := []struct{ path, want, reason string }{
		{"", `path "", at character 1: '/' expected`, "no path"},
		{"domain", `path "domain", at character 1: '/' expected`, "paths are absolute"},
		{"/", `path "/", at character 2: a name is missing`, "cut off"},
		{"/domain/", `path "/domain/", at character 9: a name is missing`, "cut off"},
		{"///a", `path "///a", at character 3: a name is missing`, "one slash too many"},
		{"/a b", `path "/a b", at character 2: ' ' cannot stand in a name`, "no name"},
		{"/a:b:c", `path "/a:b:c", at character 2: ':' cannot stand in a name`, "no name"},
		{"/ä\xff", `path "/ä\xff", at character 2: not UTF-8`, "no name"},
		{"/@a", `path "/@a", at character 4: an attribute or text of no element`, "there is no element above the root"},
		{"/text()", `path "/text()", at character 8: an attribute or text of no element`, "there is no element above the root"},
		{"/a/@b/c", `path "/a/@b/c", at character 6: an attribute or text ends a path`, "attributes hold nothing"},
		{"/a/text()[1]", `path "/a/text()[1]", at character 10: an attribute or text ends a path`, "the text is one"},
		{"/a/@b[1]", `path "/a/@b[1]", at character 6: an attribute or text ends a path`, "an attribute is one"},
		{"/a[]", `path "/a[]", at character 4: a number from 1 or @name='value' expected in brackets`, "empty"},
		{"/a[0]", `path "/a[0]", at character 4: a number from 1 or @name='value' expected in brackets`, "XPath counts from 1"},
		{"/a[-1]", `path "/a[-1]", at character 4: a number from 1 or @name='value' expected in brackets`, "XPath counts from 1"},
		{"/a[last()]", `path "/a[last()]", at character 4: a number from 1 or @name='value' expected in brackets`, "not in the language"},
		{"/a[99999999999999999999]", `path "/a[99999999999999999999]", at character 4: a number from 1 or @name='value' expected in brackets`, "no overflow"},
		{"/a[1", `path "/a[1", at character 5: ']' expected`, "cut off"},
		{"/a[1]b", `path "/a[1]b", at character 6: '/' expected`, "something behind the brackets"},
		{"/a[@b]", `path "/a[@b]", at character 6: '=' expected`, "not in the language"},
		{"/a[@]", `path "/a[@]", at character 5: a name is missing`, "no name"},
		{"/a[@b=c]", `path "/a[@b=c]", at character 7: a value in quotes expected`, "a bare value"},
		{"/a[@b='c]", `path "/a[@b='c]", at character 7: the value has no closing quote`, "cut off"},
		{"/a[@b='c'", `path "/a[@b='c'", at character 10: ']' expected`, "cut off"},
		{"/a/../b", `path "/a/../b", at character 4: '.' cannot start a name`, "not in the language"},
		{strings.Repeat("/a", maxSteps+1), `path "/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a"…, at character 531: more than 264 steps`, "no document is so deep"},
	}
	for _, test := range tests {
		p, err := Compile(test.path)
		var e *PathError
		if !errors.As(err, &e) || p != nil || e.Path != test.path {
			t.Errorf("%s: got %v, want a *PathError: %s", test.path, err, test.reason)
			continue
		}
		if err.Error() != test.want {
			t.Errorf("got  %s\nwant %s", err, test.want)
		}
	}
	if p, err := Compile("/a"); err != nil || p.String() != "/a" {
		t.Errorf("Compile(/a) = %v, %v", p, err)
	}
}

func TestPath(t *testing.T) {
	d := mustParse(t, findSource)
	want := []string{
		"/domain", "/domain/name", "/domain/devices",
		"/domain/devices/disk[1]", "/domain/devices/disk[1]/source", "/domain/devices/disk[1]/target",
		"/domain/devices/disk[2]", "/domain/devices/disk[2]/target",
		"/domain/devices/disk[3]", "/domain/devices/disk[3]/source", "/domain/devices/disk[3]/source/source", "/domain/devices/disk[3]/target",
		"/domain/devices/interface", "/domain/disk", "/domain/qemu:arg[1]", "/domain/qemu:arg[2]",
	}
	var got []string
	for e := range d.Elements() {
		got = append(got, e.Path())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestPathAmongManyNames has more names in a row than are compared one by one.
func TestPathAmongManyNames(t *testing.T) {
	var b strings.Builder
	var want []string
	for i := range 200 {
		fmt.Fprintf(&b, "<b%d/>", i)
		want = append(want, fmt.Sprintf("/a/b%d", i))
	}
	for i := 0; i < 200; i += 2 {
		fmt.Fprintf(&b, "<b%d/>", i)
		want[i] = fmt.Sprintf("/a/b%d[1]", i)
		want = append(want, fmt.Sprintf("/a/b%d[2]", i))
	}
	var got []string
	for e := range mustParse(t, "<a>"+b.String()+"</a>").Root().Children() {
		got = append(got, e.Path())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
