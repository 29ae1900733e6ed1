package train

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Numbers of clips per batch when judging. For eight published clips of ten seconds, the output of the first
// convolution alone takes half a gigabyte.
const (
	judgeBatch     = 32
	publishedBatch = 8
)

// judge computes the scores of a model on clips. Its program reads the weights from the store, so a judge can be reused
// while the model changes.
type judge struct {
	program *device.Program
	clips   *clips
	batch   int
}

func newJudge(d *device.Device, m *loaded, c *clips) (*judge, error) {
	program, err := d.Compile("judge clips", m.store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		logits := wav2vec2.Forward(root.At(unlearn.Policy), m.config, wav2vec2.Input{Values: x[0]}).Logits
		return []*graph.Node{crossEntropy(logits, x[1]), graph.ArgMax(logits, 1)}
	})
	if err != nil {
		return nil, err
	}
	j := &judge{program, c, judgeBatch}
	if c.test.published != nil {
		j.batch = min(publishedBatch, max(c.forget.Rows(), c.validation.Rows(), c.test.Rows()))
	}
	return j, nil
}

// crossEntropy returns the cross-entropy of each row.
func crossEntropy(logits, labels *graph.Node) *graph.Node {
	own := graph.OneHot(labels, logits.Shape().Dimensions[1], logits.DType())
	return graph.Neg(graph.ReduceSum(graph.Mul(own, graph.LogSoftmax(logits)), 1))
}

func (j *judge) close() { j.program.Close() }

// scores returns the scores of the forget, validation and test clips.
func (j *judge) scores(ctx context.Context) (all unslu.Scores, err error) {
	for _, part := range []struct {
		split string
		of    *table
	}{{unslu.Forget, j.clips.forget}, {unslu.Validation, j.clips.validation}, {unslu.Test, j.clips.test}} {
		scores, err := j.table(ctx, part.split, part.of)
		if err != nil {
			return nil, err
		}
		all = append(all, scores...)
	}
	return all, nil
}

// table judges the clips of a split. It pads the last batch, so that one compiled graph serves all batches.
func (j *judge) table(ctx context.Context, split string, t *table) (scores unslu.Scores, err error) {
	for begin := 0; begin < t.Rows(); begin += j.batch {
		rows := make([]int, j.batch)
		for i := range rows {
			rows[i] = min(begin+i, t.Rows()-1)
		}
		columns, err := t.Batch(rows)
		if err != nil {
			return nil, err
		}
		outputs, err := j.program.Run(ctx, columns[0], columns[1])
		if err != nil {
			return nil, err
		}
		losses, err := tensors.CopyFlatData[float32](outputs[0])
		if err != nil {
			return nil, err
		}
		predicted, err := tensors.CopyFlatData[int32](outputs[1])
		if err != nil {
			return nil, err
		}
		for i, row := range rows[:min(j.batch, t.Rows()-begin)] {
			u := t.utterances[row]
			scores = append(scores, unslu.Score{ID: u.ID, Split: split, Speaker: u.Speaker, Label: u.Label,
				Predicted: int(predicted[i]), Loss: float64(losses[i])})
		}
	}
	return scores, nil
}
