package nn_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// A model is a function of a scope and its inputs; its tensors have PyTorch's names and layouts.
func Example() {
	d, err := device.Open("go")
	if err != nil {
		log.Fatal(err)
	}
	store := model.NewStore()
	classify := func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		h := nn.Conv(scope.At("conv1"), x[0],
			nn.ConvConfig{Out: 8, Kernel: []int{3, 3}, Stride: []int{2, 2}, Padding: []int{1, 1}, Bias: true})
		h = nn.GlobalMeanPool(nn.ReLU(nn.GroupNorm(scope.At("norm1"), h, 2, 1e-5)))
		return []*graph.Node{nn.Linear(scope.At("fc"), h, 10, true)}
	}
	outputs, err := d.Trace("classify", store, classify, shapes.Make(dtypes.Float32, 4, 32, 32, 3))
	if err != nil {
		log.Fatal(err)
	}
	for v := range store.IterVariables() {
		fmt.Println(v.Path(), v.Shape().Dimensions)
	}
	fmt.Println(outputs[0].Dimensions)
	// Output:
	// /conv1/weight [8 3 3 3]
	// /conv1/bias [8]
	// /norm1/weight [8]
	// /norm1/bias [8]
	// /fc/weight [10 8]
	// /fc/bias [10]
	// [4 10]
}

// Six heads of queries share two heads of keys and values. The padding after the second key of the second sequence is
// hidden.
func ExampleAttention() {
	d, err := device.Open("go")
	if err != nil {
		log.Fatal(err)
	}
	decode := func(_ *model.Scope, x []*graph.Node) []*graph.Node {
		mask := graph.Const(x[0].Graph(), [][]bool{{true, true, true}, {true, true, false}})
		return []*graph.Node{nn.Attention(x[0], x[1], x[1],
			nn.AttentionConfig{Heads: 6, KeyValueHeads: 2, Causal: true, Mask: mask})}
	}
	outputs, err := d.Trace("decode", model.NewStore(), decode, shapes.Make(dtypes.Float32, 2, 3, 24),
		shapes.Make(dtypes.Float32, 2, 3, 8))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outputs[0].Dimensions)
	// Output:
	// [2 3 24]
}

func ExampleAdapt() {
	d, err := device.Open("go")
	if err != nil {
		log.Fatal(err)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	nn.Adapt(store.RootScope(), nn.LoRA{Rank: 2, Alpha: 4, Targets: []string{"q_proj"}})
	program, err := d.Compile("project", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{nn.Linear(scope.At("q_proj"), x[0], 3, false)}
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := program.Run(context.Background(), [][]float32{{1, 2, 3, 4}}); err != nil {
		log.Fatal(err)
	}
	for v := range store.IterVariables() {
		fmt.Println(v.Path(), v.Shape().Dimensions)
	}
	if err := nn.Merge(store.RootScope()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(store.NumVariables(), "tensor after merging")
	// Output:
	// /q_proj/weight [3 4]
	// /q_proj/lora_A/weight [2 4]
	// /q_proj/lora_B/weight [3 2]
	// 1 tensor after merging
}
