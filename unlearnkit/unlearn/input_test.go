package unlearn

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

func contrast(m Models, b Batch) *graph.Node {
	return Contrast(m.Policy, b.Of(Forget, Image), b.Of(Forget, Caption))
}

// withForget is the linear task with another forget set.
func withForget(j *Job, s Stream) { j.Task = linear{plain{Forget: s, Retain: noise("retain", 7)}} }

// changing is a stream whose batch is changed before it is handed out; whole batches have four rows.
func changing(change func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor) table {
	s := noise("forget", 10)
	batch := s.batch
	s.batch = func(rows []int) ([]*tensors.Tensor, error) {
		columns, err := batch(rows)
		return change(rows, columns), err
	}
	return s
}

func TestWhatCannotBeRunIsRefusedInOneLine(t *testing.T) {
	watch(t)
	for _, test := range []struct {
		name, says string
		method     Method
		change     func(j *Job)
	}{
		{"an unknown setting", `the method generic has no setting "rat"; it has rate, batch, decay`, GenericCaptions(),
			func(j *Job) {
				j.Values["rat"] = 1
			}},
		{"a setting of a method without", `the method own has no setting "rate"; it has none`, own(contrast),
			func(j *Job) {
				j.Values = Values{"rate": 1}
			}},
		{"a setting that is no number", `method generic: the setting "rate" is NaN: it must be a finite number`,
			GenericCaptions(), func(j *Job) {
				j.Values["rate"] = math.NaN()
			}},
		{"an infinite setting", `method generic: the setting "decay" is +Inf: it must be a finite number`,
			GenericCaptions(), func(j *Job) {
				j.Values["decay"] = math.Inf(1)
			}},
		{"a batch of nothing", "method direct: a batch of 0 rows: it must be a whole number and at least 1",
			DirectSimilarity(), func(j *Job) {
				j.Values["batch"] = 0
			}},
		{"a batch of halves", "method finetuning: a batch of 2.5 rows: it must be a whole number and at least 1",
			Finetuning(), func(j *Job) {
				j.Values["batch"] = 2.5
			}},
		{"a batch beyond all numbers", "method vlunlearn: a batch of 9e+18 rows", VLUnlearn(), func(j *Job) {
			j.Values["batch"], j.Budgets = 9e18, []int{5}
		}},
		{"no budget", "method generic: no budget: give the numbers of passes", GenericCaptions(), func(j *Job) {
			j.Budgets = nil
		}},
		{"a budget of 0", "method generic: a budget of 0 passes: it must be at least 1", GenericCaptions(),
			func(j *Job) {
				j.Budgets = []int{0}
			}},
		{"falling budgets", "method generic: the budgets [5 1] do not rise", GenericCaptions(), func(j *Job) {
			j.Budgets = []int{5, 1}
		}},
		{"a budget twice", "method generic: the budgets [5 5] do not rise", GenericCaptions(), func(j *Job) {
			j.Budgets = []int{5, 5}
		}},
		{"a budget that the method does not have",
			"method delete: a budget of 1 passes, but it is judged after [5 10 15 20]", DELETE(), func(j *Job) {
				j.Budgets = []int{1, 5}
			}},
		{"a second budget of a method that is run once",
			"method descent-to-delete: a budget of 5 passes, but it is judged after [1]", DescentToDelete(),
			func(j *Job) {
				j.Budgets = []int{1, 5}
			}},
		{"a missing stream", `method finetuning: the task has no rows of the stream "retain"`, Finetuning(),
			func(j *Job) {
				j.Task = linear{plain{Forget: noise("forget", 10)}}
			}},
		{"an empty stream", `method generic: the task has no rows of the stream "forget"`, GenericCaptions(),
			func(j *Job) {
				withForget(j, noise("forget", 0))
			}},
		{"a missing column", `generic: the task's stream "forget" has no column "generic"; it has caption, image`,
			GenericCaptions(), func(j *Job) {
				s := changing(func(_ []int, columns []*tensors.Tensor) []*tensors.Tensor { return columns[:2] })
				s.columns = s.columns[:2]
				withForget(j, s)
			}},
		{"a stream that the phase does not name", `own: the loss reads the stream "retain", the phase only forget`,
			own(func(m Models, b Batch) *graph.Node {
				return Contrast(m.Policy, b.Of(Retain, Image), b.Of(Retain, Caption))
			}), nil},
		{"a reference that is not asked for", "own: the method reads its reference, but Method.Reference is not set",
			own(func(m Models, b Batch) *graph.Node {
				return SquaredError(m.Policy.Image(b.Of(Forget, Image)), m.Reference.Image(b.Of(Forget, Image)))
			}), nil},
		{"a setting that the method does not declare", `method own: the method "own" has no setting "rate"`,
			Method{Name: "own", Phases: func(p Plan) []Phase {
				p.Value("rate")
				return nil
			}}, nil},
		{"an image method on a task without images",
			"generic: the method embeds images and texts, which a unlearn.plain does not", GenericCaptions(),
			func(j *Job) {
				j.Task = plain{Forget: noise("forget", 10)}
			}},
		{"rows that change their shape",
			"generic: batch of step 3: stream forget: column image: rows of the shape (Float32)[6] after rows of " +
				"(Float32)[5]", GenericCaptions(), func(j *Job) {
				withForget(j, changing(func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor {
					if len(rows) < 4 {
						columns[0] = tensors.FromFlatDataAndDimensions(make([]float32, len(rows)*6), len(rows), 6)
					}
					return columns
				}))
			}},
		{"rows that change their type",
			"generic: batch of step 3: stream forget: column generic: rows of the shape (Int64)[3] after rows of " +
				"(Int32)[3]", GenericCaptions(), func(j *Job) {
				withForget(j, changing(func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor {
					if len(rows) < 4 {
						columns[2] = tensors.FromFlatDataAndDimensions(make([]int64, len(rows)*3), len(rows), 3)
					}
					return columns
				}))
			}},
		{"a column of too few rows", "generic: batch of step 1: stream forget: column caption: the shape (Int32)[1, " +
			"3] for 4 rows", GenericCaptions(), func(j *Job) {
			withForget(j, changing(func(_ []int, columns []*tensors.Tensor) []*tensors.Tensor {
				columns[1] = tensors.FromFlatDataAndDimensions([]int32{1, 2, 3}, 1, 3)
				return columns
			}))
		}},
		{"a column too many", "generic: batch of step 1: stream forget: a batch of 4 columns, not of image, caption, " +
			"generic", GenericCaptions(), func(j *Job) {
			withForget(j, changing(func(_ []int, columns []*tensors.Tensor) []*tensors.Tensor {
				return append(columns, columns[0])
			}))
		}},
		{"a stream that fails", "generic: batch of step 1: stream forget: portrait 7 is cut short", GenericCaptions(),
			func(j *Job) {
				s := noise("forget", 10)
				s.batch = func([]int) ([]*tensors.Tensor, error) { return nil, errors.New("portrait 7 is cut short") }
				withForget(j, s)
			}},
		{"a stream that panics", "generic: batch of step 1: runtime error: slice bounds out of range",
			GenericCaptions(), func(j *Job) {
				withForget(j, changing(func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor {
					return columns[len(columns)+rows[0]:][:1]
				}))
			}},
		{"no phases", "method own: it has no phases", Method{Name: "own", Phases: func(Plan) []Phase {
			return nil
		}}, nil},
		{"no layout of phases", `the method "own" has no Phases`, Method{Name: "own"}, nil},
		{"a phase without a rate", `method own: phase "climb" needs Streams, Batch, Loss and Rate`,
			Method{Name: "own", Phases: func(Plan) []Phase {
				return []Phase{{Name: "climb", Streams: []string{Forget}, Batch: 4, Loss: contrast}}
			}}, nil},
		{"a stream read twice", `method own: phase "" reads the stream "forget" twice`,
			Method{Name: "own", Phases: func(Plan) []Phase {
				return []Phase{{Streams: []string{Forget, Forget}, Batch: 4, Loss: contrast, Rate: optim.Constant(1)}}
			}}, nil},
		{"two budgets before a change in one go",
			"method own: its last phase has no steps, so it is judged once, not after [1 5] passes", func() Method {
				m := DescentToDelete()
				m.Name, m.Passes = "own", nil
				return m
			}(), func(j *Job) { j.Budgets = []int{1, 5} }},
		{"a store without a model", `method generic: the store has no model below "policy": load one there`,
			GenericCaptions(), func(j *Job) {
				j.Store = model.NewStore()
			}},
		{"a model without values", "method generic: the model's tensor /policy/logit_scale", GenericCaptions(),
			func(j *Job) {
				if err := j.Store.GetVariable("/" + Policy + "/logit_scale").Reset(); err != nil {
					t.Fatal(err)
				}
			}},
		{"a store with another reference", "method delete: the store has a /reference/", DELETE(), func(j *Job) {
			j.Budgets = []int{5}
			j.Store.VariableWithValue("/reference/image/weight", []float32{1})
		}},
	} {
		j := newJob(t, test.method, 1)
		if test.change != nil {
			test.change(&j)
		}
		_, err := j.Run(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant one line that begins with %s", test.name, err, test.says)
		}
	}
}
