package stat

import (
	"encoding/json"
	"math"
	"strings"
)

// Result holds the fields common to all tests. Each test's own struct embeds it.
type Result struct {
	Test        string      // name of the test on the command line, such as "wilcoxon"
	Statistic   float64     // test statistic, as the test documents it
	P           float64     // p-value; NaN if undefined, with the reason in Warnings
	N           int         // number of observations, or of pairs in a paired test
	Effect      Effect      // effect size that belongs to the test
	Alternative Alternative // tested alternative
	Method      Method      // how P was computed; it is never Auto
	Warnings    Warning     // reasons why P may be inaccurate or undefined
}

// Effect is an effect size with its interval.
type Effect struct {
	Name   string  // name, such as "rank-biserial" or "Cohen's d_z"
	Value  float64 // estimated effect size
	Lo, Hi float64 // limits of the interval; both NaN if it was not requested
	Level  float64 // confidence level of the interval
}

// bare returns an effect without an interval.
func bare(name string, value float64) Effect {
	return Effect{Name: name, Value: value, Lo: math.NaN(), Hi: math.NaN()}
}

// Warning is a set of limitations of a result.
type Warning uint32

const (
	WarnEmpty        Warning = 1 << iota // there are no observations, or none remain
	WarnNaN                              // a value is NaN
	WarnInf                              // a value is infinite, but the statistic needs finite values
	WarnTies                             // there are ties: the p-value is approximate, or exact given the ties
	WarnZeros                            // zero differences were dropped
	WarnAllTied                          // every difference is zero, or all values are equal
	WarnTooFew                           // too few observations for the statistic to be defined
	WarnNoVariance                       // the variance is zero
	WarnSmallSample                      // the sample is small, so that the asymptotic p-value is inaccurate
	WarnFellBack                         // the exact p-value could not be computed, so that P is asymptotic
	WarnBadParameter                     // a parameter is outside its range
	WarnNotConverged                     // an iteration ended before its tolerance was met

	WarnFewUnits            // fewer than 10 units were resampled, so that the interval is inaccurate
	WarnUndefinedResamples  // resamples whose statistic is NaN were left out
	WarnDegenerateResamples // the resampled statistics do not determine the interval
	WarnResampled           // the exact p-value could not be computed, so that P is from random resamples
)

var warningTexts = [...]string{
	"no observations",
	"a value is NaN",
	"a value is infinite",
	"ties",
	"zero differences dropped",
	"all values are tied",
	"too few observations",
	"zero variance",
	"small sample: the asymptotic p-value is rough",
	"exact p-value not computable, asymptotic given",
	"a parameter is outside its range",
	"iteration did not converge",
	"fewer than 10 units resampled: the interval is rough",
	"resamples with an undefined statistic were left out",
	"the resampled statistics do not determine the interval",
	"exact p-value not computable, random resamples used",
}

// Has reports whether w contains all warnings in v.
func (w Warning) Has(v Warning) bool { return w&v == v }

// Texts returns one short text per warning, in a fixed order.
func (w Warning) Texts() []string {
	texts := []string{}
	for i, t := range warningTexts {
		if w&(1<<i) != 0 {
			texts = append(texts, t)
		}
	}
	return texts
}

// String returns the texts of the warnings, separated by semicolons.
func (w Warning) String() string { return strings.Join(w.Texts(), "; ") }

// MarshalJSON encodes the texts of the warnings as an array.
func (w Warning) MarshalJSON() ([]byte, error) { return json.Marshal(w.Texts()) }
