package hf

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Format determines how Save writes a model. The zero value is transformers' format.
type Format struct {
	Layout     string // layout of the names; "" for the family's first layout
	Base       string // base name of the files; "" for "model"
	Half       bool   // write float32 tensors as float16, which has half the size and three digits
	ShardBytes int64  // maximum size of a file, above which the model is split into several; 0 for 5 GB
	// additional tensors that such files have, such as a batch norm's num_batches_tracked
	Also []safefile.TensorData
}

// fileTypes maps the types of a model's tensors to types in files.
var fileTypes = map[dtypes.DType]safefile.Type{dtypes.Float32: safefile.F32, dtypes.Float64: safefile.F64,
	dtypes.BFloat16: safefile.BF16}

// Save writes the tensors below scope, without adapters, to an existing folder, either to BASE.safetensors or to
// several such files with an index. The scope must contain only the model, without optimizer state. If a float32 model
// comes from Load, the new file has the same bytes as the loaded one.
func Save(scope *model.Scope, dir string, names Names, format Format) error {
	layout, ok := names.layout(format.Layout)
	if !ok {
		return fmt.Errorf("write %s: the model's names have no layout %q", dir, format.Layout)
	}
	all, err := collect(scope, layout, format.Half)
	if err != nil {
		return fmt.Errorf("write %s: %w", dir, err)
	}
	all = append(all, format.Also...)
	if format.Base == "" {
		format.Base = "model"
	}
	if format.ShardBytes == 0 {
		format.ShardBytes = 5e9
	}
	return writeShards(dir, format.Base, all, format.ShardBytes)
}

// collect returns the model's tensors as in a file with the given layout.
func collect(scope *model.Scope, layout Layout, half bool) ([]safefile.TensorData, error) {
	byName, own := variables(scope)
	parts := map[string][][]byte{}
	var all []safefile.TensorData
	for _, name := range own {
		source, variable := layout.Source(name), byName[name]
		data, err := content(variable)
		if err != nil {
			return nil, err
		}
		kind := fileTypes[variable.DType()]
		if half && kind == safefile.F32 {
			data, kind = toHalf(data), safefile.F16
		}
		dimensions := variable.Shape().Dimensions
		if source.Transposed {
			data = transpose(data, dimensions[0], dimensions[1], kind.Size())
		}
		if source.Parts > 1 {
			if parts[source.Name] == nil {
				parts[source.Name] = make([][]byte, source.Parts)
			}
			parts[source.Name][source.Part] = data
			if slices.ContainsFunc(parts[source.Name], func(part []byte) bool { return part == nil }) {
				continue // the tensor is written with its last part
			}
			data = slices.Concat(parts[source.Name]...)
		}
		all = append(all, safefile.TensorOfBytes(source.Name, kind, source.shape(dimensions), data))
	}
	slices.SortFunc(all, func(a, b safefile.TensorData) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// content returns the bytes of a variable's value. They do not change unless a step runs.
func content(variable *model.Variable) (data []byte, err error) {
	value, err := variable.Value()
	if err != nil {
		return nil, err
	}
	err = value.ConstBytes(func(bytes []byte) { data = bytes })
	return data, err
}

// toHalf rounds float32 to float16 in bytes. Values that are too large become infinite.
func toHalf(data []byte) []byte {
	rounded := make([]byte, 0, len(data)/2)
	for at := 0; at < len(data); at += 4 {
		value := math.Float32frombits(binary.LittleEndian.Uint32(data[at:]))
		rounded = binary.LittleEndian.AppendUint16(rounded, safefile.Float16(value))
	}
	return rounded
}

// writeShards writes one file, or several with an index in transformers' format.
func writeShards(dir, base string, all []safefile.TensorData, limit int64) error {
	metadata := map[string]string{"format": "pt"}
	shards := split(all, limit)
	if len(shards) == 1 {
		return safefile.WriteTensors(filepath.Join(dir, base+".safetensors"), all, metadata)
	}
	index := struct {
		Metadata struct {
			TotalParameters int64 `json:"total_parameters"`
			TotalSize       int64 `json:"total_size"`
		} `json:"metadata"`
		WeightMap map[string]string `json:"weight_map"`
	}{WeightMap: map[string]string{}}
	for i, shard := range shards {
		name := fmt.Sprintf("%s-%05d-of-%05d.safetensors", base, i+1, len(shards))
		if err := safefile.WriteTensors(filepath.Join(dir, name), shard, metadata); err != nil {
			return err
		}
		for _, tensor := range shard {
			index.WeightMap[tensor.Name] = name
			index.Metadata.TotalParameters += int64(tensor.Elements())
			index.Metadata.TotalSize += size(tensor)
		}
	}
	return writeJSON(filepath.Join(dir, base+".safetensors.index.json"), index)
}

func size(tensor safefile.TensorData) int64 {
	return int64(tensor.Elements()) * int64(tensor.Type.Size())
}

// split divides the tensors into shards of at most limit bytes, in order. A larger tensor has its own shard.
func split(all []safefile.TensorData, limit int64) [][]safefile.TensorData {
	shards := [][]safefile.TensorData{nil}
	filled := int64(0)
	for _, tensor := range all {
		if last := len(shards) - 1; len(shards[last]) > 0 && filled+size(tensor) > limit {
			shards, filled = append(shards, nil), 0
		}
		shards[len(shards)-1] = append(shards[len(shards)-1], tensor)
		filled += size(tensor)
	}
	return shards
}

func writeJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err)
	}
	return safefile.WriteFile(path, func(target io.Writer) error {
		_, err := target.Write(append(text, '\n'))
		return err
	})
}
