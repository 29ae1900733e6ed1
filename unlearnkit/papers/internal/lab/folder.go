package lab

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Names of the files in a model's folder.
const (
	ConfigFile  = "config.json"
	WeightsFile = "model.safetensors"
)

// Save writes a model's folder. It rounds the weights to float16, so that the stored model is exactly the model that is
// judged.
func Save(scope *model.Scope, folder string, names hf.Names, config []byte) error {
	if err := hf.Save(scope, folder, names, hf.Format{Half: true}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, ConfigFile), config, 0o644)
}

// ReadConfig reads and parses the configuration in a model's folder.
func ReadConfig[C any](folder string, parse func(text []byte) (C, error)) (C, error) {
	path := filepath.Join(folder, ConfigFile)
	text, err := os.ReadFile(path)
	if err != nil {
		var none C
		return none, err
	}
	config, err := parse(text)
	if err != nil {
		return config, fmt.Errorf("read %s: %w", path, err)
	}
	return config, nil
}

// Load reads the weights in a folder into the tensors of a scope.
func Load(scope *model.Scope, folder string, names hf.Names) error {
	file, err := safefile.Open(filepath.Join(folder, WeightsFile))
	if err != nil {
		return err
	}
	defer file.Close()
	return LoadFrom(file, folder, scope, names)
}

// LoadFrom is like [Load] but reads from an open file. Errors name the folder.
func LoadFrom(file *safefile.Tensors, folder string, scope *model.Scope, names hf.Names) error {
	report, err := hf.Load(scope, file, names)
	if err != nil {
		return fmt.Errorf("read %s: %w", folder, err)
	}
	if len(report.Warnings) > 0 {
		return fmt.Errorf("read %s: values that are not finite in %s", folder, strings.Join(report.Warnings, ", "))
	}
	return nil
}

// Parameters returns the number of parameters below a scope.
func Parameters(scope *model.Scope) int {
	count := 0
	for variable := range scope.IterVariables() {
		count += variable.Shape().Size()
	}
	return count
}
