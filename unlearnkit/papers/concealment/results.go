package concealment

import (
	"fmt"
	"image"
	"image/png"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results holds the raw scores of a preset. Every table, figure and claim is a function of them.
type Results struct {
	Preset   Preset
	Learning []Learning // the original, then models that were trained alike with other outputs
	Original Views      // views of the gate's prompts
	Golds    map[string]Views
	Further  []Further // training seeds from the second on, if each has its own models
	Pairs    []PairScores
	Attacks  []AttackScores
	Controls []Control // complete controls, if the preset has controls
	Moves    []PairMoved
	Second   []SecondView   // the second judge's labels, if the preset has a second judge
	Guests   []*GuestScores // models from elsewhere, one for each guest and concept

	controlled *Control // control that replaces the study's own runs; nil for the study

	plan  *Plan        // plan of the runs with the scores; nil if no run made them
	store *store.Store // store that the scores were read from
}

// Further holds what the judge saw in the pictures of a training seed's original and gold models.
type Further struct {
	Original Views
	Golds    map[string]Views
}

// Learning holds the looks at a model while it learnt to draw.
type Learning struct {
	Output string // network output
	Looks  []LookScores
}

// LookScores holds what the judge saw after a number of training steps.
type LookScores struct {
	Steps int
	Views Views
}

// PairScores holds the raw scores of a method and a concept that it erases.
type PairScores struct {
	Method  Method
	Erasure concept.Erasure
	Setting Setting
	Tried   []Tried // empty if the preset does not tune
	Views   []Views // views of the erased models, by training seed
}

// AttackScores holds the raw scores of the attacks with one prompt.
type AttackScores struct {
	Prompt    concept.PaperPrompt
	Erasure   concept.Erasure
	Unlearned []*Attacked // by training seed; empty for Figure 4's prompt
	Gold      *Attacked
	Others    []*Attacked // further trainings of gold, if any; one per training seed if each has its own

	sheets [2]*store.Artifact // sheets of pictures: the first training seed's, if any, and gold's
}

// Sheets holds sheets of pictures from an attack.
type Sheets struct{ Original, Unlearned, Strip image.Image }

// GuestScores holds the scores of a guest that has erased a concept.
type GuestScores struct {
	Name    string
	Erasure concept.Erasure
	Seeds   []int // training seeds of the guest, rising
	Views   []Views
	Attacks [][]*Attacked // by prompt and training seed

	prompts []int // indices of the prompts among the attacks of the results
	runs    []study.GuestPart
}

// PairMoved holds the moves of a method and concept's models, by training seed.
type PairMoved struct {
	Title string
	Moves [][]Move
}

// Move measures the distance that a tensor has moved.
type Move struct {
	Tensor  string  `parquet:"tensor,dict"`
	Numbers int64   `parquet:"numbers"`
	Square  float64 `parquet:"square"` // sum of the squared values before
	Move    float64 `parquet:"move"`   // sum of the squared differences
}

// Control tests whether verdicts on a concept depend on the gold model in the comparison, or on the word in the
// prompt.
type Control struct {
	Name    string
	Erasure concept.Erasure
	attacks map[string]controlled // by prompt
	gold    Views                 // the other gold model's views of the gate's prompts; nil if gold is the study's
	again   bool                  // the study's gold, trained again
	ends    bool                  // the completing models get another prompt
	look    *study.Run            // the other gold model's look at the gate's prompts
}

// controlled holds the attacks with one prompt that replace the study's.
type controlled struct {
	gold      *Attacked
	unlearned []*Attacked // nil if the study's attacks are kept
	run       *study.Run  // run of gold's attack
}

// SecondView is the second judge's label of a picture that an attack has stored.
type SecondView struct {
	Attack int  // index among the attacks that were judged again
	Other  bool // drawn by the other model, not by the original
	View
}

// SecondViews holds the second judge's labels of many pictures.
type SecondViews []SecondView

// originals returns what the judge saw in the originals' pictures: one, or one for each training seed.
func (r *Results) originals() []Views {
	all := []Views{r.Original}
	for _, f := range r.Further {
		all = append(all, f.Original)
	}
	return all
}

// Seeds returns the number of trainings of each method.
func (r *Results) Seeds() int { return r.Preset.Seeds }

// Sheets returns the sheets of the first training seed, or of gold.
func (a AttackScores) Sheets(gold bool) (Sheets, error) {
	var sheets Sheets
	artifact, whose := a.sheets[0], a.Prompt.Method
	if gold {
		artifact, whose = a.sheets[1], "gold"
	}
	if artifact == nil {
		return sheets, fmt.Errorf("%q by %s: there are no pictures to look at", a.Prompt.Paper, whose)
	}
	for _, sheet := range []struct {
		name string
		into *image.Image
	}{{OriginalSheet, &sheets.Original}, {UnlearnedSheet, &sheets.Unlearned}, {StripSheet, &sheets.Strip}} {
		var err error
		if *sheet.into, err = readSheet(artifact, sheet.name); err != nil {
			return sheets, fmt.Errorf("%q by %s: %w", a.Prompt.Paper, whose, err)
		}
	}
	return sheets, nil
}

func readSheet(attack *store.Artifact, name string) (image.Image, error) {
	file, err := attack.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return picture, nil
}
