package concealment

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
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
	asked, err := shown(v.Prompt)
	if err != nil {
		return false, false
	}
	return concept.Concept{Object: asked.Object}.Covers(v.Labels), concept.Concept{Style: asked.Style}.Covers(v.Labels)
}

// Views are those of many pictures.
type Views []View

// labels are what the judge saw in the same picture.
func (v Views) labels(of View) (concept.Labels, bool) {
	for _, view := range v {
		if view.Prompt == of.Prompt && view.Number == of.Number {
			return view.Labels, true
		}
	}
	return concept.Labels{}, false
}

// viewRow is a view in a file.
type viewRow struct {
	Prompt string `parquet:"prompt,dict"`
	Number int32  `parquet:"number"`
	labelRow
}

// labelRow is a judge's answers in a file, as numbers of labels.
type labelRow struct {
	Object  int32 `parquet:"object,dict"`
	Style   int32 `parquet:"style,dict"`
	Colour  int32 `parquet:"colour,dict"`
	Texture int32 `parquet:"texture,dict"`
}

func rowOf(l concept.Labels) labelRow {
	return labelRow{int32(l.Object), int32(l.Style), int32(l.Colour), int32(l.Texture)}
}

// WriteParquet writes one row a picture: prompt, number, and the numbers of the labels.
func (v Views) WriteParquet(path string) error {
	rows := make([]viewRow, len(v))
	for i, view := range v {
		rows[i] = viewRow{view.Prompt, int32(view.Number), rowOf(view.Labels)}
	}
	return safefile.WriteRows(path, rows)
}

// ReadViews reads what WriteParquet has written: a file of an artifact.
func ReadViews(artifact *store.Artifact, name string) (Views, error) {
	t := read(artifact.ReadTable(name))
	views := make(Views, t.rows())
	t.views(func(i int) *View { return &views[i] })
	return views, t.err
}

// views reads the columns of views.
func (t *table) views(of func(i int) *View) {
	t.words("prompt", func(i int, value string) { of(i).Prompt = value })
	t.numbers("number", func(i int, value float64) { of(i).Number = int(value) })
	t.labels(func(i int) *concept.Labels { return &of(i).Labels })
}
