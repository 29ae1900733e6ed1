package tokenize

import (
	"math"
	"slices"
	"unicode/utf8"
)

// indexScores ranks the scores of pieces for merging.
func (s *SentencePiece) indexScores() {
	var scores []float32
	for _, id := range s.ids {
		scores = append(scores, s.pieces[id].score)
	}
	slices.Sort(scores)
	s.order = map[float32]int{}
	for _, score := range slices.Backward(slices.Compact(scores)) {
		s.order[score] = len(s.order)
	}
}

// mergeSegments splits normalized into characters and user-defined pieces. It then repeatedly merges the two neighbours
// that form the piece with the highest score.
func (s *SentencePiece) mergeSegments(normalized string) []segment {
	m := &pieceMerger{SentencePiece: s, numbers: map[string]int{}, halves: map[int]pair{}}
	var segments []segment
	for _, number := range mergePairs(m.symbols(normalized), m.find, false) {
		segments = m.emit(segments, number)
	}
	return segments
}

// A pieceMerger merges one text. Characters without a piece have numbers after the pieces' ids, so that they can become
// part of a piece.
type pieceMerger struct {
	*SentencePiece
	foreign []string       // characters without a piece
	numbers map[string]int // numbers of the foreign characters
	halves  map[int]pair   // the parts of unused pieces
}

// symbols returns the initial numbers for merging normalized.
func (m *pieceMerger) symbols(normalized string) []int {
	var symbols []int
	for len(normalized) > 0 {
		size, number := m.defined.longest(normalized)
		if size == 0 {
			_, size = utf8.DecodeRuneInString(normalized)
			number = m.number(normalized[:size])
		}
		symbols = append(symbols, number)
		normalized = normalized[size:]
	}
	return symbols
}

func (m *pieceMerger) number(character string) int {
	if id, ok := m.ids[character]; ok {
		return id
	}
	number, ok := m.numbers[character]
	if !ok {
		number = len(m.pieces) + len(m.foreign)
		m.numbers[character] = number
		m.foreign = append(m.foreign, character)
	}
	return number
}

func (m *pieceMerger) text(number int) string {
	if number < len(m.pieces) {
		return m.pieces[number].text
	}
	return m.foreign[number-len(m.pieces)]
}

func (m *pieceMerger) isUserDefined(number int) bool {
	return number < len(m.pieces) && m.pieces[number].kind == userDefinedPiece
}

// find returns the piece that two symbols form.
func (m *pieceMerger) find(left, right int) (mergeResult, bool) {
	if m.isUserDefined(left) || m.isUserDefined(right) {
		return mergeResult{}, false
	}
	id, ok := m.ids[m.text(left)+m.text(right)]
	if !ok {
		return mergeResult{}, false
	}
	if m.pieces[id].kind == unusedPiece {
		m.halves[id] = pair{left, right}
	}
	return mergeResult{m.order[m.pieces[id].score], id}, true
}

// emit appends a symbol as a segment, or the parts of an unused piece.
func (m *pieceMerger) emit(segments []segment, number int) []segment {
	if parts, unused := m.halves[number]; unused {
		return m.emit(m.emit(segments, parts.left), parts.right)
	}
	id := number
	if id >= len(m.pieces) {
		id = m.unknown
	}
	return append(segments, segment{m.text(number), id})
}

// indexVocabulary prepares the search for the best segmentation.
func (s *SentencePiece) indexVocabulary() {
	s.vocabulary = newTrie()
	// The original initialises its maximum with the smallest positive number, not the lowest number. This makes it
	// choose user-defined pieces.
	s.minScore, s.maxScore = math.MaxFloat32, 0x1p-126
	for id, piece := range s.pieces {
		if piece.kind == normalPiece {
			s.minScore, s.maxScore = min(s.minScore, piece.score), max(s.maxScore, piece.score)
		}
		if piece.kind == normalPiece || piece.kind == userDefinedPiece {
			s.vocabulary.add(piece.text, id)
		}
	}
}

// bestSegments finds the segmentation with the highest sum of scores (Viterbi). A character without a piece costs ten
// more than the worst piece. The sums are in float32, as in the original, so that ties are the same.
func (s *SentencePiece) bestSegments(normalized string) []segment {
	const unknownPenalty = 10
	type ending struct {
		id, start int
		score     float32
	}
	best := make([]ending, len(normalized)+1)
	for i := range best {
		best[i].start = -1
	}
	offer := func(start, end, id int, score float32) {
		score += best[start].score
		if best[end].start < 0 || score > best[end].score {
			best[end] = ending{id, start, score}
		}
	}
	for start := 0; start < len(normalized); {
		_, size := utf8.DecodeRuneInString(normalized[start:])
		single := false
		s.vocabulary.prefixes(normalized[start:], func(length, id int) {
			score := s.pieces[id].score
			if s.pieces[id].kind == userDefinedPiece {
				score = float32(float32(length)*s.maxScore) - 0.1
			}
			offer(start, start+length, id, score)
			single = single || length == size
		})
		if !single {
			offer(start, start+size, s.unknown, s.minScore-unknownPenalty)
		}
		start += size
	}
	var segments []segment
	for end := len(normalized); end > 0; end = best[end].start {
		segments = append(segments, segment{normalized[best[end].start:end], best[end].id})
	}
	slices.Reverse(segments)
	return segments
}
