package xmledit

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// FuzzParse checks of everything that Parse accepts that it is kept byte for
// byte, that the spans and paths fit, and that encoding/xml reads the same.
func FuzzParse(f *testing.F) {
	for _, d := range own(f) {
		f.Add([]byte(d.src))
	}
	for _, form := range forms {
		f.Add([]byte(form.src))
	}
	for _, r := range refusals {
		if len(r.src) < 2000 {
			f.Add([]byte(r.src))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		before := string(src)
		d, err := Parse(src, Limits{})
		if string(src) != before {
			t.Fatal("the caller's slice was touched")
		}
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(src) {
				t.Fatalf("no proper error: %v", err)
			}
			if line, column := position(before, e.Offset); line != e.Line || column != e.Column || e.Msg == "" || strings.Contains(e.Msg, "\n") || len(e.Msg) > 400 {
				t.Fatalf("no proper error: %v at %d", err, e.Offset)
			}
			return
		}
		if err := sound(d, before); err != nil {
			t.Fatal(err)
		}
		if err := agreesWithXML(d); err != nil && !stricter(err) {
			t.Fatalf("encoding/xml: %v", err)
		}
	})
}

// stricter reports whether encoding/xml refuses a name by the fourth edition
// of XML 1.0, which has fewer letters than the fifth. libxml2 goes by the
// fifth.
func stricter(err error) bool {
	var e *xml.SyntaxError
	return errors.As(err, &e) && strings.HasPrefix(e.Msg, "invalid XML name: ") && !isASCII(e.Msg)
}

// FuzzApply makes changes as data chooses them, and checks of everything that
// Apply accepts that it is a document, that it says what the changes are to
// make it say and nothing else, and that no other byte is touched.
func FuzzApply(f *testing.F) {
	for _, d := range own(f) {
		if len(d.src) < 4096 {
			f.Add([]byte(d.src), []byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09"))
		}
	}
	for i, form := range forms {
		f.Add([]byte(form.src), []byte{byte(i), 0, 0, byte(i), 9, 9, 3, 1, byte(3 * i), 2, 2, 5, 0, byte(i), 7, 1, 1})
	}
	f.Add([]byte("<a>]]<b/>></a>"), []byte{7, 1, 0, 0})
	f.Add([]byte("<a>\n  <b c='d'>\n    e\n  </b>\n  <b/>\n</a>"), []byte{0, 0, 5, 1, 1, 7, 2, 2, 2, 3, 1, 4, 4, 2, 5, 5, 2, 0, 6, 0, 3})
	f.Fuzz(func(t *testing.T, src, data []byte) {
		d, err := Parse(src, Limits{})
		if err != nil || d.Len() > 2000 {
			return
		}
		p := plan{t: t, d: d, data: data}
		p.choose()
		given := fmt.Sprint(p.changes)
		out, err := d.Apply(p.changes)
		if fmt.Sprint(p.changes) != given {
			t.Fatal("the caller's slice was touched")
		}
		if err != nil {
			if out != "" || !errors.As(err, new(*ChangeError)) {
				t.Fatalf("no proper error: %q beside %v", out, err)
			}
			return
		}
		after := mustParse(t, out)
		if err := sound(after, out); err != nil {
			t.Fatal(err)
		}
		if err := agreesWithXML(after); err != nil && !stricter(err) {
			t.Fatalf("encoding/xml: %v", err)
		}
		if err := p.kept(out); err != nil {
			t.Fatalf("%v in %q", err, out)
		}
		if err := p.expect(d.Root()).is(after.Root()); err != nil {
			t.Fatalf("%v in %q made of %q by %v", err, out, src, p.changes)
		}
	})
}
