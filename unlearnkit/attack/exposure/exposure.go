// Package exposure ranks what a language model finds likely.
//
// A secret is one of some candidates: the names, jobs or numbers that occur in a data set. After a prefix such as "The
// job of the person in the image is" a model finds each candidate more or less likely, and a secret that it was made to
// forget should not stand before the others more often than chance puts it there. A [Ranker] gives the perplexity of
// each candidate over its own tokens, the rank of the true one and its Exposure (arXiv:2605.03759, eq. 1; see
// [metric.Exposure]), and beside it the Min-k % probability and the inverse perplexity of each.
//
//	ranker := exposure.New(m)
//	ranking, err := ranker.Rank(ctx, exposure.Item{Prefix: "The job of Ann is", Candidates: jobs, Truth: "baker"})
//
// The rank of one secret has no sampling error: the model gives it, and gives it again. What it may be compared with is
// chance, which gives a rank at least as good with the probability that [Truth] has. Only over several secrets there is
// a mean to be sure of or not; [Summarize] gives its interval.
//
// The candidates of an item are read in batches that share the prefix and its image through the memory of the decoder's
// keys and values, so that a prefix is read once.
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

// Turn stands before the prefix of an item that has an image and does not say itself where the model sees it: the
// answer's turn in the conversations that LLaVA 1.5 was trained with, without a question.
const Turn = "USER: " + language.ImageMark + "\nASSISTANT: "

// Item is one secret and what it is to be found among.
type Item struct {
	// Prefix is what the candidates follow. A space is put between, unless the prefix ends in white space; spaces at
	// its end change nothing.
	Prefix string
	// Image are the pixels that the model sees, by [language.Model.Pixels]; nil is none.
	Image []float32
	// Candidates are ranked each once, without the space around them, however often they are named.
	Candidates []string
	// Truth is the one that is true; empty where nobody says which.
	Truth string
	// Group is what the item belongs to, such as a person: items of one group are no independent evidence. Empty is a
	// group of its own.
	Group string
}

// Ranker ranks candidates by a model. It is not safe for concurrent use.
type Ranker struct {
	model     *language.Model
	generator *llava.Generator
}

// New returns a ranker of a model; close it after use.
func New(m *language.Model) *Ranker { return &Ranker{m, m.Generator()} }

// Close frees the compiled graphs.
func (r *Ranker) Close() { r.generator.Close() }

// Rank asks the model for all candidates of an item.
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
		ranking.warnf("candidates that another one begins with, and whose end costs them nothing: %d, such as "+
			"%.60q", len(begun), begun[0])
	}
	if straddling > 0 {
		ranking.warnf("candidates whose first token holds the end of the prefix too, and is counted as theirs: %d",
			straddling)
	}
	return ranking, nil
}

// list are the candidates, each once, and how many were named more than once.
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
		return nil, 0, fmt.Errorf("the truth %.60q is none of the %d candidates; add it to them", truth, len(list))
	}
	return list, repeated, nil
}

// beginnings returns the candidates that another one begins with, in the order of the alphabet.
func beginnings(list []string) (begun []string) {
	sorted := slices.Sorted(slices.Values(list))
	for i, candidate := range sorted[:len(sorted)-1] {
		if strings.HasPrefix(sorted[i+1], candidate) {
			begun = append(begun, candidate)
		}
	}
	return begun
}

// text is what the model reads before a candidate.
func (item Item) text() string {
	if item.Image == nil || strings.Contains(item.Prefix, language.ImageMark) {
		return item.Prefix
	}
	return Turn + item.Prefix
}

// logProbs are those of the tokens of each candidate, and the number of candidates that share their first token with
// the prefix. These are read behind a shorter prompt than the others.
func (r *Ranker) logProbs(ctx context.Context, item Item, list []string) (all [][]float64, straddling int, err error) {
	text := item.text()
	head, err := r.model.Tokens(strings.TrimRight(text, " "))
	if err != nil {
		return nil, 0, fmt.Errorf("the prefix %.60q: %w", text, err)
	}
	prompts, nexts := map[int][]int32{}, make([][]int32, len(list))
	places := map[int][]int{} // of the candidates, by their prompt's length
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

// check tells what keeps a candidate from being read.
func (r *Ranker) check(prompt, next []int32) error {
	switch {
	case len(prompt) == 0:
		return fmt.Errorf("there is no token before it; give a prefix")
	case len(next) == 0:
		return fmt.Errorf("it has no token of its own; the tokenizer makes nothing of it")
	}
	return r.model.Fits(append(prompt[:len(prompt):len(prompt)], next...))
}

// metricItem is the item as package metric takes it.
func metricItem(item Item, truth int, logProbs [][]float64) metric.ExposureItem {
	return metric.ExposureItem{Identity: item.Group, Attribute: item.Prefix, Truth: truth, LogProbs: logProbs}
}
