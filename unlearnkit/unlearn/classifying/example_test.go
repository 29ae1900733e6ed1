package classifying_test

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
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// points is a classifier of points in the plane with one hidden layer.
type points struct{}

func (points) Logits(scope *model.Scope, x classifying.Rows) *graph.Node {
	return nn.Linear(scope.At("out"), graph.Tanh(nn.Linear(scope.At("hidden"), x.Input, 16, true)), 3, true)
}

func (points) Classes() int { return 3 }

func (points) Parts() []string { return []string{"hidden", "out"} }

// cloud returns forty points of each class, around the centre of the class.
func cloud(classes ...int32) unlearn.Table {
	centres := [][2]float64{{2, 0}, {-1, 2}, {-1, -2}}
	var places []float32
	var labels []int32
	for _, class := range classes {
		random := seed.Stream(1, "cloud", int(class))
		for range 40 {
			for _, centre := range centres[class] {
				places = append(places, float32(centre+0.5*random.NormFloat64()))
			}
			labels = append(labels, class)
		}
	}
	return unlearn.Table{classifying.Input: tensors.FromFlatDataAndDimensions(places, len(labels), 2),
		classifying.Label: tensors.FromFlatDataAndDimensions(labels, len(labels))}
}

// The example is a user's own method: forget rows must look equally like every class, and the retain set must stay
// known.
func Example() {
	undecided := classifying.Method{
		Entry: catalogue.Entry{Name: "undecided", Settings: []catalogue.Setting{
			{Name: "rate", Default: 0.01, Allowed: catalogue.Positive, Source: "tried"},
		}},
		Phases: func(p *unlearn.Plan) ([]classifying.Phase, error) {
			return []classifying.Phase{{
				Streams: []string{unlearn.Forget, unlearn.Retain}, Batch: 8, Rate: optim.Constant(p.Value("rate")),
				Loss: func(m classifying.Models, b unlearn.Batch) *graph.Node {
					forget := m.Policy.Logits(classifying.RowsOf(b, unlearn.Forget))
					even := classifying.Divergence(forget, graph.ZerosLike(forget), 1)
					return graph.Add(even, classifying.CrossEntropy(m.Policy, b, unlearn.Retain))
				},
			}}, nil
		},
	}

	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	store := model.NewStore()
	nn.Seed(store.RootScope().At(unlearn.Policy), 1)
	job := classifying.Job{Device: d, Store: store, Budgets: []int{10}, Seed: 1,
		Snapshot: func(context.Context, int) error { return nil }}

	// The model learns all classes by finetuning, on a task that keeps everything.
	if err := forward(d, store); err != nil {
		fmt.Println(err)
		return
	}
	job.Method, job.Values = classifying.Finetuning(), unlearn.Values{"rate": 0.02}
	job.Task = classifying.NewTask(points{}, unlearn.Streams{unlearn.Retain: cloud(0, 1, 2)})
	if _, err := job.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("learnt:   ", chances(d, store))

	job.Method, job.Values = undecided, nil
	job.Task = classifying.NewTask(points{},
		unlearn.Streams{unlearn.Forget: cloud(2), unlearn.Retain: cloud(0, 1)})
	if _, err := job.Run(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("unlearnt: ", chances(d, store))
	// Output:
	// learnt:    class 0: 1.00, class 1: 1.00, class 2: 1.00
	// unlearnt:  class 0: 0.98, class 1: 0.99, class 2: 0.27
}

// forward creates the model's tensors.
func forward(d *device.Device, store *model.Store) error {
	_, err := d.Trace("a new model", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{points{}.Logits(root.At(unlearn.Policy), classifying.Rows{Input: x[0]})}
	}, shapes.Make(dtypes.Float32, 1, 2))
	return err
}

// chances returns the probability that the model gives the right class, averaged over the points of each class.
func chances(d *device.Device, store *model.Store) (text string) {
	program, err := d.Compile("chances", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		logits := points{}.Logits(root.At(unlearn.Policy), classifying.Rows{Input: x[0]})
		return []*graph.Node{graph.ReduceMean(graph.Softmax(logits, -1), 0)}
	})
	if err != nil {
		return err.Error()
	}
	defer program.Close()
	for class := range int32(3) {
		outputs, err := program.Run(context.Background(), cloud(class)[classifying.Input])
		if err != nil {
			return err.Error()
		}
		mean := tensors.MustCopyFlatData[float32](outputs[0])[class]
		text += fmt.Sprintf(", class %d: %.2f", class, mean)
	}
	return text[2:]
}

// A small speech encoder that has learnt nothing yet is taught by bad teaching, for which the store has a second model.
func ExampleWav2Vec2() {
	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	config := wav2vec2.SmallGroup()
	config.NumLabels = 4
	store := model.NewStore()
	for number, name := range []string{unlearn.Policy, classifying.Incompetent} {
		nn.Seed(store.RootScope().At("%s", name), uint64(number))
		_, err := d.Trace("a new model", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
			return []*graph.Node{wav2vec2.Forward(root.At("%s", name), config, wav2vec2.Input{Values: x[0]}).Logits}
		}, shapes.Make(dtypes.Float32, 1, 800))
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	clips := func(name string, count int) unlearn.Table {
		random := seed.Stream(1, name)
		values, labels := make([]float32, count*800), make([]int32, count)
		for i := range values {
			values[i] = float32(random.NormFloat64())
		}
		for i := range labels {
			labels[i] = int32(random.IntN(4))
		}
		return unlearn.Table{classifying.Input: tensors.FromFlatDataAndDimensions(values, count, 800),
			classifying.Label: tensors.FromFlatDataAndDimensions(labels, count)}
	}
	result, err := classifying.Job{
		Device: d, Store: store, Method: classifying.BadTeaching(), Budgets: []int{2}, Seed: 1,
		Task: classifying.Wav2Vec2(config,
			unlearn.Streams{unlearn.Forget: clips("forget", 4), unlearn.Retain: clips("retain", 16)}),
		Snapshot: func(_ context.Context, budget int) error {
			fmt.Println("judged after", budget, "passes")
			return nil
		},
	}.Run(context.Background())
	fmt.Println(len(result.Log), "steps,", err)
	// Output:
	// judged after 2 passes
	// 6 steps, <nil>
}

func ExampleMethods() {
	for _, m := range classifying.Methods() {
		fmt.Print(m.Title, " ")
	}
	// Output:
	// FT NG NG+ CF-k UNSIR BT BT-L SCRUB
}
