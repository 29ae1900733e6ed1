package compute

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// Classes of a classifier that tells two models' pictures apart.
const (
	byUnlearned = int32(iota)
	byOriginal
)

// negatives is how many pictures of the other class a triplet's anchor is compared with.
const negatives = 3

// classifier is a judge with another last layer, which says which of two models drew a picture.
type classifier struct {
	*residual
	telling *device.Program            // its answers, once they are asked for
	steps   map[string]*device.Program // of fitting, by what is compiled into them
}

// fits has where what the optimizers remember stands.
const fits = "fits"

// fresh is the judge's classifier before it has learnt anything: the judge's values, and a last layer with PyTorch's
// first ones.
func (j *judge) fresh(root uint64) (*classifier, error) {
	if j.classifier == nil {
		config := j.config
		config.Classes = 2
		network, err := newResidual(j.device, config, j.image, 0)
		if err != nil {
			return nil, err
		}
		j.classifier = &classifier{residual: network, steps: map[string]*device.Program{}}
	}
	c := j.classifier
	random := seed.Stream(root, "concealment", "head")
	bound := 1 / math.Sqrt(float64(c.config.FeatureWidth()))
	for _, variable := range slices.SortedFunc(c.scope().IterVariables(), func(a, b *model.Variable) int {
		return strings.Compare(a.Path(), b.Path())
	}) {
		var value *tensors.Tensor
		if resnet.Head(variable.Path()) {
			values := make([]float32, variable.Shape().Size())
			for i := range values {
				values[i] = float32((2*random.Float64() - 1) * bound)
			}
			value = tensors.FromFlatDataAndDimensions(values, variable.Shape().Dimensions...)
		} else {
			own, err := j.store.GetVariable(variable.Path()).Value()
			if err != nil {
				return nil, err
			}
			if value, err = own.LocalClone(); err != nil {
				return nil, err
			}
		}
		if err := variable.SetValue(value); err != nil {
			return nil, err
		}
	}
	for variable := range c.store.Scope("/" + fits).IterVariables() {
		if err := variable.SetValue(tensors.FromShape(variable.Shape())); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func (c *classifier) close() {
	if c.telling != nil {
		c.telling.Close()
	}
	for _, step := range c.steps {
		step.Close()
	}
	c.store.Finalize()
}

// tell gives the probability that the original model drew each picture, and the pictures' features one behind the
// other.
func (c *classifier) tell(ctx context.Context, pictures []float32) (probabilities, features []float32, err error) {
	values, err := c.through(ctx, &c.telling, "tell models apart", pictures, func(images *graph.Node) []*graph.Node {
		out := resnet.Forward(c.scope(), c.config, images, resnet.Mode{})
		return []*graph.Node{graph.Slice(graph.Softmax(out.Logits, -1), graph.AxisRange(),
			graph.AxisElem(int(byOriginal))), out.Features}
	})
	if err != nil {
		return nil, nil, err
	}
	return values[0], values[1], nil
}

// fit trains the classifier: its last layer by cross-entropy, as the paper's text says, or all layers by cross-entropy
// and a triplet loss, as its code does.
func (c *classifier) fit(ctx context.Context, name string, l *lessons, fit concealment.Fit, root uint64,
	progress func(done, of int)) error {
	step, err := c.step(name, fit)
	if err != nil {
		return err
	}
	classes := [][]int{l.of(byUnlearned), l.of(byOriginal)}
	if len(classes[0]) == 0 || len(classes[1]) == 0 {
		return fmt.Errorf("the classifier %s has pictures of one model only to learn from: choose larger sets, or "+
			"hold fewer than %v of them", name, fit.Held)
	}
	done, total := 0, fit.Epochs*((len(l.learnt)+fit.Batch-1)/fit.Batch)
	for epoch := range fit.Epochs {
		random := seed.Stream(root, "concealment", "fit", epoch)
		order := slices.Clone(l.learnt)
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for rows := range slices.Chunk(order, fit.Batch) {
			labels := make([]int32, len(rows))
			var positive, negative []int
			for i, row := range rows {
				labels[i] = l.labels[row]
				same, other := classes[labels[i]], classes[1-labels[i]]
				positive = append(positive, same[random.IntN(len(same))])
				for range negatives {
					negative = append(negative, other[random.IntN(len(other))])
				}
			}
			inputs := []any{c.images(l, rows), tensors.FromFlatDataAndDimensions(labels, len(labels)), fit.Rate}
			if name != concealment.Classifiers[0] {
				inputs = append(inputs, c.images(l, positive), c.images(l, negative))
			}
			outputs, err := step.Run(ctx, inputs...)
			if err != nil {
				return err
			}
			if loss := float64(tensors.ToScalar[float32](outputs[0])); math.IsNaN(loss) || math.IsInf(loss, 0) {
				return fmt.Errorf("the classifier %s: the loss is %v after %d steps: choose a lower rate than %v", name,
					loss, done, fit.Rate)
			}
			done++
			progress(done, total)
		}
	}
	return nil
}

func (c *classifier) images(l *lessons, rows []int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(l.pictures.rows(rows), len(rows), channels, c.image, c.image)
}

// step is a program that makes one step: of images, labels, the rate, and for triplets positives and negatives.
func (c *classifier) step(name string, fit concealment.Fit) (*device.Program, error) {
	key := fmt.Sprint(name, " ", fit.Momentum, " ", fit.Margin)
	if step := c.steps[key]; step != nil {
		return step, nil
	}
	optimizer := optim.Optimizer{Rule: optim.SGD{Momentum: fit.Momentum}, Scope: fits + "/" + name}
	loss := func(in []*graph.Node) *graph.Node {
		negative := graph.Reshape(in[4], in[0].Shape().Dimensions[0], negatives, channels, c.image, c.image)
		return resnet.FullTriplet(c.scope(), c.config, in[0], in[3], negative, in[1], fit.Margin).Total
	}
	if name == concealment.Classifiers[0] {
		optimizer.Select = func(path string) float64 {
			if resnet.Head(path) {
				return 1
			}
			return 0
		}
		loss = func(in []*graph.Node) *graph.Node { return resnet.HeadOnly(c.scope(), c.config, in[0], in[1]) }
	}
	step, err := c.device.Compile("fit "+name, c.store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
		total := loss(in)
		return []*graph.Node{total, optimizer.Minimize(c.scope(), total, in[2])}
	})
	if err != nil {
		return nil, err
	}
	c.steps[key] = step
	return step, nil
}
