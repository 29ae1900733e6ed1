package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// A checkpoint is one safetensors file: the model and the optimizer's state under their paths in the store, and the
// log's columns. It is written atomically and stores a checksum of its content, because the format has none.
const (
	logPrefix   = "log/"
	identityKey = "identity"
	sumKey      = "sha256"
)

// content maps the names of a checkpoint's tensors to the tensors.
type content map[string]stored

type stored struct {
	safefile.Tensor
	data []byte
}

// sum returns a checksum of the content.
func (c content) sum() string {
	digest := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(c)) {
		fmt.Fprintf(digest, "%q %s %d\n", name, c[name].Type, c[name].Shape)
		digest.Write(c[name].data)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// save writes a checkpoint of the training after the steps in done.
func (j Job) save(done Log) error {
	all := content{}
	for _, variable := range j.variables() {
		tensor, err := valueOf(variable)
		if err != nil {
			return fmt.Errorf("%s: checkpoint: %w", j.Stage, err)
		}
		all[tensor.Name] = tensor
	}
	for name, values := range done.columns() {
		var data bytes.Buffer
		if err := binary.Write(&data, binary.LittleEndian, values); err != nil {
			return err
		}
		name = logPrefix + name
		all[name] = stored{safefile.Tensor{Name: name, Type: safefile.F64, Shape: []int{len(values)}}, data.Bytes()}
	}
	var tensors []safefile.TensorData
	for _, tensor := range all {
		tensors = append(tensors, safefile.TensorOfBytes(tensor.Name, tensor.Type, tensor.Shape, tensor.data))
	}
	return safefile.WriteTensors(j.Checkpoint, tensors, map[string]string{identityKey: j.Identity, sumKey: all.sum()})
}

// variables returns everything that steps change: the model's variables and the optimizer's.
func (j Job) variables() []*model.Variable {
	return append(slices.Collect(j.Store.Scope("/"+j.Scope).IterVariables()), j.Optimizer.Variables(j.Store)...)
}

var fileTypes = map[dtypes.DType]safefile.Type{
	dtypes.Float32: safefile.F32, dtypes.Float64: safefile.F64, dtypes.BFloat16: safefile.BF16,
	dtypes.Float16: safefile.F16, dtypes.Int64: safefile.I64, dtypes.Int32: safefile.I32,
}

func valueOf(variable *model.Variable) (stored, error) {
	kind, known := fileTypes[variable.DType()]
	if !known {
		return stored{}, fmt.Errorf("%s has the type %s, which checkpoints do not hold", variable.Path(),
			variable.DType())
	}
	value, err := variable.Value()
	if err != nil {
		return stored{}, err
	}
	tensor := stored{Tensor: safefile.Tensor{Name: variable.Path(), Type: kind, Shape: variable.Shape().Dimensions}}
	err = value.ConstBytes(func(data []byte) { tensor.data = slices.Clone(data) })
	return tensor, err
}

// resume loads the checkpoint into the store, if there is one, and returns the log up to it.
func (j Job) resume() (Log, error) {
	if j.Checkpoint == "" {
		return nil, nil
	}
	if _, err := os.Stat(j.Checkpoint); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	refuse := func(format string, values ...any) (Log, error) {
		return nil, fmt.Errorf("%s: the checkpoint %s %s: remove it to begin anew", j.Stage, j.Checkpoint,
			fmt.Sprintf(format, values...))
	}
	file, err := safefile.Open(j.Checkpoint)
	if err != nil {
		return refuse("cannot be read (%v)", err)
	}
	defer file.Close()
	if found := file.Metadata()[identityKey]; found != j.Identity {
		return refuse("belongs to another training (%q, not %q)", found, j.Identity)
	}
	all, log, err := parse(file)
	switch {
	case err != nil:
		return refuse("cannot be read (%v)", err)
	case all.sum() != file.Metadata()[sumKey]:
		return refuse("is damaged: its checksum does not match its content")
	case len(log) > j.Steps:
		return refuse("has made %d steps of %d", len(log), j.Steps)
	}
	for variable := range j.Store.Scope("/" + j.Scope).IterVariables() {
		if _, there := all[variable.Path()]; !there {
			return refuse("has no %s", variable.Path())
		}
	}
	for _, name := range file.Names() {
		if err := j.restore(name, all[name]); err != nil {
			return refuse("does not fit: %v", err)
		}
	}
	return log, nil
}

// parse splits a checkpoint into tensors and log. The returned data is part of the file's memory.
func parse(file *safefile.Tensors) (content, Log, error) {
	all, columns := content{}, map[string][]float64{}
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		data, err := file.Bytes(name)
		if err != nil {
			return nil, nil, err
		}
		all[name] = stored{tensor, data}
		if column, isLog := strings.CutPrefix(name, logPrefix); isLog {
			columns[column] = make([]float64, tensor.Elements())
			if err := file.Float64(name, columns[column]); err != nil {
				return nil, nil, err
			}
		}
	}
	log, err := logFrom(columns)
	return all, log, err
}

// restore gives a variable its value from the checkpoint.
func (j Job) restore(name string, tensor stored) error {
	if strings.HasPrefix(name, logPrefix) {
		return nil
	}
	value, err := tensorFrom(tensor)
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

func tensorFrom(tensor stored) (*tensors.Tensor, error) {
	for kind, name := range fileTypes {
		if name != tensor.Type {
			continue
		}
		value := tensors.FromShape(shapes.Make(kind, tensor.Shape...))
		err := value.MutableBytes(func(data []byte) { copy(data, tensor.data) })
		return value, err
	}
	return nil, fmt.Errorf("%s has the type %s, which checkpoints do not hold", tensor.Name, tensor.Type)
}
