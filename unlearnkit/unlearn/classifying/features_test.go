package classifying_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// padded returns rows whose sounds have different lengths, with a mask of the samples that are not padding.
func padded(rows int) unlearn.Table {
	table := sounds(unlearn.Retain, rows, samples)
	mask := make([]int32, rows*samples)
	for i := range mask {
		if row := i / samples; i%samples < samples-9*row {
			mask[i] = 1
		}
	}
	table[classifying.Mask] = tensors.FromFlatDataAndDimensions(mask, rows, samples)
	return table
}

// Training the last parts on features equals training them in the whole model. Batches of 14 rows are 4 4 4 2. Pure Go
// gives equal bits; other backends may differ by a thousandth of a step.
func TestFeatures_EqualWholeModel(t *testing.T) {
	unlearntest.Watch(t)
	for _, test := range []struct {
		name   string
		last   float64
		retain unlearn.Table
	}{
		{"the classifier", 1, sounds(unlearn.Retain, 14, samples)},
		{"the classifier, of padded sound", 1, padded(14)},
		{"projector and classifier", 2, sounds(unlearn.Retain, 14, samples)},
		{"projector and classifier, of padded sound", 2, padded(14)},
	} {
		run := func(task func(wav2vec2.Config, unlearn.Streams) classifying.Task) (map[string][]float32, train.Log) {
			j := newSpeechJob(t, classifying.CFk(), 3)
			j.Task = task(openFixture(t, dtypes.Float32).config, unlearn.Streams{unlearn.Retain: test.retain})
			j.Values["layers"] = test.last
			result, err := j.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			weights := map[string][]float32{}
			for variable := range j.Store.Scope("/" + unlearn.Policy).IterVariables() {
				weights[variable.Path()] = tensors.MustCopyFlatData[float32](variable.MustValue())
			}
			return weights, result.Log
		}
		whole, wholeLog := run(classifying.WholeWav2Vec2)
		once, onceLog := run(classifying.Wav2Vec2)
		allowed := 0.
		if newSpeechJob(t, classifying.CFk(), 1).Device.XLA() {
			allowed = rate / 1000
		}
		for path, values := range whole {
			for i, value := range values {
				if math.Abs(float64(once[path][i]-value)) > allowed {
					t.Errorf("%s: %s[%d] is %g from features, %g from the whole model", test.name, path, i,
						once[path][i], value)
				}
			}
		}
		if allowed == 0 && !slices.Equal(wholeLog, onceLog) {
			t.Errorf("%s: the log is %v from features, %v from the whole model", test.name, onceLog, wholeLog)
		}
	}
}

// headed is the classifier of two layers, whose second layer can run alone.
type headed struct {
	layers
	size int
}

func (h headed) FeatureSize([]int, int) int { return h.size }

func (headed) Features(scope *model.Scope, x classifying.Rows, _ int) classifying.Rows {
	return classifying.Rows{Input: graph.Tanh(nn.Linear(scope.At("hidden"), x.Input, 6, true))}
}

func (headed) FromFeatures(scope *model.Scope, x classifying.Rows, _ int) *graph.Node {
	return nn.Linear(scope.At("out"), x.Input, 5, true)
}

// The frozen parts see each row once, unless their features are too large.
func TestFeatures_RowsOnce(t *testing.T) {
	unlearntest.Watch(t)
	const passes = 5
	var left map[string]string
	for _, test := range []struct {
		name  string
		model classifying.Model
		reads int // readings of each row, except the first row, which is also read for its shape
	}{
		{"features of six numbers", headed{size: 6}, 1},
		{"features as large as can be held", headed{size: classifying.MostFeatures / 14}, 1},
		{"features that are too large", headed{size: classifying.MostFeatures/14 + 1}, passes},
		{"a model that has none", layers{}, passes},
		{"a model that cannot be run from there on", headed{size: 0}, passes},
	} {
		reads := make([]int, 14)
		table := sounds(unlearn.Retain, 14, 7)
		counted := unlearntest.Stream{Count: 14, Names: table.Columns(),
			Take: func(rows []int) ([]*tensors.Tensor, error) {
				for _, row := range rows {
					reads[row]++
				}
				return table.Batch(rows)
			}}
		j := newJob(t, classifying.CFk(), passes)
		j.Task = classifying.NewTask(test.model, unlearn.Streams{unlearn.Retain: counted})
		at, _ := unlearntest.Snapshots(t, j)
		if !slices.Equal(reads[1:], slices.Repeat([]int{test.reads}, 13)) {
			t.Errorf("%s: in %d passes the rows are read %v times, want %d", test.name, passes, reads, test.reads)
		}
		if left == nil {
			left = at[passes]
		}
		if names := unlearntest.Differing(left, at[passes]); len(names) > 0 && !j.Device.XLA() {
			t.Errorf("%s: %v are not those of the first model", test.name, names)
		}
	}
}

func TestFeatures_Interrupted(t *testing.T) {
	unlearntest.Watch(t)
	for _, last := range []float64{1, 2} {
		job := func(folder string) classifying.Job {
			j := newSpeechJob(t, classifying.CFk(), 2)
			j.Values["layers"], j.Folder = last, folder
			return j
		}
		whole, _ := unlearntest.Snapshots(t, job(""))
		folder := t.TempDir()
		for _, after := range []int{1, 3, 6} { // a run has eight steps
			if _, err := unlearntest.Cancelled(t, job(folder), after); !errors.Is(err, context.Canceled) {
				t.Fatalf("k = %g, after %d steps: %v", last, after, err)
			}
		}
		at, _ := unlearntest.Snapshots(t, job(folder))
		if names := unlearntest.Differing(whole[2], at[2]); len(names) > 0 {
			t.Errorf("k = %g: after interruptions %v differ", last, names)
		}
	}
}

func TestFeatures_OtherStart(t *testing.T) {
	unlearntest.Watch(t)
	job := func(shift float32, folder string) classifying.Job {
		j := newSpeechJob(t, classifying.CFk(), 2)
		j.Folder = folder
		bias := j.Store.GetVariable("/policy/projector/bias")
		values := tensors.MustCopyFlatData[float32](bias.MustValue())
		for i := range values {
			values[i] += shift * float32(i%3)
		}
		if err := bias.SetValue(tensors.FromFlatDataAndDimensions(values, len(values))); err != nil {
			t.Fatal(err)
		}
		return j
	}
	folder := t.TempDir()
	if _, err := unlearntest.Cancelled(t, job(0, folder), 3); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := job(0.5, folder).Run(t.Context()); err == nil || !strings.Contains(err.Error(),
		"belongs to another training") {
		t.Errorf("from another start: %v", err)
	}
	one, _ := unlearntest.Snapshots(t, job(0, ""))
	other, _ := unlearntest.Snapshots(t, job(0.5, ""))
	if names := unlearntest.Differing(one[2], other[2]); !slices.Contains(names, "classifier/weight") {
		t.Errorf("from another start %v differ, not the classifier", names)
	}
}

// wordy is a model whose features do not match its rows.
type wordy struct{ headed }

func (wordy) Features(_ *model.Scope, x classifying.Rows, _ int) classifying.Rows {
	return classifying.Rows{Input: graph.ReduceAllSum(x.Input)}
}

// early is a model whose features depend on trained parts.
type early struct{ headed }

func (early) Features(scope *model.Scope, x classifying.Rows, last int) classifying.Rows {
	return classifying.Rows{Input: headed{}.FromFeatures(scope, headed{}.Features(scope, x, last), last)}
}

func TestFeatures_Refused(t *testing.T) {
	unlearntest.Watch(t)
	for _, test := range []struct {
		model  classifying.Model
		stream func(unlearn.Table) unlearn.Stream
		says   string
	}{
		{wordy{headed{size: 6}}, nil, "column features: the shape (Float32) is computed for 4 rows"},
		{early{headed{size: 6}}, nil, "it reads the tensor out/weight, which the phase trains"},
		{headed{size: 6}, func(t unlearn.Table) unlearn.Stream {
			return unlearntest.Stream{Count: 14, Names: []string{classifying.Label, classifying.Input},
				Take: func(rows []int) ([]*tensors.Tensor, error) {
					columns, err := t.Batch(rows)
					return columns[1:], err
				}}
		}, `the task's stream "retain" gives no rows of its column "input"`},
	} {
		j := newJob(t, classifying.CFk(), 1)
		table := sounds(unlearn.Retain, 14, 7)
		streams := unlearn.Streams{unlearn.Retain: table}
		if test.stream != nil {
			streams[unlearn.Retain] = test.stream(table)
		}
		j.Task = classifying.NewTask(test.model, streams)
		_, err := j.Run(t.Context())
		if says := fmt.Sprint(err); !strings.HasSuffix(says, test.says) || strings.Contains(says, "\n") {
			t.Errorf("%v\nwant %s", err, test.says)
		}
	}
}
