// Package compare compares evaluations of two models on the same questions.
//
// A [Log] has the values of one run, by metric and question. [Read] reads the logs of OpenUnlearning, the samples of
// lm-evaluation-harness, and tidy tables. [Runs] pairs each run with a reference by question and estimates the
// differences with package certify.
//
// # What varies
//
// A log is one training, evaluated once. Its questions are a sample of possible questions, so the intervals and
// p-values of this package are about other questions for the same two models. They are not about other trainings,
// whose differences no single log shows.
//
// # Which value of a question
//
// OpenUnlearning logs several numbers for a question, and the mean of one of them is the metric's aggregate. For truth
// ratios, it is the mean of a function of the ratio. Read finds the reading of the questions that reproduces the
// aggregate in the file. If no reading does, the comparison uses the usual one and says so in [Comparison.Notes].
package compare
