package launcher

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// Statuses of code typed in a console.
const (
	cellComplete   = "complete"
	cellIncomplete = "incomplete"
	cellInvalid    = "invalid"
)

// isComplete reports whether a cell is complete, needs more lines, or is invalid whatever follows. If it needs more
// lines, indent is the indent of the next one.
func isComplete(code string) (status, indent string) {
	lines := strings.Split(code, "\n")
	if !isGo(lines) {
		// A script or file ends with a blank line.
		if len(lines) > 1 && strings.TrimSpace(lines[len(lines)-1]) == "" {
			return cellComplete, ""
		}
		return cellIncomplete, ""
	}
	if last := lines[len(lines)-1]; isSpecial(last) && continues(last) {
		return cellIncomplete, ""
	}
	return goComplete(goSource(lines))
}

// goSource returns the Go source that gonb generates from a cell, without the closing brace of main. Special lines are
// blank. The lines after %%, or the statements of a cell without %%, are the body of main; body reports whether there
// are any.
func goSource(lines []string) (source string, body bool) {
	out := blankSpecial(lines)
	if opening, found := opensUnwritten(lines); found {
		out, body = insertions{opening}.apply(out), true
	}
	for i, line := range lines {
		if !body && isSpecial(line) && opensMain(line) {
			out[i], body = "func main() {", true
		}
	}
	return "package main\n" + strings.Join(out, "\n"), body
}

func goComplete(source string, body bool) (status, indent string) {
	depth, open, broken := nesting(source)
	if body {
		depth-- // gonb closes the brace of main
	}
	switch {
	case broken || depth < 0:
		return cellInvalid, ""
	case open || depth > 0:
		return cellIncomplete, strings.Repeat("\t", depth)
	}
	whole := source + "\n"
	if body {
		whole += "}\n"
	}
	files := token.NewFileSet()
	_, err := parser.ParseFile(files, "cell.go", whole, parser.SkipObjectResolution)
	errors, ok := err.(scanner.ErrorList)
	if !ok || len(errors) == 0 {
		return cellComplete, ""
	}
	if errors[0].Pos.Offset >= len(source) {
		return cellIncomplete, ""
	}
	return cellInvalid, ""
}

// nesting counts unclosed brackets. open reports an unterminated raw string or comment, broken a closing bracket
// without an opening one.
func nesting(source string) (depth int, open, broken bool) {
	files := token.NewFileSet()
	file := files.AddFile("cell.go", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(_ token.Position, message string) {
		if message == "raw string literal not terminated" || message == "comment not terminated" {
			open = true
		}
	}, 0)
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.EOF:
			return depth, open, false
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth < 0 {
				return depth, open, true
			}
		}
	}
}
