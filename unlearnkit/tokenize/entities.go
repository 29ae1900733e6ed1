package tokenize

import (
	"html"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

var (
	numericReference = regexp.MustCompile(`&#(?:[0-9]+|[xX][0-9a-fA-F]+);?`)
	strictReference  = regexp.MustCompile(`&#?[0-9A-Za-z]{1,24};`)
)

// unescapeHTML decodes references like Python's html.unescape. Unlike Go's package html, it drops numeric references to
// characters that are not allowed in a document.
func unescapeHTML(text string) string {
	if !strings.Contains(text, "&") {
		return text
	}
	var unescaped strings.Builder
	end := 0
	for _, span := range numericReference.FindAllStringIndex(text, -1) {
		unescaped.WriteString(unescapeNames(text[end:span[0]]))
		unescaped.WriteString(numericCharacter(text[span[0]:span[1]]))
		end = span[1]
	}
	unescaped.WriteString(unescapeNames(text[end:]))
	return unescaped.String()
}

// widerThanTheirNames replaces the references that package html does not decode, because the decoded characters take
// more bytes than the reference.
var widerThanTheirNames = strings.NewReplacer("&nLt;", "≪\u20D2", "&nGt;", "≫\u20D2")

func unescapeNames(text string) string { return html.UnescapeString(widerThanTheirNames.Replace(text)) }

// numericCharacter returns the character of a reference such as &#233; or &#xE9.
func numericCharacter(reference string) string {
	digits := strings.TrimSuffix(reference[2:], ";")
	base := 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	switch {
	case err != nil || code > 0x10FFFF || code >= 0xD800 && code <= 0xDFFF || code == 0:
		return "\uFFFD"
	case code == '\r':
		return "\r"
	case code >= 0x80 && code <= 0x9F:
		return string(windows1252(rune(code)))
	case noncharacter(rune(code)):
		return ""
	}
	return string(rune(code))
}

// noncharacter reports whether HTML forbids r as a character: controls other than white space, and the code points that
// Unicode will never assign.
func noncharacter(r rune) bool {
	return r <= 0x08 || r == 0x0B || r >= 0x0E && r <= 0x1F || r == 0x7F || r >= 0xFDD0 && r <= 0xFDEF ||
		r&0xFFFE == 0xFFFE
}

// windows1252 returns the character that Windows-1252 has instead of a C1 control. Five codes are unassigned and keep
// the control.
func windows1252(control rune) rune {
	const table = "\u20AC\u0081\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\u008D\u017D\u008F" +
		"\u0090\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\u009D\u017E\u0178"
	return []rune(table)[control-0x80]
}

// unescapeStrictly decodes references that end in a semicolon, including upper-case spellings of references that only
// exist in lower case. The Python package ftfy does this first.
func unescapeStrictly(text string) string {
	return strictReference.ReplaceAllStringFunc(text, func(reference string) string {
		if reference[1] == '#' {
			unescaped := unescapeHTML(reference)
			if strings.Contains(unescaped, ";") {
				return reference
			}
			return unescaped
		}
		if character, ok := namedCharacter(reference); ok {
			return character
		}
		if reference == strings.ToUpper(reference) && unescapeNames(reference) == reference {
			if character, ok := namedCharacter(strings.ToLower(reference)); ok {
				return cases.Upper(language.Und).String(character)
			}
		}
		return reference
	})
}

// namedCharacter returns the character of a complete HTML reference with its semicolon.
func namedCharacter(reference string) (string, bool) {
	unescaped := unescapeNames(reference)
	return unescaped, unescaped != reference && (!strings.HasSuffix(unescaped, ";") || reference == "&semi;")
}
