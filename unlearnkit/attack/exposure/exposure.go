// Package exposure ranks the candidates of a secret by how likely a language model finds them.
//
// A secret is one of several candidates: the names, jobs or numbers that occur in a data set. After a prefix such as
// "The job of the person in the image is", a model assigns each candidate a perplexity. A forgotten secret should not
// rank better than chance. A [Ranker] computes the perplexity of each candidate over its own tokens, the rank of the
// true candidate and its Exposure (arXiv:2605.03759, eq. 1; see [metric.Exposure]). It also computes the Min-k %
// probability and the inverse perplexity of each candidate.
//
//	ranker := exposure.New(m)
//	ranking, err := ranker.Rank(ctx, exposure.Item{Prefix: "The job of Ann is", Candidates: jobs, Truth: "baker"})
//
// The rank of one secret has no sampling error: the model gives the same rank every time. It can be compared with
// chance: [Truth] has the probability that chance gives a rank at least as good. Only a mean over several secrets has a
// sampling error; [Summarize] computes its interval.
//
// The candidates of an item are read in batches. They share the cached keys and values of the prefix and its image, so
// that a prefix is read once.
package exposure

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// answerTurn precedes the prefix of an item that has an image and no mark of its place: the answer's turn in
// LLaVA 1.5's training conversations, without a question.
const answerTurn = "USER: " + language.ImageMark + "\nASSISTANT: "

// Item is one secret with its candidates.
type Item struct {
	// Prefix is the text before a candidate. A space is inserted between them unless the prefix ends in white space.
	// Trailing spaces change nothing.
	Prefix string
	// Image holds the pixels from [language.Model.Pixels], or nil without an image.
	Image []float32
	// Candidates are ranked once each, without surrounding space; duplicates are ignored.
	Candidates []string
	// Truth is the true candidate, or empty if it is unknown.
	Truth string
	// Group names a set of items, such as a person. Items of the same group are not independent evidence. An item with
	// an empty Group is a group of its own.
	Group string
}

// Ranker ranks candidates with a model. It is not safe for concurrent use.
type Ranker struct {
	model     *language.Model
	generator *llava.Generator
}

// New returns a ranker of a model. Close it after use.
func New(m *language.Model) *Ranker { return &Ranker{m, m.Generator()} }

// Close frees the compiled graphs.
func (r *Ranker) Close() { r.generator.Close() }

// Rank ranks all candidates of an item.
func (r *Ranker) Rank(ctx context.Context, item Item) (*Ranking, error) {
	list, repeated, err := item.list()
	if err != nil {
		return nil, err
	}
	logProbs, straddling, err := r.logProbs(ctx, item, list)
	if err != nil {
		return nil, err
	}
	ranking, err := rank(item, list, logProbs)
	if err != nil {
		return nil, err
	}
	if repeated > 0 {
		ranking.warnf("candidates that are named more than once, and ranked once: %d", repeated)
	}
	if strings.TrimSpace(item.Prefix) == "" {
		ranking.warnf("the prefix is empty: candidates are ranked as beginnings")
	}
	if begun := beginnings(list); len(begun) > 0 {
		ranking.warnf("%d candidates are the beginning of another one, so their end costs nothing, such as "+
			"%.60q", len(begun), begun[0])
	}
	if straddling > 0 {
		ranking.warnf("the first token of %d candidates also contains the end of the prefix; it counts as theirs",
			straddling)
	}
	return ranking, nil
}

// list returns the distinct candidates and how many were given more than once.
func (item Item) list() (list []string, repeated int, err error) {
	times := map[string]int{}
	for i, candidate := range item.Candidates {
		candidate = strings.TrimSpace(candidate)
		if candidate == "" {
			return nil, 0, fmt.Errorf("candidate %d is empty; leave it out", i+1)
		}
		if times[candidate]++; times[candidate] == 1 {
			list = append(list, candidate)
		} else if times[candidate] == 2 {
			repeated++
		}
	}
	switch truth := strings.TrimSpace(item.Truth); {
	case len(list) == 0:
		return nil, 0, fmt.Errorf("there are no candidates; give a list that the truth is one of")
	case truth != "" && times[truth] == 0:
		return nil, 0, fmt.Errorf("the truth %.60q is not among the %d candidates; add it", truth, len(list))
	}
	return list, repeated, nil
}

// beginnings returns the candidates that are a prefix of another candidate, in alphabetical order.
func beginnings(list []string) (begun []string) {
	sorted := slices.Sorted(slices.Values(list))
	for i, candidate := range sorted[:len(sorted)-1] {
		if strings.HasPrefix(sorted[i+1], candidate) {
			begun = append(begun, candidate)
		}
	}
	return begun
}

// text returns what the model reads before a candidate.
func (item Item) text() string {
	if item.Image == nil || strings.Contains(item.Prefix, language.ImageMark) {
		return item.Prefix
	}
	return answerTurn + item.Prefix
}

// logProbs returns the log-probabilities of each candidate's tokens. straddling counts the candidates whose first token
// also covers the end of the prefix; they are read after a shorter prompt.
func (r *Ranker) logProbs(ctx context.Context, item Item, list []string) (all [][]float64, straddling int, err error) {
	text := item.text()
	head, err := r.model.Tokens(strings.TrimRight(text, " "))
	if err != nil {
		return nil, 0, fmt.Errorf("the prefix %.60q: %w", text, err)
	}
	prompts, nexts := map[int][]int32{}, make([][]int32, len(list))
	places := map[int][]int{} // indices of candidates, by the length of their prompt
	for i, candidate := range list {
		prompt, next, err := r.model.Continue(text, candidate)
		if err == nil {
			err = r.check(prompt, next)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("candidate %.60q after %.60q: %w", candidate, text, err)
		}
		length := len(prompt)
		prompts[length], nexts[i] = prompt, next
		places[length] = append(places[length], i)
		if length < len(head) {
			straddling++
		}
	}
	all = make([][]float64, len(list))
	for _, length := range slices.Sorted(maps.Keys(places)) {
		at := places[length]
		part := make([][]int32, len(at))
		for i, place := range at {
			part[i] = nexts[place]
		}
		found, err := r.generator.LogProbs(ctx, llava.Prompt{IDs: prompts[length], Pixels: item.Image}, part)
		if err != nil {
			return nil, 0, fmt.Errorf("after %.60q: %w", text, err)
		}
		for i, place := range at {
			all[place] = found[i]
		}
	}
	return all, straddling, nil
}

// check returns an error if the model cannot read a candidate.
func (r *Ranker) check(prompt, next []int32) error {
	switch {
	case len(prompt) == 0:
		return fmt.Errorf("there is no token before it; give a prefix")
	case len(next) == 0:
		return fmt.Errorf("the tokenizer makes no token of it")
	}
	return r.model.Fits(append(prompt[:len(prompt):len(prompt)], next...))
}

// metricItem converts the item for package metric.
func metricItem(item Item, truth int, logProbs [][]float64) metric.ExposureItem {
	return metric.ExposureItem{Identity: item.Group, Attribute: item.Prefix, Truth: truth, LogProbs: logProbs}
}
