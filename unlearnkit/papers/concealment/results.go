package concealment

import (
	"fmt"
	"image"
	"image/png"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results holds the raw scores of a preset. Every table, figure and claim is a function of these scores.
type Results struct {
	study.Hidden
	Preset   Preset
	learning []learningCurve // learning curves of the original, then of models with other outputs
	Original Views           // judge's labels of pictures for the gate's prompts
	Golds    map[string]Views
	further  []furtherTraining // originals and golds of further training seeds, if each seed has its own
	Pairs    []PairScores
	Attacks  []AttackScores
	controls []control // controls whose runs are all complete
	moves    []pairMoved
	Second   []SecondView     // second judge's labels, if the preset has a second judge
	guests   []*guestScores   // scores of imported models, one element for each user's name and concept
	doubts   study.GuestNotes // doubts about imported models

	controlled *control // control whose attacks replace the study's; nil for the study itself

	plan  *Plan        // plan of the runs; nil if the scores were not read from runs
	store *store.Store // store that the scores were read from
}

// furtherTraining holds the judge's labels for a training seed's own original and gold models.
type furtherTraining struct {
	Original Views
	Golds    map[string]Views
}

// learningCurve holds the judge's labels for a model while it was trained to draw.
type learningCurve struct {
	Output string // quantity that the network predicts
	Looks  []lookScores
}

// lookScores holds the judge's labels after a number of training steps.
type lookScores struct {
	Steps int
	Views Views
}

// PairScores holds the raw scores of a method and a concept that it erases.
type PairScores struct {
	Method  Method
	Erasure concept.Erasure
	Setting Setting
	Tried   []RateViews // labels from tuning; empty if the preset does not tune
	Views   []Views     // labels for the erased models, by training seed
}

// AttackScores holds the raw scores of the attacks with one prompt.
type AttackScores struct {
	Prompt    concept.PaperPrompt
	Erasure   concept.Erasure
	Unlearned []*Attacked // scores by training seed; empty for the prompt of Figure 4
	Gold      *Attacked
	Others    []*Attacked // scores of further trainings of gold, one per training seed if each seed has its own

	sheets [2]*store.Artifact // artifacts with sheets of pictures: of the first training seed, and of gold
}

// Sheets holds an attack's sheets of pictures.
type Sheets struct{ Original, Unlearned, Strip image.Image }

// guestScores holds the scores of a user's imported models for an erased concept.
type guestScores struct {
	Name    string
	Erasure concept.Erasure
	Seeds   []int // training seeds for which models were imported, in ascending order
	Views   []Views
	Attacks [][]*Attacked // scores by prompt and training seed

	prompts []int // index of each prompt's attack in Results.Attacks
	runs    []study.GuestPart
}

// pairMoved holds the moves of the models of a method and concept, by training seed.
type pairMoved struct {
	Title string
	Moves [][]Move
}

// Move measures how far a tensor has moved.
type Move struct {
	Tensor  string  `parquet:"tensor,dict"`
	Numbers int64   `parquet:"numbers"`
	Square  float64 `parquet:"square"` // sum of the squared values before the method ran
	Move    float64 `parquet:"move"`   // sum of the squared changes of the values
}

// control holds an experiment that tests whether verdicts on a concept depend on the gold model in the comparison, or
// on the word in the prompt.
type control struct {
	Name    string
	Erasure concept.Erasure
	attacks map[string]controlled // attacks by prompt
	gold    Views                 // judge's labels for the other gold model; nil if gold is the study's own
	again   bool                  // gold is another training of the study's own gold
	ends    bool                  // completing models get a different prompt
	look    *study.Run            // run that judges the other gold model's pictures
}

// controlled holds the attacks with one prompt that replace the study's attacks.
type controlled struct {
	gold      *Attacked
	unlearned []*Attacked // scores of erased models; nil if the study's own are used
	run       *study.Run  // run that attacks gold
}

// SecondView holds the second judge's label of a picture that an attack has stored.
type SecondView struct {
	Attack int  // index of the attack among the attacks that are judged again
	Other  bool // the picture was drawn by the other model, not by the original
	View
}

// SecondViews holds the second judge's labels of many pictures.
type SecondViews []SecondView

// originals returns the judge's labels for the original, or for each training seed's own original.
func (r *Results) originals() []Views {
	all := []Views{r.Original}
	for _, f := range r.further {
		all = append(all, f.Original)
	}
	return all
}

// Seeds returns the number of trainings of each method.
func (r *Results) Seeds() int { return r.Preset.Seeds }

// Sheets returns the sheets of pictures of the first training seed, or of gold.
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
