package metric

import "strings"

// PorterStem returns the stem of word by Porter's algorithm ("An algorithm for suffix stripping", Program 14(3), 1980).
// It includes the default extensions of NLTK's PorterStemmer: a table of irregular forms, "dies" → "die", "spied" →
// "spi", y → i only after a consonant, "alli" tried before the rest of step 2, "fulli" → "ful", and "logi" → "log".
//
// The word must be lower-case ASCII, like the tokens of [ROUGETokens]. Any other byte counts as a consonant.
//
// Special cases are:
//
//	len(word) <= 2  →  word itself
//	irregular       →  the entry of the table: "dying" → "die"
func PorterStem(word string) string {
	if stem, ok := porterIrregular[word]; ok {
		return stem
	}
	if len(word) <= 2 {
		return word
	}
	word = porterStep1a(word)
	word = porterStep1b(word)
	word = porterStep1c(word)
	word = porterStep2(word)
	word = porterStep3.apply(word)
	word = porterStep4.apply(word)
	word = porterStep5a(word)
	return porterStep5b(word)
}

var porterIrregular = map[string]string{
	"sky": "sky", "skies": "sky",
	"dying": "die", "lying": "lie", "tying": "tie",
	"news":    "news",
	"innings": "inning", "inning": "inning",
	"outings": "outing", "outing": "outing",
	"cannings": "canning", "canning": "canning",
	"howe":    "howe",
	"proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}

// suffixRule replaces a suffix if the preceding stem has a larger measure than a bound.
type suffixRule struct {
	suffix, replacement string
	above               int
}

// suffixRules are tried in order. Only the first rule whose suffix matches can apply, even if its condition is false.
type suffixRules []suffixRule

func (rules suffixRules) apply(word string) string {
	for _, r := range rules {
		stem, ok := strings.CutSuffix(word, r.suffix)
		if !ok {
			continue
		}
		if porterMeasure(stem) <= r.above {
			return word
		}
		// Porter's rule (m>1 and (*S or *T)) ION →
		if r.suffix == "ion" && stem[len(stem)-1] != 's' && stem[len(stem)-1] != 't' {
			return word
		}
		return stem + r.replacement
	}
	return word
}

// porterUnconditional is less than every measure, so that a rule with this bound always applies.
const porterUnconditional = -1

var porterPlurals = suffixRules{
	{"sses", "ss", porterUnconditional},
	{"ies", "i", porterUnconditional},
	{"ss", "ss", porterUnconditional},
	{"s", "", porterUnconditional},
}

func porterStep1a(word string) string {
	if len(word) == 4 && strings.HasSuffix(word, "ies") {
		return word[:3]
	}
	return porterPlurals.apply(word)
}

func porterStep1b(word string) string {
	if stem, ok := strings.CutSuffix(word, "ied"); ok {
		if len(stem) == 1 {
			return stem + "ie"
		}
		return stem + "i"
	}
	if stem, ok := strings.CutSuffix(word, "eed"); ok {
		if porterMeasure(stem) > 0 {
			return stem + "ee"
		}
		return word
	}
	stem, ok := strings.CutSuffix(word, "ed")
	if !ok {
		stem, ok = strings.CutSuffix(word, "ing")
	}
	if !ok || !porterHasVowel(stem) {
		return word
	}
	return porterRestore(stem)
}

// porterRestore repairs a stem after step 1b: conflat(ed) → conflate, hopp(ing) → hop, fil(ing) → file.
func porterRestore(stem string) string {
	switch last := stem[len(stem)-1]; {
	case strings.HasSuffix(stem, "at"), strings.HasSuffix(stem, "bl"), strings.HasSuffix(stem, "iz"):
		return stem + "e"
	case porterDoubleConsonant(stem):
		if last == 'l' || last == 's' || last == 'z' {
			return stem
		}
		return stem[:len(stem)-1]
	case porterMeasure(stem) == 1 && porterEndsCVC(stem):
		return stem + "e"
	}
	return stem
}

func porterStep1c(word string) string {
	stem, ok := strings.CutSuffix(word, "y")
	if ok && len(stem) > 1 && porterConsonant(stem, len(stem)-1) {
		return stem + "i"
	}
	return word
}

var porterDoubleSuffixes = suffixRules{
	{"ational", "ate", 0}, {"tional", "tion", 0}, {"enci", "ence", 0}, {"anci", "ance", 0}, {"izer", "ize", 0},
	{"bli", "ble", 0}, {"entli", "ent", 0}, {"eli", "e", 0}, {"ousli", "ous", 0},
	{"ization", "ize", 0}, {"ation", "ate", 0}, {"ator", "ate", 0}, {"alism", "al", 0}, {"iveness", "ive", 0},
	{"fulness", "ful", 0}, {"ousness", "ous", 0}, {"aliti", "al", 0}, {"iviti", "ive", 0}, {"biliti", "ble", 0},
	{"fulli", "ful", 0},
}

func porterStep2(word string) string {
	if stem, ok := strings.CutSuffix(word, "alli"); ok && porterMeasure(stem) > 0 {
		word = stem + "al"
	}
	// The l of "logi" belongs to the stem, so that "geologi" and "archaeologi" are shortened alike.
	if stem, ok := strings.CutSuffix(word, "ogi"); ok && strings.HasSuffix(stem, "l") && porterMeasure(stem) > 0 {
		return stem + "og"
	}
	return porterDoubleSuffixes.apply(word)
}

var porterStep3 = suffixRules{
	{"icate", "ic", 0}, {"ative", "", 0}, {"alize", "al", 0}, {"iciti", "ic", 0}, {"ical", "ic", 0}, {"ful", "", 0},
	{"ness", "", 0},
}

var porterStep4 = suffixRules{
	{"al", "", 1}, {"ance", "", 1}, {"ence", "", 1}, {"er", "", 1}, {"ic", "", 1}, {"able", "", 1}, {"ible", "", 1},
	{"ant", "", 1}, {"ement", "", 1}, {"ment", "", 1}, {"ent", "", 1}, {"ion", "", 1}, {"ou", "", 1}, {"ism", "", 1},
	{"ate", "", 1}, {"iti", "", 1}, {"ous", "", 1}, {"ive", "", 1}, {"ize", "", 1},
}

func porterStep5a(word string) string {
	stem, ok := strings.CutSuffix(word, "e")
	if !ok {
		return word
	}
	if m := porterMeasure(stem); m > 1 || m == 1 && !porterEndsCVC(stem) {
		return stem
	}
	return word
}

func porterStep5b(word string) string {
	if strings.HasSuffix(word, "ll") && porterMeasure(word[:len(word)-1]) > 1 {
		return word[:len(word)-1]
	}
	return word
}

// porterConsonant reports whether word[i] is a consonant. Vowels are a, e, i, o, u, and y after a consonant.
func porterConsonant(word string, i int) bool {
	start := i
	for i > 0 && word[i] == 'y' {
		i--
	}
	consonant := strings.IndexByte("aeiou", word[i]) < 0
	return consonant != ((start-i)%2 == 1)
}

// porterMeasure returns Porter's measure of a stem, the m in the form [C](VC){m}[V].
func porterMeasure(stem string) int {
	m, vowel := 0, false
	for i := range len(stem) {
		was := vowel
		vowel = porterVowelAfter(stem[i], i > 0 && !was)
		if was && !vowel {
			m++
		}
	}
	return m
}

func porterHasVowel(stem string) bool {
	vowel := false
	for i := range len(stem) {
		if vowel = porterVowelAfter(stem[i], i > 0 && !vowel); vowel {
			return true
		}
	}
	return false
}

// porterVowelAfter reports whether the letter is a vowel, given whether a consonant precedes it.
func porterVowelAfter(letter byte, afterConsonant bool) bool {
	return letter == 'y' && afterConsonant || strings.IndexByte("aeiou", letter) >= 0
}

func porterDoubleConsonant(word string) bool {
	n := len(word)
	return n >= 2 && word[n-1] == word[n-2] && porterConsonant(word, n-1)
}

// porterEndsCVC reports whether Porter's condition *o holds, with NLTK's extension to two-letter stems of a vowel and a
// consonant.
func porterEndsCVC(word string) bool {
	n := len(word)
	if n == 2 {
		return !porterConsonant(word, 0) && porterConsonant(word, 1)
	}
	return n >= 3 && porterConsonant(word, n-3) && !porterConsonant(word, n-2) && porterConsonant(word, n-1) &&
		strings.IndexByte("wxy", word[n-1]) < 0
}
