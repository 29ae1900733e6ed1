// Package salmu holds what is published of the study of SALMUBench.
package salmu

import (
	"bytes"
	"embed"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

//go:embed mini
var published embed.FS

// Shelf is the published runs, read where they lie in the program.
var Shelf = sync.OnceValue(func() *publish.Shelf { return publish.Open(published, "data/results/salmu") })

//go:embed rounding.csv
var measured []byte

// Rounding is how far published runs moved when scripts/measure_rounding.py made them again on other devices.
var Rounding = sync.OnceValue(func() verify.Bounds { return verify.Must(bytes.NewReader(measured)) })
