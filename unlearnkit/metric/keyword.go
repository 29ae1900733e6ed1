package metric

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NormalizeKeyword converts an output or a keyword to the form that [KeywordMatch] compares. It converts to lower case,
// trims white space and reduces it to single spaces. It removes "$" and commas that separate thousands, so that
// "$120,000" equals "120000".
//
// A comma separates thousands if a digit precedes it and exactly three digits follow.
func NormalizeKeyword(text string) string {
	text = strings.ToLower(text)
	var b strings.Builder
	for i, r := range text {
		if r == '$' || r == ',' && separatesThousands(text, i) {
			continue
		}
		b.WriteRune(r)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// separatesThousands reports whether the comma at text[i] separates thousands, as in 1,234.
func separatesThousands(text string, i int) bool {
	if i == 0 || !asciiDigit(text[i-1]) {
		return false
	}
	digits := 0
	for j := i + 1; j < len(text) && asciiDigit(text[j]); j++ {
		digits++
	}
	return digits == 3
}

func asciiDigit(c byte) bool { return '0' <= c && c <= '9' }

// KeywordMatch returns the share of keywords that are substrings of output, after [NormalizeKeyword]. It is the exact
// match of FIUBench. With the attribute's value as the only keyword, it is the exact match of ReMem §6.2.
//
// A keyword counts once even if it occurs several times, so that the share cannot exceed 1; FIUBench limits it to 1.
// "Male" matches "Female", because it is a substring; with [KeywordMatchWhole] it does not match.
//
// Special cases are:
//
//	keyword empty after normalisation  →  not counted
//	no keyword left                    →  NaN
func KeywordMatch(output string, keywords ...string) float64 {
	return keywordShare(output, keywords, strings.Contains)
}

// KeywordMatchWhole works like [KeywordMatch], but keywords must not begin or end inside a word or number of the
// output.
func KeywordMatchWhole(output string, keywords ...string) float64 {
	return keywordShare(output, keywords, containsWhole)
}

func keywordShare(output string, keywords []string, contains func(text, keyword string) bool) float64 {
	output = NormalizeKeyword(output)
	matched, counted := 0, 0
	for _, k := range keywords {
		k = NormalizeKeyword(k)
		if k == "" {
			continue
		}
		counted++
		if contains(output, k) {
			matched++
		}
	}
	if counted == 0 {
		return math.NaN()
	}
	return float64(matched) / float64(counted)
}

// containsWhole reports whether keyword occurs in text such that no word or number extends beyond its ends.
func containsWhole(text, keyword string) bool {
	first, _ := utf8.DecodeRuneInString(keyword)
	last, _ := utf8.DecodeLastRuneInString(keyword)
	for from := 0; ; {
		i := strings.Index(text[from:], keyword)
		if i < 0 {
			return false
		}
		i += from
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+len(keyword):])
		if !(wordRune(before) && wordRune(first)) && !(wordRune(last) && wordRune(after)) {
			return true
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		from = i + size
	}
}

// wordRune reports whether r is part of a word. It returns false for RuneError, which marks the end of a text.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
