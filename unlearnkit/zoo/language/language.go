// Package language opens language models by their folders, to ask what they expect after a text and an image.
//
// A folder has a LLaVA or a Llama as transformers saves it, with its tokenizer; a folder of PEFT's may adapt it. A
// [Model] turns text and image files into the tokens and pixels that the models of package llava take.
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
	Warnings []string // tensors with NaN
	*Words

	device    *device.Device
	sees      *llava.Config // nil for a decoder alone
	transform preprocess.Transform
}

// Open loads the model of a folder, and the adapter of another if one is named.
func Open(d *device.Device, dir, adapter string) (*Model, error) {
	opened, err := registry.Open(d, dir)
	if err != nil {
		return nil, err
	}
	m := &Model{Store: opened.Store, Warnings: opened.Warnings, device: d}
	switch config := opened.Config.(type) {
	case llava.Config:
		m.sees, m.Text = &config, config.Text
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
	if m.sees != nil {
		placeholder = m.sees.Placeholder
	}
	m.Words, err = openWords(dir, m.Text.Vocabulary, placeholder)
	return m, err
}

// Sees reports whether the model takes images.
func (m *Model) Sees() bool { return m.sees != nil }

// Device is what the model was opened on.
func (m *Model) Device() *device.Device { return m.device }

// Vision is the configuration of a model that sees; it panics for another.
func (m *Model) Vision() llava.Config {
	if m.sees == nil {
		panic("language: the model sees no images")
	}
	return *m.sees
}

// Decoder is the scope of the decoder below that of the whole model.
func (m *Model) Decoder(scope *model.Scope) *model.Scope {
	if m.sees != nil {
		return scope.At("language_model")
	}
	return scope
}

// Generator continues prompts; close it after use.
func (m *Model) Generator() *llava.Generator {
	if m.sees != nil {
		return m.sees.Generator(m.device, m.Store.RootScope())
	}
	return m.Text.Generator(m.device, m.Store.RootScope())
}

// Expand puts the image's tokens into the place of its placeholder.
func (m *Model) Expand(ids []int32) ([]int32, error) {
	if m.sees == nil {
		return ids, nil
	}
	return m.sees.Expand(ids)
}

// Fits is an error where ids, with their image expanded, take more positions than the model has.
func (m *Model) Fits(ids []int32) error {
	expanded, err := m.Expand(ids)
	if err == nil && len(expanded) > m.Text.Context {
		err = fmt.Errorf("%d tokens, the model was made for %d; give a shorter text", len(expanded), m.Text.Context)
	}
	return err
}

var errBlind = errors.New("there is an image, and the model sees none: give a LLaVA, or no image")
