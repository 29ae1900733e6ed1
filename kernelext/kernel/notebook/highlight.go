package notebook

import (
	"go/scanner"
	"go/token"
	"strings"
)

// A span is a piece of source with its CSS class.
type span struct{ Class, Text string }

// highlight marks the keywords, literals and comments of Go, and lines that begin with % or !, which are the kernel's
// own. It leaves other text unmarked.
func highlight(source string) []span {
	var spans []span
	var code strings.Builder
	flush := func() {
		spans = append(spans, highlightGo(code.String())...)
		code.Reset()
	}
	for line := range strings.Lines(source) {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "%") || strings.HasPrefix(trimmed, "!") {
			flush()
			end := strings.TrimRight(line, "\n")
			spans = append(spans, span{"magic", end}, span{"", line[len(end):]})
			continue
		}
		code.WriteString(line)
	}
	flush()
	return spans
}

func highlightGo(source string) []span {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, scanner.ScanComments)
	var spans []span
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
			continue // the scanner drops carriage returns and inserts semicolons
		}
		spans = append(spans, span{"", source[at:begin]}, span{class, literal})
		at = end
	}
	return append(spans, span{"", source[at:]})
}
