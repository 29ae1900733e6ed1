package remem

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Frame compares the models' size, training and data with the paper's.
func (r *Results) Frame() string {
	var sizes []string
	for i, s := range r.Preset.Sizes {
		large := ofPaper[s.Model]
		text := fmt.Sprintf("%s has %d layers of width %d, %s has %d of %d", s.Name, s.Base.Size.Layers,
			s.Base.Size.Width, s.Model, large.Layers, large.Width)
		if learnt := r.taughtEM(i); !math.IsNaN(learnt) {
			text += fmt.Sprintf("; it answers %.0f %% of what it was taught (EM)", learnt)
		}
		sizes = append(sizes, text)
	}
	text := strings.Join(sizes, ". ") + ". In the paper these are 91.50 and 96.37 %. Drawn faces replace " +
		"photographs, and templates replace a language model's sentences."
	if r.Preset.Sizes[0].Base.Refusals == 0 {
		text += " The base models have never seen a refusal, so PO and DPO learn none."
	}
	return text
}

// taughtEM returns the percentage of taught questions that a model answers correctly, averaged over worlds. It is NaN
// if the model diverged in a world.
func (r *Results) taughtEM(size int) float64 {
	sum := 0.
	for i := range r.Worlds {
		taught := r.Worlds[i].Sizes[size].Taught
		if taught.lost() {
			return math.NaN()
		}
		sum += taught.score(study.Find(learntColumns(), "EM")) / float64(len(r.Worlds))
	}
	return sum
}
