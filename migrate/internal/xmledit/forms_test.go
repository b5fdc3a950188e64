package xmledit

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// forms is every way to write a thing: one attribute value or one text in
// each row.
var forms = []struct {
	src, path string
	want      string // the value
	raw       string // as written
	reason    string
}{
	{`<a b='c'/>`, "/a/@b", "c", "c", "libvirt's own quotes"},
	{`<a b="c"/>`, "/a/@b", "c", "c", "libxml2's quotes"},
	{`<a b=''/>`, "/a/@b", "", "", "an empty value is a value"},
	{`<a b='"'/>`, "/a/@b", `"`, `"`, "the other quote needs no reference"},
	{`<a b="'"/>`, "/a/@b", "'", "'", "the other quote needs no reference"},
	{"<a\tb\n=\r\n'c' />", "/a/@b", "c", "c", "white space around the equals sign"},
	{`<a b='>'/>`, "/a/@b", ">", ">", "no escape needed"},
	{`<a b=']]>'/>`, "/a/@b", "]]>", "]]>", "forbidden in text only"},
	{`<a b='&amp;&lt;&gt;&apos;&quot;'/>`, "/a/@b", `&<>'"`, "&amp;&lt;&gt;&apos;&quot;", "the five entities"},
	{`<a b='&#65;&#x42;&#x1f600;&#x1F600;'/>`, "/a/@b", "AB\U0001F600\U0001F600", "&#65;&#x42;&#x1f600;&#x1F600;", "both kinds of numbers"},
	{`<a b='&#0000000000000000000065;'/>`, "/a/@b", "A", "&#0000000000000000000065;", "leading zeros"},
	{"<a b='c\td\ne\rf\r\ng  h'/>", "/a/@b", "c d e f g  h", "c\td\ne\rf\r\ng  h", "XML 1.0, 3.3.3: white space as such is blanks, \\r\\n one of them"},
	{`<a b='&#9;&#10;&#13;&#13;&#10;'/>`, "/a/@b", "\t\n\r\r\n", "&#9;&#10;&#13;&#13;&#10;", "white space by reference stays"},
	{`<a b='&#38;amp;'/>`, "/a/@b", "&amp;", "&#38;amp;", "what a reference gives is not read again"},
	{"<a b=' c '/>", "/a/@b", " c ", " c ", "nothing is trimmed"},
	{"<a b='\u00e4\u65e5\U0001F600'/>", "/a/@b", "\u00e4\u65e5\U0001F600", "\u00e4\u65e5\U0001F600", "two, three and four bytes"},
	{"<a b='\x7f\u0085\u2028\uFFFD'/>", "/a/@b", "\x7f\u0085\u2028\uFFFD", "\x7f\u0085\u2028\uFFFD", "odd but allowed, and no line ends"},
	{"<\u00e4 \u00f6\u00b7='c'/>", "/\u00e4/@\u00f6\u00b7", "c", "c", "names beyond ASCII"},
	{"<_a.-1 _b.-1='c'/>", "/_a.-1/@_b.-1", "c", "c", "signs in names"},
	{`<xml:a xml:lang='en'/>`, "/xml:a/@xml:lang", "en", "en", "the prefix xml needs no declaration"},
	{`<a b:c='d' xmlns:b='u'/>`, "/a/@b:c", "d", "d", "a prefix may be used before its declaration"},
	{`<a xmlns='u'/>`, "/a/@xmlns", "u", "u", "declarations are attributes too"},
	{`<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>`, "/a/@xmlns:xml", XMLSpace, XMLSpace, "it says what is so anyway"},
	{`<a xmlnsx='b' xml='c'/>`, "/a/@xmlnsx", "b", "b", "no declaration"},

	{`<a>b</a>`, "/a/text()", "b", "b", "plain"},
	{"<a> b\n</a>", "/a/text()", " b\n", " b\n", "nothing is trimmed"},
	{"<a>\r\nb\rc\n</a>", "/a/text()", "\nb\nc\n", "\r\nb\rc\n", "XML 1.0, 2.11: line ends"},
	{"<a>&#13;\n</a>", "/a/text()", "\r\n", "&#13;\n", "a return by reference stays"},
	{`<a>&lt;b&gt; &amp; &#x1F600;</a>`, "/a/text()", "<b> & \U0001F600", "&lt;b&gt; &amp; &#x1F600;", "references"},
	{`<a>'"></a>`, "/a/text()", `'">`, `'">`, "no escape needed"},
	{`<a>]] > ]]&gt; ]&#93;></a>`, "/a/text()", "]] > ]]> ]]>", "]] > ]]&gt; ]&#93;>", "only the three as such are forbidden"},
	{`<a><![CDATA[<b>&amp;]]]]></a>`, "/a/text()", "<b>&amp;]]", "<![CDATA[<b>&amp;]]]]>", "a section holds anything but its end"},
	{"<a><![CDATA[\r\n\r]]></a>", "/a/text()", "\n\n", "<![CDATA[\r\n\r]]>", "line ends in a section"},
	{`<a>b<![CDATA[c]]>d</a>`, "/a/text()", "bcd", "b<![CDATA[c]]>d", "runs are joined"},
	{`<a>b<!-- c -->d<?e f?>g</a>`, "/a/text()", "bdg", "b<!-- c -->d<?e f?>g", "comments and instructions are no text"},
	{`<a>b<c>d</c>e</a>`, "/a/text()", "be", "b<c>d</c>e", "the text of children is theirs"},
	{`<a><!-- < & ]]> - > ?> --><?b < & -- ]]> ? >?>c</a>`, "/a/text()", "c", "c", "markup and what looks like it in comments and instructions"},
	{"<a><!-- \u00e4 \U0001F600 --><?b \u00e4?><![CDATA[\u00e4]]></a>", "/a/text()", "\u00e4", "<![CDATA[\u00e4]]>", "characters beyond ASCII in all of them"},
	{"\uFEFF<a>b\uFEFFc</a>", "/a/text()", "b\uFEFFc", "b\uFEFFc", "a mark in the middle is a character"},
	{`<?xml version="1.0"?><a>b</a>`, "/a/text()", "b", "b", "the shortest declaration"},
	{"<?xml\tversion\n=\r'1.0' encoding = \"Utf-8\" standalone='no'\n?><a>b</a>", "/a/text()", "b", "b", "the longest declaration, white space wherever it may be"},
	{`<?xml version='1.0' encoding='us-ascii'?><a>&#xe4;</a>`, "/a/text()", "\u00e4", "&#xe4;", "ASCII is UTF-8"},
	{"<?xml-stylesheet href='b'?><!----><a>b</a\t\n><?c?>\n<!-- d --> \n", "/a/text()", "b", "b", "what may stand around the root"},
}

func TestForms(t *testing.T) {
	for _, test := range forms {
		t.Run(test.src, func(t *testing.T) {
			if test.reason == "" {
				t.Error("a row needs a reason")
			}
			d := mustParse(t, test.src)
			n := mustFind(t, d, test.path)
			if got := n.Value(); got != test.want {
				t.Errorf("value %q, want %q", got, test.want)
			}
			s := n.Span()
			if got := d.Source()[s.Start:s.End]; got != test.raw {
				t.Errorf("written %q, want %q", got, test.raw)
			}
			if d.Source() != test.src {
				t.Errorf("the source became %q", d.Source())
			}
		})
	}
}

// TestNames checks which characters may stand in names, against XML 1.0.
func TestNames(t *testing.T) {
	// Production 4 without the colon, and what 4a adds.
	start := [][2]rune{{'A', 'Z'}, {'_', '_'}, {'a', 'z'}, {0xC0, 0xD6}, {0xD8, 0xF6}, {0xF8, 0x2FF}, {0x370, 0x37D},
		{0x37F, 0x1FFF}, {0x200C, 0x200D}, {0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF}, {0xF900, 0xFDCF},
		{0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}}
	more := [][2]rune{{'-', '-'}, {'.', '.'}, {'0', '9'}, {0xB7, 0xB7}, {0x300, 0x36F}, {0x203F, 0x2040}}
	in := func(r rune, ranges [][2]rune) bool {
		for _, x := range ranges {
			if x[0] <= r && r <= x[1] {
				return true
			}
		}
		return false
	}
	for r := rune(-1); r <= utf8.MaxRune+1; r++ {
		if got, want := isNameStart(r), in(r, start); got != want {
			t.Fatalf("isNameStart(%U) = %t", r, got)
		}
		if got, want := isNameChar(r), in(r, start) || in(r, more); got != want {
			t.Fatalf("isNameChar(%U) = %t", r, got)
		}
	}
	for _, name := range []string{"a", "a:b", "_", "\u00e4:\uFFFD", "a.-1"} {
		if msg := nameFault(name); msg != "" {
			t.Errorf("nameFault(%q) = %q", name, msg)
		}
	}
	for _, name := range []string{"", ":", ":a", "a:", "a:b:c", "a:1", "1", "-", "a b", "a/", "a\x00", "\xff", "a\xff", "a>", strings.Repeat("a", maxName+1)} {
		if nameFault(name) == "" {
			t.Errorf("nameFault(%q) finds none", quote(name))
		}
	}
}

func TestNamespaces(t *testing.T) {
	const src = `<domain xmlns:qemu='urn:qemu'><a qemu:b='1' b='2'/><c xmlns='urn:c'><d e='3' xmlns:qemu='urn:other' qemu:e='4'>` +
		`<qemu:f/></d><g xmlns=''><h/></g></c><qemu:i/><j/></domain>`
	want := []string{
		"domain: domain in no namespace",
		"  @xmlns:qemu: qemu in http://www.w3.org/2000/xmlns/",
		"a: a in no namespace",
		"  @qemu:b: b in urn:qemu",
		"  @b: b in no namespace",
		"c: c in urn:c",
		"  @xmlns: xmlns in http://www.w3.org/2000/xmlns/",
		"d: d in urn:c",
		"  @e: e in no namespace",
		"  @xmlns:qemu: qemu in http://www.w3.org/2000/xmlns/",
		"  @qemu:e: e in urn:other",
		"qemu:f: f in urn:other",
		"g: g in no namespace",
		"  @xmlns: xmlns in http://www.w3.org/2000/xmlns/",
		"h: h in no namespace",
		"qemu:i: i in urn:qemu",
		"j: j in no namespace",
	}
	space := func(s string) string {
		if s == "" {
			return "no namespace"
		}
		return s
	}
	list := func(src string) (got []string) {
		for e := range mustParse(t, src).Elements() {
			got = append(got, e.Name()+": "+e.Local()+" in "+space(e.Space()))
			for a := range e.Attrs() {
				got = append(got, "  @"+a.Name()+": "+a.Local()+" in "+space(a.Space()))
			}
		}
		return got
	}
	if diff := cmp.Diff(want, list(src)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// The same among so many that maps are used, and beneath as many again.
	wrapped := "<x" + manySpaces(40) + ">" + strings.Replace(src, " xmlns:qemu='urn:other'", " xmlns:qemu='urn:other'"+manySpaces(30), 1) + "</x>"
	var got []string
	for _, line := range list(wrapped)[41:] {
		if !strings.HasPrefix(line, "  @xmlns:x") {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("among many (-want +got)\n%s", diff)
	}
}
