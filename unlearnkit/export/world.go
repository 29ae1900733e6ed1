package export

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Study holds the worlds of a study at one preset, for export.
type Study struct {
	Parts  []string // names of the models in each world, such as "FSC/HuBERT"; nil if a world has one
	Worlds []World
	Files  map[string][]byte // additional files of the exported folder by name, such as README.md
}

// World holds the data and models of one world, for export.
type World struct {
	Models []Model
	// Data writes the data of some parts into a folder. If parts is empty, it writes all data.
	Data func(ctx context.Context, dir string, parts []string) error
}

// Model is a model of a world that can be exported.
type Model struct {
	Name string // name: original, gold or base
	Part string // which of the world's models it belongs to; "" if a world has one
	Run  *study.Run
	// Scores is the run that has the model's raw scores, in the file Table. It is nil if there are no scores.
	Scores *study.Run
	Table  string
	// Write writes the model of an artifact into a new folder. It may add files in the formats of other libraries.
	Write func(artifact *store.Artifact, dir string) error
}

// Runs returns the runs that are needed to export the model.
func (m Model) Runs() []*study.Run {
	if m.Scores == nil {
		return []*study.Run{m.Run}
	}
	return []*study.Run{m.Run, m.Scores}
}

// Write writes the chosen models and the data of the chosen parts into a folder. Models are in models/NAME, or in
// models/NAME/PART if the world has parts.
func (w World) Write(ctx context.Context, s *store.Store, dir string, models []Model, parts []string) error {
	for _, m := range models {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		artifact, err := s.Local(m.Run.Key())
		if err != nil {
			return fmt.Errorf("%s: %w", m.Run.Title, err)
		}
		place := filepath.Join(m.Name, guest.PartFolder(m.Part))
		folder := filepath.Join(dir, "models", place)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := m.Write(artifact, folder); err != nil {
			return err
		}
		if err := m.writeScores(s, filepath.Join(dir, "scores", place+".parquet")); err != nil {
			return err
		}
	}
	data := filepath.Join(dir, "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		return err
	}
	return w.Data(ctx, data, parts)
}

// Models returns the names of the models of a world: base, original and gold, as far as the study has them.
func (s Study) Models() (names []string) {
	for _, m := range s.Worlds[0].Models {
		if !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Of returns the models of some parts with some names. If parts is empty, it returns the models of all parts, and if
// names is empty, the models of any name.
func (w World) Of(parts, names []string) (models []Model) {
	for _, m := range w.Models {
		if (len(parts) == 0 || m.Part == "" || slices.Contains(parts, m.Part)) &&
			(len(names) == 0 || slices.Contains(names, m.Name)) {
			models = append(models, m)
		}
	}
	return models
}

func (m Model) writeScores(s *store.Store, path string) error {
	if m.Scores == nil {
		return nil
	}
	artifact, err := s.Get(m.Scores.Key())
	if err != nil {
		return fmt.Errorf("%s: %w", m.Scores.Title, err)
	}
	frame, err := artifact.ReadTable(m.Table)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Scores.Title, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return safefile.WriteParquet(path, frame.Columns)
}
