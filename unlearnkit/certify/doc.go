// Package certify quantifies the uncertainty of a study's numbers: cells with intervals, tests and verdicts, claims
// that hold or fail, and comparisons of rows.
//
// # Repetitions and units
//
// A study repeats itself: it generates several data sets, called worlds, or trains with several seeds. Each repetition
// has outcomes of units, and a [Family] has one of two kinds of units:
//
//   - nested: every repetition has its own units, such as the people of a world. The differences between units are
//     already part of the differences between repetitions.
//   - crossed: all repetitions share the units, such as the noises from which pictures are drawn. Five trainings on 79
//     noises have 79 noises, not 395.
//
// An unrepeated sample, such as the scores of a single reference model, counts once ([Once]). Samples with another name
// for their repetitions, such as the trainings of a repeated reference model, have their own V_repetitions. Repetitions
// of different names are independent, even if their indices are equal.
//
// # Intervals and p-values
//
// A [Quantity] of means is linearised at the means, so that every outcome adds a term. With R repetitions, crossed
// units and their interaction, the variance is the variance of a two-way crossed layout,
//
//	V = V_repetitions + V_units - V_both,  but no less than V_repetitions or V_units alone,
//
// the two-way estimate of Cameron, Gelbach and Miller (2011) with the mean squares of a random-effects analysis of
// variance. Nested units add nothing to V_repetitions. A single repetition shows nothing about other repetitions. The
// variance is then the variance over its units, and the number describes that repetition only.
//
// Intervals and tests are Student's. The squared half-width is the sum of t² V over the sources, each with its own
// degrees of freedom. The reported degrees of freedom reproduce this half-width, but are at most the number of
// repetitions minus one, because the variance between repetitions may be estimated as zero by chance. If all outcomes
// of a mean are 0, or all are 1, except for one unit or two, the observed variance is almost zero. The uncertainty of
// such a mean is the width of Wilson's interval for that number of units.
//
// Intervals of shares are Wilson's, and their tests are the score test, with the number of independent outcomes that
// would have the same variance. The degrees of freedom of a share are Satterthwaite's (1946). All of V_repetitions
// counts as estimated from the repetitions alone, because the part that units explain is itself poorly estimated. Some
// differences compare a repeated share with a share that is independent of those repetitions. A test of such a
// difference against another size uses the variance that the first share would have at that size, in proportion to
// p(1-p).
//
// # Claims
//
// Claims are corrected by Holm's method within families. The claims in a paper's abstract, list of contributions and
// conclusion form one family, the [Headline]; each section forms another. Families depend only on the paper's text. The
// error rate is 5 % in each family, not over all families.
//
// The package uses no random numbers.
//
// # Coverage of the intervals
//
// The tests simulate the coverage. testdata/coverage.txt tabulates it for layouts with 3 to 12 repetitions, and
// testdata/border.txt tabulates how often verdicts are wrong if a true difference is at the border between two
// verdicts. If repetitions differ by up to half a standard deviation of an outcome, 95 % intervals cover the truth in
// about .93 or more of all cases. If they differ by a whole standard deviation, intervals of shares cover it in .85 or
// more, and by one and a half in .82 or more. A verdict at a border errs more often than its level says if repetitions
// differ by a whole standard deviation or more. Intervals of differences of two equal shares of .05 or less cover the
// truth too often, in .99 to 1 of all cases.
package certify
