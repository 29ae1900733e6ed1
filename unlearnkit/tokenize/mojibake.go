package tokenize

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The rules and tables of this file and of mojibake_badness.go are from ftfy 6.3 by Robyn Speer, under the Apache
// License 2.0.

// fixEncoding undoes mojibake: UTF-8 that was read in a one-byte encoding, "sÃ³" for "só", including repeated mojibake.
// It does not change text that does not look like mojibake.
func fixEncoding(text string) string {
	for {
		fixed := fixEncodingOnce(text)
		if fixed == text {
			return text
		}
		text = fixed
	}
}

func fixEncodingOnce(text string) string {
	if isASCII(text) || !looksBad(text) {
		return text
	}
	for _, encoding := range codePages() {
		if read, ok := encoding.encode(text); ok {
			if fixed, ok := encoding.decode(read); ok {
				return fixed
			}
		}
	}
	if fixed := fixParts(text); fixed != text {
		return fixed
	}
	if fixed, ok := readAsWindows1252(text); ok && fixed != text {
		return fixed
	}
	return strings.Map(func(r rune) rune {
		if r >= 0x80 && r <= 0x9F {
			return windows1252(r)
		}
		return r
	}, text)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}

// readAsWindows1252 decodes Latin-1 text as Windows-1252. It fails if a byte is unassigned there.
func readAsWindows1252(text string) (string, bool) {
	valid := true
	fixed := strings.Map(func(r rune) rune {
		if r >= 0x80 && r <= 0x9F {
			mapped := windows1252(r)
			valid = valid && mapped != r
			return mapped
		}
		valid = valid && r <= 0xFF
		return r
	}, text)
	return fixed, valid
}

// A codePage is a one-byte encoding. Bytes are stored as the characters U+0000 to U+00FF, so that regular expressions
// can match them.
type codePage struct {
	bytes  map[rune]rune
	sloppy bool // unassigned bytes map to themselves and byte 1A to U+FFFD
	spaces bool // byte A0 may have become a space
}

// codePages lists the encodings in ftfy's order.
var codePages = sync.OnceValue(func() []codePage {
	pages := []codePage{newCodePage(charmap.ISO8859_1, false)}
	for _, windows := range []*charmap.Charmap{charmap.Windows1252, charmap.Windows1251, charmap.Windows1250,
		charmap.Windows1253, charmap.Windows1254, charmap.Windows1257} {
		pages = append(pages, newCodePage(windows, true))
	}
	macRoman := newCodePage(charmap.Macintosh, false)
	macRoman.spaces = false // an en dash of MacRoman before a space would look like a part of a character
	return append(pages, newCodePage(charmap.ISO8859_2, false), macRoman, newCodePage(charmap.CodePage437, false))
})

func newCodePage(from *charmap.Charmap, sloppy bool) codePage {
	page := codePage{bytes: map[rune]rune{}, sloppy: sloppy, spaces: true}
	for b := range rune(256) {
		character := b
		if b >= 0x80 {
			character = from.DecodeByte(byte(b))
		}
		switch {
		case sloppy && b == 0x1A:
			character = utf8.RuneError
		case character == utf8.RuneError:
			character = b
		}
		page.bytes[character] = b
	}
	return page
}

// encode returns the bytes of text in the page, or false if a character is missing there.
func (p codePage) encode(text string) (string, bool) {
	var bytes strings.Builder
	for _, r := range text {
		b, ok := p.bytes[r]
		if !ok {
			return "", false
		}
		bytes.WriteRune(b)
	}
	return bytes.String(), true
}

var (
	alteredUTF8 = regexp.MustCompile(
		`[\x{C2}\x{C3}\x{C5}\x{CE}\x{D0}\x{D9}] ` +
			`|[\x{E2}\x{E3}] [\x{80}-\x{84}\x{86}-\x{9F}\x{A1}-\x{BF}]` +
			`|[\x{E0}-\x{E3}][\x{80}-\x{84}\x{86}-\x{9F}\x{A1}-\x{BF}] ` +
			`|\x{F0} [\x{80}-\x{BF}][\x{80}-\x{BF}]` +
			`|\x{F0}[\x{80}-\x{BF}] [\x{80}-\x{BF}]` +
			`|\x{F0}[\x{80}-\x{BF}][\x{80}-\x{BF}] `)
	lossyUTF8 = regexp.MustCompile(`[\x{C2}-\x{DF}]\x1A|[\x{C2}\x{C3}]\?` +
		`|\x{ED}[\x{A0}-\x{AF}][\x1A?]\x{ED}[\x{B0}-\x{BF}][\x1A?\x{80}-\x{BF}]` +
		`|\x{ED}[\x{A0}-\x{AF}][\x1A?\x{80}-\x{BF}]\x{ED}[\x{B0}-\x{BF}][\x1A?]` +
		`|[\x{E0}-\x{EF}][\x1A?][\x1A\x{80}-\x{BF}]|[\x{E0}-\x{EF}][\x1A\x{80}-\x{BF}][\x1A?]` +
		`|[\x{F0}-\x{F4}][\x1A?][\x1A\x{80}-\x{BF}][\x1A\x{80}-\x{BF}]` +
		`|[\x{F0}-\x{F4}][\x1A\x{80}-\x{BF}][\x1A?][\x1A\x{80}-\x{BF}]` +
		`|[\x{F0}-\x{F4}][\x1A\x{80}-\x{BF}][\x1A\x{80}-\x{BF}][\x1A?]|\x1A`)
)

// decode decodes the bytes as UTF-8. It restores bytes A0 that became spaces, and reads sequences that lost a byte as
// U+FFFD.
func (p codePage) decode(bytes string) (string, bool) {
	if p.spaces && alteredUTF8.MatchString(bytes) {
		bytes = alteredUTF8.ReplaceAllStringFunc(restoreGrave(bytes), func(altered string) string {
			return strings.ReplaceAll(altered, " ", "\u00A0")
		})
	}
	if p.sloppy {
		bytes = lossyUTF8.ReplaceAllString(bytes, "\u00EF\u00BF\u00BD")
	}
	read := make([]byte, 0, len(bytes))
	for _, b := range bytes {
		read = append(read, byte(b))
	}
	return decodeVariant(string(read))
}

// restoreGrave reads byte C3 and a space as "à ", unless they begin a Portuguese word such as "àquele".
func restoreGrave(bytes string) string {
	parts := strings.Split(bytes, "\u00C3 ")
	var restored strings.Builder
	for i, part := range parts {
		restored.WriteString(part)
		if i == len(parts)-1 {
			break
		}
		following := strings.Join(parts[i+1:min(i+3, len(parts))], "\u00C3 ")
		isWord := slices.ContainsFunc([]string{" ", "quele", "quela", "quilo", "s "}, func(begin string) bool {
			return strings.HasPrefix(following, begin)
		})
		if isWord {
			restored.WriteString("\u00C3 ")
		} else {
			restored.WriteString("\u00C3\u00A0 ")
		}
	}
	return restored.String()
}

// decodeVariant decodes UTF-8 with CESU-8's pairs of surrogates and Java's two-byte zero.
func decodeVariant(bytes string) (string, bool) {
	if utf8.ValidString(bytes) {
		return bytes, true
	}
	bytes = strings.ReplaceAll(bytes, "\xC0\x80", "\x00")
	var decoded strings.Builder
	for len(bytes) > 0 {
		high, isHigh := surrogate(bytes)
		if !isHigh {
			r, size := utf8.DecodeRuneInString(bytes)
			if r == utf8.RuneError && size == 1 {
				return "", false
			}
			decoded.WriteString(bytes[:size])
			bytes = bytes[size:]
			continue
		}
		low, isLow := surrogate(bytes[3:])
		if !isLow || high >= 0xDC00 || low < 0xDC00 {
			return "", false
		}
		decoded.WriteRune(joinSurrogates(high, low))
		bytes = bytes[6:]
	}
	return decoded.String(), true
}

// Characters that bytes of UTF-8 become in the one-byte encodings, by the position in a sequence.
var (
	firstOf2 = runeSet(
		"ĂÂÄĀÅÃÆĆČÇĎĐÉĚÊËĖÈĒĘÐĞĢÍÎÏİÌĪĶĹĻŁŃŇŅÑÓÔÖŐÒŌØÕŘŚŠŞŢÞÚÛÜŰÙŪŲŮÝŹŽŻß×" +
			"ΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫάέήίВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ")
	firstOf3     = runeSet("áăâäàāąåãæćčçďéěêëėèēęģíîïìīįķĺļŕźΰαβγδεζηθικλμνξοабвгдежзийклмноп")
	firstOf4     = runeSet("đðğóšπσру")
	strictlyNext = runeSet(
		"\u0080-\u00BFĄÆĽŁØŖŚŠŞŤŸŹŽŻŒąæƒľłøŗśšşťźžżœˆˇ˘˛˜˝΄΅ΆΈΉΊΌΎΏЁЂЃЄЅІЇЈЉЊЋЌЎЏёђѓєѕіїјљњћќўџҐґ†‡‰‹›€№™")
	looselyNext = runeSet(" –—―‘’‚“”„•…")
)

// runeSet returns the set of the characters; a-b means all from a to b.
func runeSet(characters string) map[rune]bool {
	set := map[rune]bool{}
	runes := []rune(characters)
	for i := 0; i < len(runes); i++ {
		last := runes[i]
		if i+2 < len(runes) && runes[i+1] == '-' {
			last = runes[i+2]
		}
		for r := runes[i]; r <= last; r++ {
			set[r] = true
		}
		if last != runes[i] {
			i += 2
		}
	}
	return set
}

func isNext(r rune) bool { return strictlyNext[r] || looselyNext[r] }

// sequenceLength returns the length of the mojibake of one character at the beginning of runes, or 0 without mojibake.
func sequenceLength(runes []rune) int {
	length := 0
	switch {
	case firstOf2[runes[0]]:
		length = 2
	case firstOf3[runes[0]]:
		length = 3
	case firstOf4[runes[0]]:
		length = 4
	}
	if length == 0 || length > len(runes) {
		return 0
	}
	for _, r := range runes[1:length] {
		if !isNext(r) {
			return 0
		}
	}
	return length
}

// fixParts undoes mojibake within other text.
func fixParts(text string) string {
	runes := []rune(text)
	var fixed strings.Builder
	for at := 0; at < len(runes); {
		end := at
		if at == 0 || !strictlyNext[runes[at-1]] {
			for end < len(runes) {
				length := sequenceLength(runes[end:])
				if length == 0 {
					break
				}
				end += length
			}
		}
		part := string(runes[at:end])
		switch {
		case end == at:
			end++
			fixed.WriteRune(runes[at])
		case end-at < len(runes) && looksBad(part):
			fixed.WriteString(fixEncoding(part))
		default:
			fixed.WriteString(part)
		}
		at = end
	}
	return fixed.String()
}
