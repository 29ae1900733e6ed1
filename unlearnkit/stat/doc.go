// Package stat computes p-values, intervals and effect sizes.
//
// Every test is a function of slices or counts. It returns a struct with the statistic, the p-value, the effect, the
// method of the p-value, and warnings. Unless documented otherwise, defaults agree with the current scipy or
// statsmodels, so that the same numbers result without options.
//
// # Which function
//
// Do two methods differ?
//
//	on the same items, as ranks        Wilcoxon; Sign where only the direction counts
//	on the same items, as means        TTestPaired, PermutationPaired
//	on the same items, yes or no       McNemar, McNemarOutcomes
//	on different items, as ranks       MannWhitney
//	on different items, as means       Welch, TTestInd, PermutationInd
//	on different items, yes or no      Fisher
//	as whole distributions             KS2; KS2P for a printed D
//	more than two, on the same items   Friedman, then Nemenyi
//
// Do two variables order the same items in the same way? Kendall.
//
// Does one sample differ from a given value?
//
//	its mean                           TTest1
//	its share of successes             Binomial
//	its distribution function          KS1
//
// Are two methods equal up to a margin? A large p-value does not show equality; these tests do:
//
//	on the same items                  TOSTPaired
//	on different items                 TOSTWelch, TOSTProportions
//
// How large is it, and how certain?
//
//	a proportion                       Wilson, ClopperPearson
//	a difference of proportions        RiskDifference, RiskDifferencePaired, CohenH
//	a mean difference, standardised    CohenDZ for pairs; CohenD, HedgesG
//	how often one is larger            RankBiserial for pairs; CliffDelta
//	a mean, a difference, a ratio      BootstrapMean, BootstrapPaired, BootstrapMeanDifference, BootstrapRatio,
//	                                   BootstrapProportion
//	any statistic                      Bootstrap
//
// The option [Clusters] resamples dependent observations together, such as the questions about one person or the runs
// of one seed.
//
// Which of many tests are significant together? [Holm], [Hochberg] and [Bonferroni] bound the probability of a false
// rejection. [BenjaminiHochberg] and [BenjaminiYekutieli] bound the share of false rejections. [Reject] compares with a
// level.
//
// How many observations does a test need? The functions Power…, SampleSize… and Detectable… answer for the t tests, the
// rank tests, [Sign], [Binomial], [McNemar] and two proportions, and [PowerSimulated] for any other test.
//
// # Options
//
// An [Option] is a typed value, given after the data in any order:
//
//	stat.Wilcoxon(ours, gold)
//	stat.Wilcoxon(ours, gold, stat.Less, stat.Exact)
//	stat.MannWhitney(a, b, stat.Correction(false))
//
// A test ignores options that it does not know. Most know
//
//	Alternative              TwoSided, Less, Greater
//	Method                   Auto, Exact, Asymptotic, MonteCarlo
//	Correction               the continuity correction
//	Level                    confidence level of intervals; power and equivalence are at α = 1 − Level
//	Seed, Resamples          stream and number of random resamples
//	*Scratch                 working memory for many tests in a row
//
// and few know
//
//	ZeroMethod               Wilcoxon: DropZeros, PrattZeros, SplitZeros
//	TieAware                 KS2: the exact p-value given the ties seen
//	MidP                     McNemar: the mid-p-value
//	RiskDifferenceVariance   TOSTProportions: ScoreVariance, AgrestiCaffoVariance, WaldVariance
//	IntervalKind             bootstraps: BCa, Percentile, Basic, Studentised
//	StandardError            Bootstrap with Studentised
//	Strata, Clusters, Subclusters   bootstraps: labels of the rows
//	Efficiency               PowerWilcoxon, PowerMannWhitney and their sample sizes
//
// # Degenerate input
//
// If a test is not defined (no observations, NaN among the data), its p-value is NaN and a [Warning] gives the reason.
// Otherwise the p-value is in [0, 1]. An undefined effect, interval or power is NaN. Paired slices of different lengths
// are a mistake of the caller and panic.
//
// # Randomness
//
// Permutation tests, bootstraps and [PowerSimulated] draw from a stream that depends only on [Seed]: the same seed
// gives the same number on every machine, with any number of processors.
package stat
