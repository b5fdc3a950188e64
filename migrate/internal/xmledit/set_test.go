package xmledit

import (
	"errors"
	"strings"
	"testing"
)

// unwritable are values that XML cannot carry.
var unwritable = []struct{ value, msg string }{
	{"a\x00b", "NUL character"},
	{"a\x01", "character U+0001 is not allowed in XML"},
	{"\x1b[0m", "character U+001B is not allowed in XML"},
	{"a\xff", "not UTF-8"},
	{"\xed\xa0\x80", "not UTF-8"},
	{"\xe4", "not UTF-8"},
	{"\uFFFE", "character U+FFFE is not allowed in XML"},
	{"\uFFFF", "character U+FFFF is not allowed in XML"},
	{strings.Repeat("a", maxToken+1), "too long"},
}

func TestSet(t *testing.T) {
	tests := []struct{ src, value, want, reason string }{
		{`<a b='c'/>`, "d", `<a b='d'/>`, "the quotes stay"},
		{`<a b="c"/>`, "d", `<a b="d"/>`, "the quotes stay"},
		{`<a b = "c" />`, "", `<a b = "" />`, "so does everything else"},
		{`<a b='c'/>`, `it's "d"`, `<a b='it&apos;s "d"'/>`, "only the quote in use is escaped"},
		{`<a b="c"/>`, `it's "d"`, `<a b="it's &quot;d&quot;"/>`, "only the quote in use is escaped"},
		{`<a b='c'/>`, "<&>]]>", `<a b='&lt;&amp;>]]>'/>`, "a '>' needs no escape"},
		{`<a b='c'/>`, "\t\n\r d ", `<a b='&#9;&#10;&#13; d '/>`, "white space that would be read as blanks"},
		{`<a b='c'/>`, "ä\U0001F600\x7f\u0085", "<a b='ä\U0001F600\x7f\u0085'/>", "UTF-8 as it is"},
		{"<?xml version='1.0' encoding='US-ASCII'?><a b='c'/>", "ä\U0001F600", "<?xml version='1.0' encoding='US-ASCII'?><a b='&#228;&#128512;'/>", "references in ASCII"},
		{`<a b='&#99;'/>`, "c", `<a b='&#99;'/>`, "what is said already is left as it is spelled"},
		{"<a b='\tc'/>", " c", "<a b='\tc'/>", "white space said already too"},
		{"<a b='\tc'/>", "\tc", "<a b='&#9;c'/>", "a tab that was none"},
		{`<a b='&amp;lt;'/>`, "&lt;", `<a b='&amp;lt;'/>`, "a value that looks like a reference"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src)
		change, err := d.Root().Attr("b").Set(test.value)
		if err != nil {
			t.Errorf("%s: %v: %s", test.src, err, test.reason)
			continue
		}
		after, err := d.Edited([]Change{change})
		if err != nil || after.Source() != test.want || after.Root().Attr("b").Value() != test.value {
			t.Errorf("got  %s, %v\nwant %s: %s", source(after), err, test.want, test.reason)
		}
		if change.Changes() != (test.src != test.want) {
			t.Errorf("%s: Changes is %t: %s", test.src, change.Changes(), test.reason)
		}
	}
}

// source is what a document says, if there is one.
func source(d *Document) string {
	if d == nil {
		return "no document"
	}
	return d.Source()
}

// wantContentError checks an error and its text.
func wantContentError(t *testing.T, err error, want, reason string) {
	t.Helper()
	if !errors.As(err, new(*ContentError)) {
		t.Errorf("got %v, want a *ContentError: %s", err, reason)
	} else if err.Error() != want {
		t.Errorf("got  %s\nwant %s: %s", err, want, reason)
	}
}

func TestSetRefuses(t *testing.T) {
	d := mustParse(t, "<a b='c' xmlns='u'>d</a>")
	for _, u := range unwritable {
		_, err := d.Root().Attr("b").Set(u.value)
		wantContentError(t, err, "/a/@b: "+quote(u.value)+": "+u.msg, "attribute set")
		_, err = d.Root().SetAttr("b", u.value)
		wantContentError(t, err, "/a/@b: "+quote(u.value)+": "+u.msg, "attribute set by its name")
		_, err = d.Root().SetAttr("new", u.value)
		wantContentError(t, err, "/a/@new: "+quote(u.value)+": "+u.msg, "attribute added")
		_, err = d.Root().SetText(u.value)
		wantContentError(t, err, "/a: "+quote(u.value)+": "+u.msg, "text")
	}
	_, err := d.Root().Attr("xmlns").Set("v")
	wantContentError(t, err, `/a/@xmlns: "v": a namespace declaration is not set; it changes what names mean`, "everything in a would become another thing")
}

func TestSetAttr(t *testing.T) {
	tests := []struct{ src, name, value, want, reason string }{
		{`<a/>`, "b", "c", `<a b='c'/>`, "libvirt's quotes where there are none"},
		{`<a />`, "b", "c", `<a b='c' />`, "directly behind the name"},
		{"<a\n/>", "b", "c", "<a b='c'\n/>", "directly behind the name"},
		{`<a></a>`, "b", "c", `<a b='c'></a>`, "not self-closed"},
		{`<a x='1'/>`, "b", "c", `<a x='1' b='c'/>`, "behind the last"},
		{`<a x="1"/>`, "b", `'"`, `<a x="1" b="'&quot;"/>`, "the quotes of the tag"},
		{"<a x=\"1\"\n   y='2'  >d</a>", "b", "c", "<a x=\"1\"\n   y='2' b='c'  >d</a>", "the quotes of the last"},
		{`<a b="1"/>`, "b", "c", `<a b="c"/>`, "one that is there is set"},
		{`<a xmlns:x='u'/>`, "x:b", "c", `<a xmlns:x='u' x:b='c'/>`, "a prefix declared there"},
		{`<a/>`, "xml:lang", "en", `<a xml:lang='en'/>`, "a prefix that needs no declaration"},
		{`<a/>`, "b", "", `<a b=''/>`, "an empty value"},
		{`<a/>`, "ä", "\n", `<a ä='&#10;'/>`, "a name beyond ASCII"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src)
		change, err := d.Root().SetAttr(test.name, test.value)
		if err != nil {
			t.Errorf("%s: %v: %s", test.src, err, test.reason)
			continue
		}
		after, err := d.Edited([]Change{change})
		if err != nil || after.Source() != test.want || after.Root().Attr(test.name).Value() != test.value {
			t.Errorf("got  %s, %v\nwant %s: %s", source(after), err, test.want, test.reason)
		}
	}
}

func TestSetAttrRefuses(t *testing.T) {
	const ascii = "<?xml version='1.0' encoding='US-ASCII'?>"
	tests := []struct{ src, name, want, reason string }{
		{"<a/>", "", `/a: "": a name is missing`, "no name"},
		{"<a/>", "b c", `/a: "b c": ' ' cannot stand in a name`, "no name"},
		{"<a/>", "b='c' d", `/a: "b='c' d": '=' cannot stand in a name`, "markup smuggled in"},
		{"<a/>", "1b", `/a: "1b": '1' cannot start a name`, "no name"},
		{"<a/>", "b:c", `/a: "b:c": namespace prefix "b" is not declared there`, "no such prefix"},
		{"<a><b xmlns:c='u'/></a>", "c:d", `/a: "c:d": namespace prefix "c" is not declared there`, "declared elsewhere"},
		{"<a/>", "xmlns", `/a: "xmlns": a namespace declaration is not set; it changes what names mean`, "names would change"},
		{"<a/>", "xmlns:b", `/a: "xmlns:b": a namespace declaration is not set; it changes what names mean`, "names might change"},
		{"<a x:b='1' xmlns:x='u' xmlns:y='u'/>", "y:b", `/a: "y:b": the attribute is there already as "x:b"`, "the same by its namespace"},
		{ascii + "<a/>", "ä", `/a: "ä": the document is declared as US-ASCII`, "names have no references"},
	}
	for _, test := range tests {
		_, err := mustParse(t, test.src).Root().SetAttr(test.name, "c")
		wantContentError(t, err, test.want, test.reason)
	}
}

func TestRemoveAttr(t *testing.T) {
	tests := []struct{ src, want, reason string }{
		{`<a b='c'/>`, `<a/>`, "the white space before it goes too"},
		{`<a b='c' />`, `<a />`, "what is behind it stays"},
		{"<a x='1'\n   b = \"c\"\n   y='2'/>", "<a x='1'\n   y='2'/>", "its line end goes too"},
		{`<a b='c'></a>`, `<a></a>`, "not self-closed"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src)
		if got, err := d.Apply([]Change{d.Root().Attr("b").Remove()}); err != nil || got != test.want {
			t.Errorf("got  %s, %v\nwant %s: %s", got, err, test.want, test.reason)
		}
	}
	d := mustParse(t, "<a b='1' c='2' d='3'/>")
	add, err := d.Root().SetAttr("e", "4")
	if err != nil {
		t.Fatal(err)
	}
	all := []Change{d.Root().Attr("d").Remove(), add, d.Root().Attr("b").Remove(), d.Root().Attr("c").Remove()}
	if got, err := d.Apply(all); err != nil || got != "<a e='4'/>" {
		t.Errorf("all removed and one added: %s, %v", got, err)
	}
}

func TestSetText(t *testing.T) {
	const ascii = "<?xml version='1.0' encoding='US-ASCII'?>"
	tests := []struct{ src, value, want, reason string }{
		{"<a>b</a>", "c", "<a>c</a>", "the plain case"},
		{"<a>b</a>", "b", "<a>b</a>", "what is said already"},
		{"<a>&#98;</a>", "b", "<a>&#98;</a>", "what is said already is left as it is spelled"},
		{"<a>\n  b\n</a>", "c", "<a>\n  c\n</a>", "white space around it stays"},
		{"<a>\n  b\n</a>", "b", "<a>\n  b\n</a>", "and does not matter"},
		{"<a>\n  b\n</a>", " c ", "<a> c </a>", "unless the value brings its own"},
		{"<a>\n  b\n</a>", " c", "<a> c\n</a>", "at one end"},
		{"<a>\n  b\n</a>", "c\n", "<a>\n  c\n</a>", "at the other end"},
		{"<a>\n  b\n</a>", "", "<a>\n  \n</a>", "no value"},
		{"<a>\n  b\n</a>", "\n", "<a>\n</a>", "nothing but white space"},
		{"<a>b</a>", "<c> & ]]> d\r\n\t", "<a>&lt;c> &amp; ]]&gt; d&#13;\n\t</a>", "what has to be escaped"},
		{"<a>b</a>", `'"`, `<a>'"</a>`, "what has not"},
		{"<a>b</a>", "&amp;", "<a>&amp;amp;</a>", "a value that looks like a reference"},
		{"<a>b</a>", "ä", "<a>ä</a>", "UTF-8 as it is"},
		{ascii + "<a>b</a>", "ä", ascii + "<a>&#228;</a>", "references in ASCII"},
		{"<a/>", "c", "<a>c</a>", "a self-closed element is opened"},
		{"<a b='1' />", "c", "<a b='1'>c</a>", "with its attributes"},
		{"<q:a xmlns:q='u'/>", "c", "<q:a xmlns:q='u'>c</q:a>", "with its prefix"},
		{"<a/>", "", "<a/>", "and left alone if there is nothing to say"},
		{"<a></a>", "c", "<a>c</a>", "an empty element"},
		{"<a>\n</a>", "c", "<a>c</a>", "white space only"},
		{"<a>\n</a>", "", "<a>\n</a>", "white space only, and nothing to say"},
		{"<a>\n</a>", " ", "<a> </a>", "other white space"},
		{"<a><!-- x --></a>", "c", "<a>c<!-- x --></a>", "a comment only"},
		{"<a>\n  <b/>\n</a>", "c", "<a>c\n  <b/>\n</a>", "child elements and their indentation stay"},
		{"<a> x <b/> y </a>", "c", "<a> c<b/> </a>", "text on both sides of a child"},
		{"<a>b<!-- x -->c<?p?>d</a>", "e", "<a>e<!-- x --><?p?></a>", "several runs: the first gets the value"},
		{"<a>b<!-- x --> <!-- y -->d\n</a>", "e", "<a>e<!-- x --> <!-- y -->\n</a>", "white space between them stays"},
		{"<a>b<!-- x -->c</a>", "bc", "<a>b<!-- x -->c</a>", "said already, in two runs"},
		{"<a><![CDATA[b]]></a>", "<c>", "<a><![CDATA[<c>]]></a>", "a CDATA section stays one"},
		{"<a>\n<![CDATA[ b\n]]>\n</a>", "c", "<a>\n<![CDATA[ c\n]]>\n</a>", "with white space around and in it"},
		{"<a><![CDATA[ b ]]></a>", "]]>", "<a> ]]&gt; </a>", "unless it would end"},
		{"<a><![CDATA[b]]></a>", "c]]", "<a><![CDATA[c]]]]></a>", "which it does not here"},
		{"<a><![CDATA[b]]></a>", "c\rd", "<a>c&#13;d</a>", "or a return would be lost"},
		{ascii + "<a><![CDATA[b]]></a>", "ä", ascii + "<a>&#228;</a>", "or it cannot be written there"},
		{"<a><![CDATA[b]]></a>", "", "<a></a>", "a section is not left empty"},
		{"<a><![CDATA[b]]>></a>", "]]", "<a><![CDATA[]]]]></a>", "no end of a section comes into being"},
		{"<a><![CDATA[b]]>></a>", "]]>", "<a>]]&gt;</a>", "no end of a section comes into being"},
		{"<a>b<![CDATA[c]]>d</a>", "]]", "<a>]]</a>", "text, section, text"},
		{"<a><![CDATA[]]></a>", "c", "<a><![CDATA[c]]></a>", "an empty section"},
		{"<a><![CDATA[]]> <b/></a>", "c", "<a>c<![CDATA[]]> <b/></a>", "an empty section beside something"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src)
		changes, err := d.Root().SetText(test.value)
		if err != nil {
			t.Errorf("%q: %v: %s", test.src, err, test.reason)
			continue
		}
		if (test.src == test.want) != (len(changes) == 0) {
			t.Errorf("%q: %d changes: %s", test.src, len(changes), test.reason)
		}
		after, err := d.Edited(changes)
		if err != nil || after.Source() != test.want {
			t.Errorf("%q: got %q, %v\nwant %q: %s", test.src, source(after), err, test.want, test.reason)
			continue
		}
		again, err := after.Root().SetText(test.value)
		if err != nil || len(again) != 0 && !isBlank(test.value) {
			t.Errorf("%q: once more changes %v, %v", test.want, again, err)
		}
	}
}

// TestSetTwice gives one place two values: one of them would be lost, so that
// they are refused together, wherever there is nothing yet as well.
func TestSetTwice(t *testing.T) {
	for _, src := range []string{"<a b='c'>d</a>", "<a b=''></a>", "<a b=\"\" />", "<a b='c'>\n</a>", "<a b=''><!-- x --><d/></a>",
		"<a b=''><![CDATA[]]></a>", "<a b='c'><![CDATA[d]]></a>", "<a b='' xmlns:x='u'> <![CDATA[]]></a>"} {
		d := mustParse(t, src)
		var all [2][]Change
		for i, v := range []string{"one", "two"} {
			c, err := d.Root().Attr("b").Set(v)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := d.Edited([]Change{c}); err != nil || out.Root().Attr("b").Value() != v {
				t.Errorf("%s: set to %s: %v", src, v, err)
			}
			all[i] = []Change{c}
		}
		if out, err := d.Apply(append(all[0], all[1]...)); err == nil {
			t.Errorf("%s: two values of an attribute give %s", src, out)
		}
		for i, v := range []string{"one", "two"} {
			cs, err := d.Root().SetText(v)
			if err != nil {
				t.Fatal(err)
			}
			if out, err := d.Edited(cs); err != nil || out.Root().Text().Trimmed() != v {
				t.Errorf("%s: text %s: %v", src, v, err)
			}
			all[i] = cs
		}
		if out, err := d.Apply(append(all[0], all[1]...)); err == nil {
			t.Errorf("%s: two texts give %s", src, out)
		}
	}
}
