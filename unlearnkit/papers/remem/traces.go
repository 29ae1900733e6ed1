package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Names of files with traces.
const (
	effectsFile = "effects.parquet" // one row per question
	mapsFile    = "maps.parquet"    // one row per activation
)

// Effect holds the probability of an answer, and its probability when the question names a thing in place of the
// person.
type Effect struct {
	ID        string  `parquet:"id,dict"`
	Attribute string  `parquet:"attribute,dict"`
	Identity  int32   `parquet:"identity,dict"`
	Question  string  `parquet:"question,dict"`
	Answer    string  `parquet:"answer,dict"`
	Clean     float32 `parquet:"clean"`
	Corrupted float32 `parquet:"corrupted"`
	Traced    bool    `parquet:"traced"` // the difference is large enough to trace
}

// Restored holds the effect of restoring one activation.
type Restored struct {
	ID     string  `parquet:"id,dict"`
	Site   string  `parquet:"site,dict"`
	Row    int32   `parquet:"row,dict"`
	Token  string  `parquet:"token,dict"`
	Part   string  `parquet:"part,dict"`
	Layer  int32   `parquet:"layer,dict"`
	Effect float32 `parquet:"effect"`
}

// Traces holds the traces of a model's answers.
type Traces struct {
	Effects []Effect
	Maps    []Restored
}

// Write writes the traces to files, at the paths that path returns for their names.
func (t Traces) Write(path func(name string) string) error {
	if err := safefile.WriteRows(path(effectsFile), t.Effects); err != nil || len(t.Maps) == 0 {
		return err
	}
	return safefile.WriteRows(path(mapsFile), t.Maps)
}

// readTraces reads the files that Write wrote.
func readTraces(artifact *store.Artifact) (t Traces, err error) {
	if t.Effects, err = store.ReadRows[Effect](artifact, effectsFile); err != nil || !artifact.Has(mapsFile) {
		return t, err
	}
	t.Maps, err = store.ReadRows[Restored](artifact, mapsFile)
	return t, err
}
