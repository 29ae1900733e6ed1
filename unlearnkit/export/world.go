package export

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Study is what can be exported of a study at a preset.
type Study struct {
	Worlds []World
	Readme []byte // README.md of the exported folder
}

// World is what can be exported of one world of a study.
type World struct {
	Runs []*study.Run // trained models and their scores, which must be in the store
	// Write writes the data and the models into an existing folder.
	Write func(ctx context.Context, s *store.Store, dir string) error
}

// Scores writes a table of a run's scores into a Parquet file and makes the folder above it.
func Scores(path string, s *store.Store, run *study.Run, table string) error {
	artifact, err := s.Get(run.Key())
	if err != nil {
		return fmt.Errorf("%s: %w", run.Title, err)
	}
	frame, err := artifact.ReadTable(table)
	if err != nil {
		return fmt.Errorf("%s: %w", run.Title, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return safefile.WriteParquet(path, frame.Columns)
}
