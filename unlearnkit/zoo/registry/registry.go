// Package registry runs the model in a folder, whatever its family.
//
//	inspection, err := registry.Inspect("clip-vit-base-patch32")
//	model, err := registry.Open(d, "clip-vit-base-patch32")
//	outputs, err := model.Forward(inputs)
package registry

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Config is implemented by the configurations of all families.
type Config interface {
	// Names returns the names of the model's tensors in files.
	Names() hf.Names
	// Trace declares all tensors of the model in the store, without values.
	Trace(d *device.Device, store *model.Store) error
	// Run computes outputs from inputs, both under the names that the original library uses.
	Run(d *device.Device, store *model.Store, inputs map[string]*tensors.Tensor) (map[string]*tensors.Tensor, error)
}

type parser func(text []byte) (Config, error)

// families maps the architectures returned by [hf.Detect] to parsers of their configurations.
var families = map[string]parser{
	"CLIPModel":       of(clip.ParseConfig),
	hf.OpenCLIP:       of(clip.ParseConfig),
	"CLIPTextModel":   of(clip.ParseTextConfig),
	"CLIPVisionModel": of(clip.ParseVisionConfig),

	"LlavaForConditionalGeneration": of(llava.ParseConfig),
	"LlamaForCausalLM":              of(llava.ParseDecoder),

	"Wav2Vec2ForSequenceClassification": of(wav2vec2.ParseConfig),
	"HubertForSequenceClassification":   of(wav2vec2.ParseConfig),
	"Wav2Vec2Model":                     backbone,
	"Wav2Vec2ForPreTraining":            backbone,
	"HubertModel":                       backbone,

	"UNet2DConditionModel": of(diffusion.ParseUNetConfig),
	"AutoencoderKL":        of(diffusion.ParseVAEConfig),

	"resnet":   of(resnet.ParseConfig),
	"resnet18": of(resnet.ParseConfig),
	"resnet34": of(resnet.ParseConfig),
}

func of[C Config](parse func([]byte) (C, error)) parser {
	return func(text []byte) (Config, error) { return parse(text) }
}

// backbone reads the configuration of a speech model without an intent head.
func backbone(text []byte) (Config, error) {
	c, err := wav2vec2.ParseConfig(text)
	c.NumLabels = 0
	return c, err
}

// Architectures returns the architectures of the models that can be run.
func Architectures() []string { return slices.Sorted(maps.Keys(families)) }

// configure reads the configuration in an opened folder.
func configure(dir string, folder *hf.Folder) (Config, error) {
	parse, ok := families[folder.Architecture]
	if !ok {
		return nil, fmt.Errorf("read %s: it is a %s, which is not supported; supported are %s", dir,
			folder.Architecture, strings.Join(Architectures(), ", "))
	}
	config, err := parse(folder.Config)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	return config, nil
}

// Tensor describes a tensor in a model's file.
type Tensor struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Shape []int  `json:"shape"`
}

// Inspection describes the content of a folder.
type Inspection struct {
	OK           bool   `json:"ok"` // whether the model can be run
	Architecture string `json:"architecture"`
	Layout       string `json:"layout,omitempty"` // library whose names the tensors have
	// number of parameters; if the model cannot be run, number of floating-point values in the file
	Parameters int      `json:"parameters"`
	Tensors    []Tensor `json:"tensors"`
	Ignored    []string `json:"ignored,omitempty"` // tensors that the model does not use
	Warnings   []string `json:"warnings"`          // reasons why the model cannot be run, and tensors with NaN or infinite values
}

// Inspect examines a model's folder without loading the model. If the tensors can be read, it returns no error, even
// for an unknown model or one that does not match its configuration.
func Inspect(dir string) (Inspection, error) {
	folder, err := hf.Open(dir)
	if err != nil {
		return Inspection{}, err
	}
	defer folder.Tensors.Close()
	result := Inspection{Architecture: folder.Architecture, Warnings: []string{}}
	for _, name := range folder.Tensors.Names() {
		tensor, _ := folder.Tensors.Tensor(name)
		result.Tensors = append(result.Tensors, Tensor{name, string(tensor.Type), append([]int{}, tensor.Shape...)})
		if strings.Contains(string(tensor.Type), "F") {
			result.Parameters += tensor.Elements()
		}
	}
	report, err := examine(dir, folder)
	if err != nil {
		result.Warnings = append(result.Warnings, err.Error())
		return result, nil
	}
	result.OK, result.Layout, result.Parameters, result.Ignored = true, report.Layout, report.Parameters, report.Ignored
	result.Warnings = append(result.Warnings, report.Warnings...)
	return result, nil
}

// examine compares the tensors in a folder with the model described by the configuration.
func examine(dir string, folder *hf.Folder) (hf.Report, error) {
	config, err := configure(dir, folder)
	if err != nil {
		return hf.Report{}, err
	}
	d, err := device.Open("go") // any device, because nothing is computed
	if err != nil {
		return hf.Report{}, err
	}
	store := model.NewStore()
	if err := config.Trace(d, store); err != nil {
		return hf.Report{}, err
	}
	return hf.Match(store.RootScope(), folder.Tensors, config.Names())
}

// Model is a loaded model.
type Model struct {
	Architecture string
	Config       Config
	Store        *model.Store
	Warnings     []string // tensors with NaN or infinite values

	device *device.Device
}

// Open loads the model in a folder.
func Open(d *device.Device, dir string) (*Model, error) {
	folder, err := hf.Open(dir)
	if err != nil {
		return nil, err
	}
	defer folder.Tensors.Close()
	config, err := configure(dir, folder)
	if err != nil {
		return nil, err
	}
	store := model.NewStore()
	if err := config.Trace(d, store); err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	report, err := hf.Load(store.RootScope(), folder.Tensors, config.Names())
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	return &Model{folder.Architecture, config, store, report.Warnings, d}, nil
}

// Forward runs the model on arrays with the names that the original library uses. Integers and booleans are converted
// to int32, other numbers to float32. The outputs are sorted by name.
func (m *Model) Forward(inputs *safefile.Tensors) ([]safefile.TensorData, error) {
	given := map[string]*tensors.Tensor{}
	for _, name := range inputs.Names() {
		tensor, err := input(inputs, name)
		if err != nil {
			return nil, err
		}
		given[name] = tensor
	}
	outputs, err := m.Config.Run(m.device, m.Store, given)
	if err != nil {
		return nil, err
	}
	var results []safefile.TensorData
	for _, name := range slices.Sorted(maps.Keys(outputs)) {
		values, err := tensors.CopyFlatData[float32](outputs[name])
		if err != nil {
			return nil, fmt.Errorf("the output %s: %w", name, err)
		}
		results = append(results, safefile.TensorOf(name, outputs[name].Shape().Dimensions, values))
	}
	return results, nil
}
