package notebook

import (
	"fmt"
	"go/scanner"
	"go/token"
	"html"
	"strings"
)

// highlight marks the keywords, literals and comments of Go, and the kernel's own lines, which begin with %, ! or
// //gonb:. Text that is not Go comes through as it is.
func highlight(source string) string {
	var out strings.Builder
	var code strings.Builder
	flush := func() {
		out.WriteString(highlightGo(code.String()))
		code.Reset()
	}
	for line := range strings.Lines(source) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "%") || strings.HasPrefix(trimmed, "!") {
			flush()
			end := strings.TrimRight(line, "\n")
			fmt.Fprintf(&out, `<span class="magic">%s</span>%s`, html.EscapeString(end), line[len(end):])
			continue
		}
		code.WriteString(line)
	}
	flush()
	return out.String()
}

func highlightGo(source string) string {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, scanner.ScanComments)
	var out strings.Builder
	at := 0
	for {
		position, t, literal := s.Scan()
		if t == token.EOF {
			break
		}
		class := ""
		switch {
		case t == token.COMMENT:
			class = "comment"
		case t.IsKeyword():
			class = "keyword"
		case t == token.STRING || t == token.CHAR:
			class = "string"
		case t == token.INT || t == token.FLOAT || t == token.IMAG:
			class = "number"
		}
		begin := file.Offset(position)
		end := begin + len(literal)
		if class == "" || begin < at || end > len(source) || source[begin:end] != literal {
			continue // the scanner drops carriage returns, and invents semicolons
		}
		fmt.Fprintf(&out, `%s<span class="%s">%s</span>`, html.EscapeString(source[at:begin]), class,
			html.EscapeString(literal))
		at = end
	}
	return out.String() + html.EscapeString(source[at:])
}
