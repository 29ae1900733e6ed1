package unlearn

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// Task is what a modality offers to methods.
type Task interface {
	// Stream returns the rows of a name, or nil.
	Stream(name string) Stream
	// After ends each step; clamping a variable of the policy, for example.
	After(policy *model.Scope, g *graph.Graph)
}

// Stream is a table of examples.
type Stream interface {
	Rows() int
	// Columns are the names of what Batch returns.
	Columns() []string
	// Batch returns the columns of some rows, in that order: tensors whose first axis is that of rows. The others have
	// the same dimensions in all batches, for each of which a graph would have to be built.
	Batch(rows []int) ([]*tensors.Tensor, error)
}

// Contrastive is a task of models that embed images and texts on one sphere.
type Contrastive interface {
	Task
	// EmbedImage and EmbedText return embeddings of length one; LogitScale is the scalar that multiplies their cosines.
	EmbedImage(scope *model.Scope, pixels *graph.Node) *graph.Node
	EmbedText(scope *model.Scope, ids *graph.Node) *graph.Node
	LogitScale(scope *model.Scope, g *graph.Graph) *graph.Node
}

// Models are the model that is changed and the frozen one from which it started; the latter only in methods that ask
// for a Reference.
type Models struct{ Policy, Reference View }

// View is a model as losses see it. What a frozen model returns has no gradient.
type View struct {
	task   Task
	scope  *model.Scope
	frozen bool
}

// Image returns the embeddings of images.
func (v View) Image(pixels *graph.Node) *graph.Node {
	return v.hold(v.contrastive().EmbedImage(v.scope, pixels))
}

// Text returns the embeddings of texts.
func (v View) Text(ids *graph.Node) *graph.Node {
	return v.hold(v.contrastive().EmbedText(v.scope, ids))
}

// Logits are the scaled cosines [images, texts] of embeddings.
func (v View) Logits(images, texts *graph.Node) *graph.Node {
	scale := v.hold(v.contrastive().LogitScale(v.scope, images.Graph()))
	return graph.Mul(scale, graph.DotGeneral(images, []int{1}, nil, texts, []int{1}, nil))
}

func (v View) contrastive() Contrastive {
	if v.task == nil {
		panic("the method reads its reference, but Method.Reference is not set")
	}
	c, ok := v.task.(Contrastive)
	if !ok {
		panic(fmt.Sprintf("the method embeds images and texts, which a %T does not", v.task))
	}
	return c
}

// Noise predicts the noise in samples [n, channels, height, width] at timesteps [n], given texts by their token ids [n,
// length].
func (v View) Noise(sample, timestep, ids *graph.Node) *graph.Node {
	return v.hold(v.denoising().Noise(v.scope, sample, timestep, ids))
}

// Noisy gives originals with noise of the strength that their timesteps have.
func (v View) Noisy(original, noise, timestep *graph.Node) *graph.Node {
	return v.denoising().Noisy(original, noise, timestep)
}

// NoiseError is the error of predictions of noise, a scalar.
func (v View) NoiseError(predicted, wanted, timestep *graph.Node) *graph.Node {
	return v.denoising().NoiseError(predicted, wanted, timestep)
}

func (v View) denoising() Denoising {
	if v.task == nil {
		panic("the method reads its reference, but Method.Reference is not set")
	}
	d, ok := v.task.(Denoising)
	if !ok {
		panic(fmt.Sprintf("the method predicts noise, which a %T does not", v.task))
	}
	return d
}

func (v View) hold(x *graph.Node) *graph.Node {
	if v.frozen {
		return graph.StopGradient(x)
	}
	return x
}

// Batch is the rows of a step, within its graph.
type Batch struct {
	columns     map[string]map[string]*graph.Node // by stream and name
	permutation *graph.Node
}

// Of returns a column of the rows of a stream.
func (b Batch) Of(stream, column string) *graph.Node {
	columns, read := b.columns[stream]
	if !read {
		panic(fmt.Errorf("the loss reads the stream %q, the phase only %s", stream,
			strings.Join(slices.Sorted(maps.Keys(b.columns)), ", ")))
	}
	node, ok := columns[column]
	if !ok {
		panic(fmt.Errorf("the task's stream %q has no column %q; it has %s", stream, column,
			strings.Join(slices.Sorted(maps.Keys(columns)), ", ")))
	}
	return node
}

// Shuffled returns x with its rows in another order, a new one each step, the same for all that is shuffled in the
// step.
func (b Batch) Shuffled(x *graph.Node) *graph.Node {
	return graph.Gather(x, graph.InsertAxes(b.permutation, -1))
}
