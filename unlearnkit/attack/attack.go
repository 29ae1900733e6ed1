// Package attack tries to get back what models were made to forget, and says how much of it came back at which cost.
//
// An [Attack] has an axis of budgets: the share of denoising steps that the original model does, steps of relearning,
// bits of a quantised weight. Its [Result] keeps the raw rows, from which [Result.Curve] makes recovery curves with
// bands. Recovery alone proves nothing: what gold, a model that never saw the concept, recovers too was in the attack
// and not in the unlearned model; and a model that recovers nothing may be one that draws nothing any more. So a Result
// has a place for gold and for the accuracy on what was to be retained, and [Result.Lacks] says which of them are
// missing.
//
// Package partialdiffusion below it is the attack of "Unlearning or Concealment?". Package membership does not get
// anything back: it tells what a model was trained with from what it was not. Nor do the two that ask language models:
// package exposure ranks a secret among others by how likely it is found, and package causal traces where an answer is
// kept.
package attack

import "context"

// Attack is one way of trying, at growing budgets.
type Attack interface {
	Name() string      // "partial diffusion"
	Axis() string      // what the budget counts: "ψ", "steps of relearning"
	Budgets() []Budget // in growing order
	// Run attacks every model at every budget. It stops within a step when ctx ends; progress may be nil.
	Run(ctx context.Context, progress Progress) (*Result, error)
}

// Budget is what an attack may spend.
type Budget struct {
	Text  string  `json:"text"` // as it was given, so that .1 stays .1
	Value float64 `json:"value"`
}

// Progress hears how many units of work, calls of a network as a rule, are done.
type Progress func(done, of int)
