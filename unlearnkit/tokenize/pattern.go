package tokenize

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// space is Unicode's white space, which \s means in the regular expressions of tokenizers and not in Go's.
const space = `\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`

// wordCharacter is what \w means: Unicode's alphabetic characters, which letters in circles and squares are too, marks, digits and connectors.
const wordCharacter = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}`

// lookahead ends most patterns of byte-level tokenizers: it leaves the last space before a word to the word. Go's expressions know no lookahead, so [pattern.find] does its work.
const lookahead = `\s+(?!\S)|\s+`

// A pattern is a regular expression in the dialect of tokenizers (Oniguruma's, with Perl's and Unicode's classes), run by Go's package, which takes time linear in the text.
type pattern struct {
	expression *regexp.Regexp
	trailing   int // group of lookahead's spaces, -1 where the pattern has none
}

func compilePattern(expression string) (pattern, error) {
	translated := strings.Replace(expression, lookahead, `(?P<trailing>\s+)`, 1)
	compiled, err := regexp.Compile(translateClasses(translated))
	if err != nil {
		return pattern{}, fmt.Errorf("regular expression %q is not supported: %w", expression, err)
	}
	return pattern{compiled, compiled.SubexpIndex("trailing")}, nil
}

// translateClasses writes \s, \d and \w out as the Unicode classes that they are in Oniguruma.
func translateClasses(expression string) string {
	var translated strings.Builder
	inClass := false
	for i := 0; i < len(expression); i++ {
		c := expression[i]
		switch {
		case c == '[' && !inClass:
			inClass = true
		case c == ']':
			inClass = false
		}
		if c != '\\' || i+1 == len(expression) {
			translated.WriteByte(c)
			continue
		}
		i++
		members, negated := "", false
		switch expression[i] {
		case 's', 'S':
			members, negated = space, expression[i] == 'S'
		case 'd', 'D':
			members, negated = `\p{Nd}`, expression[i] == 'D'
		case 'w', 'W':
			members, negated = wordCharacter, expression[i] == 'W'
		}
		switch {
		case members == "" || negated && inClass:
			translated.WriteString(expression[i-1 : i+1])
		case inClass:
			translated.WriteString(members)
		case negated:
			translated.WriteString("[^" + members + "]")
		default:
			translated.WriteString("[" + members + "]")
		}
	}
	return translated.String()
}

// find returns the spans of all matches; empty ones are left out.
func (p pattern) find(text string) [][2]int {
	var spans [][2]int
	for at := 0; at < len(text); {
		found := p.expression.FindStringSubmatchIndex(text[at:])
		if found == nil {
			break
		}
		start, end := at+found[0], at+found[1]
		if p.trailing >= 0 && found[2*p.trailing] >= 0 && end < len(text) {
			if _, size := utf8.DecodeLastRuneInString(text[start:end]); end-size > start {
				end -= size
			}
		}
		if start == end {
			_, size := utf8.DecodeRuneInString(text[end:])
			at = end + size
			continue
		}
		spans = append(spans, [2]int{start, end})
		at = end
	}
	return spans
}

// replace returns text with every match replaced by content as it stands.
func (p pattern) replace(text, content string) string {
	var replaced strings.Builder
	end := 0
	for _, span := range p.find(text) {
		replaced.WriteString(text[end:span[0]])
		replaced.WriteString(content)
		end = span[1]
	}
	replaced.WriteString(text[end:])
	return replaced.String()
}
