// Package compare compares evaluations of two models on the same questions.
//
// A [Log] has the values of one run, by metric and question. [Read] reads the logs of OpenUnlearning, the samples of
// lm-evaluation-harness, and tidy tables. [Runs] pairs each run with a reference by question and estimates the
// differences with package certify.
//
// # What varies
//
// A log is the evaluation of one trained model. Its questions are a sample of possible questions. The intervals and
// p-values of this package therefore refer to other questions for the same two models. They do not refer to models from
// other training runs, because a single log cannot show how these differ.
//
// # Which value of a question
//
// OpenUnlearning logs several numbers for each question. The mean of one of them is the metric's aggregate; for truth
// ratios, it is the mean of a function of the ratio. [Read] finds the number whose mean equals the aggregate in the
// file. If none exists, the comparison uses the most common one and adds a note to [Comparison.Notes].
package compare
