// Package train makes the raw scores of the study of "Unlearning or Concealment?": it trains the original and gold
// models and the judge of their pictures, runs the methods, and attacks what they made.
//
// The stages, in the order in which they need each other:
//
//	Judge   a residual network that says of a picture which object, style, colour and texture it shows
//	Base    the original model, or a gold one that never saw a concept
//	Look    what the judge sees in what a model draws of many prompts
//	Tune    the same while a method erases a concept, by prompts and noise of which no table is made: it is what a
//	        method's settings are chosen by
//	Erase   the model that a method leaves
//	Attack  partial diffusion from the original to another model, unlearned or gold, and the classifiers, distances
//	        and judgements of all that comes of it
//	Moved   how far the weights of an erased model lie from the original's
//	Second  what another judge sees in pictures that attacks have kept
//
// Each gives the same bytes again from the same spec on the same device. Base, Judge, Tune and Erase go on where they
// were interrupted.
//
// On XLA a graph takes seconds to be compiled and a study has hundreds of runs on models of one shape. So the lab keeps
// networks with their graphs and gives them other weights for the next run; runs that go on side by side have networks
// of their own. Pictures are drawn forty at a time, the last forty filled up with some that nobody wants. What is
// compiled anew in each run is the training step of a method. What the original draws in an attack is kept for the
// attacks on other models with the same prompt.
package train

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

// Lab computes the stages of the study on one device. Its methods may run side by side.
type Lab struct {
	*lab.Lab[denoising.View]
	atOnce  int // pictures that are drawn
	artists pool[*artist]
	judges  pool[*judge]

	openings openings
}

// NewLab is a lab that knows the methods of the paper and those given beside them. The device is opened when something
// is computed.
func NewLab(open func() (*device.Device, error), own ...denoising.Method) *Lab {
	return &Lab{Lab: lab.New(open, denoising.Methods(), own), atOnce: drawnAtOnce}
}

func open(w concealment.World) (*concept.World, error) { return concept.New(w.Spec) }

// Makers returns what makes the stages.
func (l *Lab) Makers() study.Makers {
	return study.NewMakers(concealment.Judge.By(l.Judge), concealment.Base.By(l.Base), concealment.Samples.By(l.Look),
		concealment.Tuning.By(l.Tune), concealment.Erased.By(l.Erase), concealment.Attack.By(l.Attack),
		concealment.Moved.By(l.Moved), concealment.Second.By(l.Second))
}
