package xmledit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beevik/etree"
)

// expensive is a document made to cost much, of any size, and what is done with it.
type expensive struct {
	name string
	doc  func(size int) string
	then func(d *Document)
}

func expensiveDocuments(t testing.TB) []expensive {
	repeat := func(head, unit, tail string) func(size int) string {
		return func(size int) string {
			var b strings.Builder
			b.WriteString(head)
			for i := 0; b.Len() < size; i++ {
				b.WriteString(strings.ReplaceAll(unit, "%", fmt.Sprint(i)))
			}
			b.WriteString(tail)
			return b.String()
		}
	}
	deep := strings.Repeat("<b>", 200) + strings.Repeat("</b>", 200)
	return []expensive{
		{"many attributes", repeat("<a", " b%='1'", "/>"), nil},
		{"many attributes of one namespace", repeat("<a xmlns:n='"+strings.Repeat("u", 1<<16)+"'", " n:b%='1'", "/>"), nil},
		{"many namespaces", repeat("<a", " xmlns:n%='urn:%' n%:b='1'", "/>"), nil},
		{"many namespaces in scope", func(size int) string {
			return repeat("<a"+manySpaces(size/60)+">", "<x1:b/><x%0:c xmlns:x%0='u'/>", "</a>")(size)
		}, nil},
		{"namespaces that hide each other", repeat("<a>", strings.Repeat("<n:b xmlns:n='u%'>", 100)+strings.Repeat("</n:b>", 100), "</a>"), nil},
		{"many elements", repeat("<a>", "<b/>", "</a>"), func(d *Document) {
			for e := range d.Elements() {
				e.NextSibling()
				e.PrevSibling()
				_ = e.Path()
			}
			d.Root().LastChild()
		}},
		{"many names", repeat("<a>", "<b%/>", "</a>"), func(d *Document) {
			for e := range d.Elements() {
				_ = e.Path()
			}
		}},
		{"many deep elements", repeat("<a>", deep, "</a>"), func(d *Document) {
			for e := range d.Elements() {
				e.LastChild()
			}
			d.Find("//b//b//b[1]//*[@c='d']//b")
			d.Find("//*//*//*//text()")
		}},
		{"long text", repeat("<a>", "b", "</a>"), func(d *Document) { _ = d.Root().Text().Value() }},
		{"many brackets", repeat("<a>", "]", "</a>"), func(d *Document) { _ = d.Root().Text().Value() }},
		{"many references", repeat("<a>", "&amp;&#x41;\r", "</a>"), func(d *Document) { _ = d.Root().Text().Value() }},
		{"many references in a value", repeat("<a b='", "&amp;\t\r", "'/>"), func(d *Document) { _ = d.Root().Attr("b").Value() }},
		{"long reference", repeat("<a>&#", "0", "65;</a>"), nil},
		{"long comment", repeat("<a><!--", "- ", "--></a>"), nil},
		{"long CDATA section", repeat("<a><![CDATA[", "]> ", "]]></a>"), func(d *Document) { _ = d.Root().Text().Value() }},
		{"long instruction", repeat("<a><?b ", "? >", "?></a>"), nil},
		{"much white space in a tag", repeat("<a", " \n", "/>"), nil},
		{"much white space outside", repeat("", " \n", "<a/>"), nil},
		{"many comments", repeat("<a>", "<!---->b", "</a>"), func(d *Document) {
			x := d.Root().Text()
			_, _, _ = x.Value(), x.Trimmed(), x.Span()
			change(d, d.Root().SetText)
		}},
		{"many CDATA sections", repeat("<a>", "<![CDATA[b]]>", "</a>"), func(d *Document) { change(d, d.Root().SetText) }},
		{"many lines", repeat("<a>", "\n", "</a>"), func(d *Document) {
			for i := range d.Source() {
				d.Position(i)
			}
		}},
		{"one line", repeat("<a>", "ä", "</a>"), func(d *Document) {
			for i := range d.Source() {
				d.Position(i)
			}
		}},
		{"never closed", repeat("<a>", "<b></b>", ""), nil},
		{"closed by another name", repeat("<a", "a", "></b>"), nil},
		{"attributes all over", repeat("<a>", "<b c='d' e='f'>g</b>\n", "</a>"), func(d *Document) {
			var all []Change
			for e := range d.Root().Children() {
				c, _ := e.SetAttr("c", "x")
				n, _ := e.SetAttr("n", "x")
				r := e.Attr("e").Remove()
				all = append(all, r, n, c)
				s, _ := e.SetText("x")
				all = append(all, s...)
			}
			for i := range len(all) / 2 {
				all[i], all[len(all)-1-i] = all[len(all)-1-i], all[i]
			}
			if _, err := d.Apply(all); err != nil {
				t.Error(err)
			}
		}},
		{"insertions all over", repeat("<a>", "<b/>", "</a>"), func(d *Document) {
			var all []Change
			n := etree.NewElement("n")
			for e := range d.Root().Children() {
				c, _ := e.Append(n)
				i, _ := e.InsertAfter(n)
				all = append(all, c, i)
			}
			if _, err := d.Apply(all); err != nil {
				t.Error(err)
			}
		}},
	}
}

// TestExpensiveDocuments is over at once, unless the work for one of the documents
// grows with the square of its size: then it does not end.
func TestExpensiveDocuments(t *testing.T) {
	for _, test := range expensiveDocuments(t) {
		t.Run(test.name, func(t *testing.T) {
			d, err := Parse([]byte(test.doc(1<<20)), Limits{})
			if err == nil && test.then != nil {
				test.then(d)
			}
		})
	}
}

// BenchmarkExpensiveDocuments shows that the time per byte stays the same when
// the document grows to four times its size.
func BenchmarkExpensiveDocuments(b *testing.B) {
	for _, test := range expensiveDocuments(b) {
		for _, size := range []int{1 << 17, 1 << 19} {
			b.Run(fmt.Sprintf("%s/%dKiB", test.name, size>>10), func(b *testing.B) {
				src := []byte(test.doc(size))
				b.SetBytes(int64(len(src)))
				for b.Loop() {
					d, err := Parse(src, Limits{})
					if err == nil && test.then != nil {
						test.then(d)
					}
				}
			})
		}
	}
}

// change sets a text and applies that.
func change(d *Document, set func(string) ([]Change, error)) {
	changes, err := set("x")
	if err == nil {
		_, err = d.Apply(changes)
	}
	if err != nil {
		panic(err)
	}
}
