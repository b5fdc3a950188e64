package xmledit

import (
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// element reads an element for insertion.
func newElement(t testing.TB, src string) *etree.Element {
	t.Helper()
	doc := etree.NewDocument()
	doc.ReadSettings.PreserveCData = true
	if err := doc.ReadFromString(src); err != nil {
		t.Fatal(err)
	}
	return doc.Root()
}

// TestInsert puts <n/> at the element p, in each of the four ways.
func TestInsert(t *testing.T) {
	tests := []struct {
		name                           string
		src                            string
		replace, before, after, append string
		reason                         string
	}{
		{
			name:    "on a line of its own",
			src:     "<a>\n  <p>\n    <c/>\n  </p>\n</a>\n",
			replace: "<a>\n  <n/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p>\n    <c/>\n  </p>\n</a>\n",
			after:   "<a>\n  <p>\n    <c/>\n  </p>\n  <n/>\n</a>\n",
			append:  "<a>\n  <p>\n    <c/>\n    <n/>\n  </p>\n</a>\n",
			reason:  "as libvirt writes",
		},
		{
			name:    "self-closed",
			src:     "<a>\n  <p x=\"1\" />\n</a>\n",
			replace: "<a>\n  <n/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p x=\"1\" />\n</a>\n",
			after:   "<a>\n  <p x=\"1\" />\n  <n/>\n</a>\n",
			append:  "<a>\n  <p x=\"1\">\n    <n/>\n  </p>\n</a>\n",
			reason:  "it is opened",
		},
		{
			name:    "empty",
			src:     "<a>\n  <p></p>\n</a>\n",
			replace: "<a>\n  <n/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p></p>\n</a>\n",
			after:   "<a>\n  <p></p>\n  <n/>\n</a>\n",
			append:  "<a>\n  <p>\n    <n/>\n  </p>\n</a>\n",
			reason:  "it is laid out like a self-closed one",
		},
		{
			name:    "tabs",
			src:     "<a>\n\t<p/>\n</a>\n",
			replace: "<a>\n\t<n/>\n</a>\n",
			before:  "<a>\n\t<n/>\n\t<p/>\n</a>\n",
			after:   "<a>\n\t<p/>\n\t<n/>\n</a>\n",
			append:  "<a>\n\t<p>\n\t\t<n/>\n\t</p>\n</a>\n",
			reason:  "the place's indentation",
		},
		{
			name:    "four blanks",
			src:     "<a>\n    <p/>\n</a>\n",
			replace: "<a>\n    <n/>\n</a>\n",
			before:  "<a>\n    <n/>\n    <p/>\n</a>\n",
			after:   "<a>\n    <p/>\n    <n/>\n</a>\n",
			append:  "<a>\n    <p>\n        <n/>\n    </p>\n</a>\n",
			reason:  "the place's step",
		},
		{
			name:    "no indentation",
			src:     "<a>\n<p>\n<c/>\n</p>\n</a>\n",
			replace: "<a>\n<n/>\n</a>\n",
			before:  "<a>\n<n/>\n<p>\n<c/>\n</p>\n</a>\n",
			after:   "<a>\n<p>\n<c/>\n</p>\n<n/>\n</a>\n",
			append:  "<a>\n<p>\n<c/>\n<n/>\n</p>\n</a>\n",
			reason:  "siblings have none",
		},
		{
			name:    "CRLF",
			src:     "<a>\r\n  <p/>\r\n</a>\r\n",
			replace: "<a>\r\n  <n/>\r\n</a>\r\n",
			before:  "<a>\r\n  <n/>\r\n  <p/>\r\n</a>\r\n",
			after:   "<a>\r\n  <p/>\r\n  <n/>\r\n</a>\r\n",
			append:  "<a>\r\n  <p>\r\n    <n/>\r\n  </p>\r\n</a>\r\n",
			reason:  "the document's line end",
		},
		{
			name:    "one line",
			src:     "<a><p><c/></p></a>",
			replace: "<a><n/></a>",
			before:  "<a><n/><p><c/></p></a>",
			after:   "<a><p><c/></p><n/></a>",
			append:  "<a><p><c/><n/></p></a>",
			reason:  "there are no lines to keep to",
		},
		{
			name:    "one line, self-closed",
			src:     "<a><p/></a>",
			replace: "<a><n/></a>",
			before:  "<a><n/><p/></a>",
			after:   "<a><p/><n/></a>",
			append:  "<a><p><n/></p></a>",
			reason:  "there are no lines to keep to",
		},
		{
			name:    "one line within lines",
			src:     "<a>\n  <b><p></p></b>\n</a>\n",
			replace: "<a>\n  <b><n/></b>\n</a>\n",
			before:  "<a>\n  <b><n/><p></p></b>\n</a>\n",
			after:   "<a>\n  <b><p></p><n/></b>\n</a>\n",
			append:  "<a>\n  <b><p><n/></p></b>\n</a>\n",
			reason:  "its neighbours are on one line",
		},
		{
			name:    "first of several on a line",
			src:     "<a>\n  <p/><b/>\n</a>\n",
			replace: "<a>\n  <n/><b/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p/><b/>\n</a>\n",
			after:   "<a>\n  <p/><n/><b/>\n</a>\n",
			append:  "<a>\n  <p><n/></p><b/>\n</a>\n",
			reason:  "it starts its line but does not end it",
		},
		{
			name:    "last of several on a line",
			src:     "<a>\n  <b/><p/>\n</a>\n",
			replace: "<a>\n  <b/><n/>\n</a>\n",
			before:  "<a>\n  <b/><n/><p/>\n</a>\n",
			after:   "<a>\n  <b/><p/><n/>\n</a>\n",
			append:  "<a>\n  <b/><p><n/></p>\n</a>\n",
			reason:  "it ends its line but does not start it",
		},
		{
			name:    "comments around",
			src:     "<a>\n  <!-- x -->\n  <p>\n    <!-- y -->\n  </p>\n  <!-- z -->\n</a>\n",
			replace: "<a>\n  <!-- x -->\n  <n/>\n  <!-- z -->\n</a>\n",
			before:  "<a>\n  <!-- x -->\n  <n/>\n  <p>\n    <!-- y -->\n  </p>\n  <!-- z -->\n</a>\n",
			after:   "<a>\n  <!-- x -->\n  <p>\n    <!-- y -->\n  </p>\n  <n/>\n  <!-- z -->\n</a>\n",
			append:  "<a>\n  <!-- x -->\n  <p>\n    <!-- y -->\n    <n/>\n  </p>\n  <!-- z -->\n</a>\n",
			reason:  "they stay with what is beside them; the last child is behind everything",
		},
		{
			name:    "blank lines",
			src:     "<a>\n\n  <p>\n\n    <c/>\n\n  </p>\n\n</a>\n",
			replace: "<a>\n\n  <n/>\n\n</a>\n",
			before:  "<a>\n\n  <n/>\n  <p>\n\n    <c/>\n\n  </p>\n\n</a>\n",
			after:   "<a>\n\n  <p>\n\n    <c/>\n\n  </p>\n  <n/>\n\n</a>\n",
			append:  "<a>\n\n  <p>\n\n    <c/>\n\n    <n/>\n  </p>\n\n</a>\n",
			reason:  "they stay",
		},
		{
			name:    "white space only",
			src:     "<a>\n  <p> </p>\n</a>\n",
			replace: "<a>\n  <n/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p> </p>\n</a>\n",
			after:   "<a>\n  <p> </p>\n  <n/>\n</a>\n",
			append:  "<a>\n  <p> <n/></p>\n</a>\n",
			reason:  "the end tag does not start its line",
		},
		{
			name:    "text",
			src:     "<a>\n  <p>text</p>\n</a>\n",
			replace: "<a>\n  <n/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p>text</p>\n</a>\n",
			after:   "<a>\n  <p>text</p>\n  <n/>\n</a>\n",
			append:  "<a>\n  <p>text<n/></p>\n</a>\n",
			reason:  "the text stays as it is",
		},
		{
			name:    "odd indentation of children",
			src:     "<a>\n  <p>\n     <c/>\n  </p>\n</a>\n",
			replace: "<a>\n  <n/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p>\n     <c/>\n  </p>\n</a>\n",
			after:   "<a>\n  <p>\n     <c/>\n  </p>\n  <n/>\n</a>\n",
			append:  "<a>\n  <p>\n     <c/>\n     <n/>\n  </p>\n</a>\n",
			reason:  "siblings are the model",
		},
		{
			name:    "children on one line, end tag on another",
			src:     "<a>\n  <p><c/>\n  </p>\n</a>\n",
			replace: "<a>\n  <n/>\n</a>\n",
			before:  "<a>\n  <n/>\n  <p><c/>\n  </p>\n</a>\n",
			after:   "<a>\n  <p><c/>\n  </p>\n  <n/>\n</a>\n",
			append:  "<a>\n  <p><c/>\n    <n/>\n  </p>\n</a>\n",
			reason:  "without a model it is a step more than the parent",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.reason == "" {
				t.Error("a row needs a reason")
			}
			d := mustParse(t, test.src)
			p := mustFind(t, d, "//p").Element()
			n := etree.NewElement("n")
			check := func(what, want string) func(Change, error) {
				return func(c Change, err error) {
					if err != nil {
						t.Errorf("%s: %v", what, err)
					} else if got, err := d.Apply([]Change{c}); err != nil || got != want {
						t.Errorf("%s: got %q, %v\nwant %q", what, got, err, want)
					}
				}
			}
			check("replace", test.replace)(p.Replace(n))
			check("before", test.before)(p.InsertBefore(n))
			check("after", test.after)(p.InsertAfter(n))
			check("append", test.append)(p.Append(n))
		})
	}
}

// TestInsertTogether makes several changes around one element.
func TestInsertTogether(t *testing.T) {
	const src = "<a>\n  <p/>\n  <q/>\n</a>\n"
	d := mustParse(t, src)
	p, q := d.Root().Child("p"), d.Root().Child("q")
	must := func(c Change, err error) Change {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	n := func(name string) *etree.Element { return etree.NewElement(name) }
	tests := []struct {
		name    string
		changes []Change
		want    string
	}{
		{"around a removed element", []Change{p.Remove(), must(p.InsertBefore(n("x"))), must(p.InsertAfter(n("y")))},
			"<a>\n  <x/>\n  <y/>\n  <q/>\n</a>\n"},
		{"between, in the order given", []Change{must(p.InsertAfter(n("x"))), must(q.InsertBefore(n("y")))},
			"<a>\n  <p/>\n  <x/>\n  <y/>\n  <q/>\n</a>\n"},
		{"several at once", []Change{must(p.InsertBefore(n("x"), n("y"))), must(d.Root().Append(n("z"), n("z")))},
			"<a>\n  <x/>\n  <y/>\n  <p/>\n  <q/>\n  <z/>\n  <z/>\n</a>\n"},
		{"all children go, others come", []Change{p.Remove(), q.Remove(), must(d.Root().Append(n("x")))},
			"<a>\n  <x/>\n</a>\n"},
		{"none", []Change{must(d.Root().Append()), must(p.Append()), must(p.InsertAfter()), must(p.InsertBefore())}, src},
		{"an attribute of a replaced neighbour", []Change{must(p.Replace(n("x"))), must(q.SetAttr("y", "1"))},
			"<a>\n  <x/>\n  <q y='1'/>\n</a>\n"},
	}
	for _, test := range tests {
		if got, err := d.Apply(test.changes); err != nil || got != test.want {
			t.Errorf("%s: got %q, %v\nwant %q", test.name, got, err, test.want)
		}
	}
	set := must(q.SetAttr("y", "1"))
	if _, err := d.Apply([]Change{must(q.Replace(n("x"))), set}); err == nil {
		t.Error("an attribute is set in an element that is replaced")
	}
}

// TestWrite looks at how a new element is spelled.
func TestWrite(t *testing.T) {
	const ascii = "<?xml version='1.0' encoding='US-ASCII'?>\n"
	lines, line := "<a>\n  <p/>\n</a>", "<a><p/></a>"
	tests := []struct{ src, element, want, reason string }{
		{line, `<n b="c" d="'"/>`, `<n b='c' d='&apos;'/>`, "libvirt's quotes"},
		{line, `<n b="&#9;&#10;&amp;&lt;>&quot;"/>`, `<n b='&#9;&#10;&amp;&lt;>"'/>`, "values that need references"},
		{line, `<n>a &amp; b&#13;]]&gt;</n>`, `<n>a &amp; b&#13;]]&gt;</n>`, "text that needs references"},
		{line, `<n></n>`, `<n/>`, "nothing in it"},
		{line, `<n> </n>`, `<n> </n>`, "white space for a value"},
		{line, `<n><![CDATA[<b>]]></n>`, `<n><![CDATA[<b>]]></n>`, "a CDATA section"},
		{line, `<n>]]<![CDATA[>]]></n>`, `<n>]]<![CDATA[>]]></n>`, "no end of a section"},
		{line, "<n>\n<b/>\n</n>", "<n><b/></n>", "indentation that was"},
		{line, "<n>x <b/> y</n>", "<n>x <b/> y</n>", "text among elements"},
		{line, "<n><!-- c --><?p i?><?q?></n>", "<n><!-- c --><?p i?><?q ?></n>", "comments and instructions"},
		{line, `<n xmlns="u"><b:c xmlns:b="v" b:d="1"/></n>`, `<n xmlns='u'><b:c xmlns:b='v' b:d='1'/></n>`, "namespaces"},
		{line, "<ä ö='ü'>ß</ä>", "<ä ö='ü'>ß</ä>", "names beyond ASCII"},
		{ascii + line, "<n b='ü'>ß<c><![CDATA[ß]]></c></n>", "<n b='&#252;'>&#223;<c>&#223;</c></n>", "references in ASCII"},
		{"<a xmlns:q='u'><p/></a>", "<q:n/>", "<q:n/>", "a prefix declared at the place"},
		{lines, "<n><b c='1'>x</b><d><e/><!-- f --></d><g></g></n>",
			"<n>\n    <b c='1'>x</b>\n    <d>\n      <e/>\n      <!-- f -->\n    </d>\n    <g/>\n  </n>", "each on its line"},
		{lines, "<n>\n        <b/>   <c/>\n\n</n>", "<n>\n    <b/>\n    <c/>\n  </n>", "indentation that was"},
		{lines, "<n>x<b><c/></b></n>", "<n>x<b>\n      <c/>\n    </b></n>", "no white space is added to text"},
		{lines, "<n>\n</n>", "<n>\n</n>", "white space for a value"},
		{"<a>\n<p>\n\t<c/>\n</p>\n</a>", "<n><b/></n>", "<n>\n\t<b/>\n</n>", "what was there shows the step"},
		{"<a>\n\t<b>\n\t<p/>\n\t</b>\n</a>", "<n><b/></n>", "<n>\n\t\t<b/>\n\t</n>", "or the tab"},
		{"<a>\n\t<b/>\n <p/>\n</a>", "<n><b/></n>", "<n>\n  <b/>\n </n>", "so does the parent"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src)
		change, err := mustFind(t, d, "//p").Element().Replace(newElement(t, test.element))
		if err != nil {
			t.Errorf("%s: %v: %s", test.element, err, test.reason)
			continue
		}
		if change.After != test.want {
			t.Errorf("got  %q\nwant %q: %s", change.After, test.want, test.reason)
		}
		if _, err := d.Apply([]Change{change}); err != nil {
			t.Errorf("%s: %v: %s", test.element, err, test.reason)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	with := func(f func(n *etree.Element)) *etree.Element {
		n := etree.NewElement("n")
		f(n)
		return n
	}
	deep := etree.NewElement("n")
	for e, i := deep, 0; i < maxDepth; i++ {
		e = e.CreateElement("n")
	}
	own := etree.NewElement("n")
	own.Child = append(own.Child, own)
	const ascii = "<?xml version='1.0' encoding='US-ASCII'?>"
	tests := []struct {
		src    string
		n      *etree.Element
		want   string
		reason string
	}{
		{"", nil, `/a/p: "": no element given`, "nothing to write"},
		{"", etree.NewElement(""), `/a/p: "": name "": a name is missing`, "no name"},
		{"", etree.NewElement("n b='c'"), `/a/p: "n b='c'": name "n b='c'": ' ' cannot stand in a name`, "markup smuggled in"},
		{"", with(func(n *etree.Element) { n.CreateElement("1") }), `/a/p: "n": name "1": '1' cannot start a name`, "a name within"},
		{"", etree.NewElement("q:n"), `/a/p: "q:n": namespace prefix "q" is not declared`, "no such prefix there"},
		{"", etree.NewElement("xmlns:n"), `/a/p: "xmlns:n": prefix xmlns is for namespace declarations only`, "reserved"},
		{"", with(func(n *etree.Element) { n.CreateAttr("b='c' d", "e") }), `/a/p: "n": "n": attribute "b='c' d": name "b='c' d": '=' cannot stand in a name`, "markup smuggled in"},
		{"", with(func(n *etree.Element) { n.CreateAttr("b", "\x00") }), `/a/p: "n": "n": attribute "b": "\x00": NUL character`, "no character"},
		{"", with(func(n *etree.Element) { n.CreateAttr("q:b", "") }), `/a/p: "n": namespace prefix "q" is not declared`, "no such prefix there"},
		{"", with(func(n *etree.Element) { n.Attr = []etree.Attr{{Key: "b"}, {Key: "b"}} }), `/a/p: "n": second attribute "b"`, "which one holds?"},
		{"", with(func(n *etree.Element) { n.CreateAttr("xmlns:b", "") }), `/a/p: "n": prefix "b" is bound to no namespace`, "not in Namespaces 1.0"},
		{"", with(func(n *etree.Element) { n.CreateText("\x01") }), `/a/p: "n": "n": "\x01": character U+0001 is not allowed in XML`, "no character"},
		{"", with(func(n *etree.Element) { n.CreateText("\xff") }), `/a/p: "n": "n": "\xff": not UTF-8`, "no character"},
		{"", with(func(n *etree.Element) { n.CreateComment("--") }), `/a/p: "n": comment "--": '--' within`, "it would end"},
		{"", with(func(n *etree.Element) { n.CreateComment("--><b/>") }), `/a/p: "n": comment "--><b/>": '--' within`, "markup smuggled in"},
		{"", with(func(n *etree.Element) { n.CreateComment("-") }), `/a/p: "n": comment "-": '--' within`, "its end would be another"},
		{"", with(func(n *etree.Element) { n.CreateComment("\x00") }), `/a/p: "n": "\x00": NUL character`, "no character"},
		{"", with(func(n *etree.Element) { n.CreateComment("\r") }), `/a/p: "n": "\r": a return cannot stand there`, "it would be read as a line end"},
		{"", with(func(n *etree.Element) { n.CreateProcInst("a b", "c") }), `/a/p: "n": processing instruction "a b": ' ' cannot stand in a name`, "no name"},
		{"", with(func(n *etree.Element) { n.CreateProcInst("a", "?><b/>") }), `/a/p: "n": processing instruction "a": '?>' within`, "markup smuggled in"},
		{"", with(func(n *etree.Element) { n.CreateProcInst("xml", "version='1.0'") }), `/a/p: "n": <?xml within the document; an XML declaration stands at its very start, in lower case`, "reserved"},
		{"", with(func(n *etree.Element) { n.CreateDirective("DOCTYPE a") }), `/a/p: "n": *etree.Directive cannot be written`, "no DTD"},
		{"", deep, `/a/p: "n": nested too deep`, "it would not be read again"},
		{"", own, `/a/p: "n": nested too deep`, "an element within itself"},
		{ascii, etree.NewElement("ä"), `/a/p: "ä": "ä": the document is declared as US-ASCII`, "names have no references"},
		{ascii, with(func(n *etree.Element) { n.CreateComment("ä") }), `/a/p: "n": "<!--ä": the document is declared as US-ASCII`, "comments have no references"},
		{ascii, with(func(n *etree.Element) { n.CreateProcInst("a", "ä") }), `/a/p: "n": "<?a ä": the document is declared as US-ASCII`, "instructions have no references"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src+"<a><p/></a>")
		p := d.Root().Child("p")
		_, err := p.Replace(test.n)
		wantContentError(t, err, test.want, test.reason)
		_, err = p.Append(etree.NewElement("first"), test.n)
		wantContentError(t, err, test.want, test.reason)
	}
	d := mustParse(t, "<a/>")
	_, err := d.Root().InsertBefore(etree.NewElement("n"))
	wantContentError(t, err, `/a: "n": the root has no siblings`, "two roots")
	_, err = d.Root().InsertAfter(etree.NewElement("n"))
	wantContentError(t, err, `/a: "n": the root has no siblings`, "two roots")
	_, err = d.Root().InsertAfter()
	wantContentError(t, err, `/a: "": the root has no siblings`, "not even none")
	if c, err := d.Root().Replace(etree.NewElement("n")); err != nil || c.After != "<n/>" {
		t.Errorf("the root replaced: %+v, %v", c, err)
	}
}

// TestWriteSize stops at the limit of the document's size.
func TestWriteSize(t *testing.T) {
	d, err := Parse([]byte("<a><p/></a>"), Limits{Bytes: 100})
	if err != nil {
		t.Fatal(err)
	}
	n := etree.NewElement("n")
	for range 3 {
		n.CreateElement("b").SetText(strings.Repeat("c", 99))
	}
	_, err = d.Root().Append(n)
	wantContentError(t, err, `/a: "n": more than 100 bytes`, "bounded memory")
}
