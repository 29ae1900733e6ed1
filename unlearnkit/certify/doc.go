// Package certify quantifies the uncertainty of a study's numbers: cells with intervals, tests and verdicts, claims
// that hold or fail, and comparisons of rows.
//
// # What is repeated, and what is shared
//
// A study repeats itself: it makes several worlds, or trains with several seeds. Each repetition has outcomes of units,
// and a [Family] has one of two kinds of units:
//
//   - nested: every repetition has its own units, such as the people of a world. The differences between units are
//     already part of the differences between repetitions.
//   - crossed: all repetitions share the units, such as the noises from which pictures are drawn. Five trainings on 79
//     noises have 79 noises, not 395.
//
// A sample that was made once, such as the scores of a single reference model, enters once ([Once]). Samples that are
// repeated under another name, such as the trainings of that model, have their own V_repetitions: the first repetition
// of one kind is unrelated to the first repetition of another.
//
// # Intervals and p-values
//
// A [Quantity] of means is linearised at the means, so that every outcome adds a term. With R repetitions, crossed
// units and their interaction, the variance is the variance of a two-way crossed layout,
//
//	V = V_repetitions + V_units - V_both,  but no less than V_repetitions or V_units alone,
//
// the two-way estimate of Cameron, Gelbach and Miller (2011) with the mean squares of a random-effects analysis of
// variance. Nested units add nothing to V_repetitions. A single repetition shows nothing about others: then the
// variance is the variance over its units, and the number is about that repetition.
//
// Intervals and tests are Student's. The squared half-width is the sum of t² V over the sources, each with its own
// degrees of freedom. The reported degrees of freedom reproduce this half-width, but are at most the number of
// repetitions minus one: the variance between repetitions may by chance be estimated as zero. A mean whose outcomes are
// all 0, or all 1, except for one unit or two has almost no observed variance; its uncertainty is the width of Wilson's
// interval for that number of units.
//
// Intervals of shares are Wilson's, and their tests are the score test, with the number of independent outcomes that
// would have the same variance. The degrees of freedom of a share are Satterthwaite's (1946), and all of V_repetitions
// counts as estimated from the repetitions alone: the part that units explain is itself poorly estimated. For a
// difference of a repeated share and a share that is independent of those repetitions, a test against another size uses
// the variance that the first share would have there, in proportion to p(1-p).
//
// # Claims
//
// Claims are corrected by Holm's method within families. The claims in a paper's abstract, list of contributions and
// conclusion form one family, the [Headline]; each section forms another. Families follow the paper's text alone. The
// error rate is 5 % in each family, not over all families.
//
// Nothing is drawn at random.
//
// # Coverage of the intervals
//
// The tests simulate the coverage. testdata/coverage.txt tabulates it for layouts with 3 to 12 repetitions, and
// testdata/border.txt at the border of a verdict. If repetitions differ by up to half a standard deviation of an
// outcome, 95 % intervals cover the truth in about .93 or more of all cases. If they differ by a whole standard
// deviation, intervals of shares cover it in .85 or more. Differences of two shares of .05 or less are covered too
// often, in .97 to 1.
package certify
