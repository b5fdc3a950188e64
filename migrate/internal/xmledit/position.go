package xmledit

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// lineIndex knows line and column at every block's start, so that a position
// costs one block however long the document and its lines are.
type lineIndex struct {
	once  sync.Once
	marks []mark
}

// mark is a place: lines and characters before it, both from 0.
type mark struct{ line, column int32 }

const block = 1024

// Position gives the line and the column of a byte of the source, both from
// 1. Lines end with \n, columns count characters; a byte order mark has no
// width. An offset outside the source counts as its nearest end.
func (d *Document) Position(offset int) (line, column int) {
	d.lines.once.Do(func() { d.lines.marks = marks(d.src) })
	offset = min(max(offset, 0), len(d.src))
	n := offset / block
	m := d.lines.marks[n].move(d.src[n*block : offset])
	return m.human()
}

func marks(src string) []mark {
	all := make([]mark, 1, len(src)/block+1)
	if strings.HasPrefix(src, byteOrderMark) {
		all[0].column = -1
	}
	for i := block; i <= len(src); i += block {
		all = append(all, all[len(all)-1].move(src[i-block:i]))
	}
	return all
}

// move is the place behind s. Columns count the bytes that start a character,
// so s may begin or end within one.
func (m mark) move(s string) mark {
	if n := strings.Count(s, "\n"); n > 0 {
		m.line += int32(n)
		m.column = 0
		s = s[strings.LastIndexByte(s, '\n')+1:]
	}
	for i := range len(s) {
		if utf8.RuneStart(s[i]) {
			m.column++
		}
	}
	return m
}

// position is Position for a source that is no document.
func position(src string, offset int) (line, column int) {
	var m mark
	if strings.HasPrefix(src, byteOrderMark) {
		m.column = -1
	}
	return m.move(src[:offset]).human()
}

// human counts from 1. The column before a byte order mark is the first too.
func (m mark) human() (line, column int) { return int(m.line) + 1, int(max(m.column, 0)) + 1 }
