package tokenize

import "strings"

// Byte-level vocabularies write each byte as a printable character: the Latin-1 character if it is printable, otherwise
// the next unused character from U+0100.
var (
	byteCharacter [256]rune
	characterByte = map[rune]byte{}
)

func init() {
	next := rune(256)
	for b := range 256 {
		character := rune(b)
		if !(b >= '!' && b <= '~' || b >= 0xA1 && b <= 0xAC || b >= 0xAE) {
			character = next
			next++
		}
		byteCharacter[b] = character
		characterByte[character] = byte(b)
	}
}

// byteLevel returns the characters for the bytes of text.
func byteLevel(text string) string {
	var written strings.Builder
	written.Grow(len(text) + len(text)/4)
	for i := range len(text) {
		written.WriteRune(byteCharacter[text[i]])
	}
	return written.String()
}

// fromByteLevel returns the bytes for the characters of token, or the token itself if a character has no byte.
func fromByteLevel(token string) string {
	read := make([]byte, 0, len(token))
	for _, character := range token {
		b, ok := characterByte[character]
		if !ok {
			return token
		}
		read = append(read, b)
	}
	return string(read)
}
