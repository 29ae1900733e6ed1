package study

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// WriteTemplate writes the files that [Host.ReadScores] reads into a new folder, with all rows and empty scores. If only
// is not negative, they have the rows of this repetition alone.
func (h *Host) WriteTemplate(s *store.Store, folder string, only int) error {
	if entries, err := os.ReadDir(folder); err == nil && len(entries) > 0 {
		return fmt.Errorf("write %s: the folder is not empty; give a new one", folder)
	}
	if err := safefile.MakeFolder(folder); err != nil {
		return err
	}
	r := &scoreReader{Host: h, store: s, only: only}
	for _, table := range h.brought() {
		f := &scoreFile{scoreReader: r, ScoreTable: table, frame: &safefile.Frame{}}
		if err := f.fill(); err != nil {
			return err
		}
		if err := safefile.WriteCSV(filepath.Join(folder, table.Name+".csv"), f.frame.Columns); err != nil {
			return err
		}
	}
	return nil
}

// fill fills the frame with the examples of all sources.
func (f *scoreFile) fill() error {
	for _, name := range f.names() {
		f.frame.Columns = append(f.frame.Columns, safefile.Column{Name: name, Texts: []string{}})
	}
	parts := f.Parts
	if parts == nil {
		parts = []string{""}
	}
	for repetition := range f.Host.Repetitions {
		if f.only >= 0 && repetition != f.only {
			continue
		}
		for _, of := range parts {
			for _, source := range f.Sources(guest.Part{Repetition: repetition, Of: of}) {
				if err := f.add(strconv.Itoa(repetition), of, source); err != nil {
					return err
				}
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
			}
			column.Texts = append(column.Texts, text)
		}
	}
	return nil
}
