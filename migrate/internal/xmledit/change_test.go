package xmledit

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// c is a change of bytes from to to.
func c(from, to int, before, after string) Change {
	return Change{Span: Span{from, to}, Before: before, After: after}
}

func TestSplice(t *testing.T) {
	const src = "<a>bcd</a>" // b is byte 3
	tests := []struct {
		name    string
		changes []Change
		want    string // the result, or the error
		reason  string
	}{
		{"nothing", nil, src, "no change is no change"},
		{"replacement", []Change{c(3, 4, "b", "xyz")}, "<a>xyzcd</a>", "longer"},
		{"removal", []Change{c(3, 6, "bcd", "")}, "<a></a>", "shorter"},
		{"insertion", []Change{c(4, 4, "", "x")}, "<a>bxcd</a>", "an empty span"},
		{"any order", []Change{c(5, 6, "d", "D"), c(3, 4, "b", "B")}, "<a>BcD</a>", "the source gives the order"},
		{"neighbours", []Change{c(3, 4, "b", "B"), c(4, 5, "c", "C")}, "<a>BCd</a>", "spans that touch do not overlap"},
		{"insertions at one place", []Change{c(4, 4, "", "1"), c(4, 4, "", "2"), c(4, 4, "", "3")}, "<a>b123cd</a>", "in the order given"},
		{"insertion and replacement at one place", []Change{c(4, 5, "c", "C"), c(4, 4, "", "1"), c(4, 4, "", "2")}, "<a>b12Cd</a>", "insertions come first"},
		{"insertion behind a replacement", []Change{c(4, 4, "", "1"), c(3, 4, "b", "B")}, "<a>B1cd</a>", "at its end"},
		{"at the ends", []Change{c(10, 10, "", "!"), c(0, 0, "", "!")}, "!<a>bcd</a>!", "the ends are places"},
		{"everything", []Change{c(0, 10, src, "x")}, "x", "one large span"},
		{"zero change", []Change{{}}, src, "the zero Change changes nothing"},
		{"stale", []Change{c(3, 4, "x", "y")}, `change of bytes 3 to 4: "b" stands there, not "x"`, "another document"},
		{"stale insertion", []Change{c(3, 3, "b", "y")}, `change of bytes 3 to 3: "" stands there, not "b"`, "the span and the text disagree"},
		{"overlap", []Change{c(3, 5, "bc", ""), c(4, 6, "cd", "")}, "change of bytes 4 to 6: overlaps the change of bytes 3 to 5", "which one holds?"},
		{"twice the same", []Change{c(3, 4, "b", "x"), c(3, 4, "b", "x")}, "change of bytes 3 to 4: overlaps the change of bytes 3 to 4", "even if they agree"},
		{"one within another", []Change{c(4, 5, "c", "x"), c(3, 6, "bcd", "y")}, "change of bytes 4 to 5: overlaps the change of bytes 3 to 6", "which one holds?"},
		{"insertion within a replacement", []Change{c(4, 4, "", "x"), c(3, 6, "bcd", "y")}, "change of bytes 4 to 4: overlaps the change of bytes 3 to 6", "its place goes"},
		{"beyond the end", []Change{c(9, 11, ">", "")}, "change of bytes 9 to 11: outside the source, which has 10 bytes", "another document"},
		{"before the start", []Change{c(-1, 1, "<", "")}, "change of bytes -1 to 1: outside the source, which has 10 bytes", "a broken offset"},
		{"end before start", []Change{c(5, 3, "", "x")}, "change of bytes 5 to 3: outside the source, which has 10 bytes", "a broken span"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			given := slices.Clone(test.changes)
			got, err := Splice(src, test.changes)
			if err != nil {
				if got != "" || !errors.As(err, new(*ChangeError)) {
					t.Errorf("%q beside the error %v", got, err)
				}
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if !slices.Equal(given, test.changes) {
				t.Error("the caller's slice was touched")
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	const src = "<a xmlns:x='u'>]]<b/><x:c/>></a>"
	d := mustParse(t, src)
	root := d.Root()
	twice, err := root.SetAttr("d", "1")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		changes []Change
		want    string
		reason  string
	}{
		{"root removed", []Change{root.Remove()}, "the result is no document any more: 1:1: the document is empty", "a document has a root"},
		{"attribute added twice", []Change{twice, twice}, `the result is no document any more: 1:22: second attribute "d"`, "each change is fine alone"},
		{"declaration in use removed", []Change{root.Attr("xmlns:x").Remove()}, `the result is no document any more: 1:11: namespace prefix "x" is not declared`, "names would lose their meaning"},
		{"text grown together", []Change{root.Child("b").Remove(), root.LastChild().Remove()}, "the result is no document any more: 1:16: ']]>' in text; write ']]&gt;'", "each change is fine alone"},
		{"hand-made", []Change{c(15, 15, "", "<")}, "the result is no document any more: 1:17: ']' cannot start the name of the element", "changes are made by constructors"},
		{"stale", []Change{c(0, 1, "x", "y")}, `change of bytes 0 to 1: "<" stands there, not "x"`, "as Splice does"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, err := d.Apply(test.changes)
			var e *ChangeError
			if !errors.As(err, &e) || out != "" {
				t.Fatalf("got %q, %v, want a *ChangeError and nothing else", out, err)
			}
			if err.Error() != test.want {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
			if strings.Contains(test.want, "no document") != errors.As(err, new(*Error)) {
				t.Error("the parser's error is in it exactly if the parser refused")
			}
			if after, err := d.Edited(test.changes); after != nil || err == nil {
				t.Error("Edited accepts it")
			}
		})
	}
}

func TestApplyKeepsLimits(t *testing.T) {
	d, err := Parse([]byte("<a b='c'/>"), Limits{Bytes: 12})
	if err != nil {
		t.Fatal(err)
	}
	set, err := d.Root().Attr("b").Set("long value")
	if err != nil {
		t.Fatal(err)
	}
	want := "the result is no document any more: 1:1: document of 19 bytes; at most 12 are read"
	if _, err := d.Apply([]Change{set}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestEdited(t *testing.T) {
	d := mustParse(t, "<a b='c'/>")
	same, err := d.Root().Attr("b").Set("c")
	if err != nil || same.Changes() {
		t.Fatalf("setting what is there: %+v, %v", same, err)
	}
	if after, err := d.Edited([]Change{same}); after != d || err != nil {
		t.Errorf("without a change: %v, %v, want the document itself", after, err)
	}
	set, err := d.Root().Attr("b").Set("d")
	if err != nil || !set.Changes() {
		t.Fatalf("setting something else: %+v, %v", set, err)
	}
	after, err := d.Edited([]Change{set})
	if err != nil || after.Root().Attr("b").Value() != "d" || d.Root().Attr("b").Value() != "c" {
		t.Errorf("edited: %v, %v", after, err)
	}
}
