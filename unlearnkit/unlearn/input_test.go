package unlearn_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// tied returns the loss of a model that learns to match the images of a stream with their captions.
func tied(m contrastive.Models, b unlearn.Batch, stream string) *graph.Node {
	return contrastive.Contrast(m.Policy, b.Of(stream, contrastive.Image), b.Of(stream, contrastive.Caption))
}

func tiedForget(m contrastive.Models, b unlearn.Batch) *graph.Node { return tied(m, b, unlearn.Forget) }

// withForget replaces the forget set of the linear task.
func withForget(j *contrastive.Job, s unlearn.Stream) {
	j.Task = unlearntest.Task(s, unlearntest.Noise("retain", 7))
}

// changing returns a stream that changes its batches before it returns them. Whole batches have four rows.
func changing(change func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor) unlearntest.Stream {
	s := unlearntest.Noise("forget", 10)
	take := s.Take
	s.Take = func(rows []int) ([]*tensors.Tensor, error) {
		columns, err := take(rows)
		return change(rows, columns), err
	}
	return s
}

// selectColumns returns a user's own method with the given phases.
func selectColumns(phases func(p *unlearn.Plan) ([]contrastive.Phase, error)) contrastive.Method {
	return contrastive.Method{Entry: catalogue.Entry{Name: "own"}, Phases: phases}
}

// laid returns a method with the same phases for every plan.
func laid(phases ...contrastive.Phase) contrastive.Method {
	return selectColumns(func(*unlearn.Plan) ([]contrastive.Phase, error) { return phases, nil })
}

// refusal is a change that makes a run invalid, and the beginning of the error.
type refusal struct {
	name, says string
	method     contrastive.Method
	change     func(j *contrastive.Job)
}

func refuse(t *testing.T, all []refusal) {
	t.Helper()
	unlearntest.Watch(t)
	for _, test := range all {
		j := unlearntest.NewJob(t, test.method, 1)
		if test.change != nil {
			test.change(&j)
		}
		_, err := j.Run(t.Context())
		if err == nil || !strings.HasPrefix(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v\nwant one line that begins with %s", test.name, err, test.says)
		}
	}
}

func TestTask_Refused(t *testing.T) {
	refuse(t, []refusal{
		{"an unknown setting", `the method generic has no setting "rat"; it has rate, batch, decay`,
			contrastive.GenericCaptions(), func(j *contrastive.Job) {
				j.Values["rat"] = 1
			}},
		{"a batch of halves", `method finetuning: the setting "batch" is 2.5: it must be a whole number`,
			contrastive.Finetuning(), func(j *contrastive.Job) {
				j.Values["batch"] = 2.5
			}},
		{"no budget", "method generic: no budget: give the numbers of passes", contrastive.GenericCaptions(),
			func(j *contrastive.Job) {
				j.Budgets = nil
			}},
		{"a missing stream", `method finetuning: the task has no rows of the stream "retain"`,
			contrastive.Finetuning(), func(j *contrastive.Job) {
				j.Task = unlearntest.Task(unlearntest.Noise("forget", 10), nil)
			}},
		{"an empty stream", `method generic: the task has no rows of the stream "forget"`,
			contrastive.GenericCaptions(), func(j *contrastive.Job) {
				withForget(j, unlearntest.Noise("forget", 0))
			}},
		{"a missing column", `generic: the task's stream "forget" has no column "generic"; it has caption, image`,
			contrastive.GenericCaptions(), func(j *contrastive.Job) {
				s := changing(func(_ []int, columns []*tensors.Tensor) []*tensors.Tensor { return columns[:2] })
				s.Names = s.Names[:2]
				withForget(j, s)
			}},
	})
}

func TestMethod_Refused(t *testing.T) {
	refuse(t, []refusal{
		{"a stream that the phase does not name", `own: the loss reads the stream "retain", the phase only forget`,
			unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
				return tied(m, b, unlearn.Retain)
			}), nil},
		{"a reference that is not asked for", "own: the method reads its reference, but Method.Reference is not set",
			unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
				image := b.Of(unlearn.Forget, contrastive.Image)
				return contrastive.SquaredError(m.Policy.Image(image), m.Reference.Image(image))
			}), nil},
		{"a setting that the method does not declare", `method own: the method own has no setting "rate"`,
			selectColumns(func(p *unlearn.Plan) ([]contrastive.Phase, error) {
				return []contrastive.Phase{{Batch: p.Whole("rate")}}, nil
			}), nil},
		{"a setting that counts nothing", `method own: the setting "rows" is 2.5: it must be a whole number`,
			contrastive.Method{
				Entry: catalogue.Entry{Name: "own", Settings: []catalogue.Setting{{Name: "rows", Default: 2.5}}},
				Phases: func(p *unlearn.Plan) ([]contrastive.Phase, error) {
					return []contrastive.Phase{{Batch: p.Whole("rows")}}, nil
				},
			}, nil},
		{"phases that cannot be laid out", "method own: there is no anchor",
			selectColumns(func(*unlearn.Plan) ([]contrastive.Phase, error) {
				return nil, errors.New("there is no anchor")
			}), nil},
		{"no phases", "method own: it has no phases", laid(), nil},
		{"no layout of phases", `the method "own" has no Phases`, selectColumns(nil), nil},
		{"a phase without a rate", `method own: phase "climb" needs Streams, Batch, Loss and Rate`,
			laid(contrastive.Phase{Name: "climb", Streams: []string{unlearn.Forget}, Batch: 4, Loss: tiedForget}), nil},
		{"a phase of two rates",
			`method own: phase "climb" has a Rate and a Schedule: one of them is the learning rate`,
			laid(contrastive.Phase{Name: "climb", Streams: []string{unlearn.Forget}, Batch: 4, Loss: tiedForget,
				Rate: optim.Constant(1), Schedule: func(int) optim.Schedule { return optim.Constant(1) }}), nil},
		{"a stream read twice", `method own: phase "" reads the stream "forget" twice`,
			laid(contrastive.Phase{Streams: []string{unlearn.Forget, unlearn.Forget}, Batch: 4, Loss: tiedForget,
				Rate: optim.Constant(1)}), nil},
		{"two budgets before a change in one go",
			"method own: its last phase has no steps, so it is judged once, not after [1 5] passes",
			func() contrastive.Method {
				m := contrastive.DescentToDelete()
				m.Name, m.Passes = "own", nil
				return m
			}(), func(j *contrastive.Job) { j.Budgets = []int{1, 5} }},
	})
}

func TestStream_Refused(t *testing.T) {
	refuse(t, []refusal{
		{"rows that change their shape",
			"generic: batch of step 3: stream forget: column image: rows of the shape (Float32)[6] after rows of " +
				"(Float32)[5]", contrastive.GenericCaptions(), func(j *contrastive.Job) {
				withForget(j, changing(func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor {
					if len(rows) < 4 {
						columns[0] = tensors.FromFlatDataAndDimensions(make([]float32, len(rows)*6), len(rows), 6)
					}
					return columns
				}))
			}},
		{"rows that change their type",
			"generic: batch of step 3: stream forget: column generic: rows of the shape (Int64)[3] after rows of " +
				"(Int32)[3]", contrastive.GenericCaptions(), func(j *contrastive.Job) {
				withForget(j, changing(func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor {
					if len(rows) < 4 {
						columns[2] = tensors.FromFlatDataAndDimensions(make([]int64, len(rows)*3), len(rows), 3)
					}
					return columns
				}))
			}},
		{"a column of too few rows", "generic: batch of step 1: stream forget: column caption: the shape (Int32)[1, " +
			"3] for 4 rows", contrastive.GenericCaptions(), func(j *contrastive.Job) {
			withForget(j, changing(func(_ []int, columns []*tensors.Tensor) []*tensors.Tensor {
				columns[1] = tensors.FromFlatDataAndDimensions([]int32{1, 2, 3}, 1, 3)
				return columns
			}))
		}},
		{"a column too many", "generic: batch of step 1: stream forget: a batch of 4 columns, not of image, caption, " +
			"generic", contrastive.GenericCaptions(), func(j *contrastive.Job) {
			withForget(j, changing(func(_ []int, columns []*tensors.Tensor) []*tensors.Tensor {
				return append(columns, columns[0])
			}))
		}},
		{"a stream that fails", "generic: batch of step 1: stream forget: portrait 7 is cut short",
			contrastive.GenericCaptions(), func(j *contrastive.Job) {
				s := unlearntest.Noise("forget", 10)
				s.Take = func([]int) ([]*tensors.Tensor, error) { return nil, errors.New("portrait 7 is cut short") }
				withForget(j, s)
			}},
		{"a stream that panics", "generic: batch of step 1: runtime error: slice bounds out of range",
			contrastive.GenericCaptions(), func(j *contrastive.Job) {
				withForget(j, changing(func(rows []int, columns []*tensors.Tensor) []*tensors.Tensor {
					return columns[len(columns)+rows[0]:][:1]
				}))
			}},
	})
}

func TestStore_WithoutModel(t *testing.T) {
	refuse(t, []refusal{
		{"a store without a model", `method generic: the store has no model below "policy": load one there`,
			contrastive.GenericCaptions(), func(j *contrastive.Job) {
				j.Store = model.NewStore()
			}},
		{"a model without values", "method generic: the model's tensor /policy/logit_scale",
			contrastive.GenericCaptions(), func(j *contrastive.Job) {
				if err := j.Store.GetVariable("/" + unlearn.Policy + "/logit_scale").Reset(); err != nil {
					t.Fatal(err)
				}
			}},
		{"a store with another reference", "method delete: the store has a /reference/", contrastive.DELETE(),
			func(j *contrastive.Job) {
				j.Budgets = []int{5}
				j.Store.VariableWithValue("/reference/image/weight", []float32{1})
			}},
	})
}
