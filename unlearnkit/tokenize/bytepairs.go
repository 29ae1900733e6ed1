package tokenize

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// bytePairs is the model "BPE" of a tokenizer.json.
type bytePairs struct {
	ids          map[string]int
	merges       mergeTable
	prefix       string // prefix of every character of a word except the first
	suffix       string // suffix of a word's last character
	byteFallback bool
	unknown      int // id of the unknown token; -1 if there is none
	fuseUnknown  bool
	ignoreMerges bool // a word that is in the vocabulary is not split
}

// encode returns the ids of a word. If there is no unknown token, it omits characters that are neither in the
// vocabulary nor fall back to bytes.
func (m *bytePairs) encode(text string) []int {
	if m.ignoreMerges {
		if id, ok := m.ids[text]; ok {
			return []int{id}
		}
	}
	ids := make([]int, 0, len(text))
	pending := false // an unknown token still has to be appended
	flush := func() {
		if pending {
			ids = append(ids, m.unknown)
			pending = false
		}
	}
	for at := 0; at < len(text); {
		_, size := utf8.DecodeRuneInString(text[at:])
		symbol := text[at : at+size]
		if at > 0 {
			symbol = m.prefix + symbol
		}
		at += size
		if at == len(text) {
			symbol += m.suffix
		}
		if id, ok := m.ids[symbol]; ok {
			flush()
			ids = append(ids, id)
			continue
		}
		// The original writes the bytes before a pending unknown token; this never happens if the vocabulary has all
		// bytes.
		if bytes, ok := m.bytesOf(symbol); ok {
			ids = append(ids, bytes...)
			continue
		}
		if m.unknown >= 0 {
			if !m.fuseUnknown {
				flush()
			}
			pending = true
		}
	}
	flush()
	return mergePairs(ids, m.merges.find, false)
}

func (m *bytePairs) bytesOf(symbol string) ([]int, bool) {
	if !m.byteFallback {
		return nil, false
	}
	ids := make([]int, len(symbol))
	for i := range len(symbol) {
		id, ok := m.ids[fmt.Sprintf("<0x%02X>", symbol[i])]
		if !ok {
			return nil, false
		}
		ids[i] = id
	}
	return ids, true
}

// addMerge adds the next pair of the list of merges.
func (m *bytePairs) addMerge(left, right string) error {
	l, ok := m.ids[left]
	if !ok {
		return fmt.Errorf("merge %d joins %q, which is not in the vocabulary", len(m.merges), left)
	}
	r, ok := m.ids[right]
	if !ok {
		return fmt.Errorf("merge %d joins %q, which is not in the vocabulary", len(m.merges), right)
	}
	if len(right) < len(m.prefix) {
		return errors.New("a merge joins a token shorter than the prefix of continuing tokens")
	}
	joined := left + right[len(m.prefix):]
	id, ok := m.ids[joined]
	if !ok {
		return fmt.Errorf("merge %d makes %q, which is not in the vocabulary", len(m.merges), joined)
	}
	m.merges[pair{l, r}] = mergeResult{len(m.merges), id}
	return nil
}
