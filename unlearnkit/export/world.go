package export

import (
	"context"

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
	Models []*study.Run // trained models, which must be in the store
	// Write writes the data and the models into an existing folder.
	Write func(ctx context.Context, s *store.Store, dir string) error
}
