package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// ViewsFile has what a judge saw in the pictures of a model.
const ViewsFile = "views.parquet"

// LookFile has what a judge saw in the pictures of a model after so many steps of its training.
func LookFile(steps int) string { return fmt.Sprintf("views_%05d.parquet", steps) }

// View is what a judge takes a picture for that a model drew of a prompt.
type View struct {
	Prompt string
	Number int // among those of the prompt
	Labels concept.Labels
}

// Obeys tells whether the picture shows the object and the style that its prompt asks for.
func (v View) Obeys() (object, style bool) {
	asked, err := concept.Shown(v.Prompt)
	if err != nil {
		return false, false
	}
	return concept.Concept{Object: asked.Object}.Covers(v.Labels), concept.Concept{Style: asked.Style}.Covers(v.Labels)
}

// Views are those of many pictures.
type Views []View

// answers are the columns of a judge's answers.
var answers = []struct {
	name string
	get  func(l concept.Labels) int
	set  func(l *concept.Labels, answer int)
}{
	{"object", func(l concept.Labels) int {
		return int(l.Object)
	}, func(l *concept.Labels, a int) { l.Object = concept.Object(a) }},
	{"style", func(l concept.Labels) int {
		return int(l.Style)
	}, func(l *concept.Labels, a int) { l.Style = concept.Style(a) }},
	{"colour", func(l concept.Labels) int {
		return int(l.Colour)
	}, func(l *concept.Labels, a int) { l.Colour = concept.Colour(a) }},
	{"texture", func(l concept.Labels) int {
		return int(l.Texture)
	}, func(l *concept.Labels, a int) { l.Texture = concept.Texture(a) }},
}

// WriteParquet writes one row a picture: prompt, number, and the numbers of the labels.
func (v Views) WriteParquet(path string) error {
	prompts, numbers := make([]string, len(v)), make([]float64, len(v))
	for i, view := range v {
		prompts[i], numbers[i] = view.Prompt, float64(view.Number)
	}
	columns := []safefile.Column{{Name: "prompt", Texts: prompts}, {Name: "number", Values: numbers}}
	for _, answer := range answers {
		values := make([]float64, len(v))
		for i, view := range v {
			values[i] = float64(answer.get(view.Labels))
		}
		columns = append(columns, safefile.Column{Name: answer.name, Values: values})
	}
	return safefile.WriteParquet(path, columns)
}

// ReadViews reads what WriteParquet has written.
func ReadViews(path string) (Views, error) {
	frame, err := safefile.ReadParquet(path)
	if err != nil {
		return nil, err
	}
	prompts := frame.Column("prompt")
	if prompts == nil || prompts.Texts == nil {
		return nil, fmt.Errorf("read %s: it has no column %q of words, so it holds no views", path, "prompt")
	}
	views := make(Views, frame.Rows())
	numbers := func(name string, set func(v *View, value int)) error {
		column := frame.Column(name)
		if column == nil || column.Values == nil {
			return fmt.Errorf("read %s: it has no column %q of numbers, so it holds no views", path, name)
		}
		for i, value := range column.Values {
			set(&views[i], int(value))
		}
		return nil
	}
	for i, prompt := range prompts.Texts {
		views[i].Prompt = prompt
	}
	if err := numbers("number", func(v *View, value int) { v.Number = value }); err != nil {
		return nil, err
	}
	for _, answer := range answers {
		if err := numbers(answer.name, func(v *View, value int) { answer.set(&v.Labels, value) }); err != nil {
			return nil, err
		}
	}
	return views, nil
}
