package launcher

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// A mistake is a syntax error in a cell.
type mistake struct {
	offset  int // of the caret, in bytes from the beginning of the cell
	message string
}

// findMistake returns the first syntax error in a cell of Go. found is false if the cell parses.
func findMistake(cell string) (first mistake, found bool) {
	b := newBroken(cell)
	if b == nil {
		return first, false
	}
	rejected, found := b.rejected()
	if !found {
		return first, false
	}
	all, unclosed := b.illegal()
	// Within a text that is not closed, brackets do not count. A bracket that stays open matters only if the parser
	// has accepted everything before it.
	if m, open := b.findBracket(); m != nil && !unclosed && (!open || m.offset < rejected.offset) {
		all = append(all, *m)
	}
	all = append(all, rejected)
	return slices.MinFunc(all, func(m, n mistake) int { return cmp.Compare(m.offset, n.offset) }), true
}

// box returns the error box for the mistake.
func (m mistake) box(cell string, count int) *failure {
	before := cell[:m.offset]
	number := strings.Count(before, "\n")
	column := utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	where := fmt.Sprintf("Cell [%d] line %d, column %d: ", count, number+1, column+1)
	f := &failure{Name: "syntax error", Value: where + m.message, Traceback: []string{where + red(m.message)}}
	f.Traceback = append(f.Traceback, underline(strings.Split(cell, "\n")[number], column)...)
	return f
}

var packageClause = regexp.MustCompile(`^\s*package \w+\s*$`)

// A broken is a cell that may not parse.
type broken struct {
	lines  []string
	source string // the cell with spaces in place of gonb's lines
}

// newBroken returns nil if a cell does not hold Go.
func newBroken(cell string) *broken {
	lines := strings.Split(cell, "\n")
	if !isGo(lines) {
		return nil
	}
	for i, line := range lines {
		if packageClause.MatchString(line) {
			lines[i] = strings.Repeat(" ", len(line)) // gonb ignores it
		}
	}
	goLines := blankSpecial(lines)
	for i, line := range goLines {
		if line == "" {
			goLines[i] = strings.Repeat(" ", len(lines[i])) // so that offsets stay
		}
	}
	return &broken{lines, strings.Join(goLines, "\n")}
}

// rejected returns the parser's first error. The cell is parsed as gonb composes it: as declarations, or as
// declarations followed by the statements of main.
func (b *broken) rejected() (m mistake, found bool) {
	source, body := goSource(b.lines)
	if body {
		source += "\n}"
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	errors, found := err.(scanner.ErrorList)
	if !found || len(errors) == 0 {
		return m, false
	}
	offset, end := b.offset(errors[0].Pos)
	return b.reword(errors[0].Msg, offset, end), true
}

// offset converts a position in the source that gonb composes to an offset in the cell. end reports whether it is
// behind the cell.
func (b *broken) offset(at token.Position) (offset int, end bool) {
	line, column := max(0, at.Line-2), at.Column-1 // the package clause is above the cell
	if line >= len(b.lines) {
		return len(strings.TrimRight(b.source, " \t\n")), true
	}
	if opening, found := opensUnwritten(b.lines); found && opening.line == line && column > opening.column {
		column = max(opening.column, column-len(opening.text))
	}
	for _, l := range b.lines[:line] {
		offset += len(l) + 1
	}
	return offset + min(column, len(b.lines[line])), false
}

// illegal returns the texts, characters and numbers that are no tokens of Go. unclosed reports whether one is a text or
// a comment that is not closed.
func (b *broken) illegal() (all []mistake, unclosed bool) {
	file := token.NewFileSet().AddFile("", -1, len(b.source))
	var s scanner.Scanner
	s.Init(file, []byte(b.source), func(at token.Position, message string) {
		all = append(all, mistake{at.Offset, b.rewordToken(message, at.Offset)})
		unclosed = unclosed || strings.HasSuffix(message, "not terminated")
	}, 0)
	for tok := token.ILLEGAL; tok != token.EOF; {
		_, tok, _ = s.Scan()
	}
	return all, unclosed
}

// line returns the line of an offset.
func (b *broken) line(offset int) string { return b.lines[strings.Count(b.source[:offset], "\n")] }

// A lexeme is the text of a token.
type lexeme struct {
	text      string
	offset    int
	begins    bool // whether it is the first of its line
	continues bool // whether it is an operator that needs a value behind it
}

// before returns the last token before an offset.
func (b *broken) before(offset int) (last lexeme) {
	for _, t := range slices.Backward(scan(b.source[:offset])) {
		if t.tok != token.SEMICOLON {
			begin := lineStart(b.source, t.offset) + indentation(b.source, t.offset)
			continues := t.tok.Precedence() > token.LowestPrec || t.tok == token.ASSIGN || t.tok == token.DEFINE
			return lexeme{strings.TrimSpace(b.source[t.offset:offset]), t.offset, t.offset == begin, continues}
		}
	}
	return last
}

func (w lexeme) end() int { return w.offset + len(w.text) }

func lineStart(source string, offset int) int {
	return strings.LastIndexByte(source[:offset], '\n') + 1
}

// indentation returns the number of spaces and tabs that begin the line of an offset.
func indentation(source string, offset int) int {
	line := source[lineStart(source, offset):]
	return len(line) - len(strings.TrimLeft(line, " \t"))
}
