package launcher

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// What a console should do with what has been typed.
const (
	cellComplete   = "complete"
	cellIncomplete = "incomplete"
	cellInvalid    = "invalid"
)

// isComplete says whether a cell can be run as it is, needs more lines, or can never become right. For one that needs
// more it gives the next line's indent.
func isComplete(code string) (status, indent string) {
	lines := strings.Split(code, "\n")
	if !isGo(lines) {
		// The text of another program: a blank line ends it.
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

// goSource is the Go that gonb makes of a cell: special lines are blank, what follows %% is the body of main.
func goSource(lines []string) (source string, body bool) {
	out := make([]string, len(lines))
	continued := false
	for i, line := range lines {
		switch {
		case continued || isSpecial(line):
			continued = continues(line)
			if !body && opensMain(line) {
				out[i], body = "func main() {", true
			}
		default:
			out[i] = line
		}
	}
	return "package main\n" + strings.Join(out, "\n"), body
}

func goComplete(source string, body bool) (status, indent string) {
	depth, open, broken := nesting(source)
	if body {
		depth-- // the brace that gonb closes
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

// nesting counts the brackets that are open at the end. open says that a raw string or a comment is; broken that a
// bracket closes what is not open.
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
