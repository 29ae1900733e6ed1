package llava

import (
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Layouts of a LLaVA's tensors in files.
const (
	Published = "llava-hf"       // folders of llava-hf, with the same names as here
	Saved5    = "transformers 5" // names written by transformers 5
	InMemory  = "transformers"   // module names in memory in transformers 4.52 and later, which PEFT uses for adapters
	InMemory5 = "transformers 5 in memory"
	Release   = "LLaVA" // release by LLaVA's authors
)

// bareTower omits a part of the vision tower's names that newer releases of transformers omit.
var bareTower = hf.Rule{Own: "vision_tower.vision_model.", File: "vision_tower."}

// newerNames returns the rules for the names in transformers 4.52 and later, given the prefix of the vision tower's
// names.
func newerNames(tower string) []hf.Rule {
	return []hf.Rule{
		{Own: "language_model.model.", File: "model.language_model."},
		{Own: "language_model.lm_head.", File: "lm_head."},
		{Own: "multi_modal_projector.", File: "model.multi_modal_projector."},
		{Own: "vision_tower.vision_model.", File: tower},
	}
}

// projector holds the rules for the projector's names in the authors' release, where it is a sequence of a linear
// layer, an activation and a linear layer.
var projector = []hf.Rule{
	{Own: "multi_modal_projector.linear_1.", File: "model.mm_projector.0."},
	{Own: "multi_modal_projector.linear_2.", File: "model.mm_projector.2."},
}

// Names returns the tensor names in all releases of transformers and in the authors' release.
func (c Config) Names() hf.Names {
	names := hf.Names{Layouts: []hf.Layout{
		{Name: Published},
		{Name: Saved5, Rules: []hf.Rule{bareTower}},
		{Name: InMemory, Rules: newerNames("model.vision_tower.vision_model.")},
		{Name: InMemory5, Rules: newerNames("model.vision_tower.")},
		{Name: Release, Rules: slices.Concat(projector, []hf.Rule{
			{Own: "language_model.model.", File: "model."},
			{Own: "language_model.lm_head.", File: "lm_head."},
			{Own: "vision_tower.", File: "model.vision_tower.vision_tower."},
		})},
	}}
	if c.Text.Tied {
		names.Ignore = []string{"*lm_head.weight"}
	}
	return names
}

// Names returns the tensor names of transformers' LlamaForCausalLM.
func (c Decoder) Names() hf.Names {
	names := hf.Names{Layouts: []hf.Layout{{Name: "transformers"}}}
	if c.Tied {
		names.Ignore = []string{"lm_head.weight"}
	}
	return names
}

// LoadRelease loads a release by LLaVA's authors, in which the vision tower is in CLIP's own file.
func LoadRelease(scope *model.Scope, c Config, release, vision *safefile.Tensors) error {
	parts := []struct {
		at    string
		file  *safefile.Tensors
		names hf.Names
	}{
		{"vision_tower", vision, c.Vision.Names()},
		{"language_model", release, hf.Names{Ignore: []string{"model.mm_projector.*", "model.vision_tower.*"}}},
		{"multi_modal_projector", release,
			hf.Names{Ignore: []string{"*"}, Layouts: []hf.Layout{{Name: Release, Rules: []hf.Rule{
				{Own: "linear_1.", File: "model.mm_projector.0."}, {Own: "linear_2.", File: "model.mm_projector.2."},
			}}}}},
	}
	for _, part := range parts {
		if _, err := hf.Load(scope.At("%s", part.at), part.file, part.names); err != nil {
			return fmt.Errorf("%s: %w", part.at, err)
		}
	}
	return nil
}
