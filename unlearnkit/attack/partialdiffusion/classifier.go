package partialdiffusion

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// ClassifierSize is the edge to which the paper scales pictures for its classifier; nothing is cut off.
const ClassifierSize = 256

// Classifier is the judge that a folder with a residual network holds, as torchvision writes it. Class is the one that
// stands for the concept, of the paper's two the second: 1, what the original draws. Pictures are scaled to edges of
// size and normalised by ImageNet's means.
func Classifier(d *device.Device, dir string, class, size int) (Judge, error) {
	m, config, err := residual(d, dir, size)
	if err != nil {
		return nil, err
	}
	if class < 0 || class >= config.Classes {
		return nil, fmt.Errorf("read %s: class %d of a classifier of %d; they are counted from 0", dir, class,
			config.Classes)
	}
	transform := preprocess.ImageNet(size, size)
	return func(_ context.Context, pictures *tensors.Tensor) ([]Judgement, error) {
		values, shape, err := transformed(transform, pictures)
		if err != nil {
			return nil, err
		}
		outputs, err := config.Run(d, m.Store,
			map[string]*tensors.Tensor{"pixel_values": tensors.FromFlatDataAndDimensions(values, shape[:]...)})
		if err != nil {
			return nil, err
		}
		return judgements(tensors.MustCopyFlatData[float32](outputs["logits"]), config.Classes, class), nil
	}, nil
}

// residual opens a folder with a residual network, for pictures of a size.
func residual(d *device.Device, dir string, size int) (*registry.Model, resnet.Config, error) {
	m, err := registry.Open(d, dir)
	if err != nil {
		return nil, resnet.Config{}, err
	}
	config, ok := m.Config.(resnet.Config)
	if !ok {
		return nil, config, fmt.Errorf("read %s: it is a %s; the classifier is a residual network, such as resnet18",
			dir, m.Architecture)
	}
	if size < 1 || size > 4096 {
		return nil, config, fmt.Errorf("pictures of %d pixels for the classifier; give 1 to 4096", size)
	}
	return m, config, nil
}

// transformed are pictures as a network takes them, one behind the other, and their shape.
func transformed(t preprocess.Transform, pictures *tensors.Tensor) ([]float32, [4]int, error) {
	images := make([]preprocess.Image, pictures.Shape().Dimensions[0])
	for i := range images {
		image, err := preprocess.FromImage(Picture(pictures, i))
		if err != nil {
			return nil, [4]int{}, err
		}
		images[i] = image
	}
	return t.Batch(images)
}

// judgements are the softmax of logits [n, classes] at a class, and whether that is the largest.
func judgements(logits []float32, classes, class int) []Judgement {
	all := make([]Judgement, len(logits)/classes)
	for i := range all {
		row := logits[i*classes:][:classes]
		sum, largest := 0., true
		for _, logit := range row {
			sum += vectorstate.Exp(float64(logit) - float64(row[class]))
			largest = largest && logit <= row[class]
		}
		all[i] = Judgement{1 / sum, largest}
	}
	return all
}
