package concealment

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Names of an attack's files.
const (
	PicturesFile  = "pictures.parquet"  // one row for each picture that two models have drawn together
	distancesFile = "distances.parquet" // one row for each distance
	fittedFile    = "fitted.parquet"    // one row for each classifier
	originalFile  = "original.parquet"  // labels of the pictures that the original draws alone
	unlearnedFile = "unlearned.parquet" // labels of the pictures that the other model draws alone

	OriginalSheet  = "original.png"  // sheet of the original's pictures, if the spec asks for sheets
	UnlearnedSheet = "unlearned.png" // sheet of the other model's pictures with the same numbers
	// The strip has a column for each ψ. The upper row shows the original's prediction at the handover. The lower row
	// shows the other model's final picture.
	StripSheet = "strip.png"
)

// pictureRow is a row of the file of pictures.
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

// rounded rounds an outcome to a multiple of 2^-20, which makes files a third as large. Rounded numbers up to 16 are
// exact in float32.
func rounded(value float64) float32 {
	const scale = 1 << 20
	return float32(math.Round(value*scale) / scale)
}

func (p Picture) row() pictureRow {
	h, t := p.Of[0], p.Of[1]
	return pictureRow{
		string(p.Protocol), p.Psi, int32(p.Number), rowOf(p.Labels),
		rounded(h.Probability), rounded(h.CodeOriginal), rounded(h.CodeUnlearned), rounded(h.Original), rounded(h.Unlearned),
		rounded(h.PrintedRetain), rounded(h.PrintedForget),
		rounded(t.Probability), rounded(t.CodeOriginal), rounded(t.CodeUnlearned), rounded(t.Original), rounded(t.Unlearned),
		rounded(t.PrintedRetain), rounded(t.PrintedForget),
	}
}

// picture converts a row to a picture.
func (r pictureRow) picture() Picture {
	outcome := func(values ...float32) (o Outcome) {
		for i, into := range []*float64{&o.Probability, &o.CodeOriginal, &o.CodeUnlearned, &o.Original, &o.Unlearned,
			&o.PrintedRetain, &o.PrintedForget} {
			*into = float64(values[i])
		}
		return o
	}
	return Picture{Protocol(r.Protocol), r.Psi, int(r.Number), r.labels(), [2]Outcome{
		outcome(r.HeadProbability, r.HeadCodeOriginal, r.HeadCodeUnlearned, r.HeadOriginal, r.HeadUnlearned,
			r.HeadPrintedRetain, r.HeadPrintedForget),
		outcome(r.TripletProbability, r.TripletCodeOriginal, r.TripletCodeUnlearned, r.TripletOriginal,
			r.TripletUnlearned, r.TripletPrintedRetain, r.TripletPrintedForget)}}
}

// distanceRow is a row of the file of distances. Distances are computed in float64.
type distanceRow struct {
	Protocol  string  `parquet:"protocol,dict"`
	Psi       string  `parquet:"psi,dict"`
	Unlearned bool    `parquet:"unlearned"`
	KID       float64 `parquet:"kid"`
	Error     float64 `parquet:"error"`
}

// fittedRow is a row of the file of classifiers.
type fittedRow struct {
	Classifier string  `parquet:"classifier,dict"`
	Training   float32 `parquet:"training"`
	Validation float32 `parquet:"validation"`
}

// rows converts the scores to the files' rows, with outcomes rounded to about a millionth.
func (a *Attacked) rows() (pictures []pictureRow, distances []distanceRow, fitted []fittedRow) {
	for _, p := range a.Pictures {
		pictures = append(pictures, p.row())
	}
	for _, d := range a.Distances {
		distances = append(distances, distanceRow{string(d.Protocol), d.Psi, d.Unlearned, d.KID, d.Error})
	}
	for _, f := range a.Fitted {
		fitted = append(fitted, fittedRow{f.Classifier, float32(f.Training), float32(f.Validation)})
	}
	return pictures, distances, fitted
}

// scores returns the scores in the form that columns read.
func (a *Attacked) scores() *study.Evaluation {
	if a.read == nil { // the scores are only in memory
		pictures, distances, fitted := a.rows()
		a.read = study.Evaluated(safefile.FrameOf(pictures))
		a.read.SetFrame(distancesFile, safefile.FrameOf(distances))
		a.read.SetFrame(fittedFile, safefile.FrameOf(fitted))
	}
	return a.read
}

// Write writes the scores of an attack to files in folder.
func (a *Attacked) Write(folder string) error {
	pictures, distances, fitted := a.rows()
	for _, write := range []func() error{
		func() error { return safefile.WriteRows(filepath.Join(folder, PicturesFile), pictures) },
		func() error { return safefile.WriteRows(filepath.Join(folder, distancesFile), distances) },
		func() error { return safefile.WriteRows(filepath.Join(folder, fittedFile), fitted) },
		func() error { return a.Original.WriteParquet(filepath.Join(folder, originalFile)) },
		func() error { return a.Unlearned.WriteParquet(filepath.Join(folder, unlearnedFile)) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// layout describes the files that columns read. Evaluations of all models must have the same pictures.
var layout = study.Layout{Examples: "pictures", Repetitions: TrainingSeeds, Fields: safefile.FieldsOf[pictureRow](),
	Keys: []string{"number", "psi", "protocol"}, Files: map[string][]safefile.Field{
		distancesFile: safefile.FieldsOf[distanceRow](), fittedFile: safefile.FieldsOf[fittedRow]()}}

// readAttack reads the scores of an attack in the form that columns read. If gold is not nil, the attack must have the
// same pictures as gold's.
func readAttack(s *store.Store, run *study.Run, gold *Attacked) (*Attacked, *store.Artifact, error) {
	artifact, err := s.Get(run.Key())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	var pair *study.Evaluation
	if gold != nil {
		pair = gold.scores()
	}
	a := &Attacked{}
	if a.read, err = layout.Load(s, study.Reading{Run: run, File: PicturesFile}, pair); err != nil {
		return nil, nil, err
	}
	if a.read.Lost() {
		return nil, nil, fmt.Errorf("%s: it has no %s", run.Title, PicturesFile)
	}
	if err := a.readAlone(artifact); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	return a, artifact, nil
}

// readAlone reads the judge's labels of the pictures that each model draws without the other.
func (a *Attacked) readAlone(artifact *store.Artifact) (err error) {
	if a.Original, err = ReadViews(artifact, originalFile); err != nil {
		return err
	}
	a.Unlearned, err = ReadViews(artifact, unlearnedFile)
	return err
}

// ReadAttacked reads the files that Write wrote, from an attack's artifact.
func ReadAttacked(artifact *store.Artifact) (*Attacked, error) {
	pictures, err := store.ReadRows[pictureRow](artifact, PicturesFile)
	if err != nil {
		return nil, err
	}
	distances, err := store.ReadRows[distanceRow](artifact, distancesFile)
	if err != nil {
		return nil, err
	}
	fitted, err := store.ReadRows[fittedRow](artifact, fittedFile)
	if err != nil {
		return nil, err
	}
	a := &Attacked{}
	for i, p := range pictures {
		if err := checkProtocol(p.Protocol, PicturesFile, i); err != nil {
			return nil, err
		}
		a.Pictures = append(a.Pictures, p.picture())
	}
	for i, d := range distances {
		if err := checkProtocol(d.Protocol, distancesFile, i); err != nil {
			return nil, err
		}
		a.Distances = append(a.Distances, Distance{Protocol(d.Protocol), d.Psi, d.Unlearned, d.KID, d.Error})
	}
	for _, f := range fitted {
		a.Fitted = append(a.Fitted, Fitted{f.Classifier, float64(f.Training), float64(f.Validation)})
	}
	return a, a.readAlone(artifact)
}

// checkProtocol returns an error if the protocol in a row of a file is unknown.
func checkProtocol(protocol, file string, row int) error {
	if slices.Contains([]Protocol{Disjoint, Published}, Protocol(protocol)) {
		return nil
	}
	return fmt.Errorf("read %s: row %d has the protocol %.40q, which is neither %s nor %s", file, row+1, protocol,
		Disjoint, Published)
}
