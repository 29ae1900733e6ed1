package launcher

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// mainOpening begins the body of main in a cell that has statements but no %%.
const mainOpening = "func main() { "

// opensUnwritten returns where main begins in a cell that has statements but no %%. found is false for any other cell.
func opensUnwritten(lines []string) (opening insertion, found bool) {
	if slices.ContainsFunc(lines, providesMain) {
		return insertion{}, false
	}
	source := strings.Join(blankSpecial(lines), "\n")
	offset := firstStatement(source)
	if offset < 0 {
		return insertion{}, false
	}
	column := offset - lineStart(source, offset)
	if column == indentation(source, offset) {
		column = 0 // gonb shows main without its indentation
	}
	return insertion{strings.Count(source[:offset], "\n"), column, mainOpening}, true
}

// providesMain reports whether a line begins main or makes gonb generate it.
func providesMain(line string) bool {
	if !isSpecial(line) {
		return strings.HasPrefix(line, "func main(")
	}
	return opensMain(line) || slices.Contains([]string{"%exec", "%test", "%wasm"}, word(line))
}

// blankSpecial returns the lines with gonb's own lines blank.
func blankSpecial(lines []string) []string {
	out := make([]string, len(lines))
	continued := false
	for i, line := range lines {
		if continued || isSpecial(line) {
			continued = continues(line)
			continue
		}
		out[i] = line
	}
	return out
}

// firstStatement returns the offset of the first statement that is not a declaration, or -1 if there is none.
func firstStatement(source string) int {
	tokens := scan(source)
	for i := 0; i < len(tokens); {
		switch t := tokens[i]; {
		case t.tok == token.SEMICOLON:
			i++
		case declares(tokens[i:]):
			end, closed := endOfStatement(tokens, i)
			if !closed {
				return -1
			}
			i = end
		default:
			return t.offset
		}
	}
	return -1
}

// A scanned is a Go token and its offset in the source.
type scanned struct {
	tok    token.Token
	offset int
}

func scan(source string) (tokens []scanned) {
	file := token.NewFileSet().AddFile("cell.go", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	for {
		at, tok, _ := s.Scan()
		if tok == token.EOF {
			return tokens
		}
		tokens = append(tokens, scanned{tok, file.Offset(at)})
	}
}

// declares reports whether tokens begin with a declaration that is allowed outside functions.
func declares(tokens []scanned) bool {
	at := func(i int) token.Token {
		if i < len(tokens) {
			return tokens[i].tok
		}
		return token.EOF
	}
	switch at(0) {
	case token.IMPORT, token.CONST, token.TYPE, token.VAR, token.PACKAGE:
		return true
	case token.FUNC:
		if at(1) != token.LPAREN {
			return true
		}
		// A receiver is followed by a name and a parenthesis, a function literal's parameters by a type or a brace.
		end, closed := closing(tokens, 1)
		return !closed || at(end) == token.IDENT && at(end+1) == token.LPAREN
	}
	return false
}

// closing returns the index after the bracket that closes the one at i.
func closing(tokens []scanned, i int) (end int, closed bool) {
	depth := 0
	for ; i < len(tokens); i++ {
		switch tokens[i].tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		}
		if depth == 0 {
			return i + 1, true
		}
	}
	return i, false
}

// endOfStatement returns the index of the semicolon that ends the statement at i. closed is false if brackets are
// unbalanced.
func endOfStatement(tokens []scanned, i int) (end int, closed bool) {
	for i < len(tokens) {
		switch tokens[i].tok {
		case token.SEMICOLON:
			return i, true
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if i, closed = closing(tokens, i); !closed {
				return i, false
			}
		case token.RPAREN, token.RBRACK, token.RBRACE:
			return i, false
		default:
			i++
		}
	}
	return i, true
}

// A body is the parsed main of a cell, with or without %%.
type body struct {
	lines   []string // without special lines
	opening insertions
	files   *token.FileSet
	file    *ast.File
	main    *ast.FuncDecl
}

// parseBody parses a cell's statements as the body of main. It returns nil if there are none, if the cell declares main
// itself, or if it does not parse.
func parseBody(lines []string, opening insertions) *body {
	b := &body{lines: blankSpecial(lines), opening: opening, files: token.NewFileSet()}
	source := b.opening.apply(b.lines)
	if i := slices.IndexFunc(lines, func(line string) bool { return isSpecial(line) && opensMain(line) }); i >= 0 {
		source[i] = mainOpening
	} else if len(opening) == 0 {
		return nil
	}
	var err error
	b.file, err = parser.ParseFile(b.files, "cell.go", "package main\n"+strings.Join(source, "\n")+"\n}", 0)
	if err != nil || len(b.file.Decls) == 0 {
		return nil
	}
	b.main, _ = b.file.Decls[len(b.file.Decls)-1].(*ast.FuncDecl)
	if b.main == nil || b.main.Name.Name != "main" || len(b.main.Body.List) == 0 {
		return nil
	}
	return b
}

// place converts a position to a line and column in the user's cell.
func (b *body) place(at token.Pos) (line, column int) {
	p := b.files.PositionFor(at, false) // ignores //line comments in the cell
	line, column = p.Line-2, p.Column-1 // the package clause is above the cell
	for _, i := range b.opening {
		if i.line == line && column >= i.column+len(i.text) {
			column -= len(i.text)
		}
	}
	return line, column
}

func (b *body) insert(at token.Pos, text string) insertion {
	line, column := b.place(at)
	return insertion{line, column, text}
}

func (b *body) last() ast.Stmt { return b.main.Body.List[len(b.main.Body.List)-1] }

// closings returns the insertion of the brace that closes a main without %%.
func (b *body) closings() insertions {
	if len(b.opening) == 0 {
		return nil
	}
	return insertions{b.insert(b.last().End(), " }")}
}
