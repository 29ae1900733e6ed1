// Package attack recovers what models were made to forget, and measures how much of it each budget recovers.
//
// An [Attack] has an axis of budgets: the share of denoising steps that the original model does, steps of relearning,
// bits of a quantised weight. Its [Result] holds the raw rows, from which [Result.Curve] computes recovery curves with
// bands. Recovery alone proves nothing. If gold, a model that never saw the concept, recovers as much, the recovery
// comes from the attack. A model that recovers nothing may no longer draw anything. So a Result also holds gold and the
// accuracy on retained data, and [Result.Lacks] lists which of them are missing.
//
// Package partialdiffusion is the attack of "Unlearning or Concealment?". Other packages measure knowledge instead of
// recovering it: package membership infers which examples a model was trained with, package exposure ranks a secret
// among candidates by the model's perplexity, and package causal locates the activations that carry an answer.
package attack

import "context"

// Attack tries to recover a concept at increasing budgets.
type Attack interface {
	Name() string      // "partial diffusion"
	Axis() string      // unit of the budgets: "ψ", "steps of relearning"
	Budgets() []Budget // budgets in increasing order
	// Run attacks every model at every budget. It returns within a step after ctx ends. progress may be nil.
	Run(ctx context.Context, progress Progress) (*Result, error)
}

// Budget is the effort that an attack may spend.
type Budget struct {
	Text  string  `json:"text"` // text as the user wrote it, so that .1 is printed as .1
	Value float64 `json:"value"`
}

// Progress is called with the number of units of work done and the total. A unit is usually one network call.
type Progress func(done, of int)
