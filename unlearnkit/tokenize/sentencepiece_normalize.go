package tokenize

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// Fields of NormalizerSpec.
const (
	charsmapField          = 2
	dummyPrefixField       = 3
	removeExtraSpacesField = 4
	escapeSpacesField      = 5
)

// pieceNormalizer is the normalisation of a SentencePiece model: a table of replacements, applied to the longest match,
// and rules for spaces.
type pieceNormalizer struct {
	charsmap          charsmap
	dummyPrefix       bool
	removeExtraSpaces bool
	escapeSpaces      bool
	defined           *trie // user-defined pieces, which are not changed
}

func (n *pieceNormalizer) read(message []byte) error {
	return eachField(message, func(f field) (err error) {
		switch {
		case f.is(charsmapField, protowire.BytesType):
			n.charsmap, err = readCharsmap(f.bytes)
		case f.is(dummyPrefixField, protowire.VarintType):
			n.dummyPrefix = f.value != 0
		case f.is(removeExtraSpacesField, protowire.VarintType):
			n.removeExtraSpaces = f.value != 0
		case f.is(escapeSpacesField, protowire.VarintType):
			n.escapeSpaces = f.value != 0
		}
		return err
	})
}

// apply returns the normalised text with spaces written as U+2581, the first of them the dummy prefix.
func (n *pieceNormalizer) apply(text string) string {
	for n.removeExtraSpaces && text != "" {
		replacement, size := n.prefix(text)
		if replacement != " " {
			break
		}
		text = text[size:]
	}
	if text == "" {
		return ""
	}
	blank := " "
	if n.escapeSpaces {
		blank = spaceSymbol
	}
	var normalized strings.Builder
	if n.dummyPrefix {
		normalized.WriteString(blank)
	}
	afterSpace := n.removeExtraSpaces
	for text != "" {
		replacement, size := n.prefix(text)
		text = text[size:]
		if afterSpace {
			replacement = strings.TrimLeft(replacement, " ")
		}
		if replacement != "" {
			normalized.WriteString(strings.ReplaceAll(replacement, " ", blank))
			afterSpace = n.removeExtraSpaces && strings.HasSuffix(replacement, " ")
		}
	}
	result := normalized.String()
	for n.removeExtraSpaces && strings.HasSuffix(result, blank) {
		result = strings.TrimSuffix(result, blank)
	}
	return result
}

// prefix returns the replacement of the head of text, and the length of that head. A byte that is not part of a
// character becomes one U+FFFD.
func (n *pieceNormalizer) prefix(text string) (string, int) {
	if size, _ := n.defined.longest(text); size > 0 {
		return text[:size], size
	}
	if replacement, size := n.charsmap.longest(text); size > 0 {
		return replacement, size
	}
	if r, size := utf8.DecodeRuneInString(text); r != utf8.RuneError || size > 1 {
		return text[:size], size
	}
	return "\uFFFD", 1
}

// charsmap is a compiled table of replacements: a double-array trie in the format of darts-clone, with offsets of
// zero-terminated strings as values.
type charsmap struct {
	units   []uint32
	strings []byte
}

func readCharsmap(data []byte) (charsmap, error) {
	if len(data) == 0 {
		return charsmap{}, nil
	}
	if len(data) < 4 {
		return charsmap{}, errors.New("its table of replacements (precompiled_charsmap) is cut off")
	}
	size := binary.LittleEndian.Uint32(data)
	data = data[4:]
	if size > uint32(len(data)) || size%4 != 0 || size < 4 {
		return charsmap{}, errors.New("its table of replacements (precompiled_charsmap) claims a size that it does " +
			"not have")
	}
	c := charsmap{make([]uint32, size/4), data[size:]}
	for i := range c.units {
		c.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return c, nil
}

// longest returns the replacement of the longest head of text in the table, and the length of that head. Units have
// darts-clone's format: bits 0 to 7 are the label, bit 8 means that a value follows, bit 9 that the offset from bit 10
// on counts in 256s. A value has bit 31 clear.
func (c charsmap) longest(text string) (replacement string, length int) {
	if len(c.units) == 0 {
		return "", 0
	}
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	node := offset(c.units[0])
	for i := range len(text) {
		node ^= uint32(text[i])
		if node >= uint32(len(c.units)) {
			break
		}
		unit := c.units[node]
		if unit&(1<<31|0xFF) != uint32(text[i]) {
			break
		}
		node ^= offset(unit)
		if unit&(1<<8) == 0 || node >= uint32(len(c.units)) {
			continue
		}
		start := c.units[node] &^ (1 << 31)
		if start < uint32(len(c.strings)) {
			found, _, _ := bytes.Cut(c.strings[start:], []byte{0})
			replacement, length = string(found), i+1
		}
	}
	return replacement, length
}
