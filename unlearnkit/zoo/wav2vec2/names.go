package wav2vec2

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Trace declares all tensors of the model in the store, without values.
func (c Config) Trace(d *device.Device, store *model.Store) error {
	_, err := d.Trace("trace "+c.ModelType, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{Forward(scope, c, Input{Values: x[0]}).Hidden}
	}, shapes.Make(dtypes.Float32, 1, c.ReceptiveField()))
	return err
}

// Names returns the names of the model's tensors in files. It accepts the current names in transformers, and the older
// names weight_g and weight_v from before parametrizations in PyTorch. Names begin with the model type. If NumLabels is
// 0, this prefix may be missing, as in files with only a backbone.
//
// If NumLabels is 0, tensors of other heads are ignored. So a pre-trained backbone must be loaded before NumLabels is
// set.
func (c Config) Names() hf.Names {
	names := hf.Names{Ignore: []string{"quantizer.*", "project_hid.*", "project_q.*", "lm_head.*", "final_proj.*",
		"label_embs_concat"}}
	if !c.masks() {
		names.Ignore = append(names.Ignore, "*masked_spec_embed")
	}
	if c.NumLabels == 0 {
		names.Ignore = append(names.Ignore, "projector.*", "classifier.*", "layer_weights")
	}
	own := c.ModelType + "."
	layout := func(name, backbone string, older bool) hf.Layout {
		const convolution = "encoder.pos_conv_embed.conv."
		l := hf.Layout{Name: name}
		if older {
			l.Rules = append(l.Rules,
				hf.Rule{Own: own + convolution + "parametrizations.weight.original0",
					File: backbone + convolution + "weight_g"},
				hf.Rule{Own: own + convolution + "parametrizations.weight.original1",
					File: backbone + convolution + "weight_v"})
		}
		l.Rules = append(l.Rules, hf.Rule{Own: own, File: backbone})
		return l
	}
	names.Layouts = []hf.Layout{layout("transformers", own, false), layout("transformers with weight_g", own, true)}
	if c.NumLabels == 0 {
		names.Layouts = append(names.Layouts, layout("backbone", "", false), layout("backbone with weight_g", "", true))
	}
	return names
}
