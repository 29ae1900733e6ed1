// Package salmu holds the published runs of the study of SALMUBench.
package salmu

import (
	"bytes"
	_ "embed"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// Shelf returns the published runs. They are embedded in the program; builds with the tag noresults read them from a
// folder.
var Shelf = sync.OnceValue(func() *publish.Shelf { return publish.Open(published, "data/results/salmu") })

//go:embed rounding.csv
var measured []byte

// Rounding bounds how far published runs moved when scripts/measure_rounding.py repeated them on other devices.
var Rounding = sync.OnceValue(func() verify.Bounds { return verify.Must(bytes.NewReader(measured)) })
