package tokenize

import (
	"cmp"
	"container/heap"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Training configures [TrainBPE].
type Training struct {
	// Size is the total number of tokens: marks, 256 bytes, and merged tokens. There are fewer if the texts have no
	// more pairs.
	Size int
	// Special lists tokens that are recognized in text and omitted in decoding. They have the first ids.
	Special []string
	// Start and End, if not empty, are special tokens that EncodeFramed adds around a text. End has the largest id, by
	// which a CLIP text tower finds it.
	Start, End string
	// Lowercase composes text (NFC) and converts it to lower case.
	Lowercase bool
	// DigitPairs splits numbers into pairs of digits and makes every pair a token, so that a number's length in tokens
	// does not depend on how common it is.
	DigitPairs bool
}

// TrainBPE learns a byte-level byte-pair encoding from texts. It repeatedly merges the most frequent pair of tokens
// inside words; ties are resolved by the smaller ids. The result depends only on the texts and settings. Its
// [Pipeline.JSON] is a tokenizer.json.
func TrainBPE(texts []string, t Training) (*Pipeline, error) {
	learner, err := t.learner()
	if err != nil {
		return nil, err
	}
	untrained, err := t.pipeline(learner)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, text := range texts {
		for _, word := range untrained.chunks(chunk{text: untrained.normalize(replaceInvalid(text)), first: true}) {
			counts[word.text]++
		}
	}
	learner.learn(counts, untrained.model.encode)
	return t.pipeline(learner)
}

// learner returns the initial vocabulary.
func (t Training) learner() (*learner, error) {
	l := &learner{ids: map[string]int{}, size: t.Size}
	first := slices.Clone(t.Special)
	if t.Start != "" {
		first = append(first, t.Start)
	}
	if t.End != "" {
		l.size--
	}
	for _, token := range first {
		if _, twice := l.ids[token]; twice || token == "" || token == t.End {
			return nil, fmt.Errorf("train a tokenizer: the special token %q is empty or named twice", token)
		}
		l.add(token)
	}
	for _, character := range slices.Sorted(slices.Values(byteCharacter[:])) {
		if _, twice := l.ids[string(character)]; twice {
			return nil, fmt.Errorf("train a tokenizer: the special token %q is also a byte", string(character))
		}
		l.add(string(character))
	}
	if t.DigitPairs {
		for tens := '0'; tens <= '9'; tens++ {
			for ones := '0'; ones <= '9'; ones++ {
				l.merge(pair{l.ids[string(tens)], l.ids[string(ones)]})
			}
		}
	}
	if len(l.tokens) > l.size {
		return nil, fmt.Errorf("train a tokenizer: %d tokens are too few; marks, bytes and digits already need %d", t.Size,
			len(l.tokens)+t.Size-l.size)
	}
	return l, nil
}

// pipeline returns the tokenizer of the vocabulary learned so far.
func (t Training) pipeline(l *learner) (*Pipeline, error) {
	yes := true
	d := document{
		Version:      "1.0",
		PreTokenizer: &component{Type: "ByteLevel", UseRegex: &yes},
		Decoder:      &component{Type: "ByteLevel", UseRegex: &yes},
		Model:        model{Type: "BPE", Vocab: l.ids, Merges: l.merges},
	}
	if t.Lowercase {
		d.Normalizer = &component{Type: "Sequence", Normalizers: []component{{Type: "NFC"}, {Type: "Lowercase"}}}
	}
	if t.DigitPairs {
		pairs := "[0-9]{1,2}"
		d.PreTokenizer = &component{Type: "Sequence", PreTokenizers: []component{
			{Type: "Split", Pattern: &stringOrRegex{Regex: &pairs}, Behavior: "Isolated"}, *d.PreTokenizer,
		}}
	}
	t.mark(&d, l)
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	return FromJSON(data)
}

// mark adds the special tokens and their frame to the document.
func (t Training) mark(d *document, l *learner) {
	mark := func(token string, id int) {
		d.AddedTokens = append(d.AddedTokens, addedToken{ID: id, Content: token, Special: true})
	}
	frame := &component{Type: "TemplateProcessing", SpecialTokens: map[string]templateToken{}}
	around := func(token string, id int) {
		mark(token, id)
		frame.Single = append(frame.Single, templateItem{SpecialToken: &templatePart{ID: token}})
		frame.SpecialTokens[token] = templateToken{ID: token, IDs: []int{id}, Tokens: []string{token}}
	}
	for _, token := range t.Special {
		mark(token, l.ids[token])
	}
	if t.Start != "" {
		around(t.Start, l.ids[t.Start])
	}
	frame.Single = append(frame.Single, templateItem{Sequence: &templatePart{ID: "A"}})
	if t.End != "" {
		around(t.End, len(l.tokens))
	}
	frame.Pair = append(slices.Clone(frame.Single), templateItem{Sequence: &templatePart{ID: "B", TypeID: 1}})
	d.PostProcessor = frame
}

// A learner holds a vocabulary that grows by merging.
type learner struct {
	ids    map[string]int
	tokens []string
	merges []mergeLine
	size   int

	words  [][]int // tokens of each word
	counts []int   // number of occurrences of each word
	pairs  map[pair]int
	where  map[pair]map[int]bool // words that contain, or once contained, the pair
	queue  pairHeap
}

func (l *learner) add(token string) int {
	if id, ok := l.ids[token]; ok {
		return id
	}
	l.ids[token] = len(l.tokens)
	l.tokens = append(l.tokens, token)
	return len(l.tokens) - 1
}

// merge adds the token joined from a pair, which may exist already.
func (l *learner) merge(p pair) int {
	l.merges = append(l.merges, mergeLine{l.tokens[p.left], l.tokens[p.right]})
	return l.add(l.tokens[p.left] + l.tokens[p.right])
}

// learn merges pairs until the vocabulary is full. counts holds the counts of words, which encode splits into the
// initial tokens.
func (l *learner) learn(counts map[string]int, encode func(string) []int) {
	l.pairs, l.where = map[pair]int{}, map[pair]map[int]bool{}
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		l.words = append(l.words, encode(text))
		l.counts = append(l.counts, counts[text])
		l.count(len(l.words)-1, 1)
	}
	for p, count := range l.pairs {
		l.queue = append(l.queue, countedPair{p, count})
	}
	heap.Init(&l.queue)
	for len(l.tokens) < l.size && len(l.queue) > 0 {
		top := heap.Pop(&l.queue).(countedPair)
		if count := l.pairs[top.pair]; count != top.count {
			if count > 0 {
				heap.Push(&l.queue, countedPair{top.pair, count})
			}
			continue
		}
		l.join(top.pair, l.merge(top.pair))
	}
}

// count adds sign times the pairs of a word to the counts.
func (l *learner) count(number, sign int) {
	word := l.words[number]
	for i := 0; i+1 < len(word); i++ {
		p := pair{word[i], word[i+1]}
		l.pairs[p] += sign * l.counts[number]
		if l.where[p] == nil {
			l.where[p] = map[int]bool{}
		}
		l.where[p][number] = true
	}
}

// join replaces the pair by id in every word and queues the new pairs.
func (l *learner) join(p pair, id int) {
	arisen := map[pair]bool{}
	for number := range l.where[p] {
		l.count(number, -1)
		word, joined := l.words[number], l.words[number][:0]
		for i := 0; i < len(word); i++ {
			if i+1 < len(word) && word[i] == p.left && word[i+1] == p.right {
				joined = append(joined, id)
				i++
			} else {
				joined = append(joined, word[i])
			}
		}
		l.words[number] = joined
		l.count(number, 1)
		for i := 0; i+1 < len(joined); i++ {
			if joined[i] == id || joined[i+1] == id {
				arisen[pair{joined[i], joined[i+1]}] = true
			}
		}
	}
	delete(l.where, p)
	delete(l.pairs, p)
	for q := range arisen {
		heap.Push(&l.queue, countedPair{q, l.pairs[q]})
	}
}

// A countedPair is queued with its count at that time. If the count has decreased since, it is queued again.
type countedPair struct {
	pair  pair
	count int
}

type pairHeap []countedPair

func (h pairHeap) Len() int { return len(h) }
func (h pairHeap) Less(i, j int) bool {
	a, b := h[i], h[j]
	return cmp.Or(-cmp.Compare(a.count, b.count), cmp.Compare(a.pair.left, b.pair.left),
		cmp.Compare(a.pair.right, b.pair.right)) < 0
}
func (h pairHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *pairHeap) Push(x any)   { *h = append(*h, x.(countedPair)) }
func (h *pairHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
