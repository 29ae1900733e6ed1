package answering

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// Model is a model that answers questions. [LLaVA] and [Decoder] are the two kinds.
type Model struct {
	config llava.Config // configuration; for a decoder only Text is used
	visual bool
}

// LLaVA returns a vision-language model.
func LLaVA(c llava.Config) Model { return Model{c, true} }

// Decoder returns a language model without vision.
func Decoder(c llava.Decoder) Model { return Model{llava.Config{Text: c, Placeholder: -1}, false} }

// Names of the parts of a vision-language model below its scope.
const (
	decoderPart   = "language_model"
	projectorPart = "multi_modal_projector"
)

// decoder returns the scope of the decoder of the model below scope.
func (m Model) decoder(scope *model.Scope) *model.Scope {
	if m.visual {
		return scope.At(decoderPart)
	}
	return scope
}

// Adapt gives the decoder of the model below scope new low-rank adapters; see [nn.Attach]. Without targets, every
// projection of every layer is adapted. Methods train the adapters if the model is below the store's [unlearn.Policy].
// Package hf writes and reads them in PEFT's format, and [nn.Merge] of the decoder's scope adds them to the weights.
func (m Model) Adapt(scope *model.Scope, l nn.LoRA, seed uint64) error {
	if len(l.Targets) == 0 {
		l.Targets = llava.Projections
	}
	return nn.Attach(m.decoder(scope), l, seed)
}

// Mix makes a step compute in bfloat16, as the published recipes do, except for norms, softmax and losses. The models
// below root have bfloat16 weights, but the adapters and the projector, which methods train, have float32 values. Mix
// affects tensors that are created after the call.
func Mix(root *model.Scope) {
	nn.SetType(root, dtypes.BFloat16)
	nn.SetMasters(root, func(path string) bool {
		return strings.Contains(path, "/lora_") || strings.Contains(path, "/"+projectorPart+"/")
	})
}

// logits runs the model below scope.
func (m Model) logits(scope *model.Scope, x Rows) *graph.Node {
	adaptAsPolicy(scope)
	mask := x.before(x.End)
	if !m.visual {
		return m.config.Text.Logits(scope, m.config.Text.Embed(scope, x.Text), mask)
	}
	return llava.Logits(scope, m.config, x.Pixels, x.Text, mask)
}

// adaptAsPolicy gives the layers of a frozen copy the adapters of the policy: the engine copies the tensors, but not
// the scope's parameters.
func adaptAsPolicy(scope *model.Scope) {
	store := scope.Store()
	policy := store.RootScope().At(unlearn.Policy).Scope()
	if scope.Scope() == policy {
		return
	}
	for weight := range store.Scope(policy).IterVariables() {
		layer, is := strings.CutSuffix(weight.Path(), "/weight")
		if !is || weight.Shape().Rank() != 2 || strings.Contains(layer, "/lora_") {
			continue
		}
		copied := store.Scope(scope.Scope() + strings.TrimPrefix(layer, policy))
		if l, adapted := nn.Adapted(store.Scope(layer)); adapted && store.GetVariable(layer+"/lora_A/weight") != nil {
			nn.Adapt(copied, l)
		} else {
			nn.Unadapt(copied)
		}
	}
}

// selectTensors returns the function that selects the tensors to train. It returns an error if adapters are missing or
// do not fit.
func (m Model) selectTensors(policy *model.Scope, whole, projector bool) (func(path string) float64, error) {
	adapters, err := countAdapters(policy)
	switch {
	case err != nil:
		return nil, err
	case whole && adapters > 0:
		return nil, fmt.Errorf(`the setting "whole" is 1, but the model has adapters: merge them first, or set it to 0`)
	case !whole && adapters == 0:
		return nil, fmt.Errorf(`the model has no adapters, but with the setting "whole" at 0 only they are trained: ` +
			`make some by Model.Adapt, or set it to 1`)
	}
	return func(path string) float64 {
		switch {
		case strings.HasPrefix(path, projectorPart+"/") && m.visual:
			return factor(projector)
		case whole:
			return 1
		}
		return factor(strings.Contains(path, "/lora_"))
	}, nil
}

func factor(moves bool) float64 {
	if moves {
		return 1
	}
	return 0
}

// countAdapters counts the adapters below scope. It returns an error if one does not fit its layer or if its rank is
// not the declared one.
func countAdapters(scope *model.Scope) (count int, err error) {
	store := scope.Store()
	for down := range scope.IterVariables() {
		layer, is := strings.CutSuffix(down.Path(), "/lora_A/weight")
		if !is {
			continue
		}
		count++
		l, adapted := nn.Adapted(store.Scope(layer))
		weight, up := store.GetVariable(layer+"/weight"), store.GetVariable(layer+"/lora_B/weight")
		if !adapted || weight == nil || up == nil {
			return 0, fmt.Errorf("the adapter %s belongs to no adapted layer: load it by hf.LoadAdapter, or call "+
				"nn.Adapt", layer)
		}
		out, in := weight.Shape().Dimensions[0], weight.Shape().Dimensions[1]
		a, b := down.Shape().Dimensions, up.Shape().Dimensions
		if a[0] != l.Rank || a[1] != in || b[0] != out || b[1] != l.Rank {
			return 0, fmt.Errorf("the adapter of %s is %v and %v: one of rank %d for this layer is %v and %v", layer, a,
				b, l.Rank, []int{l.Rank, in}, []int{out, l.Rank})
		}
	}
	return count, nil
}
