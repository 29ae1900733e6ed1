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

// mergeSegments splits normalized into characters and user-defined pieces, and merges the neighbours that together are the piece of the highest score until none are.
func (s *SentencePiece) mergeSegments(normalized string) []segment {
	// Characters that are no piece get numbers of their own, past the pieces', so that they can be part of one.
	var foreign []string
	numbers := map[string]int{}
	text := func(number int) string {
		if number < len(s.pieces) {
			return s.pieces[number].text
		}
		return foreign[number-len(s.pieces)]
	}
	var symbols []int
	for len(normalized) > 0 {
		size, number := s.defined.longest(normalized)
		if size == 0 {
			_, size = utf8.DecodeRuneInString(normalized)
			character := normalized[:size]
			var known bool
			if number, known = s.ids[character]; !known {
				if number, known = numbers[character]; !known {
					number = len(s.pieces) + len(foreign)
					numbers[character] = number
					foreign = append(foreign, character)
				}
			}
		}
		symbols = append(symbols, number)
		normalized = normalized[size:]
	}
	halves := map[int]pair{} // of unused pieces, which are taken apart again
	frozen := func(number int) bool {
		return number < len(s.pieces) && s.pieces[number].kind == userDefinedPiece
	}
	find := func(left, right int) (merged, bool) {
		if frozen(left) || frozen(right) {
			return merged{}, false
		}
		id, ok := s.ids[text(left)+text(right)]
		if !ok {
			return merged{}, false
		}
		if s.pieces[id].kind == unusedPiece {
			halves[id] = pair{left, right}
		}
		return merged{s.order[s.pieces[id].score], id}, true
	}
	var segments []segment
	var emit func(number int)
	emit = func(number int) {
		parts, unused := halves[number]
		switch {
		case unused:
			emit(parts.left)
			emit(parts.right)
		case number < len(s.pieces):
			segments = append(segments, segment{s.pieces[number].text, number})
		default:
			segments = append(segments, segment{text(number), s.unknown})
		}
	}
	for _, number := range mergePairs(symbols, find, false) {
		emit(number)
	}
	return segments
}

// indexVocabulary prepares the search for the best segmentation.
func (s *SentencePiece) indexVocabulary() {
	s.vocabulary = newTrie()
	// The original begins its maximum with the smallest positive number, not the lowest: user-defined pieces are chosen because of it.
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

// bestSegments finds the segmentation of the highest sum of scores (Viterbi). A character that is no piece costs ten more than the worst piece. The sums are kept in float32, as the
// original keeps them, so that equal ones stay equal.
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
