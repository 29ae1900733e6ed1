package main

import "strings"

// helpWidth is the number of columns that help texts take at most.
const helpWidth = 100

// filled lists words with commas between them on indented lines that fit.
func filled(words []string) string {
	const indent = "  "
	var lines strings.Builder
	line := indent
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if line != indent && len(line)+len(" ")+len(word) > helpWidth {
			lines.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return lines.String() + line
}
