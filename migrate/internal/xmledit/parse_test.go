package xmledit

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// deep is one level too deep.
var deep = strings.Repeat("<a>", maxDepth+1) + strings.Repeat("</a>", maxDepth+1)

// refusals is everything that Parse refuses, with its message.
var refusals = []struct {
	name, src, want string
	reason          string
}{
	{"empty", "", "1:1: the document is empty", "nothing is no document"},
	{"white space only", " \n", "2:1: there is no element; a document has one", "a document has a root"},
	{"comment only", "<!-- -->", "1:9: there is no element; a document has one", "a document has a root"},
	{"mark only", byteOrderMark, "1:1: there is no element; a document has one", "a document has a root"},
	{"text only", "domain", "1:1: text before the root element", "a file name passed for a document, say"},

	{"UTF-16 big-endian mark", "\xFE\xFF\x00<\x00a", "1:1: the document is in UTF-16; UTF-8 is read", "offsets are of UTF-8"},
	{"UTF-16 little-endian mark", "\xFF\xFE<\x00a\x00", "1:1: the document is in UTF-16; UTF-8 is read", "offsets are of UTF-8"},
	{"UTF-16 big-endian", "\x00<\x00a", "1:1: the document is in UTF-16; UTF-8 is read", "known by its first bytes"},
	{"UTF-16 little-endian", "<\x00a\x00", "1:1: the document is in UTF-16; UTF-8 is read", "known by its first bytes"},
	{"UTF-32 big-endian mark", "\x00\x00\xFE\xFF", "1:1: the document is in UTF-32; UTF-8 is read", "offsets are of UTF-8"},
	{"UTF-32 little-endian mark", "\xFF\xFE\x00\x00", "1:1: the document is in UTF-32; UTF-8 is read", "not to be taken for UTF-16"},
	{"UTF-32 big-endian", "\x00\x00\x00<", "1:1: the document is in UTF-32; UTF-8 is read", "known by its first bytes"},
	{"UTF-32 little-endian", "<\x00\x00\x00", "1:1: the document is in UTF-32; UTF-8 is read", "known by its first bytes"},
	{"second mark", byteOrderMark + byteOrderMark + "<a/>", "1:1: text before the root element", "only the first has no width"},

	{"declaration late", " <?xml version='1.0'?><a/>", "1:2: <?xml within the document; an XML declaration stands at its very start, in lower case", "it says how to read what follows"},
	{"declaration twice", "<?xml version='1.0'?><?xml version='1.0'?><a/>", "1:22: <?xml within the document; an XML declaration stands at its very start, in lower case", "there is one"},
	{"declaration in capitals", "<?XML version='1.0'?><a/>", "1:1: <?XML within the document; an XML declaration stands at its very start, in lower case", "the target xml is reserved in any case"},
	{"declaration empty", "<?xml?><a/>", "1:1: <?xml within the document; an XML declaration stands at its very start, in lower case", "no version"},
	{"declaration without version", "<?xml encoding='UTF-8'?><a/>", "1:6: version expected in the XML declaration", "it is the one part that must be there"},
	{"version 1.1", "<?xml version='1.1'?><a/>", "1:16: XML version \"1.1\"; 1.0 is read", "control characters mean something else there"},
	{"version without equals sign", "<?xml version '1.0'?><a/>", "1:15: '=' expected behind version in the XML declaration", "grammar"},
	{"version without quotes", "<?xml version=1.0?><a/>", "1:15: the value of version in the XML declaration is not in quotes", "grammar"},
	{"version without end", "<?xml version='1.0?><a/>", "1:15: the value of version in the XML declaration has no end", "grammar"},
	{"version at the end", "<?xml version", "1:14: '=' expected behind version in the XML declaration", "cut off"},
	{"Latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "1:31: encoding \"ISO-8859-1\"; UTF-8 is read", "bytes would be read wrongly"},
	{"UTF-16 declared", "<?xml version='1.0' encoding='UTF-16'?><a/>", "1:31: encoding \"UTF-16\"; UTF-8 is read", "not what it says"},
	{"ASCII with a mark", byteOrderMark + "<?xml version='1.0' encoding='US-ASCII'?><a/>", "1:31: encoding \"US-ASCII\" behind a byte order mark of UTF-8", "the two disagree"},
	{"ASCII with an umlaut", "<?xml version='1.0' encoding='us-ascii'?>\n<a>\u00e4</a>", "2:4: character 'ä' in a document that is declared as US-ASCII", "libxml2 refuses it too"},
	{"ASCII with an umlaut in a name", "<?xml version='1.0' encoding='US-ASCII'?><\u00e4/>", "1:43: character 'ä' in a document that is declared as US-ASCII", "names are characters too"},
	{"ASCII with an umlaut in a value", "<?xml version='1.0' encoding='US-ASCII'?><a b='\u00e4'/>", "1:48: character 'ä' in a document that is declared as US-ASCII", "so are values"},
	{"ASCII with an umlaut in a comment", "<?xml version='1.0' encoding='US-ASCII'?><!--\u00e4--><a/>", "1:46: character 'ä' in a document that is declared as US-ASCII", "and comments"},
	{"standalone maybe", "<?xml version='1.0' standalone='maybe'?><a/>", "1:33: standalone is \"maybe\"; yes or no expected", "grammar"},
	{"parts in the wrong order", "<?xml version='1.0' standalone='yes' encoding='UTF-8'?><a/>", "1:38: '?>' expected at the end of the XML declaration", "the order is fixed"},
	{"parts not apart", "<?xml version='1.0'encoding='UTF-8'?><a/>", "1:20: '?>' expected at the end of the XML declaration", "white space is needed"},
	{"declaration without end", "<?xml version='1.0' ><a/>", "1:21: '?>' expected at the end of the XML declaration", "grammar"},

	{"DTD", "<?xml version='1.0'?>\n<!DOCTYPE domain [<!ENTITY a 'b'>]>\n<domain/>", "2:1: document type declaration; none is read", "entities would hide text from rules"},
	{"DTD in the root", "<a><!DOCTYPE a></a>", "1:4: document type declaration; none is read", "not even there"},
	{"other declaration", "<a><!ELEMENT a EMPTY></a>", "1:4: '<!' starts neither a comment nor a CDATA section", "only a DTD has those"},
	{"other declaration before the root", "<!ELEMENT a EMPTY><a/>", "1:2: '!' cannot start the name of the element", "only a DTD has those"},
	{"custom entity", "<a>&disk;</a>", "1:4: entity \"disk\" is not declared", "there is no DTD to declare it"},
	{"custom entity in a value", "<a\nb='&disk;'/>", "2:4: entity \"disk\" is not declared", "there is no DTD to declare it"},
	{"bare ampersand", "<a>a & b</a>", "1:6: '&' starts no reference; write '&amp;'", "it would be an entity"},
	{"ampersand at the end", "<a>&amp", "1:4: '&' starts no reference; write '&amp;'", "cut off"},
	{"ampersand and a semicolon far away", "<a>&" + strings.Repeat(" ", maxName) + ";</a>", "1:4: '&' starts no reference; write '&amp;'", "names are short"},
	{"empty reference", "<a>&;</a>", "1:4: '&' starts no reference; write '&amp;'", "a name is missing"},
	{"reference to NUL", "<a>&#0;</a>", "1:4: \"&#0;\" is no character of XML", "not even as a reference"},
	{"reference to a control character", "<a b='&#x1F;'/>", "1:7: \"&#x1F;\" is no character of XML", "not even as a reference"},
	{"reference to a surrogate", "<a>&#xD800;</a>", "1:4: \"&#xD800;\" is no character of XML", "half a character"},
	{"reference to U+FFFE", "<a>&#xFFFE;</a>", "1:4: \"&#xFFFE;\" is no character of XML", "no character"},
	{"reference beyond Unicode", "<a>&#x110000;</a>", "1:4: \"&#x110000;\" is no character of XML", "no character"},
	{"reference beyond numbers", "<a>&#99999999999999999999;</a>", "1:4: \"&#99999999999999999999;\" is no character of XML", "no overflow"},
	{"reference without digits", "<a>&#;</a>", "1:4: \"&#;\" is no character of XML", "grammar"},
	{"reference with a sign", "<a>&#+65;</a>", "1:4: \"&#+65;\" is no character of XML", "grammar"},
	{"hexadecimal in capitals", "<a>&#X41;</a>", "1:4: \"&#X41;\" is no character of XML", "the x is small"},

	{"NUL in text", "<a>\x00</a>", "1:4: NUL character", "ends C strings in libvirt"},
	{"NUL in a name", "<a\x00/>", "1:3: NUL character", "ends C strings in libvirt"},
	{"NUL for a name", "<a><\x00/></a>", "1:5: NUL character", "ends C strings in libvirt"},
	{"NUL in a value", "<a b='\x00'/>", "1:7: NUL character", "ends C strings in libvirt"},
	{"NUL in a comment", "<a><!--\x00--></a>", "1:8: NUL character", "ends C strings in libvirt"},
	{"NUL in a CDATA section", "<a><![CDATA[\x00]]></a>", "1:13: NUL character", "ends C strings in libvirt"},
	{"NUL in an instruction", "<a><?b \x00?></a>", "1:8: NUL character", "ends C strings in libvirt"},
	{"NUL behind an instruction's name", "<a><?b\x00?></a>", "1:7: NUL character", "ends C strings in libvirt"},
	{"NUL behind the root", "<a/>\x00", "1:5: NUL character", "ends C strings in libvirt"},
	{"control character", "<a>\x1b[0m</a>", "1:4: character U+001B is not allowed in XML", "a terminal's colours"},
	{"U+FFFF", "<a>\uFFFF</a>", "1:4: character U+FFFF is not allowed in XML", "no character"},
	{"Latin-1 byte in text", "<a>\n\xe4</a>", "2:1: not UTF-8", "another encoding"},
	{"Latin-1 byte in a value", "<a b='\xe4'/>", "1:7: not UTF-8", "another encoding"},
	{"Latin-1 byte in a name", "<\xe4/>", "1:2: not UTF-8", "another encoding"},
	{"Latin-1 byte in a comment", "<!--\xe4--><a/>", "1:5: not UTF-8", "another encoding"},
	{"surrogate in UTF-8", "<a>\xed\xa0\x80</a>", "1:4: not UTF-8", "half a character"},
	{"overlong", "<a>\xc0\xbc</a>", "1:4: not UTF-8", "hides a '<'"},
	{"cut-off character", "<a>\xe2\x82", "1:4: not UTF-8", "cut off"},

	{"two roots", "<a/>\n<b/>", "2:1: second root element; a document has one", "the second would be lost"},
	{"text before the root", "x<a/>", "1:1: text before the root element", "nothing holds it"},
	{"text behind the root", "<a/>\n\nx", "3:1: text behind the root element", "nothing holds it"},
	{"reference behind the root", "<a/>&#32;", "1:5: text behind the root element", "nothing holds it"},
	{"CDATA section before the root", "<![CDATA[]]><a/>", "1:1: CDATA section before the root element", "nothing holds it"},
	{"end tag behind the root", "<a></a></a>", "1:8: end tag behind the root element", "nothing is open"},
	{"end tag only", "</a>", "1:1: end tag before the root element", "nothing is open"},

	{"never closed", "<a>\n<b>text", "2:8: the document ends within element \"b\" of line 2", "cut off"},
	{"closed in the wrong order", "<a>\n<b></a></b>", "2:4: end tag \"a\" where element \"b\" of line 2 is open", "elements nest"},
	{"closed by a longer name", "<a></ab>", "1:4: end tag \"ab\" where element \"a\" of line 1 is open", "names are compared whole"},
	{"closed by a shorter name", "<ab></a>", "1:5: end tag \"a\" where element \"ab\" of line 1 is open", "names are compared whole"},
	{"closed by another prefix", "<x:a xmlns:x='u' xmlns:y='u'></y:a>", "1:30: end tag \"y:a\" where element \"x:a\" of line 1 is open", "names are compared as written"},
	{"closed by nothing", "<a></>", "1:6: '>' cannot start the name of the end tag", "grammar"},
	{"closed with an attribute", "<a></a b='c'>", "1:8: '>' expected at the end of the end tag \"a\"", "grammar"},
	{"end tag cut off", "<a></a ", "1:8: the document ends within element \"a\" of line 1", "cut off"},
	{"end tag's name cut off", "<a></", "1:6: the document ends within element \"a\" of line 1", "cut off"},
	{"lone bracket", "<a><", "1:5: the document ends within element \"a\" of line 1", "cut off"},

	{"name missing", "<a>< b/></a>", "1:5: ' ' cannot start the name of the element", "grammar"},
	{"name with a digit first", "<1/>", "1:2: '1' cannot start the name of the element", "grammar"},
	{"name with a hyphen first", "<-a/>", "1:2: '-' cannot start the name of the element", "grammar"},
	{"name with a dot first", "<.a/>", "1:2: '.' cannot start the name of the element", "grammar"},
	{"name with a multiplication sign", "<a\u00d7/>", "1:3: white space expected before '×'", "the sign is no letter"},
	{"name with a bracket", "<a(b)/>", "1:3: white space expected before '('", "grammar"},
	{"prefix missing", "<:a/>", "1:2: a prefix is missing before the colon", "namespaces"},
	{"local name missing", "<a:/>", "1:4: '/' cannot start the name of the element", "namespaces"},
	{"local name with a digit first", "<a:1/>", "1:4: '1' cannot start the name of the element", "namespaces"},
	{"two colons", "<a:b:c xmlns:a='u'/>", "1:5: second colon in the name of the element", "namespaces; libxml2 only complains"},
	{"name too long", "<" + strings.Repeat("a", maxName+1) + "/>", "1:2: name of 4097 bytes; at most 4096 are read", "libxml2 stops at 50000"},
	{"name cut off", "<", "1:2: the document ends where the name of the element is expected", "cut off"},
	{"tag cut off behind the name", "<a", "1:3: the document ends within a tag of line 1", "cut off"},
	{"tag cut off behind white space", "<a\n", "2:1: the document ends within a tag of line 1", "cut off"},
	{"tag cut off behind a slash", "<a/", "1:4: the document ends within a tag of line 1", "cut off"},
	{"slash in a tag", "<a / >", "1:4: '/' in a tag; '/>' expected", "grammar"},

	{"attribute without value", "<a b/>", "1:5: '=' expected behind the attribute name \"b\"", "HTML does that"},
	{"attribute without quotes", "<a b=c/>", "1:6: the value of attribute \"b\" is not in quotes", "HTML does that"},
	{"attributes not apart", "<a b='c'd='e'/>", "1:9: white space expected before 'd'", "grammar"},
	{"attribute and name not apart", "<a'b'/>", "1:3: white space expected before '\\''", "grammar"},
	{"attribute with a digit first", "<a 1='b'/>", "1:4: '1' cannot start the name of the attribute", "grammar"},
	{"value without end", "<a\nb='c>\n/a>", "3:4: the document ends within the value of attribute \"b\" of line 2", "cut off"},
	{"value with markup", "<a b='<c/>'/>", "1:7: '<' in the value of attribute \"b\"; write '&lt;'", "grammar"},
	{"attribute cut off", "<a b", "1:5: the document ends within a tag of line 1", "cut off"},
	{"attribute cut off at its equals sign", "<a b=", "1:6: the document ends within a tag of line 1", "cut off"},
	{"attribute twice", "<a b='1' b='1'/>", "1:10: second attribute \"b\"", "which one holds?"},
	{"attribute twice among many", "<a" + many(50) + " b7='2'/>", "1:394: second attribute \"b7\"", "found by another way than among few"},
	{"attribute twice by its namespace", "<a x:b='1' y:b='2' xmlns:x='u' xmlns:y='u'/>", "1:12: second attribute \"b\" of namespace \"u\"", "prefixes are only spelling"},
	{"attribute twice by its namespace among many", "<a" + many(50) + " x:b='1' y:b='2' xmlns:x='u' xmlns:y='u'/>", "1:402: second attribute \"b\" of namespace \"u\"", "found by another way than among few"},
	{"namespace declared twice", "<a xmlns='u' xmlns='v'/>", "1:14: second attribute \"xmlns\"", "an attribute like others"},
	{"prefix declared twice", "<a xmlns:x='u' xmlns:x='u'/>", "1:16: second attribute \"xmlns:x\"", "an attribute like others"},

	{"prefix not declared", "<qemu:commandline/>", "1:2: namespace prefix \"qemu\" is not declared", "a fragment out of its context"},
	{"prefix of an attribute not declared", "<a x:b='1'/>", "1:4: namespace prefix \"x\" is not declared", "a fragment out of its context"},
	{"prefix out of its scope", "<a><b xmlns:x='u'/><x:c/></a>", "1:21: namespace prefix \"x\" is not declared", "declarations end with their element"},
	{"prefix among many not declared", "<a" + manySpaces(50) + "><z:b/></a>", "1:935: namespace prefix \"z\" is not declared", "found by another way than among few"},
	{"prefix among many out of its scope", "<a" + manySpaces(50) + "><b xmlns:z='u'/><z:b/></a>", "1:951: namespace prefix \"z\" is not declared", "found by another way than among few"},
	{"prefix bound to nothing", "<a xmlns:x=''/>", "1:13: prefix \"x\" is bound to no namespace", "Namespaces 1.1 only"},
	{"tab in the name of a namespace", "<a xmlns:x='u&#9;'/>", "1:13: tab or line end in the name of a namespace", "libxml2 would write it as a blank"},
	{"line end in the name of a namespace", "<a xmlns='&#xA;'/>", "1:11: tab or line end in the name of a namespace", "libxml2 would write it as a blank"},
	{"prefix xml bound to another namespace", "<a xmlns:xml='u'/>", "1:15: prefix xml is bound to \"u\"; it stands for http://www.w3.org/XML/1998/namespace", "reserved"},
	{"namespace of xml bound to another prefix", "<a xmlns:x='http://www.w3.org/XML/1998/namespace'/>", "1:13: namespace http://www.w3.org/XML/1998/namespace belongs to the prefix xml", "reserved"},
	{"namespace of xml as default", "<a xmlns='http://www.w3.org/XML/1998/namespace'/>", "1:11: namespace http://www.w3.org/XML/1998/namespace belongs to the prefix xml", "reserved"},
	{"prefix xmlns declared", "<a xmlns:xmlns='u'/>", "1:4: prefix xmlns cannot be declared", "reserved"},
	{"namespace of xmlns declared", "<a xmlns:x='http://www.w3.org/2000/xmlns/'/>", "1:13: namespace \"http://www.w3.org/2000/xmlns/\" cannot be declared", "reserved"},
	{"namespace of xmlns spelled with a reference", "<a xmlns='http://www.w3.org/2000/xmlns&#47;'/>", "1:11: namespace \"http://www.w3.org/2000/xmlns/\" cannot be declared", "the value counts"},
	{"element with the prefix xmlns", "<xmlns:a/>", "1:2: prefix xmlns is for namespace declarations only", "reserved"},

	{"CDATA end in text", "<a>\n ]]></a>", "2:2: ']]>' in text; write ']]&gt;'", "left over from a section"},
	{"CDATA section without end", "<a><![CDATA[ ]] ></a>", "1:22: the document ends within a CDATA section of line 1", "cut off"},
	{"CDATA section misspelt", "<a><![cdata[]]></a>", "1:4: '<!' starts neither a comment nor a CDATA section", "in capitals only"},
	{"comment with two hyphens", "<a><!-- -- --></a>", "1:9: '--' within a comment", "grammar"},
	{"comment with a hyphen at its end", "<a><!-- a ---></a>", "1:11: '--' within a comment", "grammar"},
	{"comment without end", "<a>\n<!-- a ->", "2:10: the document ends within a comment of line 2", "cut off"},
	{"comment cut off within its end", "<a><!-- a --", "1:13: the document ends within a comment of line 1", "cut off"},
	{"comment too short", "<a><!--></a>", "1:13: the document ends within a comment of line 1", "its end needs hyphens of its own"},
	{"instruction without end", "<a><?b c></a>", "1:14: the document ends within a processing instruction of line 1", "cut off"},
	{"instruction without name", "<a><? b?></a>", "1:6: ' ' cannot start the name of the processing instruction", "grammar"},
	{"instruction with a colon", "<a><?b:c?></a>", "1:4: colon in the name of the processing instruction \"b:c\"", "namespaces; libxml2 only complains"},
	{"instruction with an odd name", "<a><?b+c?></a>", "1:7: white space expected behind the name of the processing instruction \"b\"", "grammar"},
	{"instruction named xml", "<a><?xml version='1.0'?></a>", "1:4: <?xml within the document; an XML declaration stands at its very start, in lower case", "reserved"},
	{"instruction named Xml", "<a><?Xml?></a>", "1:4: <?Xml within the document; an XML declaration stands at its very start, in lower case", "reserved in any case"},

	{"too deep", deep, "1:769: elements are nested more than 256 deep", "libxml2 stops at 257"},
	{"text too long", "<a>" + strings.Repeat("b", maxToken+1) + "</a>", "1:4: text of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"value too long", "<a b='" + strings.Repeat("b", maxToken) + "'/>", "1:1: tag of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"tag too long", "<a" + strings.Repeat(" ", maxToken) + "/>", "1:1: tag of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"end tag too long", "<a></a" + strings.Repeat(" ", maxToken) + ">", "1:4: end tag of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"comment too long", "<!--" + strings.Repeat("b", maxToken) + "--><a/>", "1:1: comment of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"CDATA section too long", "<a><![CDATA[" + strings.Repeat("b", maxToken) + "]]></a>", "1:4: CDATA section of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"instruction too long", "<?a " + strings.Repeat("b", maxToken) + "?><a/>", "1:1: processing instruction of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"white space too long", strings.Repeat("\n", maxToken+1) + "<a/>", "1:1: white space of more than 8388608 bytes", "libxml2 stops at 10 million"},
	{"document too long", strings.Repeat(" ", defaultBytes+1), "1:1: document of 16777217 bytes; at most 16777216 are read", "bounded memory"},
}

func TestParseRefuses(t *testing.T) {
	seen := map[string]bool{}
	for _, test := range refusals {
		if test.reason == "" || seen[test.name] {
			t.Errorf("%s: a row needs a reason and a name of its own", test.name)
		}
		seen[test.name] = true
		t.Run(test.name, func(t *testing.T) {
			d, err := Parse([]byte(test.src), Limits{})
			var e *Error
			if !errors.As(err, &e) || d != nil {
				t.Fatalf("got %v, %v, want an *Error and no document", d, err)
			}
			if got := err.Error(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if line, column := position(test.src, e.Offset); line != e.Line || column != e.Column {
				t.Errorf("offset %d is %d:%d, not %d:%d", e.Offset, line, column, e.Line, e.Column)
			}
		})
	}
}

// many are n attributes b0, b1, …
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " b%d='1'", i)
	}
	return b.String()
}

// manySpaces are n namespace declarations.
func manySpaces(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " xmlns:x%d='urn:%d'", i, i)
	}
	return b.String()
}

func TestLimits(t *testing.T) {
	tests := []struct {
		name   string
		src    string
		lim    Limits
		want   string // the error, "" for none
		reason string
	}{
		{"as large as allowed", "<a/>", Limits{Bytes: 4}, "", "the limit itself is within"},
		{"larger", "<a/>\n", Limits{Bytes: 4}, "1:1: document of 5 bytes; at most 4 are read", "one beyond"},
		{"as deep as allowed", "<a><b/></a>", Limits{Depth: 2}, "", "the limit itself is within"},
		{"deeper", "<a><b><c/></b></a>", Limits{Depth: 2}, "1:7: elements are nested more than 2 deep", "one beyond, self-closed"},
		{"as deep as ever allowed", strings.Repeat("<a>", 256) + strings.Repeat("</a>", 256), Limits{Depth: 1000}, "", "256 is within"},
		{"deeper than ever allowed", strings.Repeat("<a>", 257) + strings.Repeat("</a>", 257), Limits{Depth: 1000}, "1:769: elements are nested more than 256 deep", "libxml2 would not follow"},
		{"negative limits", "<a/>", Limits{-1, -1}, "", "they mean the defaults"},
		{"long name", "<" + strings.Repeat("a", maxName) + "/>", Limits{}, "", "the limit itself is within"},
		{"long text", "<a>" + strings.Repeat("b", maxToken) + "</a>", Limits{}, "", "the limit itself is within"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse([]byte(test.src), test.lim)
			if got := fmt.Sprint(err); got != test.want && !(err == nil && test.want == "") {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestParseCutOff cuts documents off at every byte: what is left is refused,
// and the place lies within it.
func TestParseCutOff(t *testing.T) {
	for _, d := range own(t) {
		end := strings.LastIndex(d.src, ">")
		if i := strings.LastIndex(d.src, "</"); i > 0 {
			end = i + strings.IndexByte(d.src[i:], '>')
		}
		for n := range end {
			_, err := Parse([]byte(d.src[:n]), Limits{})
			var e *Error
			if !errors.As(err, &e) || e.Offset > n {
				t.Fatalf("%s cut off at %d: %v", d.name, n, err)
			}
		}
	}
}

func TestParseKeepsItsOwnCopy(t *testing.T) {
	src := []byte("<a b='c'/>")
	d, err := Parse(src, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	copy(src, "xxxxxxxxxx")
	if got := d.Root().Attr("b").Value(); got != "c" || d.Source() != "<a b='c'/>" {
		t.Errorf("the document changed with the caller's slice: %q", d.Source())
	}
}
