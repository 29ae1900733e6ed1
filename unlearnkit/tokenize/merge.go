package tokenize

import "container/heap"

// A pair is two adjacent tokens.
type pair struct{ left, right int }

type mergeResult struct {
	rank int // lower ranks are merged first
	id   int
}

type mergeTable map[pair]mergeResult

func (t mergeTable) find(left, right int) (mergeResult, bool) {
	m, ok := t[pair{left, right}]
	return m, ok
}

// mergePairs repeatedly merges the leftmost pair of the lowest rank in find, until find has no pair left. It takes O(n
// log n).
//
// With inRounds it merges every occurrence of a pair before it considers pairs that arise from it, as CLIP's Python
// original does. The two orders give different tokens only if a pair has a lower rank than the merge that made one of
// its halves.
func mergePairs(ids []int, find func(left, right int) (mergeResult, bool), inRounds bool) []int {
	w := newWord(ids)
	var candidates candidateHeap
	for i := 0; i+1 < len(ids); i++ {
		if m, ok := find(ids[i], ids[i+1]); ok {
			candidates = append(candidates, candidate{m.rank, i})
		}
	}
	heap.Init(&candidates)
	var round []candidate
	for len(candidates) > 0 {
		round = append(round[:0], heap.Pop(&candidates).(candidate))
		for inRounds && len(candidates) > 0 && candidates[0].rank == round[0].rank {
			round = append(round, heap.Pop(&candidates).(candidate))
		}
		for _, c := range round {
			right := w.next[c.at]
			if w.ids[c.at] < 0 || right < 0 {
				continue
			}
			m, ok := find(w.ids[c.at], w.ids[right])
			if !ok || m.rank != c.rank {
				continue
			}
			w.join(c.at, m.id)
			for _, left := range [2]int{w.previous[c.at], c.at} {
				if left < 0 || w.next[left] < 0 {
					continue
				}
				if m, ok := find(w.ids[left], w.ids[w.next[left]]); ok {
					heap.Push(&candidates, candidate{m.rank, left})
				}
			}
		}
	}
	return w.remaining()
}

// word is a linked list of tokens, so that joining two takes constant time. A token joined to its predecessor has the
// id -1; the ends of the list are -1, too.
type word struct{ ids, previous, next []int }

func newWord(ids []int) word {
	w := word{append([]int(nil), ids...), make([]int, len(ids)), make([]int, len(ids))}
	for i := range ids {
		w.previous[i], w.next[i] = i-1, i+1
	}
	if len(ids) > 0 {
		w.next[len(ids)-1] = -1
	}
	return w
}

// join replaces the token at index at and the next token by id.
func (w word) join(at, id int) {
	gone := w.next[at]
	w.ids[at], w.ids[gone] = id, -1
	w.next[at] = w.next[gone]
	if after := w.next[gone]; after >= 0 {
		w.previous[after] = at
	}
}

func (w word) remaining() []int {
	kept := w.ids[:0]
	for _, id := range w.ids {
		if id >= 0 {
			kept = append(kept, id)
		}
	}
	return kept
}

type candidate struct{ rank, at int }

type candidateHeap []candidate

func (h candidateHeap) Len() int { return len(h) }
func (h candidateHeap) Less(i, j int) bool {
	return h[i].rank < h[j].rank || h[i].rank == h[j].rank && h[i].at < h[j].at
}
func (h candidateHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *candidateHeap) Push(x any)   { *h = append(*h, x.(candidate)) }
func (h *candidateHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
