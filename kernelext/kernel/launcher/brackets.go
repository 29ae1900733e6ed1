package launcher

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// closingOf maps opening brackets to closing ones.
var closingOf = map[token.Token]token.Token{token.LPAREN: token.RPAREN, token.LBRACK: token.RBRACK,
	token.LBRACE: token.RBRACE}

// findBracket returns the first bracket without a partner. open reports whether it is an opening one. It returns nil if
// all have partners.
func (b *broken) findBracket() (m *mistake, open bool) {
	source := b.source
	var unclosed []scanned
	var doubtful *scanned // brace whose partner is indented less, so that the partner may belong to another
	for _, t := range scan(source) {
		if closingOf[t.tok] != 0 {
			unclosed = append(unclosed, t)
			continue
		}
		if t.tok != token.RPAREN && t.tok != token.RBRACK && t.tok != token.RBRACE {
			continue
		}
		if len(unclosed) == 0 {
			return &mistake{t.offset, fmt.Sprintf("one %s too many", t.tok)}, false
		}
		last := unclosed[len(unclosed)-1]
		if closingOf[last.tok] != t.tok {
			return b.mismatch(unclosed, t)
		}
		indent := t.offset - lineStart(source, t.offset)
		if doubtful == nil && last.tok == token.LBRACE && indent == indentation(source, t.offset) &&
			indent < indentation(source, last.offset) {
			doubtful = &last
		}
		unclosed = unclosed[:len(unclosed)-1]
	}
	if len(unclosed) == 0 {
		return nil, false
	}
	if doubtful != nil && doubtful.offset > unclosed[0].offset && unclosed[0].tok == token.LBRACE {
		unclosed = []scanned{*doubtful}
	}
	return neverClosed(source, unclosed), true
}

// mismatch describes a closing bracket t of another kind than the last unclosed one.
func (b *broken) mismatch(unclosed []scanned, t scanned) (m *mistake, open bool) {
	last := unclosed[len(unclosed)-1]
	missing, place := closingOf[last.tok].String(), placeFrom(b.source, last.offset, t.offset)
	if !slices.ContainsFunc(unclosed, func(s scanned) bool { return closingOf[s.tok] == t.tok }) {
		if b.replaced(t.offset, " ") > b.replaced(t.offset, missing) {
			return &mistake{t.offset, fmt.Sprintf("one %s too many", t.tok)}, false
		}
		return &mistake{t.offset, fmt.Sprintf("%s cannot close the %s %s: write %s", t.tok, last.tok, place, missing)}, false
	}
	if lineStart(b.source, last.offset) == lineStart(b.source, t.offset) {
		return &mistake{t.offset, fmt.Sprintf("missing %s before this %s: the %s %s is not closed", missing, t.tok,
			last.tok, place)}, false
	}
	return &mistake{last.offset, fmt.Sprintf("missing %s: this %s is never closed", missing, last.tok)}, true
}

// replaced returns how far the parser gets if the bracket at an offset is replaced.
func (b *broken) replaced(offset int, by string) int {
	cell := strings.Join(b.lines, "\n")
	m, found := newBroken(cell[:offset] + by + cell[offset+1:]).rejected()
	if !found {
		return len(cell) + 1
	}
	return m.offset
}

// neverClosed describes the brackets that are open at the end.
func neverClosed(source string, unclosed []scanned) *mistake {
	first, missing, others := unclosed[0], "", ""
	for _, s := range slices.Backward(unclosed) {
		missing += closingOf[s.tok].String()
	}
	for i, s := range unclosed[1:] {
		separator := ", "
		if i == len(unclosed)-2 {
			separator = " and "
		}
		others += fmt.Sprintf("%sthe %s %s", separator, s.tok, placeFrom(source, s.offset, first.offset))
	}
	verb := "is"
	if others != "" {
		verb = "are"
	}
	return &mistake{first.offset, fmt.Sprintf("missing %s: this %s%s %s never closed", missing, first.tok, others, verb)}
}

// placeFrom describes a place as seen from another: without the line if both are on the same.
func placeFrom(source string, offset, from int) string {
	column := fmt.Sprintf("column %d", len([]rune(source[lineStart(source, offset):offset]))+1)
	if lineStart(source, offset) == lineStart(source, from) {
		return "in " + column
	}
	return fmt.Sprintf("in line %d, %s", strings.Count(source[:offset], "\n")+1, column)
}
