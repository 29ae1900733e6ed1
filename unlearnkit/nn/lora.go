package nn

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

const adapterParam = "unlearnkit_lora"

// LoRA adds a trained low-rank product to a linear layer's weight (Hu et al., 2022): y = x Wᵀ + (Alpha/Rank) (x Aᵀ) Bᵀ.
// Its tensors have PEFT's names: lora_A/weight [Rank, in], drawn like a linear layer's weight, and lora_B/weight [out,
// Rank], zero at first.
type LoRA struct {
	Rank    int
	Alpha   float64
	Targets []string // the last parts of the layers' scopes, such as "q_proj"
}

func (l *LoRA) scale() float64 { return l.Alpha / float64(l.Rank) }

func (l *LoRA) apply(scope *model.Scope, rows *graph.Node, out int) *graph.Node {
	in := rows.Shape().Dimensions[1]
	down := Parameter(scope.At("lora_A"), rows, "weight", Fan(in), l.Rank, in)
	up := Parameter(scope.At("lora_B"), rows, "weight", Constant(0), out, l.Rank)
	return graph.MulScalar(matMulTransposed(matMulTransposed(rows, down), up), l.scale())
}

// Adapt gives an adapter to every [Linear] below scope whose scope ends in one of the targets. It affects graphs built
// after the call.
func Adapt(scope *model.Scope, l LoRA) {
	l.Targets = slices.Clone(l.Targets)
	mark(scope, nil, &l)
}

// mark sets the adapter of scope, and of every scope below it whose adapter is former. Marks are never deleted, so the
// nil that a merge leaves on a lower scope would otherwise hide an adapter set above.
func mark(scope *model.Scope, former, l *LoRA) {
	within := strings.TrimSuffix(scope.Scope(), "/") + "/"
	var same []string
	for at, value := range scope.Store().IterParams() {
		if named, is := value.(*LoRA); is && named == former && strings.HasPrefix(at, within) &&
			path.Base(at) == adapterParam {
			same = append(same, at)
		}
	}
	for _, at := range same {
		scope.Store().SetParam(at, l)
	}
	scope.SetParam(adapterParam, l)
}

// Adapted returns the adapter that [Adapt] has set for the layers below scope, and whether there is one.
func Adapted(scope *model.Scope) (l LoRA, is bool) {
	given := model.GetParamOr[*LoRA](scope, adapterParam, nil)
	if given == nil {
		return LoRA{}, false
	}
	l = *given
	l.Targets = slices.Clone(l.Targets)
	return l, true
}

// Attach creates adapters for all layers below scope whose last names are among the targets, and calls [Adapt]. The
// model's output does not change. The layers' weights must exist. Each lora_A/weight is drawn from a random stream
// named by its path relative to scope.
func Attach(scope *model.Scope, l LoRA, root uint64) error {
	if l.Rank < 1 || !(l.Alpha > 0) {
		return fmt.Errorf("adapt %s: a rank of %d and an alpha of %g: both must be above 0", scope.Scope(), l.Rank,
			l.Alpha)
	}
	var weights []*model.Variable
	for v := range scope.IterVariables() {
		if strings.Contains(v.Path(), "/lora_") {
			return fmt.Errorf("adapt %s: it has the adapter %s already: merge it first", scope.Scope(), v.Path())
		}
		layer, is := strings.CutSuffix(v.Path(), "/weight")
		if is && v.Shape().Rank() == 2 && slices.Contains(l.Targets, path.Base(layer)) {
			weights = append(weights, v)
		}
	}
	if len(weights) == 0 {
		return fmt.Errorf("adapt %s: it has no layer called %s", scope.Scope(), strings.Join(l.Targets, " or "))
	}
	for _, weight := range weights {
		if err := l.create(scope, weight, root); err != nil {
			return fmt.Errorf("adapt %s: %w", weight.Path(), err)
		}
	}
	Adapt(scope, l)
	return nil
}

// create creates the adapter tensors of one layer.
func (l *LoRA) create(scope *model.Scope, weight *model.Variable, root uint64) error {
	layer := strings.TrimSuffix(weight.Path(), "/weight")
	out, in := weight.Shape().Dimensions[0], weight.Shape().Dimensions[1]
	down, up := layer+"/lora_A/weight", layer+"/lora_B/weight"
	kind := StoredType(scope.Store().Scope(layer), down)
	drawn := draw(down, seeding{scope.Scope(), root}, shapes.Make(kind, l.Rank, in), Fan(in))
	if _, err := scope.Store().CreateVariable(down, drawn); err != nil {
		return err
	}
	_, err := scope.Store().CreateVariable(up, tensors.FromShape(shapes.Make(kind, out, l.Rank)))
	return err
}

// Unadapt undoes [Adapt]: graphs built after the call leave the adapters out. The adapters' tensors remain.
func Unadapt(scope *model.Scope) {
	mark(scope, model.GetParamOr[*LoRA](scope, adapterParam, nil), nil)
}

func adapterOf(scope *model.Scope) *LoRA {
	l := model.GetParamOr[*LoRA](scope, adapterParam, nil)
	if l == nil || !slices.Contains(l.Targets, path.Base(scope.Scope())) {
		return nil
	}
	return l
}

// Merge adds the adapters below scope to their layers' weights, deletes the adapters' tensors and calls [Unadapt].
// Programs that were compiled before must not run again. If it returns an error, nothing has changed.
func Merge(scope *model.Scope) error {
	l := model.GetParamOr[*LoRA](scope, adapterParam, nil)
	if l == nil {
		return fmt.Errorf("merge adapters into %s: none were attached", scope.Scope())
	}
	var merges []merge
	for v := range scope.IterVariables() {
		if layer, ok := strings.CutSuffix(v.Path(), "/lora_B/weight"); ok {
			store := scope.Store()
			m := merge{store.GetVariable(layer + "/weight"), store.GetVariable(layer + "/lora_A/weight"), v}
			if err := m.check(); err != nil {
				return fmt.Errorf("merge the adapter of %s: %w", layer, err)
			}
			merges = append(merges, m)
		}
	}
	for _, m := range merges {
		if err := m.run(scope.Store(), l.scale()); err != nil {
			return err
		}
	}
	Unadapt(scope)
	return nil
}

type merge struct{ weight, down, up *model.Variable }

func (m merge) check() error {
	for _, v := range []*model.Variable{m.weight, m.down, m.up} {
		if v == nil || !v.HasValue() {
			return fmt.Errorf("weight, lora_A/weight and lora_B/weight must all exist and have values")
		}
	}
	if t := m.weight.DType(); t != dtypes.Float32 && t != dtypes.Float64 && t != dtypes.BFloat16 {
		return fmt.Errorf("the weight's numbers are %s, only Float32, Float64 and BFloat16 can be merged", t)
	}
	return nil
}

func (m merge) run(store *model.Store, scale float64) error {
	if err := m.weight.SetValue(m.value(scale)); err != nil {
		return err
	}
	for _, v := range []*model.Variable{m.down, m.up} {
		if err := store.DeleteVariable(v.Path()); err != nil {
			return err
		}
	}
	return nil
}

// value returns weight + scale·up·down. It is rounded once, to the weight's type.
func (m merge) value(scale float64) *tensors.Tensor {
	out, rank, in := m.up.Shape().Dimensions[0], m.down.Shape().Dimensions[0], m.down.Shape().Dimensions[1]
	w, a, b := numbers(m.weight), numbers(m.down), numbers(m.up)
	sums := make([]float64, in)
	for row := range out {
		clear(sums)
		for r := range rank {
			factor := scale * b[row*rank+r]
			for column := range in {
				sums[column] += factor * a[r*in+column]
			}
		}
		for column, sum := range sums {
			w[row*in+column] += sum
		}
	}
	switch m.weight.DType() {
	case dtypes.Float64:
		return tensors.FromFlatDataAndDimensions(w, out, in)
	case dtypes.BFloat16:
		return tensors.FromFlatDataAndDimensions(converted(w, bfloat16.FromFloat64), out, in)
	}
	return tensors.FromFlatDataAndDimensions(converted(w, func(v float64) float32 { return float32(v) }), out, in)
}

// numbers returns a copy of a tensor's numbers.
func numbers(v *model.Variable) []float64 {
	switch v.DType() {
	case dtypes.Float64:
		return tensors.MustCopyFlatData[float64](v.MustValue())
	case dtypes.BFloat16:
		return converted(tensors.MustCopyFlatData[bfloat16.BFloat16](v.MustValue()), bfloat16.BFloat16.Float64)
	}
	return converted(tensors.MustCopyFlatData[float32](v.MustValue()), func(v float32) float64 { return float64(v) })
}

func converted[From, To any](values []From, convert func(From) To) []To {
	result := make([]To, len(values))
	for i, v := range values {
		result[i] = convert(v)
	}
	return result
}
