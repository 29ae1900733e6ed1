package diffusion

import "github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"

// Names returns the names of a UNet's tensors in files, which are the same as here.
func (c UNetConfig) Names() hf.Names { return hf.Names{Layouts: []hf.Layout{{Name: "diffusers"}}} }

// Names returns the names of a VAE's tensors in files, which are the same as here, or older ones in attention layers.
func (c VAEConfig) Names() hf.Names {
	old := hf.Layout{Name: "diffusers before 0.17"}
	for _, pair := range [][2]string{{"to_q", "query"}, {"to_k", "key"}, {"to_v", "value"}, {"to_out.0", "proj_attn"}} {
		old.Rules = append(old.Rules,
			hf.Rule{Own: "*.mid_block.attentions.*." + pair[0] + ".",
				File: "*.mid_block.attentions.*." + pair[1] + "."})
	}
	return hf.Names{Layouts: []hf.Layout{{Name: "diffusers"}, old}}
}
