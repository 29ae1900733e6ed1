package unlearn_test

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// classifier is the type through which the losses of a user's own modality use a model: it returns logits.
type classifier struct{ weights unlearn.Weights }

// Logits returns the network's logits. The logits of a frozen network have no gradient.
func (c classifier) Logits(x *graph.Node) *graph.Node {
	return c.weights.Output(logits(c.weights.Scope(), x))
}

// logits runs a network with one hidden layer, for two classes.
func logits(scope *model.Scope, x *graph.Node) *graph.Node {
	return nn.Linear(scope.At("head"), graph.Tanh(nn.Linear(scope.At("hidden"), x, 8, true)), 2, true)
}

// finetuning returns a method for classifiers. It continues training on only the retain set.
func finetuning() unlearn.Method[classifier] {
	return unlearn.Method[classifier]{
		Entry: catalogue.Entry{Name: "finetuning", Settings: []catalogue.Setting{
			{Name: "rate", Default: 0.05, Allowed: catalogue.Positive, Source: "tried"}}},
		Phases: func(p *unlearn.Plan) ([]unlearn.Phase[classifier], error) {
			return []unlearn.Phase[classifier]{{
				Streams: []string{unlearn.Retain}, Batch: 4, Rate: optim.Constant(p.Value("rate")),
				Loss: func(m unlearn.Models[classifier], b unlearn.Batch) *graph.Node {
					chances := graph.Softmax(m.Policy.Logits(b.Of(unlearn.Retain, "x")), -1)
					right := graph.ReduceSum(graph.Mul(chances, b.Of(unlearn.Retain, "class")), -1)
					return graph.Neg(graph.ReduceAllMean(graph.Log(right)))
				},
			}}, nil
		},
	}
}

// The example defines a modality that the engine does not know, with one method. It trains a model on exclusive or; all
// rows are in the retain set.
func Example() {
	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 2)
	_, err = d.Trace("a new model", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{logits(root.At(unlearn.Policy), inputs[0])}
	}, shapes.Make(dtypes.Float32, 1, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	rows := unlearn.Table{"x": tensors.FromFlatDataAndDimensions([]float32{0, 0, 0, 1, 1, 0, 1, 1}, 4, 2),
		"class": tensors.FromFlatDataAndDimensions([]float32{1, 0, 0, 1, 0, 1, 1, 0}, 4, 2)}
	task := unlearn.Task[classifier]{
		Streams: unlearn.Streams{unlearn.Retain: rows},
		View:    func(w unlearn.Weights) classifier { return classifier{w} },
	}
	job := unlearn.Job[classifier]{
		Device: d, Store: store, Task: task, Method: finetuning(), Budgets: []int{1, 100},
		Snapshot: func(_ context.Context, budget int) error {
			fmt.Println("judged after", budget, "passes")
			return nil
		},
	}
	result, err := job.Run(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("the loss falls from %.1f to %.1f\n", result.Log[0].Loss, result.Log[99].Loss)
	// Output:
	// judged after 1 passes
	// judged after 100 passes
	// the loss falls from 0.7 to 0.0
}
