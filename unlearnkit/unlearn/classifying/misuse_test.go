package classifying_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// withTable replaces a stream of a run.
func withTable(t *testing.T, j *classifying.Job, name string, table unlearn.Table) {
	streams := rows(samples)
	streams[name] = table
	j.Task = classifying.Wav2Vec2(openFixture(t, dtypes.Float32).config, streams)
}

func TestJob_Refused(t *testing.T) {
	unlearntest.Watch(t)
	// column replaces a column of the retain set, which has 14 rows.
	column := func(name string, value *tensors.Tensor) func(j *classifying.Job) {
		return func(j *classifying.Job) {
			table := sounds(unlearn.Retain, 14, samples)
			table[name] = value
			if value == nil {
				delete(table, name)
			}
			withTable(t, j, unlearn.Retain, table)
		}
	}
	labels := func(last int32) *tensors.Tensor {
		all := make([]int32, 14)
		all[13] = last
		return tensors.FromFlatDataAndDimensions(all, 14)
	}
	tuning := classifying.Finetuning()
	for _, test := range []struct {
		method classifying.Method
		says   string
		change func(j *classifying.Job)
	}{
		{tuning, "stream retain: row 13: the label 5, the model has the 5 classes from 0 on",
			column("label", labels(5))},
		{tuning, "stream retain: row 13: the label -1, the model has the 5 classes", column("label", labels(-1))},
		{tuning, "stream retain: column label: the shape (Float32)[4] for 4 rows, it must be one Int32 each",
			column("label", tensors.FromFlatDataAndDimensions(make([]float32, 14), 14))},
		{tuning, `method finetuning: the task's stream "retain" has no column "label"`, column("label", nil)},
		{tuning, "the column input is (Float32)[4, 7]: the model reads [batch, samples], and at least 25 samples",
			column("input", tensors.FromFlatDataAndDimensions(make([]float32, 14*7), 14, 7))},
		{tuning, "the column mask is (Int32)[4, 9], not (Float32)[4, 203] like input",
			column("mask", tensors.FromFlatDataAndDimensions(make([]int32, 14*9), 14, 9))},
		{tuning, "the model has no head: set NumLabels of its configuration and load one", func(j *classifying.Job) {
			bare := openFixture(t, dtypes.Float32).config
			bare.NumLabels = 0
			j.Task = classifying.Wav2Vec2(bare, nil) // no streams, because they would reject every label
			j.Task.Streams = unlearn.Streams{unlearn.Retain: sounds(unlearn.Retain, 14, samples)}
		}},
		{classifying.CFk(), `the setting "layers" is 4: the model has the 3 parts wav2vec2, projector, classifier`,
			func(j *classifying.Job) { j.Values["layers"] = 4 }},
		{classifying.SCRUB(), `method scrub: the setting "msteps" is 3: it must be at most "epochs", which is 2`,
			func(j *classifying.Job) { j.Values["epochs"], j.Values["msteps"] = 2, 3 }},
		{classifying.SCRUB(), "method scrub: a budget of 2 passes, but it is judged after [1]",
			func(j *classifying.Job) { j.Budgets = []int{2} }},
		{classifying.UNSIR(), `phase "impairing" has no step: a batch has 11 rows, and one of the streams retain and forget`,
			func(j *classifying.Job) { j.Values["batch"] = 11 }},
		{classifying.NegativeGradientPlus(),
			`phase "" has no step: a batch has 20 rows, and one of the streams retain and forget has fewer`,
			func(j *classifying.Job) { j.Values["batch"] = 20 }},
		{classifying.BadTeaching(), "stream both: column input: the shapes (Float32)[", func(j *classifying.Job) {
			table := sounds(unlearn.Forget, 10, samples)
			table["input"] = tensors.FromFlatDataAndDimensions(make([]float32, 10*300), 10, 300)
			withTable(t, j, unlearn.Forget, table)
		}},
		{classifying.BadTeaching(), `the frozen model "incompetent" has no tensor /incompetent/`,
			func(j *classifying.Job) {
				if err := j.Store.DeleteVariablesInScope("/" + classifying.Incompetent); err != nil {
					t.Fatal(err)
				}
			}},
		{classifying.BadTeachingLight(), `method bad-teaching-light: the task has no rows of the stream "both"`,
			func(j *classifying.Job) {
				j.Task = classifying.Wav2Vec2(openFixture(t, dtypes.Float32).config,
					unlearn.Streams{unlearn.Forget: sounds(unlearn.Forget, 10, samples)})
			}},
	} {
		j := newSpeechJob(t, test.method, 1)
		test.change(&j)
		unlearntest.Refused(t, j, test.says)
	}
}

func TestRun_Diverged(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range classifying.Methods() {
		budgets := budgetsOf(m)
		j := newJob(t, m, budgets[len(budgets)-1])
		unlearntest.Diverges(t, j)
	}
}
