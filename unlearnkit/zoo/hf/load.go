package hf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Report describes what Load found in a file.
type Report struct {
	Layout     string   // layout of the names
	Prefix     string   // prefix of all names
	Tensors    int      // number of tensors set
	Parameters int      // number of parameters in these tensors
	Ignored    []string // tensors of the file that the model does not use
	Adapted    string   // set by LoadAdapter to the path of the scope with the adapters, for nn.Merge
	Warnings   []string // names of tensors with values that are NaN or infinite
}

// Load sets the tensors below scope to the values in file, converted to the model's types. The shapes must be known,
// for example after Trace of the model. Tensors of adapters are not changed.
//
// Load returns an error if a tensor is missing or unknown, or has another shape or no floating-point numbers. The error
// lists up to ten tensors of each kind, and nothing is set. NaN and infinite values are set and reported as warnings.
func Load(scope *model.Scope, file *safefile.Tensors, names Names) (Report, error) {
	spelling, report, err := match(scope, file, names)
	if err != nil {
		return Report{}, err
	}
	byName, own := variables(scope)
	for _, name := range own {
		if err := set(byName[name], file, spelling.source(name)); err != nil {
			return Report{}, err
		}
	}
	return report, nil
}

// Match checks whether a file fits a model, like Load, but sets no values. The model may be larger than the memory.
func Match(scope *model.Scope, file *safefile.Tensors, names Names) (Report, error) {
	_, report, err := match(scope, file, names)
	return report, err
}

// Overlay loads a file that contains only the tensors changed by a method. Other tensors keep their values. It returns
// an error if the file has an unknown tensor or none of the model.
func Overlay(scope *model.Scope, file *safefile.Tensors, names Names) (Report, error) {
	byName, own := variables(scope)
	best, found := names.spelling(file, own)
	if found == 0 {
		_, report, err := match(scope, file, names)
		return report, err
	}
	own = slices.DeleteFunc(own, func(name string) bool {
		_, there := file.Tensor(best.source(name).Name)
		return !there
	})
	_, report, err := matching(byName, own, file, names)
	for _, name := range own {
		if err == nil {
			err = set(byName[name], file, best.source(name))
		}
	}
	if err != nil {
		return Report{}, err
	}
	return report, nil
}

func match(scope *model.Scope, file *safefile.Tensors, names Names) (spelling, Report, error) {
	byName, own := variables(scope)
	return matching(byName, own, file, names)
}

// matching finds the tensors with the given names in a file that must contain no others.
func matching(byName map[string]*model.Variable, own []string, file *safefile.Tensors, names Names) (spelling, Report,
	error) {
	if len(own) == 0 {
		panic("hf: the scope has no tensors: trace the model first")
	}
	best, found := names.spelling(file, own)
	if found == 0 {
		return best, Report{}, fmt.Errorf("none of the model's tensors is in the file; the model has %s, the file %s",
			firstNames(own), firstNames(file.Names()))
	}
	report := Report{Layout: best.Name, Prefix: best.prefix, Tensors: len(own)}
	var problems faults
	used := map[string]bool{}
	for _, name := range own {
		source := best.source(name)
		used[source.Name] = true
		problems.compare(file, source, byName[name].Shape().Dimensions)
		report.Parameters += byName[name].Shape().Size()
	}
	for _, name := range file.Names() {
		switch {
		case used[name]:
			if err := report.warn(file, name); err != nil {
				return best, Report{}, err
			}
		case names.ignored(name) || names.ignored(strings.TrimPrefix(name, best.prefix)):
			report.Ignored = append(report.Ignored, name)
		default:
			problems.extra = append(problems.extra, name)
		}
	}
	return best, report, problems.err()
}

// warn adds a warning if a tensor contains NaN or infinite values.
func (r *Report) warn(file *safefile.Tensors, name string) error {
	count, err := file.NonFinite(name)
	if count > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s has %d value(s) that are NaN or infinite", name, count))
	}
	return err
}

// faults lists the tensors that prevent loading a file.
type faults struct{ missing, extra, misshapen []string }

// floats lists the types that weights may have.
var floats = []safefile.Type{safefile.F32, safefile.F16, safefile.BF16, safefile.F64}

// compare checks that the file has a source's tensor, with the shape required by the model's dimensions.
func (f *faults) compare(file *safefile.Tensors, source Source, dimensions []int) {
	tensor, ok := file.Tensor(source.Name)
	if !ok {
		f.missing = append(f.missing, source.Name)
		return
	}
	want := source.shape(dimensions)
	switch {
	case !slices.Equal(tensor.Shape, want):
		f.misshapen = append(f.misshapen, fmt.Sprintf("%s is %v and should be %v", source.Name, tensor.Shape, want))
	case !slices.Contains(floats, tensor.Type):
		f.misshapen = append(f.misshapen,
			fmt.Sprintf("%s is of type %s and should be of F32, F16, BF16 or F64", source.Name, tensor.Type))
	}
}

func (f *faults) err() error {
	var parts []string
	for _, kind := range []struct {
		what  string
		names []string
	}{{"missing", f.missing}, {"not known to the model", f.extra}, {"of another shape or type", f.misshapen}} {
		if names := slices.Compact(kind.names); len(names) > 0 {
			parts = append(parts, fmt.Sprintf("%d tensor(s) %s: %s", len(names), kind.what, firstNames(names)))
		}
	}
	if parts == nil {
		return nil
	}
	return fmt.Errorf("the file's tensors are not the model's: %s", strings.Join(parts, "; "))
}

// firstNames returns up to ten names and the number of other names.
func firstNames(names []string) string {
	const shown = 10
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], ", "), len(names)-shown)
}

// shape returns the shape of the file's tensor, given the dimensions in the model.
func (s Source) shape(dimensions []int) []int {
	shape := slices.Clone(dimensions)
	if s.Parts > 1 {
		shape[0] *= s.Parts
	}
	if s.Transposed {
		slices.Reverse(shape)
	}
	return shape
}

// set sets a variable to its values in a checked file.
func set(variable *model.Variable, file *safefile.Tensors, source Source) error {
	dimensions := variable.Shape().Dimensions
	elements := variable.Shape().Size()
	var value *tensors.Tensor
	if variable.DType() == dtypes.Float64 {
		values := make([]float64, elements*source.Parts)
		if err := file.Float64(source.Name, values); err != nil {
			return err
		}
		value = tensors.FromFlatDataAndDimensions(arrange(values, source, dimensions), dimensions...)
	} else {
		values := make([]float32, elements*source.Parts)
		if err := file.Float32(source.Name, values); err != nil {
			return err
		}
		value = Narrow(variable.DType(), arrange(values, source, dimensions), dimensions)
	}
	return variable.SetValue(value)
}

// arrange converts values of the file's tensor to the model's tensor with the given dimensions.
func arrange[T any](values []T, source Source, dimensions []int) []T {
	if source.Parts > 1 {
		size := len(values) / source.Parts
		values = values[source.Part*size:][:size]
	}
	if source.Transposed {
		values = transpose(values, dimensions[1], dimensions[0], 1)
	}
	return values
}

// transpose transposes a matrix whose elements have size values each.
func transpose[T any](values []T, rows, columns, size int) []T {
	result := make([]T, 0, len(values))
	for column := range columns {
		for row := range rows {
			at := (row*columns + column) * size
			result = append(result, values[at:at+size]...)
		}
	}
	return result
}

// Narrow returns a tensor of type float32 or bfloat16.
func Narrow(to dtypes.DType, values []float32, dimensions []int) *tensors.Tensor {
	switch to {
	case dtypes.Float32:
		return tensors.FromFlatDataAndDimensions(values, dimensions...)
	case dtypes.BFloat16:
		half := make([]bfloat16.BFloat16, len(values))
		for i, value := range values {
			half[i] = bfloat16.FromFloat32(value)
		}
		return tensors.FromFlatDataAndDimensions(half, dimensions...)
	}
	panic(fmt.Sprintf("hf: no tensors of type %s are loaded", to))
}
