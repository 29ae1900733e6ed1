package clip_test

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// A small model learns which of eight images and eight texts belong together.
func Example() {
	d, err := device.Open("")
	if err != nil {
		fmt.Println(err)
		return
	}
	c := clip.Small()
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	adam := optim.Optimizer{Rule: optim.AdamW{WeightDecay: .1}, ClipNorm: 1}
	step, err := d.Compile("train", store, func(s *model.Scope, in []*graph.Node) []*graph.Node {
		loss := clip.ContrastiveLoss(clip.Logits(s, clip.EncodeImage(s, c, in[0]), clip.EncodeText(s, c, in[1], nil)))
		adam.Minimize(s, loss, in[2])
		return []*graph.Node{loss}
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	random := seed.Stream(1, "batch")
	pixels := make([]float32, 8*3*c.Vision.Image*c.Vision.Image)
	for i := range pixels {
		pixels[i] = float32(random.NormFloat64())
	}
	tokens := make([]int32, 8*c.Text.Context)
	for i := range tokens {
		tokens[i] = int32(random.IntN(c.Text.Vocabulary))
	}
	images := tensors.FromFlatDataAndDimensions(pixels, 8, 3, c.Vision.Image, c.Vision.Image)
	ids := tensors.FromFlatDataAndDimensions(tokens, 8, c.Text.Context)
	var first, last float32
	for i := range 15 {
		outputs, err := step.Run(context.Background(), images, ids, 1e-3)
		if err != nil {
			fmt.Println(err)
			return
		}
		if last = outputs[0].Value().(float32); i == 0 {
			first = last
		}
	}
	fmt.Println("learnt:", last < first/4)
	// Output: learnt: true
}
