// Package train computes the raw scores of the study of "Unlearning or Concealment?". It trains the original and gold
// models, and the judge of their pictures. It also runs the unlearning methods and attacks the erased models.
//
// The stages, in the order of their dependencies:
//
//	Judge   a residual network that labels the object, style, colour and texture of a picture
//	Base    the original model, or a gold model, which is trained without a concept
//	Look    the judge's labels of a model's pictures for many prompts
//	Tune    the judge's labels while a method erases a concept, with prompts and noise that no table uses;
//	        a method's settings are chosen by these labels
//	Erase   the model after a method has run
//	Attack  partial diffusion from the original to another model, unlearned or gold, and the classifiers,
//	        distances and labels of the resulting pictures
//	Moved   the distance between the weights of an erased model and the original
//	Second  another judge's labels of pictures that attacks have stored
//
// Each stage returns the same bytes for the same spec on the same device. Base, Judge, Tune and Erase resume after an
// interruption.
//
// On XLA, compiling a graph takes seconds, and a study has hundreds of runs on models with one architecture. Therefore
// the lab keeps networks with their compiled graphs, and loads other weights for the next run. Concurrent runs have
// separate networks. Pictures are drawn forty at a time, and the last batch is padded. Only the training step of a
// method is compiled in each run. The original's part of an attack is cached for attacks on other models with the same
// prompt.
package train

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

// Lab computes the stages of the study on one device. Its methods are safe for concurrent use.
type Lab struct {
	*lab.Lab[denoising.View]
	atOnce  int // number of pictures per batch
	artists pool[*artist]
	judges  pool[*judge]

	openings originalParts
}

// NewLab returns a lab with the methods of the paper and the caller's own methods. The device is opened when the first
// stage is computed.
func NewLab(open func() (*device.Device, error), own ...denoising.Method) *Lab {
	return &Lab{Lab: lab.New(open, denoising.Methods(), own), atOnce: drawnAtOnce}
}

func open(w concealment.World) (*concept.World, error) { return concept.New(w.Spec) }

// Makers returns the functions that compute the study's stages.
func (l *Lab) Makers() study.Makers {
	return study.NewMakers(concealment.Judge.By(l.Judge), concealment.Base.By(l.Base), concealment.Samples.By(l.Look),
		concealment.Tuning.By(l.Tune), concealment.Erased.By(l.Erase), concealment.Attack.By(l.Attack),
		concealment.Moved.By(l.Moved), concealment.Second.By(l.Second), concealment.Imported.By(l.Import))
}
