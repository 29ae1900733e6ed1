package concealment

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Files of an attack.
const (
	PicturesFile  = "pictures.parquet"  // a row for each picture that two models have drawn together
	DistancesFile = "distances.parquet" // a row for each distance
	FittedFile    = "fitted.parquet"    // a row for each classifier
	OriginalFile  = "original.parquet"  // Views of what the original draws alone
	UnlearnedFile = "unlearned.parquet" // and of what the other model does

	OriginalSheet  = "original.png"  // pictures to look at, where the spec asks for a sheet
	UnlearnedSheet = "unlearned.png" // the same numbers by the other model
	// a column for each ψ: above what the original takes the latent for that it hands over, below what the other model
	// makes of it
	StripSheet = "strip.png"
)

// outcomes are the columns of an outcome, each behind the name of its classifier.
var outcomes = []struct {
	name string
	of   func(o *Outcome) *float64
}{
	{"probability", func(o *Outcome) *float64 { return &o.Probability }},
	{"code_original", func(o *Outcome) *float64 {
		return &o.CodeOriginal
	}}, {"code_unlearned", func(o *Outcome) *float64 { return &o.CodeUnlearned }},
	{"original", func(o *Outcome) *float64 {
		return &o.Original
	}}, {"unlearned", func(o *Outcome) *float64 { return &o.Unlearned }},
	{"printed_retain", func(o *Outcome) *float64 {
		return &o.PrintedRetain
	}}, {"printed_forget", func(o *Outcome) *float64 { return &o.PrintedForget }},
}

// kept rounds an outcome to a millionth, in the binary system, so that files of them are a third as large.
func kept(value float64) float64 {
	const scale = 1 << 20
	return math.Round(value*scale) / scale
}

// Write writes the files of an attack into a folder. Outcomes are rounded to a millionth.
func (a *Attacked) Write(folder string) error {
	for _, file := range []struct {
		name    string
		columns []safefile.Column
	}{
		{PicturesFile, a.pictureColumns()}, {DistancesFile, a.distanceColumns()}, {FittedFile, a.fittedColumns()},
	} {
		if err := safefile.WriteParquet(filepath.Join(folder, file.name), file.columns); err != nil {
			return err
		}
	}
	if err := a.Original.WriteParquet(filepath.Join(folder, OriginalFile)); err != nil {
		return err
	}
	return a.Unlearned.WriteParquet(filepath.Join(folder, UnlearnedFile))
}

// texts and values make a column of rows.
func texts[T any](name string, rows []T, of func(row T) string) safefile.Column {
	column := safefile.Column{Name: name, Texts: make([]string, len(rows))}
	for i, row := range rows {
		column.Texts[i] = of(row)
	}
	return column
}

func values[T any](name string, rows []T, of func(row T) float64) safefile.Column {
	column := safefile.Column{Name: name, Values: make([]float64, len(rows))}
	for i, row := range rows {
		column.Values[i] = of(row)
	}
	return column
}

func (a *Attacked) pictureColumns() []safefile.Column {
	columns := []safefile.Column{
		texts("protocol", a.Pictures, func(p Picture) string {
			return string(p.Protocol)
		}), texts("psi", a.Pictures, func(p Picture) string { return p.Psi }),
		values("number", a.Pictures, func(p Picture) float64 { return float64(p.Number) }),
	}
	for _, answer := range answers {
		columns = append(columns, values(answer.name, a.Pictures, func(p Picture) float64 {
			return float64(answer.get(p.Labels))
		}))
	}
	for i, classifier := range Classifiers {
		for _, outcome := range outcomes {
			columns = append(columns, values(classifier+"_"+outcome.name, a.Pictures, func(p Picture) float64 {
				return kept(*outcome.of(&p.Of[i]))
			}))
		}
	}
	return columns
}

func (a *Attacked) distanceColumns() []safefile.Column {
	return []safefile.Column{
		texts("protocol", a.Distances, func(d Distance) string {
			return string(d.Protocol)
		}), texts("psi", a.Distances, func(d Distance) string { return d.Psi }),
		values("unlearned", a.Distances, func(d Distance) float64 {
			if d.Unlearned {
				return 1
			}
			return 0
		}),
		values("kid", a.Distances, func(d Distance) float64 {
			return d.KID
		}), values("error", a.Distances, func(d Distance) float64 { return d.Error }),
	}
}

func (a *Attacked) fittedColumns() []safefile.Column {
	return []safefile.Column{
		texts("classifier", a.Fitted, func(f Fitted) string { return f.Classifier }),
		values("training", a.Fitted, func(f Fitted) float64 {
			return f.Training
		}), values("validation", a.Fitted, func(f Fitted) float64 { return f.Validation }),
	}
}

// ReadAttacked reads what Write has written into a folder: that of an attack's artifact.
func ReadAttacked(folder string) (*Attacked, error) {
	a := &Attacked{}
	var err error
	if a.Pictures, err = readPictures(filepath.Join(folder, PicturesFile)); err != nil {
		return nil, err
	}
	if a.Distances, err = readDistances(filepath.Join(folder, DistancesFile)); err != nil {
		return nil, err
	}
	if a.Fitted, err = readFitted(filepath.Join(folder, FittedFile)); err != nil {
		return nil, err
	}
	if a.Original, err = ReadViews(filepath.Join(folder, OriginalFile)); err != nil {
		return nil, err
	}
	a.Unlearned, err = ReadViews(filepath.Join(folder, UnlearnedFile))
	return a, err
}

// table reads a file's columns. The first that is missing or of the wrong kind is its error, and from then on columns
// are empty.
type table struct {
	path  string
	frame *safefile.Frame
	err   error
}

func readTable(path string) *table {
	frame, err := safefile.ReadParquet(path)
	return &table{path, frame, err}
}

func (t *table) rows() int {
	if t.err != nil {
		return 0
	}
	return t.frame.Rows()
}

func (t *table) texts(name string, set func(i int, value string)) {
	if t.err != nil {
		return
	}
	column := t.frame.Column(name)
	if column == nil || column.Texts == nil {
		t.err = fmt.Errorf("read %s: it has no column %q of words, so it holds no scores of an attack", t.path, name)
		return
	}
	for i, value := range column.Texts {
		set(i, value)
	}
}

func (t *table) values(name string, set func(i int, value float64)) {
	if t.err != nil {
		return
	}
	column := t.frame.Column(name)
	if column == nil || column.Values == nil {
		t.err = fmt.Errorf("read %s: it has no column %q of numbers, so it holds no scores of an attack", t.path, name)
		return
	}
	for i, value := range column.Values {
		set(i, value)
	}
}

// protocols reads a column of protocols.
func (t *table) protocols(set func(i int, p Protocol)) {
	t.texts("protocol", func(i int, value string) {
		if p := Protocol(value); slices.Contains([]Protocol{Disjoint, Published}, p) {
			set(i, p)
		} else if t.err == nil {
			t.err = fmt.Errorf("read %s: row %d has the protocol %.40q, which is neither %s nor %s", t.path, i+1, value,
				Disjoint, Published)
		}
	})
}

func readPictures(path string) ([]Picture, error) {
	t := readTable(path)
	all := make([]Picture, t.rows())
	t.protocols(func(i int, p Protocol) { all[i].Protocol = p })
	t.texts("psi", func(i int, value string) { all[i].Psi = value })
	t.values("number", func(i int, value float64) { all[i].Number = int(value) })
	for _, answer := range answers {
		t.values(answer.name, func(i int, value float64) { answer.set(&all[i].Labels, int(value)) })
	}
	for c, classifier := range Classifiers {
		for _, outcome := range outcomes {
			t.values(classifier+"_"+outcome.name, func(i int, value float64) { *outcome.of(&all[i].Of[c]) = value })
		}
	}
	return all, t.err
}

func readDistances(path string) ([]Distance, error) {
	t := readTable(path)
	all := make([]Distance, t.rows())
	t.protocols(func(i int, p Protocol) { all[i].Protocol = p })
	t.texts("psi", func(i int, value string) { all[i].Psi = value })
	t.values("unlearned", func(i int, value float64) { all[i].Unlearned = value != 0 })
	t.values("kid", func(i int, value float64) { all[i].KID = value })
	t.values("error", func(i int, value float64) { all[i].Error = value })
	return all, t.err
}

func readFitted(path string) ([]Fitted, error) {
	t := readTable(path)
	all := make([]Fitted, t.rows())
	t.texts("classifier", func(i int, value string) { all[i].Classifier = value })
	t.values("training", func(i int, value float64) { all[i].Training = value })
	t.values("validation", func(i int, value float64) { all[i].Validation = value })
	return all, t.err
}
