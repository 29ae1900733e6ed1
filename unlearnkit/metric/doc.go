// Package metric computes the papers' metrics from raw scores.
//
// Every metric is a pure function from plain numbers, embeddings, losses, times or answers of a model, to a number or
// to a struct that holds the number, its parts, and one outcome a row. The outcomes are what the tests of a paper are
// performed on: a mean can be read from them, they cannot be read from a mean.
//
// # Embeddings
//
// Metrics on images and captions take [Embeddings]: a [Matrix] in memory or a [RowFunc] that reads rows on demand.
// Nothing needs to be normalised before. [RetFail] at the size of SALMUBench, 30,468 images against a gallery of 2,000
// captions, takes seconds and never holds the matrix of scores.
//
// # Undefined numbers
//
// What is not defined, such as the mean of nothing or the rank of a NaN, is NaN, or the value that the function
// documents; it is never a number that could pass for a result. Rows that do not fit together are a mistake of the
// caller and panic.
//
// # Variants
//
// Where a paper's text and its tables disagree both readings exist, and the documentation says which of them gives the
// printed numbers: see [GUMOnAccuracy] and [GUMOnF1].
//
// # Randomness
//
// What must be drawn (galleries, permutations, splits) is drawn from the generator given, by one goroutine. No result
// depends on the number of processors. Between kinds of processors the last bits of float32 products differ, and with
// them the order of captions that nearly tie.
package metric
