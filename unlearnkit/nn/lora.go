package nn

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

const adapterParam = "unlearnkit_lora"

// LoRA adds to a linear layer's weight a trained product of low rank (Hu et al., 2022): y = x Wᵀ + (Alpha/Rank) (x Aᵀ) Bᵀ. The tensors are PEFT's: lora_A/weight [Rank, in], drawn as a
// linear layer's, and lora_B/weight [out, Rank], zero at first.
type LoRA struct {
	Rank    int
	Alpha   float64
	Targets []string // the last names of the layers' scopes, such as "q_proj"
}

func (l *LoRA) scale() float64 { return l.Alpha / float64(l.Rank) }

func (l *LoRA) apply(scope *model.Scope, rows *graph.Node, out int) *graph.Node {
	in := rows.Shape().Dimensions[1]
	down := Parameter(scope.At("lora_A"), rows, "weight", Fan(in), l.Rank, in)
	up := Parameter(scope.At("lora_B"), rows, "weight", Constant(0), out, l.Rank)
	return graph.MulScalar(timesTransposed(timesTransposed(rows, down), up), l.scale())
}

// Adapt gives every [Linear] below scope whose scope ends in one of the targets an adapter, in graphs built from now on.
func Adapt(scope *model.Scope, l LoRA) {
	l.Targets = slices.Clone(l.Targets)
	scope.SetParam(adapterParam, &l)
}

// Unadapt ends what [Adapt] began: graphs built from now on leave the adapters out. The adapters' tensors stay.
func Unadapt(scope *model.Scope) { scope.SetParam(adapterParam, (*LoRA)(nil)) }

func adapterOf(scope *model.Scope) *LoRA {
	l := model.GetParamOr[*LoRA](scope, adapterParam, nil)
	if l == nil || !slices.Contains(l.Targets, path.Base(scope.Scope())) {
		return nil
	}
	return l
}

// Merge adds the adapters below scope to their layers' weights, deletes the adapters' tensors and calls [Unadapt]. Programs compiled before must not be run any more.
func Merge(scope *model.Scope) error {
	l := model.GetParamOr[*LoRA](scope, adapterParam, nil)
	if l == nil {
		return fmt.Errorf("merge adapters into %s: none were attached", scope.Scope())
	}
	const suffix = "/lora_B/weight"
	var layers []string
	for v := range scope.IterVariables() {
		if layer, ok := strings.CutSuffix(v.Path(), suffix); ok {
			layers = append(layers, layer)
		}
	}
	store := scope.Store()
	for _, layer := range layers {
		down, up := layer+"/lora_A/weight", layer+suffix
		if err := fold(store.GetVariable(layer+"/weight"), store.GetVariable(down), store.GetVariable(up), l.scale()); err != nil {
			return fmt.Errorf("merge the adapter of %s: %w", layer, err)
		}
		for _, tensor := range []string{down, up} {
			if err := store.DeleteVariable(tensor); err != nil {
				return fmt.Errorf("merge the adapter of %s: %w", layer, err)
			}
		}
	}
	Unadapt(scope)
	return nil
}

// fold sets weight to weight + scale·up·down.
func fold(weight, down, up *model.Variable, scale float64) error {
	for _, v := range []*model.Variable{weight, down, up} {
		if v == nil || !v.HasValue() {
			return fmt.Errorf("weight, lora_A/weight and lora_B/weight must all be there and have values")
		}
	}
	out, rank, in := up.Shape().Dimensions[0], down.Shape().Dimensions[0], down.Shape().Dimensions[1]
	var merged *tensors.Tensor
	switch t := weight.DType(); t {
	case dtypes.Float32:
		merged = folded[float32](weight, down, up, out, rank, in, scale)
	case dtypes.Float64:
		merged = folded[float64](weight, down, up, out, rank, in, scale)
	default:
		return fmt.Errorf("the weight's numbers are %s, only float32 and float64 can be merged", t)
	}
	return weight.SetValue(merged)
}

func folded[T float32 | float64](weight, down, up *model.Variable, out, rank, in int, scale float64) *tensors.Tensor {
	w := tensors.MustCopyFlatData[T](weight.MustValue())
	a, b := tensors.MustCopyFlatData[T](down.MustValue()), tensors.MustCopyFlatData[T](up.MustValue())
	sums := make([]float64, in)
	for row := range out {
		clear(sums)
		for r := range rank {
			factor := scale * float64(b[row*rank+r])
			for column := range in {
				sums[column] += factor * float64(a[r*in+column])
			}
		}
		for column, sum := range sums {
			w[row*in+column] = T(float64(w[row*in+column]) + sum)
		}
	}
	return tensors.FromFlatDataAndDimensions(w, out, in)
}
