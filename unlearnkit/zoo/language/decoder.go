package language

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// decoderPrefix is the prefix of the decoder's tensor names in a LLaVA.
const decoderPrefix = "language_model."

// SaveDecoder copies the decoder from the folder of a LLaVA to another folder as a Llama, with the same tokenizer.
func SaveDecoder(llava, folder string) error {
	weights, err := safefile.OpenFolder(llava, "model")
	if err != nil {
		return err
	}
	defer weights.Close()
	var own []safefile.TensorData
	for _, name := range weights.Names() {
		if short, is := strings.CutPrefix(name, decoderPrefix); is {
			tensor, _ := weights.Tensor(name)
			bytes, err := weights.Bytes(name)
			if err != nil {
				return err
			}
			own = append(own, safefile.TensorOfBytes(short, tensor.Type, tensor.Shape, bytes))
		}
	}
	if len(own) == 0 {
		return fmt.Errorf("read %s: no tensor is named %s…; the model of a LLaVA was expected", llava, decoderPrefix)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	if err := copyDecoderText(llava, folder); err != nil {
		return err
	}
	return safefile.WriteTensors(filepath.Join(folder, "model.safetensors"), own, nil)
}

// copyDecoderText writes the decoder's part of the configuration, and copies the tokenizer.
func copyDecoderText(llava, folder string) error {
	file := filepath.Join(llava, "config.json")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var config struct {
		Text json.RawMessage `json:"text_config"`
	}
	if err := json.Unmarshal(text, &config); err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	tokenizer, err := os.ReadFile(filepath.Join(llava, "tokenizer.json"))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, "config.json"), config.Text, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "tokenizer.json"), tokenizer, 0o644)
}
