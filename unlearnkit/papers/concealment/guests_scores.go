package concealment

import (
	"fmt"
	"maps"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

// scoreTables describes the tables of scores that a user brings: the judge's labels of the pictures that the model
// draws alone, and the scores of the same attacks as on gold. What the original draws alone is copied.
func (p *Plan) scoreTables() []study.ScoreTable {
	views := study.Layout{Examples: "pictures", Repetitions: TrainingSeeds, Fields: safefile.FieldsOf[viewRow](),
		Keys: []string{"prompt", "number"}, Bounds: viewBounds()}
	original := views
	original.Bounds = nil
	drawn := layout
	drawn.Keys, drawn.Bounds = []string{"number", "psi", "protocol"}, pictureBounds()
	tables := []study.ScoreTable{{Name: "views", Layout: views, Sources: func(part guest.Part) []study.ScoreSource {
		return []study.ScoreSource{{Run: p.gold(erasure(part.Of)).Look, File: ViewsFile}}
	}}}
	for _, t := range []struct {
		name, file string
		layout     study.Layout
	}{
		{"pictures", PicturesFile, drawn},
		{"distances", distancesFile, study.Layout{Examples: "distances", Repetitions: TrainingSeeds,
			Fields: safefile.FieldsOf[distanceRow](), Keys: []string{"psi", "protocol", "unlearned"},
			Bounds: distanceBounds}},
		{"fitted", fittedFile, study.Layout{Examples: "classifiers", Repetitions: TrainingSeeds,
			Fields: safefile.FieldsOf[fittedRow](), Keys: []string{"classifier"}, Bounds: fittedBounds}},
		{"unlearned", unlearnedFile, views},
		{"original", originalFile, original},
	} {
		tables = append(tables, study.ScoreTable{Name: t.name, Layout: t.layout, Case: "attack",
			Sources: func(part guest.Part) (sources []study.ScoreSource) {
				for _, i := range p.attacksOn(part.Of) {
					a := p.Attacked[i]
					sources = append(sources, study.ScoreSource{Case: a.Prompt.Paper, Run: a.Gold, File: t.file})
				}
				return sources
			}})
	}
	return tables
}

// viewBounds describes the columns of a user's table of labels.
func viewBounds() map[string]study.Bound {
	bounds := labelBounds()
	bounds["prompt"] = study.Bound{About: "prompt of the picture, as gold's scores have it"}
	bounds["number"] = study.Bound{About: "number of the picture among the prompt's pictures, from 0"}
	return bounds
}

// labelBounds describes the judge's labels of a picture.
func labelBounds() map[string]study.Bound {
	label := func(of string, n int, word func(i int) string) study.Bound {
		var words []string
		for i := range n {
			words = append(words, fmt.Sprintf("%d %s", i, word(i)))
		}
		return study.Bound{Lo: 0, Hi: float64(n - 1), Whole: true,
			About: of + " that the judge sees: " + strings.Join(words, ", ")}
	}
	return map[string]study.Bound{
		"object": label("object", concept.Objects, func(i int) string { return concept.Object(i).String() }),
		"style":  label("style", concept.Styles, func(i int) string { return concept.Style(i).String() }),
		"colour": label("colour", concept.Colours, func(i int) string { return concept.Colour(i).String() }),
		"texture": label("texture", concept.Textures, func(i int) string {
			return concept.Texture(i).String()
		}),
	}
}

// pictureBounds describes the columns of a user's table of attacks.
func pictureBounds() map[string]study.Bound {
	bounds := labelBounds()
	maps.Copy(bounds, map[string]study.Bound{
		"protocol": {About: fmt.Sprintf("%s or %s, see the document of the study", Disjoint, Published)},
		"psi":      {About: "share of the steps that the original takes"},
		"number":   {About: "number of the picture's noise"},
	})
	for _, classifier := range Classifiers {
		for name, bound := range map[string]study.Bound{
			"probability":    {Lo: 0, Hi: 1, About: "probability that the original has drawn the picture"},
			"code_original":  {About: "the code's dissimilarity to the original's pictures"},
			"code_unlearned": {About: "the code's dissimilarity to the model's own pictures"},
			"original":       {About: "corrected similarity to the original's pictures"},
			"unlearned":      {About: "corrected similarity to the model's own pictures"},
			"printed_retain": {About: "printed equation of the similarity to the original's picture of the same number"},
			"printed_forget": {About: "printed equation of the similarity to the model's picture of the same number"},
		} {
			bounds[classifier+"_"+name] = bound
		}
	}
	return bounds
}

// distanceBounds describes the columns of a user's table of distances.
var distanceBounds = map[string]study.Bound{
	"protocol":  {About: fmt.Sprintf("%s or %s", Disjoint, Published)},
	"psi":       {About: "share of the steps that the original takes"},
	"unlearned": {About: "true for the distance from the model's own pictures, false for that from the original's"},
	"kid":       {About: "Kernel Inception Distance, from the judge's features"},
	"error":     {About: "standard error of the distance"},
}

// fittedBounds describes the columns of a user's table of classifiers.
var fittedBounds = map[string]study.Bound{
	"classifier": {About: strings.Join(Classifiers, " or ")},
	"training":   {Lo: 0, Hi: 1, About: "accuracy on training pictures"},
	"validation": {Lo: 0, Hi: 1, About: "accuracy on pictures that the classifier has not seen"},
}
