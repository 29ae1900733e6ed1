package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Files of a tracing.
const (
	EffectsFile = "effects.parquet" // one row a question
	MapsFile    = "maps.parquet"    // one row an activation
)

// Effect is what naming something else does to an answer.
type Effect struct {
	ID        string  `parquet:"id,dict"`
	Attribute string  `parquet:"attribute,dict"`
	Identity  int32   `parquet:"identity,dict"`
	Question  string  `parquet:"question,dict"`
	Answer    string  `parquet:"answer,dict"`
	Clean     float32 `parquet:"clean"`
	Corrupted float32 `parquet:"corrupted"`
	Traced    bool    `parquet:"traced"` // the effect is large enough that there is something to trace
}

// Restored is what putting one activation back does.
type Restored struct {
	ID     string  `parquet:"id,dict"`
	Site   string  `parquet:"site,dict"`
	Row    int32   `parquet:"row,dict"`
	Token  string  `parquet:"token,dict"`
	Part   string  `parquet:"part,dict"`
	Layer  int32   `parquet:"layer,dict"`
	Effect float32 `parquet:"effect"`
}

// Traces are those of a model.
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

// ReadTraces reads what Write has written.
func ReadTraces(artifact *store.Artifact) (t Traces, err error) {
	frame, err := artifact.ReadTable(EffectsFile)
	if err != nil {
		return t, err
	}
	t.Effects = make([]Effect, frame.Rows())
	r := &reader{frame: frame}
	r.words("id", func(i int, word string) { t.Effects[i].ID = word })
	r.words("attribute", func(i int, word string) { t.Effects[i].Attribute = word })
	r.words("question", func(i int, word string) { t.Effects[i].Question = word })
	r.words("answer", func(i int, word string) { t.Effects[i].Answer = word })
	r.numbers("identity", func(i int, number float64) { t.Effects[i].Identity = int32(number) })
	r.numbers("clean", func(i int, number float64) { t.Effects[i].Clean = float32(number) })
	r.numbers("corrupted", func(i int, number float64) { t.Effects[i].Corrupted = float32(number) })
	r.numbers("traced", func(i int, number float64) { t.Effects[i].Traced = number > 0 })
	if r.err != nil || !artifact.Has(MapsFile) {
		return t, named(EffectsFile, r.err)
	}
	if frame, err = artifact.ReadTable(MapsFile); err != nil {
		return t, err
	}
	t.Maps = make([]Restored, frame.Rows())
	r.frame = frame
	r.words("id", func(i int, word string) { t.Maps[i].ID = word })
	r.words("site", func(i int, word string) { t.Maps[i].Site = word })
	r.words("token", func(i int, word string) { t.Maps[i].Token = word })
	r.words("part", func(i int, word string) { t.Maps[i].Part = word })
	r.numbers("row", func(i int, number float64) { t.Maps[i].Row = int32(number) })
	r.numbers("layer", func(i int, number float64) { t.Maps[i].Layer = int32(number) })
	r.numbers("effect", func(i int, number float64) { t.Maps[i].Effect = float32(number) })
	return t, named(MapsFile, r.err)
}
