package tokenize

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// space is Unicode's white space, the meaning of \s in tokenizers' regular expressions but not in Go's.
const space = `\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}`

// wordCharacter is Unicode's \w: alphabetic characters, including letters in circles and squares, marks, digits and
// connectors.
const wordCharacter = `\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}` +
	`\x{24B6}-\x{24E9}\x{1F130}-\x{1F149}\x{1F150}-\x{1F169}\x{1F170}-\x{1F189}`

// posix lists the supported bracketed classes with their members in Oniguruma.
var posix = map[string]string{"punct": `\p{P}\p{S}`, "digit": `\p{Nd}`, "space": space}

// lookahead ends most patterns of byte-level tokenizers: it leaves the last space before a word to the word. Go's
// expressions have no lookahead, so that [pattern.find] does its work.
const lookahead = `\s+(?!\S)|\s+`

// A pattern is a regular expression in the dialect of tokenizers (Oniguruma's, with Perl's and Unicode's classes), run
// by Go's package, which takes time linear in the text.
type pattern struct {
	expression *regexp.Regexp
	trailing   int // index of the group of lookahead's spaces, -1 without lookahead
}

func compilePattern(expression string) (pattern, error) {
	simpler := strings.Replace(expression, lookahead, `(?P<trailing>\s+)`, 1)
	translated, err := translate(simpler)
	if err != nil {
		return pattern{}, fmt.Errorf("regular expression %q is not supported: %w", expression, err)
	}
	compiled, err := regexp.Compile("(?m)" + translated) // in Oniguruma ^ and $ match at lines
	if err != nil {
		return pattern{}, fmt.Errorf("regular expression %q is not supported: %w", expression, err)
	}
	p := pattern{compiled, compiled.SubexpIndex("trailing")}
	if p.trailing >= 0 && (compiled.MatchString("") || anchored(translated)) {
		return pattern{}, fmt.Errorf(
			`regular expression %q is not supported: an anchor or an empty match next to \s+(?!\S)`, expression)
	}
	return p, nil
}

// anchored reports whether a translated expression refers to the beginning or end of a line.
func anchored(expression string) bool {
	inClass := false
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\':
			i++
		case !inClass && (c == '^' || c == '$'):
			return true
		default:
			inClass = c == '[' || inClass && c != ']'
		}
	}
	return false
}

// translate expands \s, \d, \w and bracketed classes to their meaning in Oniguruma. It returns an error for syntax that
// means something else in Go's package.
func translate(expression string) (string, error) {
	var translated strings.Builder
	inClass := false
	for i := 0; i < len(expression); i++ {
		c := expression[i]
		rest := expression[i:]
		switch {
		case inClass && strings.HasPrefix(rest, "[:"):
			name, _, _ := strings.Cut(rest[2:], ":]")
			members, known := posix[name]
			if !known {
				return "", fmt.Errorf("class [:%s:]", name)
			}
			translated.WriteString(members)
			i += len("[::]") + len(name) - 1
		case inClass && (c == '[' || strings.HasPrefix(rest, "&&")):
			return "", errors.New("a class in a class")
		case c == '\\' && len(rest) > 1:
			i++
			escaped, err := translateEscape(expression[i], inClass)
			if err != nil {
				return "", err
			}
			translated.WriteString(escaped)
		default:
			inClass = c == '[' || inClass && c != ']'
			translated.WriteByte(c)
		}
	}
	return translated.String(), nil
}

// translateEscape returns the meaning of a backslash before c, inside or outside of brackets.
func translateEscape(c byte, inClass bool) (string, error) {
	members := ""
	switch c {
	case 's', 'S':
		members = space
	case 'd', 'D':
		members = `\p{Nd}`
	case 'w', 'W':
		members = wordCharacter + `\x{B2}\x{B3}\x{B9}\x{BC}-\x{BE}`
	case 'b', 'B':
		return "", fmt.Errorf(`\%c`, c)
	default:
		return string([]byte{'\\', c}), nil
	}
	negated := c == 'S' || c == 'D' || c == 'W'
	switch {
	case negated && inClass:
		return "", fmt.Errorf(`\%c inside of brackets`, c)
	case inClass:
		return members, nil
	case negated:
		return "[^" + members + "]", nil
	}
	return "[" + members + "]", nil
}

// find returns the spans of all non-empty matches.
func (p pattern) find(text string) [][2]int {
	var spans [][2]int
	if p.trailing < 0 {
		for _, found := range p.expression.FindAllStringIndex(text, -1) {
			if found[0] < found[1] {
				spans = append(spans, [2]int(found))
			}
		}
		return spans
	}
	for at := 0; at < len(text); {
		found := p.expression.FindStringSubmatchIndex(text[at:])
		if found == nil || found[0] == found[1] {
			break
		}
		start, end := at+found[0], at+found[1]
		if found[2*p.trailing] >= 0 && end < len(text) {
			if _, size := utf8.DecodeLastRuneInString(text[start:end]); end-size > start {
				end -= size
			}
		}
		spans = append(spans, [2]int{start, end})
		at = end
	}
	return spans
}

// replace returns text with every match replaced by the literal content.
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
