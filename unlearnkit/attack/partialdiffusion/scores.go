package partialdiffusion

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/telling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// Teller makes the paper's scores: from a residual network that knows pictures it fits a classifier to each prompt and
// model, which tells the pictures that the original draws alone from those of the other model.
type Teller struct {
	Fit     telling.Fit
	Way     string // telling.HeadOnly or telling.FullTriplet
	Subsets int    // of KID, 100 if zero
	Seed    uint64

	network    *telling.Network
	transform  preprocess.Transform
	describing *device.Program
	classifier *telling.Classifier
}

// tellerScope is where the network stands.
const tellerScope = "network"

// NewTeller takes the network from a folder as torchvision writes one, ResNet-18 of ImageNet in the paper. Pictures are
// scaled as for [Classifier].
func NewTeller(d *device.Device, dir string, size int) (*Teller, error) {
	m, config, err := residual(d, dir, size)
	if err != nil {
		return nil, err
	}
	const atOnce = 16
	network, err := telling.New(d, config, size, tellerScope, atOnce, 0)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	for variable := range m.Store.RootScope().IterVariables() {
		value, err := variable.Value()
		if err != nil {
			return nil, err
		}
		own := network.Store.GetVariable(model.ScopeSeparator + tellerScope + variable.Path())
		if own == nil {
			return nil, fmt.Errorf("read %s: there is no place for %s in a residual network", dir, variable.Path())
		}
		if err := own.SetValue(value); err != nil {
			return nil, err
		}
	}
	return &Teller{Fit: telling.PaperFit(), Way: telling.HeadOnly, network: network,
		transform: preprocess.ImageNet(size, size)}, nil
}

func (t *Teller) streams() telling.Streams { return telling.Streams{Name: "telling", Seed: t.Seed} }

// Close frees what the teller holds.
func (t *Teller) Close() {
	if t.describing != nil {
		t.describing.Close()
	}
	if t.classifier != nil {
		t.classifier.Close()
	}
	t.network.Store.Finalize()
}

// Columns of scores beside those of [Drawing.Result]: what the classifier says of a picture, and what its features do,
// see package metric.
const (
	Original      = "original"       // the probability of the original: its mean is the code's CCS
	CRSRetain     = "crs_retain"     // equation (7), with the original's picture of the same number
	CRSForget     = "crs_forget"     // equation (8), with the other model's
	CRSDifference = "crs_difference" // |s_O - s_U| of the code: its mean is the tables' CRS of forget rows
	CRSContrast   = "crs_contrast"   // 1 like the original's pictures, 0 like the other model's
)

var scoreColumns = []attack.Column{
	{Name: Original, Label: "probability of the original (CCS)"},
	{Name: CRSRetain, Label: "CRS by equation (7)"}, {Name: CRSForget, Label: "CRS by equation (8)"},
	{Name: CRSDifference, Label: "CRS of the paper's code"}, {Name: CRSContrast, Label: "nearness of features"},
}

// Distance is how far the pictures at a ratio are from those that a model draws alone, by the Kernel Inception Distance
// in the network's features. A single picture at a ratio is repeated, as in the paper's code.
type Distance struct {
	Original, Unlearned           float64
	OriginalError, UnlearnedError float64 // standard errors over subsets, NaN of a single picture
}

// Told is what a teller says of a model.
type Told struct {
	Model                string
	Training, Validation float64    // how often the classifier is right, of what it has learnt from and of the others
	Distances            []Distance // by ratio
}

// WeakClassifier is the accuracy on pictures that a classifier has not learnt from below which it does not tell two
// models apart.
const WeakClassifier = .6

// Tell scores the pictures of every model beside what it draws alone, and adds the scores to the result as columns.
func (t *Teller) Tell(ctx context.Context, d *Drawing, r *attack.Result, progress attack.Progress) ([]Told, error) {
	if d.Original == nil {
		return nil, fmt.Errorf("partial diffusion: no pictures of the models alone to tell them apart by")
	}
	original, err := t.prepared(d.Original)
	if err != nil {
		return nil, err
	}
	var all []Told
	var rows [][]float64
	for i, strip := range d.Strips {
		within := func(done, of int) {
			if progress != nil {
				progress(i*of+done, len(d.Strips)*of)
			}
		}
		told, scores, err := t.tell(ctx, d, strip, original, within)
		if err != nil {
			return nil, fmt.Errorf("partial diffusion: telling %s from the original: %w", strip.Model.Name, err)
		}
		all, rows = append(all, told), append(rows, scores...)
	}
	if len(rows) != len(r.Rows) {
		return nil, fmt.Errorf("partial diffusion: %d scores of %d pictures", len(rows), len(r.Rows))
	}
	r.Columns = append(r.Columns, scoreColumns...)
	for i := range r.Rows {
		r.Rows[i].Values = append(r.Rows[i].Values, rows[i]...)
	}
	return all, nil
}

// tell scores one model. Rows are in the order of ratios and seeds, as those of [Drawing.Result].
func (t *Teller) tell(ctx context.Context, d *Drawing, strip Strip, original []float32, progress attack.Progress) (
	told Told, rows [][]float64, err error) {
	alone, err := t.prepared(strip.Alone)
	if err != nil {
		return told, nil, err
	}
	if t.classifier == nil {
		if t.classifier, err = telling.NewClassifier(t.network); err != nil {
			return told, nil, err
		}
	}
	if err := t.classifier.Fresh(t.streams()); err != nil {
		return told, nil, err
	}
	lessons := telling.NewLessons(original, alone, len(original)/d.Original.Shape().Dimensions[0], t.Fit.Held,
		t.streams())
	if err := t.classifier.Fit(ctx, t.Way, lessons, t.Fit, t.streams(), progress); err != nil {
		return told, nil, err
	}
	sets, err := t.look(ctx, lessons.Pictures.Values) // the other model's first
	if err != nil {
		return told, nil, err
	}
	told.Model = strip.Model.Name
	told.Training, told.Validation = lessons.Accuracy(func(row int) float64 { return sets.probabilities[row] })
	half := len(sets.features) / 2
	for i, pictures := range strip.Pictures {
		if i > 0 && d.HandOvers[i].Steps == d.HandOvers[i-1].Steps {
			told.Distances = append(told.Distances, told.Distances[i-1])
			rows = append(rows, rows[len(rows)-len(d.Seeds):]...)
			continue
		}
		values, err := t.prepared(pictures)
		if err != nil {
			return told, nil, err
		}
		seen, err := t.look(ctx, values)
		if err != nil {
			return told, nil, err
		}
		for number := range d.Seeds {
			rows = append(rows, scored(seen.probabilities[number], seen.features[number], sets.features[half:],
				sets.features[:half], number))
		}
		var distance Distance
		if distance.Original, distance.OriginalError, err = t.distance(sets.known[half:], seen.known); err == nil {
			distance.Unlearned, distance.UnlearnedError, err = t.distance(sets.known[:half], seen.known)
		}
		if err != nil {
			return told, nil, err
		}
		told.Distances = append(told.Distances, distance)
	}
	return told, rows, nil
}

// scored are the columns of a picture.
func scored(probability float64, features []float64, original, unlearned [][]float64, number int) []float64 {
	toOriginal, toUnlearned := telling.Cosines(features, original), telling.Cosines(features, unlearned)
	pair := number % len(original)
	difference := math.Abs(metric.CRSCodeDissimilarity(toOriginal) - metric.CRSCodeDissimilarity(toUnlearned))
	contrast := .5 + (metric.CRSCorrected(toOriginal)-metric.CRSCorrected(toUnlearned))/4
	return []float64{probability, metric.CRSPrintedRetain(toOriginal[pair : pair+1]),
		metric.CRSPrintedForget(toUnlearned[pair : pair+1]), difference, contrast}
}

// distance is KID between a set and the pictures at a ratio.
func (t *Teller) distance(set, pictures [][]float64) (kid, deviation float64, err error) {
	if len(pictures) == 1 {
		kid, err = metric.KIDRepeated(telling.Matrix(set), pictures[0])
		return kid, math.NaN(), err
	}
	score, err := metric.KID(telling.Matrix(set), telling.Matrix(pictures),
		metric.KIDSampling{Subsets: t.Subsets, Seed: t.Seed})
	return score.Mean, score.StandardError, err
}

// sight is what the classifier says of pictures, with its features and those of the network it started from.
type sight struct {
	probabilities   []float64
	features, known [][]float64
}

func (t *Teller) look(ctx context.Context, pictures []float32) (s sight, err error) {
	probabilities, features, err := t.classifier.Tell(ctx, pictures)
	if err != nil {
		return s, err
	}
	for _, p := range probabilities {
		s.probabilities = append(s.probabilities, float64(p))
	}
	n := t.network
	known, err := n.Through(ctx, &t.describing, "describe pictures", pictures, func(in *graph.Node) []*graph.Node {
		return []*graph.Node{resnet.Forward(n.Scope(), n.Config, in, resnet.Mode{}).Features}
	})
	if err != nil {
		return s, err
	}
	width := n.Config.FeatureWidth()
	s.features, s.known = telling.RowsOf(features, width), telling.RowsOf(known[0], width)
	return s, nil
}

// prepared are pictures as the network takes them.
func (t *Teller) prepared(pictures *tensors.Tensor) ([]float32, error) {
	values, _, err := transformed(t.transform, pictures)
	return values, err
}
