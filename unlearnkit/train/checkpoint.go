package train

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// A checkpoint is one safetensors file: the model and what the optimizer remembers under their paths in the store, and the log's columns. Written whole or not at all.
const (
	logPrefix   = "log/"
	identityKey = "identity"
)

// save writes the checkpoint of a training that has made the steps of done.
func (j Job) save(done Log) error {
	var all []safefile.TensorData
	for _, variable := range j.variables() {
		tensor, err := tensorOf(variable)
		if err != nil {
			return fmt.Errorf("%s: checkpoint: %w", j.Stage, err)
		}
		all = append(all, tensor)
	}
	for name, values := range done.columns() {
		all = append(all, safefile.TensorOf(logPrefix+name, []int{len(values)}, values))
	}
	return safefile.WriteTensors(j.Checkpoint, all, map[string]string{identityKey: j.Identity})
}

// variables are those that steps change: the model's, and the optimizer's.
func (j Job) variables() []*model.Variable {
	return append(slices.Collect(j.Store.Scope("/"+j.Scope).IterVariables()), j.Optimizer.Variables(j.Store)...)
}

var fileTypes = map[dtypes.DType]safefile.Type{
	dtypes.Float32: safefile.F32, dtypes.Float64: safefile.F64, dtypes.BFloat16: safefile.BF16, dtypes.Float16: safefile.F16, dtypes.Int64: safefile.I64, dtypes.Int32: safefile.I32,
}

func tensorOf(variable *model.Variable) (safefile.TensorData, error) {
	kind, known := fileTypes[variable.DType()]
	if !known {
		return safefile.TensorData{}, fmt.Errorf("%s has the type %s, which checkpoints do not hold", variable.Path(), variable.DType())
	}
	value, err := variable.Value()
	if err != nil {
		return safefile.TensorData{}, err
	}
	var tensor safefile.TensorData
	err = value.ConstBytes(func(bytes []byte) {
		tensor = safefile.TensorOfBytes(variable.Path(), kind, variable.Shape().Dimensions, bytes)
	})
	return tensor, err
}

// resume gives the store the values of the checkpoint, if there is one, and returns the log up to it.
func (j Job) resume() (Log, error) {
	if j.Checkpoint == "" {
		return nil, nil
	}
	if _, err := os.Stat(j.Checkpoint); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	file, err := safefile.Open(j.Checkpoint)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if found := file.Metadata()[identityKey]; found != j.Identity {
		return nil, fmt.Errorf("%s: the checkpoint %s is of another training (%q, not %q): remove it to begin anew", j.Stage, j.Checkpoint, found, j.Identity)
	}
	var log Log
	for _, name := range file.Names() {
		if err := j.restore(&log, file, name); err != nil {
			return nil, fmt.Errorf("read %s: %w", j.Checkpoint, err)
		}
	}
	if len(log) > j.Steps {
		return nil, fmt.Errorf("%s: the checkpoint %s has made %d steps of %d: remove it to begin anew", j.Stage, j.Checkpoint, len(log), j.Steps)
	}
	return log, nil
}

// restore takes one tensor of a checkpoint.
func (j Job) restore(log *Log, file *safefile.Tensors, name string) error {
	described, _ := file.Tensor(name)
	if column, isLog := strings.CutPrefix(name, logPrefix); isLog {
		values := make([]float64, described.Elements())
		if err := file.Float64(name, values); err != nil {
			return err
		}
		return log.set(column, values)
	}
	bytes, err := file.Bytes(name)
	if err != nil {
		return err
	}
	value, err := tensorFrom(described, bytes)
	if err != nil {
		return err
	}
	if variable := j.Store.GetVariable(name); variable != nil {
		if !variable.Shape().Equal(value.Shape()) {
			return fmt.Errorf("%s has the shape %v, not the model's %v", name, value.Shape(), variable.Shape())
		}
		return variable.SetValue(value)
	}
	_, err = j.Store.CreateVariable(name, value)
	return err
}

func tensorFrom(described safefile.Tensor, data []byte) (*tensors.Tensor, error) {
	for kind, name := range fileTypes {
		if name != described.Type {
			continue
		}
		value := tensors.FromShape(shapes.Make(kind, described.Shape...))
		err := value.MutableBytes(func(bytes []byte) { copy(bytes, data) })
		return value, err
	}
	return nil, fmt.Errorf("%s has the type %s, which checkpoints do not hold", described.Name, described.Type)
}
