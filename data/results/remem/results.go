// Package remem holds what is published of the study of ReMem.
package remem

import (
	"embed"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/publication"
)

//go:embed mini
var published embed.FS

// Shelf is the published runs, read where they lie in the program.
var Shelf = sync.OnceValue(func() *publication.Shelf { return publication.Open(published, "data/results/remem") })
