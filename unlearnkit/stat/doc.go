// Package stat computes p-values, intervals and effect sizes.
//
// Every test is a function of plain slices that returns a struct: the statistic, the p-value, the effect, how the p-value was found, and
// warnings as data. Unless a function says otherwise its defaults are those of the current scipy or statsmodels, so that a number
// printed by those libraries can be re-made here without options.
//
// # Options
//
// An [Option] is a typed value, given after the data in any order:
//
//	stat.Wilcoxon(ours, gold)
//	stat.Wilcoxon(ours, gold, stat.Less, stat.Exact)
//	stat.MannWhitney(a, b, stat.Correction(false))
//
// An option that a test does not know is ignored by it.
//
// # Degenerate input
//
// A p-value that is not defined (no observations, NaN among the data) is NaN and comes with a [Warning] that says why; a defined one lies in
// [0, 1]. Paired slices of different lengths are a mistake of the caller and panic.
//
// # Randomness
//
// Permutation tests and bootstraps draw from a stream that depends on [Seed] alone: the same seed gives the same number on every machine,
// with any number of processors.
package stat
