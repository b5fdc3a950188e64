package xmledit

import (
	"strings"
	"testing"
)

func TestPosition(t *testing.T) {
	tests := []struct {
		src          string
		offset       int
		line, column int
		reason       string
	}{
		{"<a/>", 0, 1, 1, "both count from 1"},
		{"<a/>", 3, 1, 4, "on the first line"},
		{"<a/>", 4, 1, 5, "the end of the document is a place"},
		{"<a/>", 99, 1, 5, "beyond the end counts as the end"},
		{"<a/>", -1, 1, 1, "before the start counts as the start"},
		{"<a>\n</a>", 3, 1, 4, "a line end belongs to its line"},
		{"<a>\n</a>", 4, 2, 1, "behind it"},
		{"<a>\r\n</a>", 4, 1, 5, "the return is a character of the line"},
		{"<a>\r\n</a>", 5, 2, 1, "CRLF is one line end"},
		{"<a>\r</a>", 4, 1, 5, "a lone return ends no line, as in xmllint"},
		{"<a>äb</a>", 5, 1, 5, "columns count characters"},
		{"<a>äb</a>", 4, 1, 5, "within a character is behind it"},
		{"<a>\U0001F600b</a>", 7, 1, 5, "columns count characters of four bytes too"},
		{byteOrderMark + "<a/>", 0, 1, 1, "the mark has no width"},
		{byteOrderMark + "<a/>", 3, 1, 1, "the mark has no width"},
		{byteOrderMark + "<a/>", 4, 1, 2, "the mark has no width"},
		{byteOrderMark + "\n<a/>", 4, 2, 1, "nor does it shift the second line"},
	}
	for _, test := range tests {
		d := mustParse(t, test.src)
		if line, column := d.Position(test.offset); line != test.line || column != test.column {
			t.Errorf("%q at %d is %d:%d, want %d:%d: %s", test.src, test.offset, line, column, test.line, test.column, test.reason)
		}
	}
}

// TestPositionEverywhere compares every offset of long and short lines with
// plain counting.
func TestPositionEverywhere(t *testing.T) {
	docs := append(own(t),
		doc{"long line", "<a>" + strings.Repeat("äbc\U0001F600", 2000) + "</a>"},
		doc{"many lines", "<a>" + strings.Repeat("\n", 3000) + strings.Repeat("ä\r\n", 300) + "</a>"})
	for _, c := range docs {
		d := mustParse(t, c.src)
		line, column := 1, 1
		for i, r := range strings.TrimPrefix(c.src, byteOrderMark) + " " {
			i += len(c.src) - len(strings.TrimPrefix(c.src, byteOrderMark))
			if l, col := d.Position(i); l != line || col != column {
				t.Fatalf("%s at %d is %d:%d, want %d:%d", c.name, i, l, col, line, column)
			}
			if l, col := position(c.src, i); l != line || col != column {
				t.Fatalf("%s without index at %d is %d:%d, want %d:%d", c.name, i, l, col, line, column)
			}
			column++
			if r == '\n' {
				line, column = line+1, 1
			}
		}
	}
}
