package discriminator

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// Classes of a classifier that distinguishes the pictures of two models.
const (
	ByUnlearned = int32(iota)
	byOriginal
)

// Ways of fitting a classifier: the last layer by cross-entropy, or all layers by cross-entropy and a triplet loss.
const (
	HeadOnly    = "head_only"
	FullTriplet = "full_triplet"
)

// Fit configures the training of a classifier.
type Fit struct {
	Epochs   int
	Batch    int
	Rate     float64
	Momentum float64
	Margin   float64 // margin of the triplet loss
	Held     float64 // share of the pictures held out for validation
}

// PaperFit returns the paper's settings.
func PaperFit() Fit { return Fit{Epochs: 10, Batch: 32, Rate: 1e-3, Momentum: .9, Margin: 1, Held: .2} }

// Streams derives the random numbers of a classifier from a name and a seed.
type Streams struct {
	Name string
	Seed uint64
}

func (s Streams) stream(path ...any) *rand.Rand {
	return seed.Stream(s.Seed, append([]any{s.Name}, path...)...)
}

// negatives is the number of pictures of the other class that a triplet's anchor is compared with.
const negatives = 3

// Classifier is a network with a new last layer that predicts which of two models drew a picture.
type Classifier struct {
	*Network
	from       *Network
	prediction *device.Program            // prediction, compiled at its first use
	steps      map[string]*device.Program // training steps, by what is compiled into them
}

// fits is the parent scope of the optimizers' state.
const fits = "fits"

// NewClassifier returns a classifier that takes its initial values from a network, see Fresh.
func NewClassifier(from *Network) (*Classifier, error) {
	config := from.Config
	config.Classes = 2
	network, err := New(from.Device, config, from.Edge, from.Within, from.AtOnce, 0)
	if err != nil {
		return nil, err
	}
	return &Classifier{Network: network, from: from, steps: map[string]*device.Program{}}, nil
}

// Fresh resets the classifier: it copies the network's values and draws the last layer as PyTorch initialises it.
func (c *Classifier) Fresh(from Streams) error {
	random := from.stream("head")
	bound := 1 / math.Sqrt(float64(c.Config.FeatureWidth()))
	for _, variable := range slices.SortedFunc(c.Scope().IterVariables(), func(a, b *model.Variable) int {
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
			own, err := c.from.Store.GetVariable(variable.Path()).Value()
			if err != nil {
				return err
			}
			if value, err = own.LocalClone(); err != nil {
				return err
			}
		}
		if err := variable.SetValue(value); err != nil {
			return err
		}
	}
	for variable := range c.Store.Scope("/" + fits).IterVariables() {
		if err := variable.SetValue(tensors.FromShape(variable.Shape())); err != nil {
			return err
		}
	}
	return nil
}

// Close releases the graphs and the values.
func (c *Classifier) Close() {
	if c.prediction != nil {
		c.prediction.Close()
	}
	for _, step := range c.steps {
		step.Close()
	}
	c.Store.Finalize()
}

// Predict returns the probability that the original model drew each picture, and the pictures' concatenated features.
func (c *Classifier) Predict(ctx context.Context, pictures []float32) (probabilities, features []float32, err error) {
	values, err := c.Through(ctx, &c.prediction, "tell models apart", pictures, func(images *graph.Node) []*graph.Node {
		out := resnet.Forward(c.Scope(), c.Config, images, resnet.Mode{})
		return []*graph.Node{graph.Slice(graph.Softmax(out.Logits, -1), graph.AxisRange(),
			graph.AxisElem(int(byOriginal))), out.Features}
	})
	if err != nil {
		return nil, nil, err
	}
	return values[0], values[1], nil
}

// Fit trains the classifier: only the last layer by cross-entropy, as in the paper's text, or all layers by
// cross-entropy and a triplet loss, as in its code.
func (c *Classifier) Fit(ctx context.Context, name string, l *Lessons, fit Fit, from Streams,
	progress func(done, of int)) error {
	step, err := c.step(name, fit)
	if err != nil {
		return err
	}
	classes := [][]int{l.rowsOf(ByUnlearned), l.rowsOf(byOriginal)}
	if len(classes[0]) == 0 || len(classes[1]) == 0 {
		return fmt.Errorf("the classifier %s has pictures of one model only to learn from: choose larger sets, or "+
			"hold out less than %v of them", name, fit.Held)
	}
	done, total := 0, fit.Epochs*((len(l.Learnt)+fit.Batch-1)/fit.Batch)
	for epoch := range fit.Epochs {
		random := from.stream("fit", epoch)
		order := slices.Clone(l.Learnt)
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for rows := range slices.Chunk(order, fit.Batch) {
			labels := make([]int32, len(rows))
			var positive, negative []int
			for i, row := range rows {
				labels[i] = l.Labels[row]
				same, other := classes[labels[i]], classes[1-labels[i]]
				positive = append(positive, same[random.IntN(len(same))])
				for range negatives {
					negative = append(negative, other[random.IntN(len(other))])
				}
			}
			inputs := []any{c.images(l, rows), tensors.FromFlatDataAndDimensions(labels, len(labels)), fit.Rate}
			if name != HeadOnly {
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

func (c *Classifier) images(l *Lessons, rows []int) *tensors.Tensor {
	return tensors.FromFlatDataAndDimensions(l.Pictures.Rows(rows), len(rows), Channels, c.Edge, c.Edge)
}

// step returns the compiled training step. Its inputs are images, labels, the rate, and for triplets positives and
// negatives.
func (c *Classifier) step(name string, fit Fit) (*device.Program, error) {
	key := fmt.Sprint(name, " ", fit.Momentum, " ", fit.Margin)
	if step := c.steps[key]; step != nil {
		return step, nil
	}
	optimizer := optim.Optimizer{Rule: optim.SGD{Momentum: fit.Momentum}, Scope: fits + "/" + name}
	loss := func(in []*graph.Node) *graph.Node {
		negative := graph.Reshape(in[4], in[0].Shape().Dimensions[0], negatives, Channels, c.Edge, c.Edge)
		return resnet.FullTriplet(c.Scope(), c.Config, in[0], in[3], negative, in[1], fit.Margin).Total
	}
	if name == HeadOnly {
		optimizer.Select = func(path string) float64 {
			if resnet.Head(path) {
				return 1
			}
			return 0
		}
		loss = func(in []*graph.Node) *graph.Node { return resnet.HeadOnly(c.Scope(), c.Config, in[0], in[1]) }
	}
	step, err := c.Device.Compile("fit "+name, c.Store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
		total := loss(in)
		return []*graph.Node{total, optimizer.Minimize(c.Scope(), total, in[2])}
	})
	if err != nil {
		return nil, err
	}
	c.steps[key] = step
	return step, nil
}
