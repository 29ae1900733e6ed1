package hf

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// OpenCLIP is the architecture that Detect returns for a folder of OpenCLIP, whose configuration names none.
const OpenCLIP = "open_clip"

// byModelType maps a model_type to an architecture, for configurations that have only a model_type.
var byModelType = map[string]string{
	"clip": "CLIPModel", "clip_text_model": "CLIPTextModel", "clip_vision_model": "CLIPVisionModel",
	"llava": "LlavaForConditionalGeneration",
	"llama": "LlamaForCausalLM", "wav2vec2": "Wav2Vec2ForSequenceClassification",
	"hubert": "HubertForSequenceClassification",
}

// Folder is an opened model folder.
type Folder struct {
	Architecture string            // name of the model's class, as returned by Detect
	Config       []byte            // text of the configuration
	Tensors      *safefile.Tensors // the folder's tensors; close them after use
}

// Open opens a model's folder written by a supported library.
func Open(dir string) (*Folder, error) {
	architecture, config, err := Detect(dir)
	if err != nil {
		return nil, err
	}
	file, err := safefile.OpenFolder(dir, base(dir))
	if err != nil {
		return nil, err
	}
	return &Folder{architecture, config, file}, nil
}

// bases lists the names that the supported libraries give their files.
var bases = []string{"model", "diffusion_pytorch_model", "open_clip_model"}

// base returns the name in bases that a folder's files have, or the first name if there are none.
func base(dir string) string {
	for _, b := range bases {
		if exists(dir, b+".safetensors") || exists(dir, b+".safetensors.index.json") {
			return b
		}
	}
	return bases[0]
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// Detect identifies the model in a folder. The architecture is the name of a class in transformers or diffusers,
// [OpenCLIP], or a name such as "resnet18" from a configuration {"architecture": "resnet18"}, which a folder with
// torchvision's weights may have. Without a configuration, such weights are recognised by their tensor names. Config is
// the text of config.json or open_clip_config.json.
func Detect(dir string) (architecture string, config []byte, err error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, fmt.Errorf("read %s: there is no such folder", dir)
	case err == nil && !info.IsDir():
		return "", nil, fmt.Errorf("read %s: it is a file, a model's folder with config.json and *.safetensors was "+
			"expected", dir)
	case exists(dir, "open_clip_config.json") && (base(dir) == "open_clip_model" || !exists(dir, "config.json")):
		config, err = readConfig(filepath.Join(dir, "open_clip_config.json"))
		return OpenCLIP, config, err
	case exists(dir, "config.json"):
		path := filepath.Join(dir, "config.json")
		if config, err = readConfig(path); err != nil {
			return "", nil, err
		}
		architecture, err = parseArchitecture(path, config)
		return architecture, config, err
	case exists(dir, "model_index.json"):
		return "", nil, fmt.Errorf("read %s: it is a whole pipeline; name one of its models: %s", dir,
			filepath.Join(dir, "unet, vae or text_encoder"))
	case exists(dir, "adapter_config.json"):
		return "", nil, fmt.Errorf("read %s: it is an adapter; name the folder of the model that it belongs to", dir)
	}
	return byTensors(dir)
}

// maxConfig is the maximum size of a configuration in bytes. A configuration with a thousand labels has 80 kB.
const maxConfig = 16 << 20

func readConfig(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, errors.Unwrap(err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxConfig+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, errors.Unwrap(err))
	case len(text) > maxConfig:
		return nil, fmt.Errorf("read %s: it has more than %d MiB", path, maxConfig>>20)
	case !json.Valid(text):
		return nil, fmt.Errorf("read %s: it is not JSON", path)
	}
	return text, nil
}

func parseArchitecture(path string, config []byte) (string, error) {
	var fields struct {
		ClassName     string   `json:"_class_name"`
		Architectures []string `json:"architectures"`
		Architecture  string   `json:"architecture"`
		ModelType     string   `json:"model_type"`
	}
	if err := json.Unmarshal(config, &fields); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	switch {
	case fields.ClassName != "":
		return fields.ClassName, nil
	case len(fields.Architectures) > 0 && fields.Architectures[0] != "":
		return fields.Architectures[0], nil
	case fields.Architecture != "":
		return fields.Architecture, nil
	case byModelType[fields.ModelType] != "":
		return byModelType[fields.ModelType], nil
	case fields.ModelType != "":
		return fields.ModelType, nil
	}
	return "", fmt.Errorf("read %s: it names no model: architectures, model_type, _class_name or architecture was "+
		"expected", path)
}

// byTensors recognises torchvision's residual networks by their number of blocks.
func byTensors(dir string) (string, []byte, error) {
	file, err := safefile.OpenFolder(dir, base(dir))
	if err != nil {
		return "", nil, err
	}
	defer file.Close()
	names := file.Names()
	blocks := 0
	for stage := 1; stage <= 4; stage++ {
		for block := 0; slices.Contains(names, fmt.Sprintf("layer%d.%d.conv2.weight", stage, block)); block++ {
			blocks++
		}
	}
	bottleneck := slices.ContainsFunc(names, func(name string) bool { return strings.HasSuffix(name, ".conv3.weight") })
	architecture := map[int]string{8: "resnet18", 16: "resnet34"}[blocks]
	if architecture == "" || bottleneck {
		return "", nil, fmt.Errorf("read %s: there is no config.json, and no known model has these tensor "+
			"names", dir)
	}
	return architecture, fmt.Appendf(nil, `{"architecture": %q}`, architecture), nil
}
