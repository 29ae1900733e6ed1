package remem

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

// scoreTables describes the tables of scores that a user may bring. They have the gold model's questions.
func (p *Plan) scoreTables() []study.ScoreTable {
	answers := study.Layout{Examples: "answers", Repetitions: Worlds, Fields: safefile.FieldsOf[Answer](),
		Keys: []string{"id", "part"}, Bounds: answerBounds}
	return []study.ScoreTable{
		{Name: "answers", Layout: answers, Finish: measured, Sources: func(part guest.Part) []study.ScoreSource {
			return p.scored(part, AnswersFile)
		}},
		{Name: "secrets", Optional: true, Layout: study.Layout{Examples: "values", Repetitions: Worlds,
			Fields: safefile.FieldsOf[Secret](), Keys: []string{"attribute", "hop", "identity"}, Bounds: secretBounds},
			Sources: func(part guest.Part) []study.ScoreSource { return p.scored(part, secretsFile) }},
		{Name: "relearnt", Optional: true, Layout: answers, Case: "passes", Finish: measured, Sources: p.relearnt},
	}
}

// scored returns a file with the gold model's scores.
func (p *Plan) scored(part guest.Part, file string) []study.ScoreSource {
	size := p.Preset.size(part.Of)
	if size < 0 || p.Preset.Sizes[size].Published != "" {
		return nil
	}
	return []study.ScoreSource{{Run: p.Worlds[part.Repetition].Sizes[size].Gold.Scores, File: file}}
}

// original returns the file with the answers of the model that methods start from.
func (p *Plan) original(part guest.Part) study.ScoreSource {
	size := p.Preset.size(part.Of)
	if size < 0 || p.Preset.Sizes[size].Published != "" {
		return study.ScoreSource{}
	}
	return study.ScoreSource{Run: p.Worlds[part.Repetition].Sizes[size].Taught.Scores, File: AnswersFile}
}

// relearnt returns the files with the gold model's answers during relearning, if the preset relearns.
func (p *Plan) relearnt(part guest.Part) (sources []study.ScoreSource) {
	if len(p.scored(part, "")) == 0 {
		return nil
	}
	run := p.Worlds[part.Repetition].Sizes[p.Preset.size(part.Of)].Gold.Relearnt
	if run == nil {
		return nil
	}
	for _, passes := range p.Preset.Relearning.budgets() {
		sources = append(sources, study.ScoreSource{Case: fmt.Sprint(passes), Run: run, File: RelearntFile(passes)})
	}
	return sources
}

// answerBounds describes the columns of a user's answers. The scores of an answer are computed from its text.
var answerBounds = map[string]study.Bound{
	"id":     {About: "name of the question in the exported data"},
	"part":   {About: "part of the question in the exported data"},
	"output": {Free: true, About: "the model's answer"},
	"log_prob": {Lo: math.Inf(-1), Hi: 0, Empty: true,
		About: "mean log-probability of the true answer's tokens, or empty"},
}

// secretBounds describes the columns of the ranks of true values.
var secretBounds = map[string]study.Bound{
	"attribute": {About: "attribute whose values are ranked"},
	"hop":       {About: "single if the question names the person, multi if the picture shows the person"},
	"identity":  {About: "number of the person in the exported data"},
	"rank": {Lo: 1, Hi: math.Inf(1), Whole: true, Most: "candidates",
		About: "rank of the person's true value among all values of the attribute, 1 the likeliest"},
	"inverse_perplexity": {Lo: 0, Hi: 1, Empty: true, About: "inverse perplexity of the true value, or empty"},
	"min_k": {Lo: 0, Hi: 1, Empty: true,
		About: "mean probability of the least likely tenth of the value's tokens, or empty"},
}

// measured returns answers with the scores that follow from their texts.
func measured(frame *safefile.Frame) (*safefile.Frame, error) {
	answers, err := safefile.RowsOf[Answer](frame)
	if err != nil {
		return nil, err
	}
	for i := range answers {
		if err := answers[i].Measure(); err != nil {
			return nil, err
		}
	}
	return safefile.FrameOf(answers), nil
}
