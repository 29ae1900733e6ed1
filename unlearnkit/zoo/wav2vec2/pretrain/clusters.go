package pretrain

import (
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Clusters is the objective of HuBERT (Hsu et al., 2021, §II): for each masked frame, the model predicts the
// cluster of the frame's sound. Other frames are ignored.
//
// Its tensors, final_proj and label_embs_concat, have the same names as in fairseq's model.
type Clusters struct {
	Count int // number of clusters
	Width int // width of the vectors that represent clusters
	// LogitTemperature is τ in equation (3).
	LogitTemperature float64
}

// Check returns an error for the first field that is not valid.
func (c Clusters) Check() error {
	switch {
	case c.Count < 2 || c.Count > 1<<16:
		return fmt.Errorf("objective of clusters: %d clusters, there must be between 2 and %d", c.Count, 1<<16)
	case c.Width < 1 || c.Width > 1<<14:
		return fmt.Errorf("objective of clusters: the width is %d, it must be between 1 and %d", c.Width, 1<<14)
	case !(c.LogitTemperature > 0):
		return fmt.Errorf("objective of clusters: the temperature is %g, it must be positive", c.LogitTemperature)
	}
	return nil
}

// ClustersInput is a batch. Its Noise must contain the masked frames, "mask_time_indices".
type ClustersInput struct {
	wav2vec2.Input
	Targets *graph.Node // cluster of each frame [B, frames]
}

// ClustersLoss holds the loss and two counts, all of which are scalars.
type ClustersLoss struct {
	Total   *graph.Node // sum over the masked frames, as in fairseq
	Correct *graph.Node // number of masked frames whose cluster is the most likely one
	Masked  *graph.Node // number of masked frames
}

// Loss applies the model whose tensors are below scope. The probabilities of the clusters are the softmax of the cosine
// similarities between the projected state and the clusters' vectors, divided by the temperature, as in equation (3).
func (c Clusters) Loss(scope *model.Scope, encoder wav2vec2.Config, in ClustersInput) ClustersLoss {
	masked := in.Noise[maskedFrames]
	if masked == nil {
		panic(fmt.Errorf("the objective of clusters needs the masked frames (the noise %q)", maskedFrames))
	}
	hidden := projection(scope.At("final_proj"), wav2vec2.Forward(scope, encoder, in.Input).Hidden, c.Width)
	vectors := nn.Parameter(scope, hidden, "label_embs_concat", fromZeroToOne, c.Count, c.Width)
	logits := graph.DivScalar(graph.Einsum("btd,cd->btc", unit(hidden), unit(vectors)), c.LogitTemperature)
	weights := graph.ConvertDType(masked, logits.DType())
	wanted := graph.OneHot(in.Targets, c.Count, logits.DType())
	losses := graph.Neg(graph.ReduceSum(graph.Mul(graph.LogSoftmax(logits, -1), wanted), -1))
	right := graph.Equal(graph.ArgMax(logits, -1, dtypes.Int32), graph.ConvertDType(in.Targets, dtypes.Int32))
	return ClustersLoss{
		Total:   graph.ReduceAllSum(graph.Mul(losses, weights)),
		Correct: graph.ReduceAllSum(graph.Mul(graph.ConvertDType(right, weights.DType()), weights)),
		Masked:  graph.ReduceAllSum(weights),
	}
}

// Steps returns the steps for pre-training with clusters, of which each clip has one for each frame of the encoder, as
// returned by [FrameTargets]. The loss of a step is the mean over its masked frames.
func (c Clusters) Steps(plan Plan, targets [][]int32) (Steps, error) {
	for _, check := range []func() error{c.Check, plan.check, plan.checkMasks} {
		if err := check(); err != nil {
			return Steps{}, err
		}
	}
	if err := c.checkTargets(plan, targets); err != nil {
		return Steps{}, err
	}
	walk := train.NewWalk(plan.Seed, "clusters", len(plan.Clips.Samples))
	return Steps{
		Loss: func(root *model.Scope, inputs []*graph.Node) *graph.Node {
			in, rest := plan.take(inputs)
			loss := c.Loss(root.At("%s", plan.Scope), plan.Encoder, ClustersInput{in, rest[0]})
			return graph.Div(loss.Total, loss.Masked)
		},
		Batch: func(step int) (train.Batch, error) {
			rows := walk.Rows(step*plan.Rows, plan.Rows)
			inputs, _ := plan.soundInputs(rows, seed.Stream(plan.Seed, "clusters", "step", step))
			frames := plan.Encoder.Frames(len(plan.Clips.Samples[0]))
			flat := make([]int32, len(rows)*frames)
			for row, clip := range rows {
				copy(flat[row*frames:], targets[clip])
			}
			inputs = append(inputs, tensors.FromFlatDataAndDimensions(flat, len(rows), frames))
			return train.Batch{Inputs: inputs, Examples: plan.Rows}, nil
		},
	}, nil
}

func (c Clusters) checkTargets(plan Plan, targets [][]int32) error {
	if len(targets) != len(plan.Clips.Samples) {
		return fmt.Errorf("%d clips have the clusters of %d", len(plan.Clips.Samples), len(targets))
	}
	for i, clusters := range targets {
		if want := plan.Encoder.Frames(plan.Clips.length(i)); len(clusters) != want {
			return fmt.Errorf("clip %d has %d clusters, the encoder makes %d frames of it", i, len(clusters), want)
		}
		for frame, cluster := range clusters {
			if cluster < 0 || int(cluster) >= c.Count {
				return fmt.Errorf("clip %d: the cluster of frame %d is %d, there are %d", i, frame, cluster, c.Count)
			}
		}
	}
	return nil
}

// FrameTargets returns a cluster for each frame that the encoder computes from a number of samples. The given rows of
// clusters are hop samples apart. As in fairseq, each frame gets the last row that does not begin after the frame. This
// is the last row of all for frames near the end, where windows of rows no longer fit.
func FrameTargets(encoder wav2vec2.Config, samples int, rows []int32, hop int) ([]int32, error) {
	if len(rows) == 0 || hop < 1 {
		return nil, fmt.Errorf("frames: %d clusters %d samples apart, at least one of each is needed", len(rows), hop)
	}
	stride := 1
	for _, s := range encoder.ConvStride {
		stride *= s
	}
	targets := make([]int32, encoder.Frames(samples))
	for frame := range targets {
		targets[frame] = rows[min(frame*stride/hop, len(rows)-1)]
	}
	return targets, nil
}
