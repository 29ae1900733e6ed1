package tokenize

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/norm"
)

// cleanCaption cleans text as OpenCLIP's tokenizer does: ftfy, HTML references decoded twice, white space collapsed,
// lower case.
func cleanCaption(text string) string {
	text = unescapeHTML(unescapeHTML(fixText(text)))
	text = strings.Join(strings.FieldsFunc(text, isPythonSpace), " ")
	return cases.Lower(language.Und).String(text)
}

// isPythonSpace reports whether Python's str.strip removes r: white space and the four separators before it in ASCII.
func isPythonSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1C && r <= 0x1F }

// longestSegment is the number of characters after which ftfy splits a longer line.
const longestSegment = 1_000_000

// fixText applies ftfy 6's fix_text with its defaults. It works line by line. From the first line with a "<" on, it
// does not decode HTML references.
func fixText(text string) string {
	var fixed strings.Builder
	unescape := true
	for text = fixSurrogates(text); len(text) > 0; {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		end = boundCharacters(text, end)
		segment := text[:end]
		unescape = unescape && !strings.Contains(segment, "<")
		fixed.WriteString(fixSegment(segment, unescape))
		text = text[end:]
	}
	return fixed.String()
}

// boundCharacters returns end, or the end of the longest segment if that comes first.
func boundCharacters(text string, end int) int {
	if end <= longestSegment {
		return end
	}
	count := 0
	for i := range text[:end] {
		if count == longestSegment {
			return i
		}
		count++
	}
	return end
}

func fixSegment(text string, unescape bool) string {
	for {
		before := text
		if unescape {
			text = unescapeStrictly(text)
		}
		text = fixEncoding(text)
		text = fixCharacters(text)
		text = terminalEscape.ReplaceAllString(text, "")
		text = normalForm(norm.NFC, strings.Map(dropControl, text))
		if text == before {
			return text
		}
	}
}

var terminalEscape = regexp.MustCompile(`\x1b\[[\p{Nd};]*[a-zA-Z]`)

// fixCharacters replaces C1 controls, ligatures of Latin letters, full-width and half-width forms, curly quotation
// marks and odd line breaks.
func fixCharacters(text string) string {
	var fixed strings.Builder
	fixed.Grow(len(text))
	for _, r := range text {
		if r >= 0x80 && r <= 0x9F {
			r = windows1252(r)
		}
		switch {
		case r < 0x80:
			fixed.WriteRune(r)
		case r == 0x02BC || r >= 0x2018 && r <= 0x201B || r == 'ŉ':
			fixed.WriteByte('\'')
			if r == 'ŉ' {
				fixed.WriteByte('n')
			}
		case r >= 0x201C && r <= 0x201F:
			fixed.WriteByte('"')
		case r == 0x2028 || r == 0x2029:
			fixed.WriteByte('\n')
		case r == 0x3000:
			fixed.WriteByte(' ')
		case r >= 0xFF01 && r <= 0xFFEF:
			fixed.WriteString(norm.NFKC.String(string(r)))
		default:
			if letters, ok := ligatures[r]; ok {
				fixed.WriteString(letters)
			} else {
				fixed.WriteRune(r)
			}
		}
	}
	return lineBreaks.Replace(fixed.String())
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

var ligatures = map[rune]string{
	'Ĳ': "IJ", 'ĳ': "ij", 'Ǳ': "DZ", 'ǲ': "Dz", 'ǳ': "dz", 'Ǆ': "DŽ", 'ǅ': "Dž", 'ǆ': "dž",
	'Ǉ': "LJ", 'ǈ': "Lj", 'ǉ': "lj", 'Ǌ': "NJ", 'ǋ': "Nj", 'ǌ': "nj",
	'ﬀ': "ff", 'ﬁ': "fi", 'ﬂ': "fl", 'ﬃ': "ffi", 'ﬄ': "ffl", 'ﬅ': "ſt", 'ﬆ': "st",
}

// dropControl drops the characters that are "not suitable for use with markup" (Unicode Technical Report 20), except
// white space and characters that change how others look.
func dropControl(r rune) rune {
	if r <= 0x08 || r == 0x0B || r >= 0x0E && r <= 0x1F || r == 0x7F || r >= 0x206A && r <= 0x206F || r == 0xFEFF ||
		r >= 0xFFF9 && r <= 0xFFFC {
		return -1
	}
	return r
}

// fixSurrogates joins pairs of UTF-16 surrogates that are written in three bytes each. It replaces everything else that
// is not UTF-8 by U+FFFD, a lone surrogate by one.
func fixSurrogates(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var fixed strings.Builder
	for len(text) > 0 {
		high, ok := surrogate(text)
		if !ok {
			next := 1
			for next < len(text) && text[next] != 0xED {
				next++
			}
			fixed.WriteString(replaceInvalid(text[:next]))
			text = text[next:]
			continue
		}
		text = text[3:]
		low, ok := surrogate(text)
		if ok && high < 0xDC00 && low >= 0xDC00 {
			fixed.WriteRune(joinSurrogates(high, low))
			text = text[3:]
			continue
		}
		fixed.WriteRune(utf8.RuneError)
	}
	return fixed.String()
}

func joinSurrogates(high, low rune) rune { return 0x10000 + (high-0xD800)<<10 + low - 0xDC00 }

// surrogate returns the surrogate at the beginning of text, if there is one.
func surrogate(text string) (rune, bool) {
	if len(text) < 3 || text[0] != 0xED || text[1] < 0xA0 || text[1] > 0xBF || text[2] < 0x80 || text[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(text[1]&0x3F)<<6 | rune(text[2]&0x3F), true
}
