// Package metric computes the papers' metrics from raw scores.
//
// Every metric is a pure function from plain numbers, embeddings, losses, times or answers of a model, to a number or
// to a struct that holds the number, its parts, and one outcome per row. The papers' tests need the outcomes: a mean
// can be computed from outcomes, but not the outcomes from a mean.
//
// # Embeddings
//
// Metrics on images and captions take [Embeddings]: a [Matrix] in memory or a [RowFunc] that reads rows on demand.
// Callers need not normalise anything. [RetFail] at the size of SALMUBench, 30,468 images against a gallery of 2,000
// captions, takes seconds and never holds the matrix of scores.
//
// # Undefined numbers
//
// An undefined number, such as the mean of nothing or the rank of a NaN, is NaN, or the value that the function
// documents. It is never a number that looks like a result. Rows that do not match each other are a mistake of the
// caller and panic.
//
// # Variants
//
// If a paper's text and its tables disagree, both variants exist. The documentation says which variant gives the
// printed numbers: see [GUMOnAccuracy] and [GUMOnF1].
//
// # Randomness
//
// Random galleries, permutations and splits are drawn from the generator that the caller passes, by one goroutine. No
// result depends on the number of processors. Between kinds of processors the last bits of float32 products differ, and
// with them the order of captions that nearly tie.
package metric
