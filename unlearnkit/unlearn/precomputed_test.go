package unlearn_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// embedded is the column of the frozen image encoder's outputs.
const embedded = "embedded"

// captionsAlone returns a method that trains the captions towards fixed images. The images are computed once or in
// every step.
func captionsAlone(once bool) contrastive.Method {
	m := unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
		images := b.Columns(unlearn.Forget)[embedded]
		if images == nil {
			images = m.Policy.Image(b.Of(unlearn.Forget, contrastive.Image))
		}
		return contrastive.SquaredError(m.Policy.Text(b.Of(unlearn.Forget, contrastive.Caption)), images)
	})
	lay := m.Phases
	m.Phases = func(p *unlearn.Plan) ([]contrastive.Phase, error) {
		phases, err := lay(p)
		phases[0].Optimizer.Select = func(path string) float64 {
			if strings.HasPrefix(path, "text/") {
				return 1
			}
			return 0
		}
		if once {
			phases[0].Precomputed = []unlearn.Precomputed[contrastive.View]{{Stream: unlearn.Forget, Of: embeddings}}
		}
		return phases, err
	}
	return m
}

func embeddings(model contrastive.View, columns map[string]*graph.Node) map[string]*graph.Node {
	return map[string]*graph.Node{embedded: model.Image(columns[contrastive.Image]),
		contrastive.Caption: columns[contrastive.Caption]}
}

// Rows that are computed once give the same model as rows that are computed in each step.
func TestPrecomputed_SameModel(t *testing.T) {
	unlearntest.Watch(t)
	every, everyResult := unlearntest.Snapshots(t, unlearntest.NewJob(t, captionsAlone(false), 1, 4))
	j := unlearntest.NewJob(t, captionsAlone(true), 1, 4)
	reads := 0
	stream := unlearntest.Noise("forget", 10)
	take := stream.Take
	stream.Take = func(rows []int) ([]*tensors.Tensor, error) {
		reads += len(rows)
		return take(rows)
	}
	withForget(&j, stream)
	var ahead []string
	j.Ahead = func(done, batches int) { ahead = append(ahead, fmt.Sprintf("%d/%d", done, batches)) }
	once, onceResult := unlearntest.Snapshots(t, j)
	if reads != 10 {
		t.Errorf("%d rows are read, there are 10", reads)
	}
	if want := []string{"1/3", "2/3", "3/3"}; !slices.Equal(ahead, want) {
		t.Errorf("batches computed ahead are %v, want %v", ahead, want)
	}
	if !j.Device.XLA() { // XLA rounds differently in different graphs
		for budget, weights := range every {
			if names := unlearntest.Differing(weights, once[budget]); len(names) > 0 {
				t.Errorf("after %d passes %v differ", budget, names)
			}
		}
		if !slices.Equal(everyResult.Log, onceResult.Log) {
			t.Errorf("the logs are %v and %v", everyResult.Log, onceResult.Log)
		}
	}
	if first, last := onceResult.Log[0].Loss, onceResult.Log[11].Loss; !(last < first) {
		t.Errorf("the loss goes from %g to %g", first, last)
	}
}

func TestPrecomputed_Cancelled(t *testing.T) {
	unlearntest.Watch(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	j := unlearntest.NewJob(t, captionsAlone(true), 1)
	if _, err := j.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestPrecomputed_Refused(t *testing.T) {
	precomputing := func(all ...unlearn.Precomputed[contrastive.View]) contrastive.Method {
		return laid(contrastive.Phase{Name: "p", Streams: []string{unlearn.Forget}, Batch: 4, Loss: tiedForget,
			Rate: optim.Constant(1), Precomputed: all})
	}
	own := func(of func(contrastive.View, map[string]*graph.Node) map[string]*graph.Node) contrastive.Method {
		return precomputing(unlearn.Precomputed[contrastive.View]{Stream: unlearn.Forget, Of: of})
	}
	one := unlearn.Precomputed[contrastive.View]{Stream: unlearn.Forget, Of: embeddings}
	drawn := laid(contrastive.Phase{Name: "p", Streams: []string{unlearn.Forget, "drawn"}, Batch: 4, Loss: tiedForget,
		Rate:        optim.Constant(1),
		Precomputed: []unlearn.Precomputed[contrastive.View]{{Stream: "drawn", Of: embeddings}},
		Drawn: []unlearn.Drawn[contrastive.View]{{Name: "drawn", Rows: 10, Columns: []string{"x"},
			Open: func(contrastive.View) (unlearn.Drawer, error) { return nil, errors.New("is not opened") }}}})
	const batch = "own: batch of step 1: stream forget: "
	refuse(t, []refusal{
		{"nothing to compute", `method own: phase "p" computes "forget" once: it needs Of, and its Stream among`,
			own(nil), nil},
		{"a stream that the phase does not read", `method own: phase "p" computes "retain" once: it needs Of, and its `,
			precomputing(unlearn.Precomputed[contrastive.View]{Stream: unlearn.Retain, Of: embeddings}), nil},
		{"a stream twice", `method own: phase "p" computes "forget" once: it is precomputed twice`,
			precomputing(one, one), nil},
		{"a drawn stream", `method own: phase "p" computes "drawn" once: the phase draws its rows`, drawn, nil},
		{"what is trained", "own: p: batch of step 1: stream forget: precomputed values: it reads the tensor image/",
			own(embeddings), nil},
		{"no column", "own: p: batch of step 1: stream forget: precomputed values: no column is made",
			own(func(contrastive.View, map[string]*graph.Node) map[string]*graph.Node { return nil }), nil},
		{"no rows", batch + "column embedded: the shape (Float32) is computed for 4 rows", captionsOf(
			func(x *graph.Node) *graph.Node { return graph.ReduceAllSum(x) }), nil},
		{"a panic", batch + "precomputed values: too odd", captionsOf(
			func(*graph.Node) *graph.Node { panic(errors.New("too odd")) }), nil},
		{"rows of several shapes", batch + "column embedded: rows of the shape [2] after rows of [4]", captionsOf(
			func(x *graph.Node) *graph.Node {
				rows := x.Shape().Dim(0)
				return graph.Slice(x, graph.AxisRange(), graph.AxisRange(0, rows))
			}), nil},
		{"a stream that fails", batch + "the disk is gone", captionsAlone(true), func(j *contrastive.Job) {
			s := unlearntest.Noise("forget", 10)
			s.Take = func([]int) ([]*tensors.Tensor, error) { return nil, errors.New("the disk is gone") }
			withForget(j, s)
		}},
		{"a stream that lacks a column", batch + "a batch of 2 columns, not of image, caption, generic",
			captionsAlone(true), func(j *contrastive.Job) {
				withForget(j, changing(func(_ []int, columns []*tensors.Tensor) []*tensors.Tensor {
					return columns[1:]
				}))
			}},
	})
}

// captionsOf returns the method captionsAlone with a change to the precomputed image embeddings.
func captionsOf(change func(images *graph.Node) *graph.Node) contrastive.Method {
	m := captionsAlone(true)
	lay := m.Phases
	m.Phases = func(p *unlearn.Plan) ([]contrastive.Phase, error) {
		phases, err := lay(p)
		phases[0].Precomputed[0].Of = func(model contrastive.View, c map[string]*graph.Node) map[string]*graph.Node {
			columns := embeddings(model, c)
			columns[embedded] = change(columns[embedded])
			return columns
		}
		return phases, err
	}
	return m
}
