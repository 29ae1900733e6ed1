package contrastive_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// people is a model with one layer for portraits, which are numbers, and one layer for the tokens of names.
type people struct{}

func (people) EmbedImage(scope *model.Scope, pixels *graph.Node) *graph.Node {
	return unit(nn.Linear(scope.At("image"), pixels, 6, false))
}

func (people) EmbedText(scope *model.Scope, ids *graph.Node) *graph.Node {
	return unit(nn.Embedding(scope.At("text"), ids, 32, 6))
}

func (people) LogitScale(_ *model.Scope, g *graph.Graph) *graph.Node {
	return graph.Scalar(g, dtypes.Float32, 10)
}

func unit(x *graph.Node) *graph.Node {
	return graph.Div(x, graph.Sqrt(graph.ReduceAndKeep(graph.Square(x), graph.ReduceSum, -1)))
}

// task returns the task of a model that must forget some people and retain others.
func task() contrastive.Task {
	return contrastive.NewTask(people{}, unlearn.Streams{
		unlearn.Forget: portraits(unlearn.Forget), unlearn.Retain: portraits(unlearn.Retain),
	})
}

// portraits is a stream of sixteen people. Their names are the tokens from 0 on in the forget set and from 16 on in the
// retain set.
type portraits string

func (portraits) Rows() int { return 16 }

func (portraits) Columns() []string { return []string{contrastive.Image, contrastive.Caption} }

func (p portraits) Batch(rows []int) ([]*tensors.Tensor, error) {
	var pixels []float32
	var names []int32
	for _, row := range rows {
		random := seed.Stream(1, string(p), row)
		for range 20 {
			pixels = append(pixels, float32(random.NormFloat64()))
		}
		if p == unlearn.Retain {
			row += 16
		}
		names = append(names, int32(row))
	}
	return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(pixels, len(rows), 20),
		tensors.FromFlatDataAndDimensions(names, len(rows))}, nil
}

// together returns the loss of a model that learns the people of a set.
func together(m contrastive.Models, b unlearn.Batch, set string) *graph.Node {
	return contrastive.Contrast(m.Policy, b.Of(set, contrastive.Image), b.Of(set, contrastive.Caption))
}

// Your own method: faces and names of the forget set become independent, and the pairs of the retain set stay together.
func Example() {
	apart := contrastive.Method{
		Entry: catalogue.Entry{Name: "apart", Settings: []catalogue.Setting{
			{Name: "rate", Default: 0.01, Source: "tried"}, {Name: "keep", Default: 0.1, Source: "tried"},
		}},
		Phases: func(p *unlearn.Plan) ([]contrastive.Phase, error) {
			return []contrastive.Phase{{
				Streams: []string{unlearn.Forget, unlearn.Retain},
				Batch:   8,
				Rate:    optim.Constant(p.Value("rate")),
				Loss: func(m contrastive.Models, b unlearn.Batch) *graph.Node {
					faces := m.Policy.Image(b.Of(unlearn.Forget, contrastive.Image))
					names := m.Policy.Text(b.Of(unlearn.Forget, contrastive.Caption))
					cosines := graph.ReduceAllMean(graph.Square(contrastive.Cosines(faces, names)))
					return graph.Add(cosines, graph.MulScalar(together(m, b, unlearn.Retain), p.Value("keep")))
				},
			}}, nil
		},
	}

	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	store, err := learnt(d)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("passes 0:", known(d, store))
	job := contrastive.Job{
		Device: d, Store: store, Task: task(), Method: apart, Values: unlearn.Values{"keep": 0.2},
		Budgets: []int{1, 20}, Seed: 1,
		Snapshot: func(_ context.Context, budget int) error {
			fmt.Printf("passes %d: %s\n", budget, known(d, store))
			return nil
		},
	}
	if _, err := job.Run(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// passes 0: forget 0.9, retain 0.8
	// passes 1: forget 0.8, retain 0.9
	// passes 20: forget 0.1, retain 0.8
}

// learnt returns a model that knows everybody, trained by the same engine.
func learnt(d *device.Device) (*model.Store, error) {
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 1)
	if _, err := cosines(d, store, unlearn.Forget); err != nil { // the first use draws the model's tensors
		return nil, err
	}
	remember := contrastive.Method{
		Entry: catalogue.Entry{Name: "remember"},
		Phases: func(*unlearn.Plan) ([]contrastive.Phase, error) {
			return []contrastive.Phase{{
				Streams: []string{unlearn.Forget, unlearn.Retain}, Batch: 16, Rate: optim.Constant(0.02),
				Loss: func(m contrastive.Models, b unlearn.Batch) *graph.Node {
					return graph.Add(together(m, b, unlearn.Forget), together(m, b, unlearn.Retain))
				},
			}}, nil
		},
	}
	job := contrastive.Job{Device: d, Store: store, Task: task(), Method: remember, Budgets: []int{100},
		Snapshot: func(context.Context, int) error {
			return nil
		}}
	_, err := job.Run(context.Background())
	return store, err
}

// known returns how similar faces and names are in both sets.
func known(d *device.Device, store *model.Store) string {
	var words []string
	for _, set := range []string{unlearn.Forget, unlearn.Retain} {
		mean, err := cosines(d, store, set)
		if err != nil {
			return err.Error()
		}
		words = append(words, fmt.Sprintf("%s %.1f", set, mean))
	}
	return strings.Join(words, ", ")
}

// cosines returns the mean cosine of the faces and names of a set.
func cosines(d *device.Device, store *model.Store, set string) (float32, error) {
	program, err := d.Compile("cosines", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		scope := root.At(unlearn.Policy)
		return []*graph.Node{graph.ReduceAllMean(contrastive.Cosines(people{}.EmbedImage(scope, inputs[0]),
			people{}.EmbedText(scope, inputs[1])))}
	})
	if err != nil {
		return 0, err
	}
	defer program.Close()
	columns, err := portraits(set).Batch([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15})
	if err != nil {
		return 0, err
	}
	outputs, err := program.Run(context.Background(), columns[0], columns[1])
	if err != nil {
		return 0, err
	}
	return tensors.ToScalar[float32](outputs[0]), nil
}
