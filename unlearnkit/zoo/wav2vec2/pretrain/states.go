package pretrain

import (
	"context"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// States returns the output of a layer for each frame of each clip, without padding and noise. The encoder is below the
// plan's scope. In HuBERT's second iteration, the clusters are of these states. Layer 0 is the input of the first
// layer, and layer 1 its output. The original uses layer 6 of 12.
func States(ctx context.Context, d *device.Device, store *model.Store, plan Plan, layer int) ([][][]float32, error) {
	if err := plan.check(); err != nil {
		return nil, err
	}
	if layer < 0 || layer > plan.Encoder.NumHiddenLayers {
		return nil, fmt.Errorf("states of layer %d: the encoder has %d layers", layer, plan.Encoder.NumHiddenLayers)
	}
	quiet := Plan{Clips: plan.Clips} // without noise, which is not needed
	program, err := d.Compile("states", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		in, _ := quiet.take(inputs)
		states := wav2vec2.Forward(root.At("%s", plan.Scope), plan.Encoder, in).States
		return []*graph.Node{graph.ConvertDType(states[layer], dtypes.Float32)}
	})
	if err != nil {
		return nil, err
	}
	defer program.Close()
	states := make([][][]float32, len(plan.Clips.Samples))
	for begin := 0; begin < len(states); begin += plan.Rows {
		// The last batch is filled with the first clips, so that all batches use the same compiled graph.
		rows := make([]int, plan.Rows)
		for i := range rows {
			rows[i] = (begin + i) % len(states)
		}
		batch, lengths := quiet.soundInputs(rows, nil)
		var inputs []any
		for _, input := range batch {
			inputs = append(inputs, input)
		}
		outputs, err := program.Run(ctx, inputs...)
		if err != nil {
			return nil, err
		}
		for i, clip := range split(outputs[0]) {
			if begin+i < len(states) {
				states[begin+i] = clip[:plan.Encoder.Frames(lengths[i])]
			}
		}
	}
	return states, nil
}

func split(batch *tensors.Tensor) [][][]float32 {
	dimensions := batch.Shape().Dimensions
	values := tensors.MustCopyFlatData[float32](batch)
	clips := make([][][]float32, dimensions[0])
	for clip := range clips {
		for range dimensions[1] {
			clips[clip] = append(clips[clip], values[:dimensions[2]])
			values = values[dimensions[2]:]
		}
	}
	return clips
}
