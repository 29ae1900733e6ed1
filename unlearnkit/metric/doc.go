// Package metric computes the papers' metrics from raw scores.
//
// Every metric is a pure function. Its input is numbers, embeddings, losses, times or answers of a model. It returns a
// number, or a struct with the number, its parts, and one outcome per row, which the papers' tests need.
//
// # Embeddings
//
// Metrics on images and captions take [Embeddings]: a [Matrix] in memory or a [RowFunc] that reads rows on demand.
// Callers need not normalise the rows. [RetFail] at the size of SALMUBench, 30,468 images against a gallery of 2,000
// captions, takes seconds and never holds the matrix of scores.
//
// # Undefined numbers
//
// An undefined number, such as the mean of nothing or the rank of a NaN, is NaN, or the value that the function
// documents. It is never a number that looks like a result. Functions panic if rows do not match each other, because
// this is a mistake of the caller.
//
// # Variants
//
// If a paper's text and its tables disagree, this package has both variants. The documentation states which variant
// gives the printed numbers: see [GUMOnAccuracy] and [GUMOnF1].
//
// # Randomness
//
// One goroutine draws random galleries, permutations and splits from the caller's generator, so that no result depends
// on the number of processors. Different processors round float32 products differently, so the order of nearly tied
// captions may also differ.
package metric
