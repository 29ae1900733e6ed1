package exposure_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// BenchmarkSharedPrefix times candidates after a prefix of 40 tokens and an image, with the prefix's cached keys and
// values, and reading the prefix again with each candidate.
func BenchmarkSharedPrefix(b *testing.B) {
	for _, side := range []int{32, 96} { // images of 16 and 144 tokens; LLaVA 1.5 has 576
		config := llava.SmallL()
		config.Vision.Image = side
		config.Text.Context = 512
		prompt := llava.Prompt{IDs: []int32{1, config.Placeholder}, Pixels: make([]float32, 3*side*side)}
		for i := range 40 {
			prompt.IDs = append(prompt.IDs, int32(20+i))
		}
		var candidates [][]int32
		for i := range 16 {
			candidates = append(candidates, []int32{int32(100 + i), 7, int32(200 + i), 9})
		}
		name := fmt.Sprintf("image of %d tokens", config.ImageTokens())
		b.Run(name+", shared", func(b *testing.B) { benchmarkShared(b, config, prompt, candidates) })
		b.Run(name+", plain", func(b *testing.B) { benchmarkPlain(b, config, prompt, candidates) })
	}
}

func seeded() *model.Store {
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	return store
}

func benchmarkShared(b *testing.B, config llava.Config, prompt llava.Prompt, candidates [][]int32) {
	generator := config.Generator(devicetest.Open(b), seeded().RootScope())
	defer generator.Close()
	read := func() {
		if _, err := generator.LogProbs(b.Context(), prompt, candidates); err != nil {
			b.Fatal(err)
		}
	}
	read() // the first call compiles the graph
	for b.Loop() {
		read()
	}
}

func benchmarkPlain(b *testing.B, config llava.Config, prompt llava.Prompt, candidates [][]int32) {
	program, err := devicetest.Open(b).Compile("plain forwards", seeded(),
		func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
			return []*graph.Node{llava.LogProbs(llava.Logits(scope, config, inputs[0], inputs[1], nil), inputs[1])}
		})
	if err != nil {
		b.Fatal(err)
	}
	defer program.Close()
	expanded, err := config.Expand(prompt.IDs)
	if err != nil {
		b.Fatal(err)
	}
	var ids []int32
	for _, candidate := range candidates {
		ids = append(append(ids, expanded...), candidate...)
	}
	rows := len(candidates)
	pixels := tensors.FromFlatDataAndDimensions(slices.Repeat(prompt.Pixels, rows), rows, 3, config.Vision.Image,
		config.Vision.Image)
	all := tensors.FromFlatDataAndDimensions(ids, rows, len(ids)/rows)
	read := func() {
		if _, err := program.Run(b.Context(), pixels, all); err != nil {
			b.Fatal(err)
		}
	}
	read()
	for b.Loop() {
		read()
	}
}
