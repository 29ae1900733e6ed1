package concealment

import (
	"fmt"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// ViewsFile is the name of the file with a judge's labels of a model's pictures.
const ViewsFile = "views.parquet"

// LookFile returns the name of the file with a judge's labels of a model's pictures, after a number of training steps
// or passes.
func LookFile(steps int) string { return fmt.Sprintf("views_%05d.parquet", steps) }

// View holds a judge's labels of a picture that a model drew.
type View struct {
	Prompt string
	Number int // index among the prompt's pictures
	Labels concept.Labels
}

// Obeys reports whether the picture shows the object and the style that its prompt asks for.
func (v View) Obeys() (object, style bool) {
	asked, err := shown(v.Prompt)
	if err != nil {
		return false, false
	}
	return concept.Concept{Object: asked.Object}.Covers(v.Labels), concept.Concept{Style: asked.Style}.Covers(v.Labels)
}

// Views holds a judge's labels of many pictures.
type Views []View

// labels returns the labels of the same picture in v.
func (v Views) labels(of View) (concept.Labels, bool) {
	for _, view := range v {
		if view.Prompt == of.Prompt && view.Number == of.Number {
			return view.Labels, true
		}
	}
	return concept.Labels{}, false
}

// viewRow is a row of a file of labels.
type viewRow struct {
	Prompt string `parquet:"prompt,dict"`
	Number int32  `parquet:"number"`
	labelRow
}

// labelRow holds a judge's labels as numbers, as in a file.
type labelRow struct {
	Object  int32 `parquet:"object,dict"`
	Style   int32 `parquet:"style,dict"`
	Colour  int32 `parquet:"colour,dict"`
	Texture int32 `parquet:"texture,dict"`
}

func (r labelRow) labels() concept.Labels {
	return concept.Labels{Object: concept.Object(r.Object), Style: concept.Style(r.Style),
		Colour: concept.Colour(r.Colour), Texture: concept.Texture(r.Texture)}
}

// labelsOf returns the labels of a row in a table of labels.
func labelsOf(e study.Example) concept.Labels {
	label := func(column string) int32 { return int32(e.Number(column)) }
	return labelRow{label("object"), label("style"), label("colour"), label("texture")}.labels()
}

func rowOf(l concept.Labels) labelRow {
	return labelRow{int32(l.Object), int32(l.Style), int32(l.Colour), int32(l.Texture)}
}

// WriteParquet writes one row per picture: prompt, number, and the numbers of the labels.
func (v Views) WriteParquet(path string) error {
	return safefile.WriteRows(path, v.rows())
}

func (v Views) rows() []viewRow {
	rows := make([]viewRow, len(v))
	for i, view := range v {
		rows[i] = viewRow{view.Prompt, int32(view.Number), rowOf(view.Labels)}
	}
	return rows
}

// ReadViews reads the labels that WriteParquet wrote, from an artifact's file.
func ReadViews(artifact *store.Artifact, name string) (Views, error) {
	rows, err := store.ReadRows[viewRow](artifact, name)
	views := make(Views, len(rows))
	for i, row := range rows {
		views[i] = row.view()
	}
	return views, err
}

func (r viewRow) view() View { return View{r.Prompt, int(r.Number), r.labels()} }

// understood caches what prompts ask for, because thousands of pictures share a prompt.
var understood sync.Map

// shown returns what a prompt asks for. It caches the results of [concept.Shown].
func shown(prompt string) (concept.Concept, error) {
	type answer struct {
		of  concept.Concept
		err error
	}
	if known, is := understood.Load(prompt); is {
		return known.(answer).of, known.(answer).err
	}
	of, err := concept.Shown(prompt)
	understood.Store(prompt, answer{of, err})
	return of, err
}

// asks reports whether a prompt asks for the concept. If it does, a picture that obeys the prompt must show the
// concept.
func asks(prompt string, c concept.Concept) bool {
	asked, err := shown(prompt)
	if err != nil {
		return false
	}
	named := func(of, by string) bool { return of == "" || of == by }
	return named(c.Object, asked.Object) && named(c.Style, asked.Style) && named(c.Colour, asked.Colour) &&
		named(c.Texture, asked.Texture)
}
