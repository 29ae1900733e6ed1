package causal

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// atOnce is the batch size of restored runs.
const atOnce = 16

// recording holds the clean and the corrupted run.
type recording struct {
	probabilities []float64
	embeddings    *tensors.Tensor // embeddings of the corrupted run, [1, T, Width]
	// clean and corrupted hold the outputs of all sites and layers, [sites · layers, T, Width], in the order of sites.
	clean, corrupted *tensors.Tensor
}

// free releases the memory without waiting for the garbage collector.
func (r *recording) free() {
	for _, tensor := range []*tensors.Tensor{r.embeddings, r.clean, r.corrupted} {
		tensor.FinalizeAll() //nolint:errcheck // it may be released already
	}
}

// program compiles a graph once per name. A graph is rebuilt for each length of prompts and answers.
func (t *Tracer) program(name string, build device.Build) (*device.Program, error) {
	if program, ok := t.programs[name]; ok {
		return program, nil
	}
	program, err := t.model.Device().Compile(name, t.model.Store, build)
	if err == nil {
		t.programs[name] = program
	}
	return program, err
}

// embed returns the embeddings of both prompts.
func (t *Tracer) embed(scope *model.Scope, inputs []*graph.Node) *graph.Node {
	if len(inputs) > 1 {
		return llava.Embed(scope, t.model.Vision(), inputs[1], inputs[0])
	}
	return t.model.Text.Embed(t.model.Decoder(scope), inputs[0])
}

// answerProbability returns the probability [B] of the answer int32 [A] from logits [B, A, Vocabulary].
func answerProbability(logits, answer *graph.Node) *graph.Node {
	shape := logits.Shape().Dimensions
	wanted := graph.BroadcastToDims(graph.InsertAxes(graph.OneHot(answer, shape[2], logits.DType()), 0), shape...)
	return graph.Exp(graph.ReduceSum(graph.Mul(graph.LogSoftmax(logits, -1), wanted), 1, 2))
}

// record computes the clean and the corrupted run.
func (t *Tracer) record(ctx context.Context, p *tokenizedSample) (*recording, error) {
	decoder := t.model.Text
	name := fmt.Sprintf("record activations before place %d", p.first+1)
	if p.sample.Image != nil {
		name += " with an image"
	}
	program, err := t.program(name,
		func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
			embeddings := t.embed(scope, inputs[1:])
			row := func(x *graph.Node, i int) *graph.Node { return graph.Slice(x, graph.AxisRange(i, i+1)) }
			outputs := make([]*graph.Node, len(sites)*decoder.Layers)
			logits := decoder.Tapped(t.model.Decoder(scope), embeddings, p.first,
				func(layer int, site llava.Site, x *graph.Node) *graph.Node {
					outputs[place(decoder, layer, site)] = graph.InsertAxes(x, 1)
					return x
				})
			all := graph.Concatenate(outputs, 1) // [2, sites · layers, T, Width]
			dimensions := all.Shape().Dimensions[1:]
			return []*graph.Node{answerProbability(logits, inputs[0]), row(embeddings, 1),
				graph.Reshape(row(all, 0), dimensions...), graph.Reshape(row(all, 1), dimensions...)}
		})
	if err != nil {
		return nil, err
	}
	ids := append(append([]int32{}, p.clean...), p.corrupted...)
	inputs := []any{tensors.FromFlatDataAndDimensions(p.answer, len(p.answer)),
		tensors.FromFlatDataAndDimensions(ids, 2, len(p.clean))}
	if p.sample.Image != nil {
		pixels, err := t.pixels(p)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, pixels)
	}
	outputs, err := program.Run(ctx, inputs...)
	if err != nil {
		return nil, err
	}
	r := &recording{embeddings: outputs[1], clean: outputs[2], corrupted: outputs[3]}
	for _, value := range tensors.MustCopyFlatData[float32](outputs[0]) {
		r.probabilities = append(r.probabilities, float64(value))
	}
	if math.IsNaN(r.probabilities[0] + r.probabilities[1]) {
		r.free()
		return nil, fmt.Errorf("the model's probability of the answer is not a number; look for NaN in its tensors")
	}
	return r, nil
}

// pixels returns the image twice, once for each run.
func (t *Tracer) pixels(p *tokenizedSample) (*tensors.Tensor, error) {
	if !t.model.Sees() {
		return nil, fmt.Errorf("the sample has an image, but the model reads none: use a LLaVA, or no image")
	}
	vision := t.model.Vision().Vision
	shape := []int{2, vision.Channels, vision.Image, vision.Image}
	if size := shape[1] * shape[2] * shape[3]; len(p.sample.Image) != size {
		return nil, fmt.Errorf("the image has %d values, the model takes %v", len(p.sample.Image), shape[1:])
	}
	return tensors.FromFlatDataAndDimensions(append(append([]float32{}, p.sample.Image...), p.sample.Image...),
		shape...), nil
}

// place returns the index of a site's output among the outputs of all sites and layers.
func place(decoder llava.Decoder, layer int, site llava.Site) int {
	for i := range sites {
		if sites[i].site == site {
			return i*decoder.Layers + layer
		}
	}
	panic(fmt.Sprintf("causal: a site %d", site))
}

// restore computes the corrupted run with the tasks' activations replaced by the clean ones. It returns the probability
// of the answer for each task.
func (t *Tracer) restore(ctx context.Context, p *tokenizedSample, r *recording, all []task,
	progress attack.Progress) ([]float64, error) {
	return t.patch(ctx, p, r.embeddings, r.clean, all, progress)
}

// patch runs embeddings [1, T, Width] with the activations of each task replaced by values [sites · layers, T, Width].
// All tasks share one graph: a mask selects the replaced activations.
func (t *Tracer) patch(ctx context.Context, p *tokenizedSample, embeddings, values *tensors.Tensor, all []task,
	progress attack.Progress) ([]float64, error) {
	decoder := t.model.Text
	program, err := t.program(fmt.Sprintf("restore activations before place %d", p.first+1),
		func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
			answer, embeddings, values, mask := inputs[0], inputs[1], inputs[2], inputs[3]
			shape := embeddings.Shape().Dimensions
			embeddings = graph.BroadcastToDims(embeddings, atOnce, shape[1], shape[2])
			logits := decoder.Tapped(t.model.Decoder(scope), embeddings, p.first,
				func(layer int, site llava.Site, x *graph.Node) *graph.Node {
					at := place(decoder, layer, site)
					kept := graph.BroadcastToShape(graph.Slice(values, graph.AxisRange(at, at+1)), x.Shape())
					here := graph.Reshape(graph.Slice(mask, graph.AxisRange(), graph.AxisRange(at, at+1)), atOnce,
						shape[1], 1)
					here = graph.NotEqual(here, graph.ScalarZero(here.Graph(), here.DType()))
					return graph.Where(graph.BroadcastToShape(here,
						shapes.Make(dtypes.Bool, x.Shape().Dimensions...)), kept, x)
				})
			return []*graph.Node{answerProbability(logits, answer)}
		})
	if err != nil {
		return nil, err
	}
	length, width := len(p.corrupted), len(sites)*decoder.Layers
	var found []float64
	for from := 0; from < len(all); from += atOnce {
		part := all[from:min(from+atOnce, len(all))]
		mask := make([]int32, atOnce*width*length)
		for i, task := range part {
			for layer := task.layers[0]; layer < task.layers[1]; layer++ {
				for _, position := range task.positions {
					mask[(i*width+task.site*decoder.Layers+layer)*length+position] = 1
				}
			}
		}
		outputs, err := program.Run(ctx, tensors.FromFlatDataAndDimensions(p.answer, len(p.answer)), embeddings, values,
			tensors.FromFlatDataAndDimensions(mask, atOnce, width, length))
		if err != nil {
			return nil, err
		}
		for _, value := range tensors.MustCopyFlatData[float32](outputs[0])[:len(part)] {
			found = append(found, float64(value))
		}
		if progress != nil {
			progress(len(found), len(all))
		}
	}
	return found, nil
}
