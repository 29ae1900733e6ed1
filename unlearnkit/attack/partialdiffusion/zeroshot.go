package partialdiffusion

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
)

// ZeroShot returns a judge from a folder with a CLIP model, which was not trained on the concept: a picture's
// probability is the softmax of its similarity to the concept's text and to the other texts.
func ZeroShot(d *device.Device, dir, concept string, others ...string) (Judge, error) {
	m, err := registry.Open(d, dir)
	if err != nil {
		return nil, err
	}
	config, ok := m.Config.(clip.Config)
	if !ok {
		return nil, fmt.Errorf("read %s: it is a %s; texts are judged by a CLIPModel or a model of OpenCLIP", dir,
			m.Architecture)
	}
	if len(others) == 0 {
		return nil, fmt.Errorf("a picture is always most similar to %q without another text; give one for "+
			"pictures without the concept", concept)
	}
	texts := append([]string{concept}, others...)
	folder := filepath.Join(dir, "tokenizer")
	if tokenize.Holds(dir) {
		folder = dir
	}
	rows, err := tokens(folder, config.Text, texts...)
	if err != nil {
		return nil, err
	}
	var ids []int32
	for _, row := range rows {
		ids = append(ids, row...)
	}
	read := tensors.FromFlatDataAndDimensions(ids, len(texts), config.Text.Context)
	transform := preprocess.CLIPImageProcessor(config.Vision.Image)
	return func(_ context.Context, pictures *tensors.Tensor) ([]Judgement, error) {
		values, shape, err := transformBatch(transform, pictures)
		if err != nil {
			return nil, err
		}
		outputs, err := config.Run(d, m.Store, map[string]*tensors.Tensor{"input_ids": read,
			"pixel_values": tensors.FromFlatDataAndDimensions(values, shape[:]...)})
		if err != nil {
			return nil, err
		}
		logits := tensors.MustCopyFlatData[float32](outputs["logits_per_image"])
		return judgements(logits, len(texts), 0), nil
	}, nil
}
