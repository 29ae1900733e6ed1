package answering

import (
	"fmt"
	"strings"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// SaveAdapter writes the adapters of the model below scope, and the projector if the model has one, into an existing
// folder. Their names are those under which PEFT finds them in the models of transformers 4.52 and later:
//
//	base = LlavaForConditionalGeneration.from_pretrained("llava-1.5-7b-hf")
//	model = PeftModel.from_pretrained(base, "unlearned")
//
// The projector is always written whole, as PEFT writes the modules in modules_to_save. To save a model without
// separate adapters, merge them with [nn.Merge] of the decoder's scope and call [hf.Save].
func (m Model) SaveAdapter(scope *model.Scope, dir string) error {
	l, err := adapterOf(scope)
	if err != nil {
		return fmt.Errorf("write %s: %w", dir, err)
	}
	if !m.visual {
		return hf.SaveAdapter(scope, dir, m.config.Text.Names(), hf.AdapterFormat{LoRA: l})
	}
	return hf.SaveAdapter(scope, dir, m.config.Names(), hf.AdapterFormat{LoRA: l, Layout: llava.InMemory,
		Trained: []string{projectorPart}})
}

// adapterOf returns the common configuration of all adapters below scope.
func adapterOf(scope *model.Scope) (l nn.LoRA, err error) {
	count, err := countAdapters(scope)
	if err != nil {
		return l, err
	}
	if count == 0 {
		return l, fmt.Errorf("the model has no adapters; make some by Model.Adapt, or write the model by hf.Save")
	}
	first := ""
	for down := range scope.IterVariables() {
		layer, is := strings.CutSuffix(down.Path(), "/lora_A/weight")
		if !is {
			continue
		}
		other, _ := nn.Adapted(scope.Store().Scope(layer))
		if first == "" {
			first, l = layer, other
		}
		if other.Rank != l.Rank || other.Alpha != l.Alpha {
			return l, fmt.Errorf("the adapters of %s and %s are of ranks %d and %d and alphas %g and %g; a folder has "+
				"one of each", first, layer, l.Rank, other.Rank, l.Alpha, other.Alpha)
		}
	}
	return l, nil
}
