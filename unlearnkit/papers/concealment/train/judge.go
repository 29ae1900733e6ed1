package train

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// kinds lists the number of answers to each of the judge's questions, in the order of the judge's outputs.
var kinds = []int{concept.Objects, concept.Styles, concept.Colours, concept.Textures}

// answers returns the labels of a picture in the order of kinds.
func answers(l concept.Labels) []int32 {
	return []int32{int32(l.Object), int32(l.Style), int32(l.Colour), int32(l.Texture)}
}

// judgeScope is the scope of the judge's tensors.
const judgeScope = "judge"

func newResidual(d *device.Device, c resnet.Config, image int, seed uint64) (*discriminator.Network, error) {
	return discriminator.New(d, c, image, judgeScope, judgedAtOnce, seed)
}

// judge is a network that labels pictures. Its last layer answers the questions about object, style, colour and
// texture.
type judge struct {
	*discriminator.Network
	answering, describing *device.Program           // programs of see and of features; nil before their first call
	classifier            *discriminator.Classifier // classifier with the judge's network; nil before its first use
}

func (j *judge) close() {
	for _, program := range []*device.Program{j.answering, j.describing} {
		if program != nil {
			program.Close()
		}
	}
	if j.classifier != nil {
		j.classifier.Close()
	}
	j.Store.Finalize()
}

// parts splits the logits into the logits of each question.
func parts(logits *graph.Node) []*graph.Node {
	var parts []*graph.Node
	at := 0
	for _, count := range kinds {
		parts = append(parts, graph.Slice(logits, graph.AxisRange(), graph.AxisRange(at, at+count)))
		at += count
	}
	return parts
}

// Judge trains the judge, which labels pictures.
func (l *Lab) Judge(ctx context.Context, spec concealment.JudgeSpec, _ study.Inputs, w *store.Work,
	progress study.Progress) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	world, err := open(spec.World)
	if err != nil {
		return err
	}
	outputs := 0
	for _, count := range kinds {
		outputs += count
	}
	config := resnet.Config{Blocks: spec.Blocks, Widths: spec.Widths, StemKernel: 3, StemStride: 1, Classes: outputs}
	if err := config.Check(); err != nil {
		return err
	}
	network, err := newResidual(d, config, spec.World.ImageSize, seed.Derive(spec.Seed, "concealment", "judge"))
	if err != nil {
		return err
	}
	j := &judge{Network: network}
	defer j.close()
	log, err := j.job(spec, world, lab.Checkpoint(w), progress).Run(ctx)
	if err != nil {
		return err
	}
	if err := log.WriteParquet(w.Path(study.StepsFile)); err != nil {
		return err
	}
	if err := j.examine(ctx, world, w); err != nil {
		return err
	}
	return j.save(w.Dir())
}

// job returns the training job of the judge. Its loss is the sum of the cross-entropies of all questions.
func (j *judge) job(spec concealment.JudgeSpec, world *concept.World, checkpoint string,
	progress study.Progress) train.Job {
	pictures := rendered(world, concept.ClassifierTrain, nil)
	walk := train.NewWalk(spec.Seed, "judge", len(world.Pictures(concept.ClassifierTrain)))
	size := spec.World.ImageSize
	return train.Job{
		Stage: "train the judge", Device: j.Device, Store: j.Store, Scope: judgeScope,
		Loss: func(root *model.Scope, in []*graph.Node) *graph.Node {
			var total *graph.Node
			for i, logits := range parts(resnet.Forward(root.At(judgeScope), j.Config, in[0],
				resnet.Mode{Training: true}).Logits) {
				loss := resnet.CrossEntropy(logits,
					graph.Reshape(graph.Slice(in[1], graph.AxisRange(), graph.AxisElem(i)), -1))
				if total == nil {
					total = loss
				} else {
					total = graph.Add(total, loss)
				}
			}
			return total
		},
		Optimizer: optim.Optimizer{Rule: optim.AdamW{Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, WeightDecay: spec.Decay},
			NoDecay: optim.NoDecayForVectors},
		Schedule: optim.Cosine{Peak: spec.Rate, Warmup: spec.Warmup, Steps: spec.Steps},
		Steps:    spec.Steps,
		Batch: func(step int) (train.Batch, error) {
			rows := walk.Rows(step*spec.Batch, spec.Batch)
			shown := pictures.Rows(rows)
			noise(shown, pictures.Each, spec.Noise, seed.Stream(spec.Seed, "concealment", "noise of pictures", step))
			var labels []int32
			for _, row := range rows {
				labels = append(labels, answers(world.Pictures(concept.ClassifierTrain)[row].Labels)...)
			}
			return train.Batch{Examples: len(rows), Inputs: []*tensors.Tensor{
				tensors.FromFlatDataAndDimensions(shown, len(rows), discriminator.Channels, size, size),
				tensors.FromFlatDataAndDimensions(labels, len(rows), len(kinds)),
			}}, nil
		},
		Checkpoint: checkpoint, Progress: progress,
	}
}

// noise adds noise to each picture. each is the number of values in a picture. For each picture, the standard deviation
// is drawn between 0 and most.
func noise(pictures []float32, each int, most float64, source *rand.Rand) {
	if most == 0 {
		return
	}
	for begin := 0; begin < len(pictures); begin += each {
		deviation := most * source.Float64()
		for i := range each {
			pictures[begin+i] += float32(deviation * source.NormFloat64())
		}
	}
	copy(pictures, cut(pictures))
}

// examine notes the judge's accuracy on held-out pictures.
func (j *judge) examine(ctx context.Context, world *concept.World, w *store.Work) error {
	seen, err := j.see(ctx, rendered(world, concept.ClassifierTest, nil).Values)
	if err != nil {
		return err
	}
	right := make([]int, len(kinds))
	for i, picture := range world.Pictures(concept.ClassifierTest) {
		for kind, answer := range answers(picture.Labels) {
			if seen[i].best(kind) == int(answer) {
				right[kind]++
			}
		}
	}
	for kind, name := range []string{"object", "style", "colour", "texture"} {
		w.Note(name+"_accuracy", float64(right[kind])/float64(max(1, len(seen))))
	}
	return nil
}

func (j *judge) save(dir string) error {
	config, err := json.MarshalIndent(j.Config, "", "  ")
	if err != nil {
		return err
	}
	return lab.Save(j.Scope(), dir, j.Config.Names(), config)
}

// readJudge reads the configuration of a judge's network.
func readJudge(dir string) (resnet.Config, error) {
	return lab.ReadConfig(dir, func(text []byte) (config resnet.Config, err error) {
		if err := json.Unmarshal(text, &config); err != nil {
			return config, err
		}
		if err := config.Check(); err != nil {
			return config, err
		}
		outputs := 0
		for _, count := range kinds {
			outputs += count
		}
		if config.Classes != outputs {
			return config, fmt.Errorf("the classifier has %d classes, a judge has %d: give the artifact of a "+
				"judge", config.Classes, outputs)
		}
		return config, nil
	})
}

// loadJudge reads a judge for pictures of a given size.
func loadJudge(d *device.Device, dir string, image int) (*judge, error) {
	config, err := readJudge(dir)
	if err != nil {
		return nil, err
	}
	network, err := newResidual(d, config, image, 0)
	if err != nil {
		return nil, err
	}
	j := &judge{Network: network}
	return j, j.load(dir)
}

// load reads the judge's weights from a folder.
func (j *judge) load(dir string) error {
	return lab.Load(j.Scope(), dir, j.Config.Names())
}
