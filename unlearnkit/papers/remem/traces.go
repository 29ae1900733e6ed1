package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Files of a tracing.
const (
	EffectsFile = "effects.parquet" // one row per question
	MapsFile    = "maps.parquet"    // one row per activation
)

// Effect is the change of an answer's probability when the question names something else.
type Effect struct {
	ID        string  `parquet:"id,dict"`
	Attribute string  `parquet:"attribute,dict"`
	Identity  int32   `parquet:"identity,dict"`
	Question  string  `parquet:"question,dict"`
	Answer    string  `parquet:"answer,dict"`
	Clean     float32 `parquet:"clean"`
	Corrupted float32 `parquet:"corrupted"`
	Traced    bool    `parquet:"traced"` // the effect is large enough to trace
}

// Restored is the effect of restoring one activation.
type Restored struct {
	ID     string  `parquet:"id,dict"`
	Site   string  `parquet:"site,dict"`
	Row    int32   `parquet:"row,dict"`
	Token  string  `parquet:"token,dict"`
	Part   string  `parquet:"part,dict"`
	Layer  int32   `parquet:"layer,dict"`
	Effect float32 `parquet:"effect"`
}

// Traces holds the traces of a model.
type Traces struct {
	Effects []Effect
	Maps    []Restored
}

// Write writes the files of a tracing into a folder of its artifact.
func (t Traces) Write(path func(name string) string) error {
	if err := safefile.WriteRows(path(EffectsFile), t.Effects); err != nil || len(t.Maps) == 0 {
		return err
	}
	return safefile.WriteRows(path(MapsFile), t.Maps)
}

// ReadTraces reads the files that Write has written.
func ReadTraces(artifact *store.Artifact) (t Traces, err error) {
	if t.Effects, err = readRows[Effect](artifact, EffectsFile); err != nil || !artifact.Has(MapsFile) {
		return t, err
	}
	t.Maps, err = readRows[Restored](artifact, MapsFile)
	return t, err
}
