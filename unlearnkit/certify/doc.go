// Package certify says how sure a number of a study is: cells with intervals, tests and verdicts, claims that hold or
// fail, and rows that are compared with each other.
//
// # What is repeated, and what is shared
//
// A study repeats itself: it makes worlds, or trains with several seeds. Each repetition has outcomes of units, and a
// [Family] says which of two kinds its units are:
//
//   - nested: every repetition has its own, such as the people of a world. What they differ by is already in what the
//     repetitions differ by.
//   - crossed: all repetitions have the same, such as the noises from which pictures are drawn. Five trainings on 79
//     noises have 79 noises, not 395.
//
// What was made once, such as a model that stands beside all repetitions, enters once ([Once]). What is repeated under
// another name, such as the trainings of that model, has a V_repetitions of its own: the first of its repetitions is
// not that of another kind.
//
// # Intervals and p-values
//
// A [Quantity] of means is linearised at the means, so that every outcome adds its part to it. With R repetitions,
// crossed units and what both do together, the variance is that of a layout crossed in two ways,
//
//	V = V_repetitions + V_units - V_both,  but no less than V_repetitions or V_units alone,
//
// which is the two-way estimate of Cameron, Gelbach and Miller (2011) with the mean squares of a random-effects
// analysis of variance. Nested units add nothing to V_repetitions. One repetition alone says nothing of others: then
// the variance is that of its units, and the number is about that repetition.
//
// Intervals and tests are Student's. The squared half-width is the sum of t² V over the sources, each with the degrees
// of freedom of its own, and the degrees of freedom that are reported are those that give this half-width, but no more
// than one less than there are repetitions: what these differ by may by chance be estimated as nothing. A mean whose
// outcomes are all 0, or all 1, but for one unit or two shows next to no variance; it counts as uncertain as Wilson's
// interval of so many units says. Intervals of shares are Wilson's, and their tests the score test, with the number of
// independent outcomes that would have the variance. Of a share the degrees of freedom are Satterthwaite's (1946), with
// all of V_repetitions as known from the repetitions alone: how much of it units explain is itself hardly known. A
// difference of a share that is repeated and one that is independent of its repetitions is tested against another size
// with the variance that the first share would have there, in proportion to p(1-p).
//
// # Claims
//
// Claims are corrected by Holm's method within families: what a paper says in its abstract, among its contributions or
// in its conclusion is one, the [Headline], and each section is another. The families are those of the paper's text
// alone. Of every family the chance of an error is 5 %, not of all together.
//
// Nothing is drawn at random.
//
// # How often intervals hold the truth
//
// The tests simulate it; testdata/coverage.txt has the table, of layouts with 3 to 12 repetitions, and
// testdata/border.txt that of the border of a verdict. Where repetitions differ by up to half a standard deviation of
// an outcome, intervals of 95 % hold the truth in about .93 or more of all cases; where they differ by a whole one,
// those of shares in .85 or more. Differences of two shares of .05 and less are held too often, in .97 to 1.
package certify
