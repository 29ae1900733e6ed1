package study

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// unfilled marks the cells of a template that a guest has to fill in.
const unfilled = "?"

// Template is a file that [Host.WriteTemplate] has written.
type Template struct {
	Name string
	Rows int
}

// WriteTemplate writes the files that [Host.ReadScores] reads into a folder, with all rows. Scores that every model has
// are marked with a question mark. If only is not negative, the files have the rows of this repetition alone.
func (h *Host) WriteTemplate(s *store.Store, folder string, only int) (files []Template, err error) {
	r := &scoreReader{Host: h, store: s, only: only}
	for _, table := range h.guestTables() {
		f := &scoreFile{scoreReader: r, ScoreTable: table, frame: &safefile.Frame{}}
		if err := f.fill(); err != nil {
			return nil, err
		}
		name := table.Name + ".csv"
		if err := safefile.WriteCSV(filepath.Join(folder, name), f.frame.Columns); err != nil {
			return nil, err
		}
		files = append(files, Template{name, f.frame.Rows()})
	}
	return files, nil
}

// ExampleRuns returns the runs whose score files have the examples of the tables, in one repetition, or in all if only is
// negative.
func (h *Host) ExampleRuns(only int) (runs []*Run) {
	for i := range h.Scores {
		for _, p := range h.places(only) {
			for _, source := range h.Scores[i].Sources(p) {
				runs = append(runs, source.Run)
			}
		}
	}
	return runs
}

// places returns the parts of one repetition, or of all if only is negative.
func (h *Host) places(only int) (all []guest.Part) {
	parts := h.Parts
	if parts == nil {
		parts = []string{""}
	}
	for repetition := range h.Repetitions {
		if only >= 0 && repetition != only {
			continue
		}
		for _, of := range parts {
			all = append(all, guest.Part{Repetition: repetition, Of: of})
		}
	}
	return all
}

// fill fills the frame with the examples of all sources.
func (f *scoreFile) fill() error {
	for _, name := range f.names() {
		f.frame.Columns = append(f.frame.Columns, safefile.Column{Name: name, Texts: []string{}})
	}
	for _, p := range f.places(f.only) {
		for _, source := range f.Sources(p) {
			if err := f.add(strconv.Itoa(p.Repetition), p.Of, source); err != nil {
				return err
			}
		}
	}
	return nil
}

// add adds the examples of a source to the frame.
func (f *scoreFile) add(repetition, part string, source ScoreSource) error {
	examples, err := f.examples(source)
	if err != nil {
		return err
	}
	for row := range examples.Rows() {
		for i := range f.frame.Columns {
			column := &f.frame.Columns[i]
			text := ""
			switch bound, scored := f.Bounds[column.Name]; {
			case !scored && column.Name == f.Case:
				text = source.Case
			case !scored && column.Name == f.PartColumn:
				text = part
			case !scored:
				text = repetition
			case slices.Contains(f.Keys, column.Name) || examples.Column(column.Name).Texts != nil && !bound.Free:
				text = textOf(examples.Column(column.Name), row)
			case examples.Column(column.Name).Texts == nil && !bound.Empty &&
				!math.IsNaN(examples.Column(column.Name).Values[row]):
				text = unfilled
			}
			column.Texts = append(column.Texts, text)
		}
	}
	return nil
}
