// Package unslu embeds the published runs of the study of UnSLU-BENCH.
package unslu

import (
	"bytes"
	"embed"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/publication"
	"github.com/unlearnlab/unlearnlab/unlearnkit/rounding"
)

//go:embed mini
var published embed.FS

// Shelf returns the published runs, read from the files embedded in the program.
var Shelf = sync.OnceValue(func() *publication.Shelf { return publication.Open(published, "data/results/unslu") })

//go:embed rounding.csv
var measured []byte

// Rounding bounds how far published runs moved when scripts/measure_rounding.py repeated them on other devices.
var Rounding = sync.OnceValue(func() rounding.Bounds { return rounding.Must(bytes.NewReader(measured)) })
