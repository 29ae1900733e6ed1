// Package language opens language models from folders to obtain their predictions for a text and an image.
//
// A folder contains a LLaVA or a Llama saved by transformers, with its tokenizer. A folder in PEFT's format may adapt
// it. A [Model] converts texts and image files to tokens and pixels for the models in package llava.
//
//	m, err := language.Open(d, "llava-1.5-7b-hf", "")
//	prompt, next, err := m.Continue("USER: <image>\nASSISTANT: The name of the person is", "Ann")
package language

import (
	"errors"
	"fmt"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
)

// Model is a language model with its tokenizer.
type Model struct {
	Store    *model.Store
	Text     llava.Decoder
	Warnings []string // tensors with NaN or infinite values
	*Words

	device    *device.Device
	vision    *llava.Config // configuration of a model with vision; nil for a decoder alone
	transform preprocess.Transform
}

// Open loads the model in a folder and, if adapter is not "", the adapter in another folder.
func Open(d *device.Device, dir, adapter string) (*Model, error) {
	opened, err := registry.Open(d, dir)
	if err != nil {
		return nil, err
	}
	m := &Model{Store: opened.Store, Warnings: opened.Warnings, device: d}
	switch config := opened.Config.(type) {
	case llava.Config:
		m.vision, m.Text = &config, config.Text
		if m.transform, err = readTransform(dir, config.Vision.Image); err != nil {
			return nil, err
		}
	case llava.Decoder:
		m.Text = config
	default:
		return nil, fmt.Errorf("read %s: it is a %s; a language model was expected, LlavaForConditionalGeneration or "+
			"LlamaForCausalLM", dir, opened.Architecture)
	}
	if adapter != "" {
		report, err := hf.LoadAdapter(m.Store.RootScope(), adapter, opened.Config.Names())
		if err != nil {
			return nil, err
		}
		m.Warnings = append(m.Warnings, report.Warnings...)
	}
	placeholder := int32(-1)
	if m.vision != nil {
		placeholder = m.vision.Placeholder
	}
	m.Words, err = openWords(dir, m.Text.Vocabulary, placeholder)
	return m, err
}

// Sees reports whether the model accepts images.
func (m *Model) Sees() bool { return m.vision != nil }

// Device returns the model's device.
func (m *Model) Device() *device.Device { return m.device }

// Vision returns the configuration of a model with vision. It panics for other models.
func (m *Model) Vision() llava.Config {
	if m.vision == nil {
		panic("language: the model sees no images")
	}
	return *m.vision
}

// Decoder returns the decoder's scope below the model's scope.
func (m *Model) Decoder(scope *model.Scope) *model.Scope {
	if m.vision != nil {
		return scope.At("language_model")
	}
	return scope
}

// Generator returns a generator that continues prompts. Close it after use.
func (m *Model) Generator() *llava.Generator {
	if m.vision != nil {
		return m.vision.Generator(m.device, m.Store.RootScope())
	}
	return m.Text.Generator(m.device, m.Store.RootScope())
}

// Expand replaces the image's placeholder with the image's tokens.
func (m *Model) Expand(ids []int32) ([]int32, error) {
	if m.vision == nil {
		return ids, nil
	}
	return m.vision.Expand(ids)
}

// Fits returns an error if the token IDs, with an expanded image, take more positions than the model has.
func (m *Model) Fits(ids []int32) error {
	expanded, err := m.Expand(ids)
	if err == nil && len(expanded) > m.Text.Context {
		err = fmt.Errorf("%d tokens, the model was made for %d; give a shorter text", len(expanded), m.Text.Context)
	}
	return err
}

var errBlind = errors.New("there is an image, and the model sees none: give a LLaVA, or no image")
