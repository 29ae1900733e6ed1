// Package certify says how sure a number of a study is: cells with intervals, tests and verdicts, claims that hold or
// fail, and panels of means that are resampled together.
//
// It knows raw outcomes and what they have in common; it knows no model, no paper and no file.
package certify
