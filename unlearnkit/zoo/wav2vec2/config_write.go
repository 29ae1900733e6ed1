package wav2vec2

import (
	"encoding/json"
	"fmt"
)

// JSON returns a config.json for a model with this configuration, which [ParseConfig] and the transformers library can
// read.
func (c Config) JSON() []byte {
	architecture := map[string]string{wav2vec2Type: "Wav2Vec2", hubertType: "Hubert"}[c.ModelType]
	file := struct {
		Config
		Architectures []string          `json:"architectures"`
		Labels        map[string]string `json:"id2label,omitempty"`
	}{Config: c, Architectures: []string{architecture + "Model"}}
	if c.NumLabels > 0 {
		file.Architectures[0] = architecture + withHead
		file.Labels = map[string]string{}
		for label := range c.NumLabels {
			file.Labels[fmt.Sprint(label)] = fmt.Sprintf("LABEL_%d", label)
		}
	}
	written, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		panic(err) // impossible, because the fields are numbers and strings
	}
	return append(written, '\n')
}
