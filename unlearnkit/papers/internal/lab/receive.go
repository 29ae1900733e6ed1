package lab

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Receive replaces the original weights in a scope by the weights of a user's imported model. If the model has a
// configuration, check compares it with the original's, and all tensors must be there. If check is nil, the
// configuration is not read.
func Receive(scope *model.Scope, from guest.Model, names hf.Names, check func(config []byte) error) error {
	if from.Original != "" {
		if err := receive(scope, from.Original, names, check); err != nil {
			return err
		}
	}
	if !from.Differences {
		return receive(scope, from.Path, names, check)
	}
	before, err := Values(scope)
	if err != nil {
		return err
	}
	if err := clear(scope); err != nil {
		return err
	}
	if err := receive(scope, from.Path, names, check); err != nil {
		return err
	}
	return add(scope, before)
}

// receive replaces the weights with those at one path, which holds a whole model, some of its tensors, or an adapter.
func receive(scope *model.Scope, path string, names hf.Names, check func(config []byte) error) error {
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(path, name))
		return err == nil
	}
	var report hf.Report
	var err error
	switch {
	case has("adapter_config.json"):
		if report, err = hf.LoadAdapter(scope, path, names); err == nil {
			err = nn.Merge(scope.Store().Scope(report.Adapted))
		}
	case check != nil && (has(ConfigFile) || has("open_clip_config.json")):
		report, err = receiveModel(scope, path, names, check)
	default:
		report, err = receiveState(scope, path, names)
	}
	if err == nil && len(report.Warnings) > 0 {
		err = fmt.Errorf("%s; evaluate an earlier checkpoint", report.Warnings[0])
	}
	if err != nil {
		return fmt.Errorf("read %s: %w; a guest has the architecture and the tensors of the study's original "+
			"model", path,
			err)
	}
	return nil
}

// receiveModel reads a folder that has a configuration. The folder must have all tensors.
func receiveModel(scope *model.Scope, path string, names hf.Names, check func(config []byte) error) (hf.Report, error) {
	folder, err := hf.Open(path)
	if err != nil {
		return hf.Report{}, err
	}
	defer folder.Tensors.Close()
	if check != nil {
		if err := check(folder.Config); err != nil {
			return hf.Report{}, err
		}
	}
	return hf.Load(scope, folder.Tensors, names)
}

// receiveState reads a safetensors file, or a folder with one such file. The file has all tensors, or only the changed
// ones if there is no configuration.
func receiveState(scope *model.Scope, path string, names hf.Names) (hf.Report, error) {
	read := hf.Overlay
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if _, err := os.Stat(filepath.Join(path, ConfigFile)); err == nil {
			read = hf.Load
		}
		files, err := filepath.Glob(filepath.Join(path, "*.safetensors"))
		if err != nil || len(files) != 1 {
			return hf.Report{}, fmt.Errorf("there is no %s, and %d safetensors files; give a folder with a "+
				"configuration, or one file", ConfigFile, len(files))
		}
		path = files[0]
	}
	file, err := safefile.Open(path)
	if err != nil {
		return hf.Report{}, err
	}
	defer file.Close()
	return read(scope, file, names)
}

// Values copies the values of all float32 tensors into a map by path.
func Values(scope *model.Scope) (map[string][]float32, error) {
	all := map[string][]float32{}
	for variable := range scope.IterVariables() {
		value, err := variable.Value()
		if err != nil {
			return nil, err
		}
		if all[variable.Path()], err = tensors.CopyFlatData[float32](value); err != nil {
			return nil, fmt.Errorf("%s: %w", variable.Path(), err)
		}
	}
	return all, nil
}

// clear sets all values in the scope to zero.
func clear(scope *model.Scope) error {
	for variable := range scope.IterVariables() {
		if err := variable.SetValue(tensors.FromShape(variable.Shape())); err != nil {
			return err
		}
	}
	return nil
}

// add adds the values in before to the tensors with the same paths.
func add(scope *model.Scope, before map[string][]float32) error {
	now, err := Values(scope)
	if err != nil {
		return err
	}
	for variable := range scope.IterVariables() {
		sum := now[variable.Path()]
		for i, value := range before[variable.Path()] {
			sum[i] += value
		}
		if err := variable.SetValue(tensors.FromFlatDataAndDimensions(sum, variable.Shape().Dimensions...)); err != nil {
			return err
		}
	}
	return nil
}
