package concealment

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Files of an attack.
const (
	PicturesFile  = "pictures.parquet"  // a row for each picture that two models have drawn together
	DistancesFile = "distances.parquet" // a row for each distance
	FittedFile    = "fitted.parquet"    // a row for each classifier
	OriginalFile  = "original.parquet"  // Views of the pictures that the original draws alone
	UnlearnedFile = "unlearned.parquet" // Views of the pictures that the other model draws alone

	OriginalSheet  = "original.png"  // sheet of pictures, if the spec asks for one
	UnlearnedSheet = "unlearned.png" // the other model's pictures with the same numbers
	// The strip has a column for each ψ. The upper row decodes the latent that the original hands over; the lower row
	// is the other model's final picture.
	StripSheet = "strip.png"
)

// pictureRow is the row of a picture in a file.
type pictureRow struct {
	Protocol string `parquet:"protocol,dict"`
	Psi      string `parquet:"psi,dict"`
	Number   int32  `parquet:"number"`
	labelRow
	HeadProbability      float32 `parquet:"head_only_probability"`
	HeadCodeOriginal     float32 `parquet:"head_only_code_original"`
	HeadCodeUnlearned    float32 `parquet:"head_only_code_unlearned"`
	HeadOriginal         float32 `parquet:"head_only_original"`
	HeadUnlearned        float32 `parquet:"head_only_unlearned"`
	HeadPrintedRetain    float32 `parquet:"head_only_printed_retain"`
	HeadPrintedForget    float32 `parquet:"head_only_printed_forget"`
	TripletProbability   float32 `parquet:"full_triplet_probability"`
	TripletCodeOriginal  float32 `parquet:"full_triplet_code_original"`
	TripletCodeUnlearned float32 `parquet:"full_triplet_code_unlearned"`
	TripletOriginal      float32 `parquet:"full_triplet_original"`
	TripletUnlearned     float32 `parquet:"full_triplet_unlearned"`
	TripletPrintedRetain float32 `parquet:"full_triplet_printed_retain"`
	TripletPrintedForget float32 `parquet:"full_triplet_printed_forget"`
}

// outcomes lists the columns of an outcome. Each column name is prefixed with its classifier.
var outcomes = []struct {
	name string
	of   func(o *Outcome) *float64
}{
	{"probability", func(o *Outcome) *float64 { return &o.Probability }},
	{"code_original", func(o *Outcome) *float64 { return &o.CodeOriginal }},
	{"code_unlearned", func(o *Outcome) *float64 { return &o.CodeUnlearned }},
	{"original", func(o *Outcome) *float64 { return &o.Original }},
	{"unlearned", func(o *Outcome) *float64 { return &o.Unlearned }},
	{"printed_retain", func(o *Outcome) *float64 { return &o.PrintedRetain }},
	{"printed_forget", func(o *Outcome) *float64 { return &o.PrintedForget }},
}

// kept rounds an outcome to a multiple of 2^-20, so that files are a third as large. Rounded numbers up to 16 are
// exact in float32.
func kept(value float64) float32 {
	const scale = 1 << 20
	return float32(math.Round(value*scale) / scale)
}

func (p Picture) row() pictureRow {
	h, t := p.Of[0], p.Of[1]
	return pictureRow{
		string(p.Protocol), p.Psi, int32(p.Number), rowOf(p.Labels),
		kept(h.Probability), kept(h.CodeOriginal), kept(h.CodeUnlearned), kept(h.Original), kept(h.Unlearned),
		kept(h.PrintedRetain), kept(h.PrintedForget),
		kept(t.Probability), kept(t.CodeOriginal), kept(t.CodeUnlearned), kept(t.Original), kept(t.Unlearned),
		kept(t.PrintedRetain), kept(t.PrintedForget),
	}
}

// distanceRow is the row of a distance in a file. Distances are computed in float64.
type distanceRow struct {
	Protocol  string  `parquet:"protocol,dict"`
	Psi       string  `parquet:"psi,dict"`
	Unlearned bool    `parquet:"unlearned"`
	KID       float64 `parquet:"kid"`
	Error     float64 `parquet:"error"`
}

// fittedRow is the row of a classifier in a file.
type fittedRow struct {
	Classifier string  `parquet:"classifier,dict"`
	Training   float32 `parquet:"training"`
	Validation float32 `parquet:"validation"`
}

// Write writes the files of an attack into a folder. Outcomes are rounded to a millionth.
func (a *Attacked) Write(folder string) error {
	pictures, distances := make([]pictureRow, len(a.Pictures)), make([]distanceRow, len(a.Distances))
	for i, p := range a.Pictures {
		pictures[i] = p.row()
	}
	for i, d := range a.Distances {
		distances[i] = distanceRow{string(d.Protocol), d.Psi, d.Unlearned, d.KID, d.Error}
	}
	fitted := make([]fittedRow, len(a.Fitted))
	for i, f := range a.Fitted {
		fitted[i] = fittedRow{f.Classifier, float32(f.Training), float32(f.Validation)}
	}
	for _, write := range []func() error{
		func() error { return safefile.WriteRows(filepath.Join(folder, PicturesFile), pictures) },
		func() error { return safefile.WriteRows(filepath.Join(folder, DistancesFile), distances) },
		func() error { return safefile.WriteRows(filepath.Join(folder, FittedFile), fitted) },
		func() error { return a.Original.WriteParquet(filepath.Join(folder, OriginalFile)) },
		func() error { return a.Unlearned.WriteParquet(filepath.Join(folder, UnlearnedFile)) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// ReadAttacked reads the files that Write has written, from an attack's artifact.
func ReadAttacked(artifact *store.Artifact) (*Attacked, error) {
	a := &Attacked{}
	var err error
	if a.Pictures, err = readPictures(artifact); err != nil {
		return nil, err
	}
	if a.Distances, err = readDistances(artifact); err != nil {
		return nil, err
	}
	if a.Fitted, err = readFitted(artifact); err != nil {
		return nil, err
	}
	if a.Original, err = ReadViews(artifact, OriginalFile); err != nil {
		return nil, err
	}
	a.Unlearned, err = ReadViews(artifact, UnlearnedFile)
	return a, err
}

// table reads a table's columns. Its error is the first column that is missing or has the wrong kind; later columns
// are empty.
type table struct {
	frame *safefile.Frame
	err   error
}

func read(frame *safefile.Frame, err error) *table { return &table{frame, err} }

func (t *table) rows() int {
	if t.err != nil {
		return 0
	}
	return t.frame.Rows()
}

func (t *table) words(name string, set func(i int, value string)) {
	var values []string
	if t.err == nil {
		values, t.err = t.frame.Words(name)
	}
	for i, value := range values {
		set(i, value)
	}
}

func (t *table) numbers(name string, set func(i int, value float64)) {
	var values []float64
	if t.err == nil {
		values, t.err = t.frame.Numbers(name)
	}
	for i, value := range values {
		set(i, value)
	}
}

// labels reads the columns of a judge's labels.
func (t *table) labels(of func(i int) *concept.Labels) {
	t.numbers("object", func(i int, value float64) { of(i).Object = concept.Object(value) })
	t.numbers("style", func(i int, value float64) { of(i).Style = concept.Style(value) })
	t.numbers("colour", func(i int, value float64) { of(i).Colour = concept.Colour(value) })
	t.numbers("texture", func(i int, value float64) { of(i).Texture = concept.Texture(value) })
}

// protocols reads a column of protocols.
func (t *table) protocols(set func(i int, p Protocol)) {
	t.words("protocol", func(i int, value string) {
		if p := Protocol(value); slices.Contains([]Protocol{Disjoint, Published}, p) {
			set(i, p)
		} else if t.err == nil {
			t.err = fmt.Errorf("read %s: row %d has the protocol %.40q, which is neither %s nor %s", t.frame.Path, i+1,
				value, Disjoint, Published)
		}
	})
}

func readPictures(artifact *store.Artifact) ([]Picture, error) {
	t := read(artifact.ReadTable(PicturesFile))
	all := make([]Picture, t.rows())
	t.protocols(func(i int, p Protocol) { all[i].Protocol = p })
	t.words("psi", func(i int, value string) { all[i].Psi = value })
	t.numbers("number", func(i int, value float64) { all[i].Number = int(value) })
	t.labels(func(i int) *concept.Labels { return &all[i].Labels })
	for c, classifier := range Classifiers {
		for _, outcome := range outcomes {
			t.numbers(classifier+"_"+outcome.name, func(i int, value float64) { *outcome.of(&all[i].Of[c]) = value })
		}
	}
	return all, t.err
}

func readDistances(artifact *store.Artifact) ([]Distance, error) {
	t := read(artifact.ReadTable(DistancesFile))
	all := make([]Distance, t.rows())
	t.protocols(func(i int, p Protocol) { all[i].Protocol = p })
	t.words("psi", func(i int, value string) { all[i].Psi = value })
	t.numbers("unlearned", func(i int, value float64) { all[i].Unlearned = value != 0 })
	t.numbers("kid", func(i int, value float64) { all[i].KID = value })
	t.numbers("error", func(i int, value float64) { all[i].Error = value })
	return all, t.err
}

func readFitted(artifact *store.Artifact) ([]Fitted, error) {
	t := read(artifact.ReadTable(FittedFile))
	all := make([]Fitted, t.rows())
	t.words("classifier", func(i int, value string) { all[i].Classifier = value })
	t.numbers("training", func(i int, value float64) { all[i].Training = value })
	t.numbers("validation", func(i int, value float64) { all[i].Validation = value })
	return all, t.err
}
