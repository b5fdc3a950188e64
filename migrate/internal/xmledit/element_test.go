package xmledit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

func TestElement(t *testing.T) {
	d := mustParse(t, "<domain type='kvm' id=\"1\">\n  <name>vm-a</name>\n  <q:disk xmlns:q='u'/>\n  <disk xmlns='v'/>\n  <disk><source/></disk>\n</domain>")
	root := d.Root()
	if root.Depth() != 1 || root.Index() != 0 || root.Document() != d || root.Parent().Exists() || root.NumAttrs() != 2 {
		t.Errorf("root %+v", root)
	}
	disk := root.Child("disk")
	if disk != root.LastChild() || disk.Depth() != 2 || disk.Index() != 4 {
		t.Errorf("Child gives %s, want the one in no namespace", disk.Path())
	}
	if got := disk.PrevSibling().PrevSibling().Name(); got != "q:disk" {
		t.Errorf("two before is %s", got)
	}
	if got := disk.FirstChild(); got.Name() != "source" || got.Parent() != disk || got.Depth() != 3 || got.NextSibling().Exists() {
		t.Errorf("first child is %s", got.Path())
	}
	if a := root.AttrAt(1); a.Name() != "id" || a.Quote() != '"' || a != root.Attr("id") || a.Path() != "/domain/@id" {
		t.Errorf("second attribute is %s", a.Path())
	}
	if root.AttrAt(2).Exists() || root.AttrAt(-1).Exists() || root.Attr("nothing").Exists() || root.Child("nothing").Exists() {
		t.Error("something is there that is not")
	}
}

// TestElementStopsEarly leaves every loop at its first step.
func TestElementStopsEarly(t *testing.T) {
	d := mustParse(t, "<a b='1' c='2'>x<d/>y<e/></a>")
	n := 0
	for range d.Elements() {
		n++
		break
	}
	for range d.Root().Children() {
		n++
		break
	}
	for range d.Root().Attrs() {
		n++
		break
	}
	for range d.Root().Text().Runs() {
		n++
		break
	}
	if n != 4 {
		t.Errorf("%d steps, want 4", n)
	}
}

// TestNone asks everything of an element and an attribute that are not there.
func TestNone(t *testing.T) {
	var e Element
	if e.Exists() || e.Name() != "" || e.Local() != "" || e.Space() != "" || e.Index() != 0 || e.Depth() != 0 || e.Document() != nil ||
		e.Path() != "" || e.Span() != (Span{}) || e.StartTag() != (Span{}) || e.Content() != (Span{}) || e.Lines() != (Span{}) ||
		e.SelfClosed() || e.NumAttrs() != 0 || e.Remove() != (Change{}) {
		t.Error("the zero Element says something")
	}
	for _, other := range []Element{e.Parent(), e.FirstChild(), e.LastChild(), e.NextSibling(), e.PrevSibling(), e.Child("a").Child("b"), Attr{}.Element()} {
		if other.Exists() {
			t.Error("the zero Element leads somewhere")
		}
	}
	x := e.Text()
	if len(slices.Collect(e.Children())) != 0 || len(slices.Collect(e.Attrs())) != 0 || len(slices.Collect(x.Runs())) != 0 ||
		x.Value() != "" || x.Trimmed() != "" || x.Span() != (Span{}) || (Text{}).Value() != "" || (Run{}).Value() != "" {
		t.Error("the zero Element holds something")
	}
	a := e.Attr("a")
	if a.Exists() || e.AttrAt(0).Exists() || a.Name() != "" || a.Local() != "" || a.Space() != "" || a.Value() != "" || a.Raw() != "" ||
		a.Span() != (Span{}) || a.Full() != (Span{}) || a.Quote() != 0 || a.Path() != "" || a.Remove() != (Change{}) {
		t.Error("the zero Attr says something")
	}
	n := etree.NewElement("a")
	fails := func(what string, _ any, err error) {
		t.Helper()
		if !errors.As(err, new(*ContentError)) {
			t.Errorf("%s: got %v, want a *ContentError", what, err)
		}
	}
	c, err := a.Set("b")
	fails("Set", c, err)
	c, err = e.SetAttr("a", "b")
	fails("SetAttr", c, err)
	cs, err := e.SetText("b")
	fails("SetText", cs, err)
	c, err = e.Replace(n)
	fails("Replace", c, err)
	c, err = e.InsertBefore(n)
	fails("InsertBefore", c, err)
	c, err = e.InsertAfter(n)
	fails("InsertAfter", c, err)
	c, err = e.Append(n)
	fails("Append", c, err)
	if got, want := err.Error(), `no such place to write "a": there is no such element`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestLines(t *testing.T) {
	tests := []struct{ src, want, reason string }{
		{"<a>\n  <b/>\n</a>", "  <b/>\n", "indentation and line end go with it"},
		{"<a>\r\n\t<b/>\r\n</a>", "\t<b/>\r\n", "tabs and CRLF"},
		{"<a>\n  <b>\n  </b>  \n</a>", "  <b>\n  </b>  \n", "several lines, blanks behind"},
		{"<a>\n<b/>\n</a>", "<b/>\n", "no indentation"},
		{"<a>\n\n  <b/>\n\n</a>", "  <b/>\n", "empty lines around are not its own"},
		{"<a><b/>\n</a>", "<b/>", "something before it"},
		{"<a>\n  <b/></a>", "<b/>", "something behind it"},
		{"<a>\n  <b/><c/>\n</a>", "<b/>", "a sibling on its line"},
		{"<a>\n  <!-- --><b/>\n</a>", "<b/>", "a comment on its line"},
		{"<a>\n  x <b/>\n</a>", "<b/>", "text on its line"},
		{"<a>\n  <b/> <!-- -->\n</a>", "<b/>", "a comment behind it"},
		{"<a><![CDATA[\n  ]]><b/>\n</a>", "<b/>", "the line starts in a CDATA section"},
		{"<a>\r  <b/>\r</a>", "<b/>", "a lone return ends no line"},
		{"<a>\n  <b/>\r</a>", "<b/>", "a lone return ends no line"},
		{"<a><b/></a>", "<b/>", "one line"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src)
		s := mustFind(t, d, "/a/b").Element().Lines()
		if got := test.src[s.Start:s.End]; got != test.want {
			t.Errorf("%q: %q, want %q: %s", test.src, got, test.want, test.reason)
		}
	}
	for _, src := range []string{"<a/>", "<a/>\n", byteOrderMark + "<a/>"} {
		if s := mustParse(t, src).Root().Lines(); s.End != len(src) || src[:s.Start] != "" && src[:s.Start] != byteOrderMark {
			t.Errorf("%q: root's lines are %v: the document's ends end lines", src, s)
		}
	}
}

func TestText(t *testing.T) {
	tests := []struct{ content, value, trimmed, span, reason string }{
		{"", "", "", "", "none"},
		{"x", "x", "x", "x", "one run"},
		{" x\n", " x\n", "x", " x\n", "white space around"},
		{"\n  <b/>\n", "\n  \n", "", "\n  <b/>\n", "indentation says nothing"},
		{"\n x <b/> y\n", "\n x  y\n", "x  y", "\n x <b/> y\n", "white space between runs stays"},
		{"<![CDATA[ x ]]>", " x ", "x", "<![CDATA[ x ]]>", "white space within a section"},
		{" <![CDATA[x]]> ", " x ", "x", " <![CDATA[x]]> ", "white space around a section"},
		{"<!-- c -->x<?p i?>", "x", "x", "x", "not what is around it"},
		{"&#32;x&#10;", " x\n", " x\n", "&#32;x&#10;", "a reference is no white space"},
		{"<![CDATA[]]>", "", "", "<![CDATA[]]>", "an empty section is a run"},
		{"x<![CDATA[]]>y<!-- -->z<b>no</b>", "xyz", "xyz", "x<![CDATA[]]>y<!-- -->z", "several runs"},
	}
	for _, test := range tests {
		src := "<a>" + test.content + "</a>"
		x := mustParse(t, src).Root().Text()
		if got := x.Value(); got != test.value {
			t.Errorf("%s: value %q, want %q: %s", src, got, test.value, test.reason)
		}
		if got := x.Trimmed(); got != test.trimmed {
			t.Errorf("%s: trimmed %q, want %q: %s", src, got, test.trimmed, test.reason)
		}
		if s := x.Span(); src[s.Start:s.End] != test.span || s.Start < len("<a>") {
			t.Errorf("%s: span %q, want %q: %s", src, src[s.Start:s.End], test.span, test.reason)
		}
	}
}

// TestAllocations holds the promise that reading what is written plainly
// costs nothing.
func TestAllocations(t *testing.T) {
	src := kubevirt(t)
	d := mustParse(t, string(src))
	name := d.Root().Child("name")
	if n := testing.AllocsPerRun(100, func() {
		_ = name.Text().Value()
		_ = name.Text().Trimmed()
		_ = d.Root().Child("devices").Text().Trimmed()
		_ = d.Root().Child("devices").Child("disk").Child("source").Attr("file").Value()
	}); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		d, err := Parse(src, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		walk(d)
	}); n > 12 {
		t.Errorf("%v allocations for parsing and a walk, want at most 12", n)
	}
}

// TestQuote keeps messages short and on one line.
func TestQuote(t *testing.T) {
	tests := []struct{ s, want, reason string }{
		{"a\nb", `"a\nb"`, "one line"},
		{strings.Repeat("a", 60), `"` + strings.Repeat("a", 60) + `"`, "as long as fits"},
		{strings.Repeat("a", 61), `"` + strings.Repeat("a", 60) + `"…`, "one more"},
		{strings.Repeat("a", 59) + "ä", `"` + strings.Repeat("a", 59) + `"…`, "no half character"},
	}
	for _, test := range tests {
		if got := quote(test.s); got != test.want {
			t.Errorf("got %s, want %s: %s", got, test.want, test.reason)
		}
	}
}

// TestConcurrent asks one document from several goroutines, for what it works
// out only when asked first.
func TestConcurrent(t *testing.T) {
	d := mustParse(t, string(kubevirt(t)))
	disk := mustFind(t, d, "/domain/devices/disk[2]").Element()
	done := make(chan string)
	for range 8 {
		go func() {
			line, column := d.Position(disk.Span().Start)
			c, err := disk.Append(etree.NewElement("serial"))
			done <- fmt.Sprint(disk.Path(), line, column, c, err)
		}()
	}
	first := <-done
	for range 7 {
		if got := <-done; got != first {
			t.Errorf("%s, then %s", first, got)
		}
	}
}
