package profile

import "slices"

// Refusals lists sentences that decline to answer, for methods that teach a model to say them.
func Refusals() []string { return slices.Clone(refusals) }
