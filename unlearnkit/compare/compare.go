package compare

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Options configures a comparison.
type Options struct {
	Margin   float64 // largest difference that counts as equal; 0 means no equivalence tests
	AnyScale bool    // apply the margin also to metrics with values outside 0 to 1
	// GroupSize is the number of consecutive questions that belong together, such as TOFU's 20 questions about an
	// author. It is 0 if questions are independent. Questions about real authors and the world are always independent.
	GroupSize int
	Common    bool     // compare only the questions that both runs have
	Metrics   []string // names or patterns of the compared metrics; nil for all
	Retained  []string // names or patterns of metrics of retained knowledge; nil to use [Metric.Retained]
}

// Result states how a run compares with the reference in one metric.
type Result string

const (
	Equivalent Result = "equivalent" // the interval of the difference is inside the margin
	Higher     Result = "higher"     // significantly higher by the corrected p-value
	Lower      Result = "lower"      // significantly lower by the corrected p-value
	Unresolved Result = "unresolved" // neither equivalent nor significantly different
)

// Comparison compares a run with the reference in one metric.
type Comparison struct {
	Run, Metric string
	Reading     string // name of the compared field, such as rougeL_recall; empty if there is only one
	Questions   int
	Groups      int // number of independent groups of questions; 0 if questions are independent
	// Cell holds the run's mean, the reference's mean as the target, and the difference with its tests.
	Cell   certify.Cell
	Result Result
	// Watched is set if the metric measures retained knowledge and the compared field is confirmed as its value. Alarm
	// is set if such a metric is significantly lower than the reference.
	Watched, Alarm bool
	Notes          []string
}

// Skipped is a metric that could not be compared.
type Skipped struct {
	Run, Metric string
	Why         string
	Value       float64 // value for the whole run; NaN if unknown
	Against     float64 // value for the whole reference; NaN if unknown
}

// Report holds all comparisons of some runs with one reference.
type Report struct {
	Reference   string
	Runs        []string
	Margin      float64
	Comparisons []Comparison
	Skipped     []Skipped
}

// run is the unit of repetition: a log has one run.
var run = certify.Repetitions{Singular: "run", Plural: "runs"}

// Runs compares each run with a reference. It corrects the p-values over all comparisons by Holm's method.
func Runs(runs []*Log, reference *Log, options Options) *Report {
	r := &Report{Reference: reference.Run, Margin: options.Margin}
	for _, log := range runs {
		r.Runs = append(r.Runs, log.Run)
		for _, name := range names(log, reference) {
			if options.Metrics != nil && !matches(options.Metrics, name) {
				continue
			}
			c, why := options.compare(log.metric(name), reference.metric(name))
			if why != "" {
				r.Skipped = append(r.Skipped, Skipped{log.Run, name, why, aggregate(log.metric(name)),
					aggregate(reference.metric(name))})
				continue
			}
			c.Run = log.Run
			r.Comparisons = append(r.Comparisons, *c)
		}
	}
	cells := make([]certify.Cell, len(r.Comparisons))
	for i, c := range r.Comparisons {
		cells[i] = c.Cell
	}
	certify.Adjust(cells)
	for i := range r.Comparisons {
		r.Comparisons[i].judge(cells[i])
	}
	return r
}

// names returns the names of all metrics in the two logs, sorted.
func names(a, b *Log) (all []string) {
	for _, log := range []*Log{a, b} {
		for _, m := range log.Metrics {
			all = append(all, m.Name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func aggregate(m *Metric) float64 {
	if m == nil {
		return math.NaN()
	}
	return m.Aggregate
}

// judge sets the result according to the corrected p-value in cell.
func (c *Comparison) judge(cell certify.Cell) {
	c.Cell = cell
	switch {
	case cell.Verdict == certify.Matched:
		c.Result = Equivalent
	case cell.Differs() && cell.Difference > 0:
		c.Result = Higher
	case cell.Differs():
		c.Result, c.Alarm = Lower, c.Watched
	default:
		c.Result = Unresolved
	}
}

// Reasons why a metric is not compared if one of the logs lacks it.
const (
	onlyReference  = "only in the reference"
	notInReference = "not in the reference"
)

// compare compares one metric of two runs. If it cannot, it returns the reason.
func (o Options) compare(own, other *Metric) (c *Comparison, why string) {
	switch {
	case own == nil:
		return nil, onlyReference
	case other == nil:
		return nil, notInReference
	case len(own.Readings) == 0 || len(other.Readings) == 0:
		return nil, "one number per run, no values of questions"
	}
	c = &Comparison{Metric: own.Name, Watched: o.retained(own)}
	x, y := c.reading(own, other)
	p, why := o.pair(own, other, x, y)
	if why != "" {
		return nil, why
	}
	c.Questions = len(p.own)
	if p.missing > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d questions without a value are left out", p.missing))
	}
	if p.alone > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d questions that only one run has are left out", p.alone))
	}
	units, groups := p.units()
	switch {
	case len(p.own) < 2:
		return nil, "fewer than two questions with values"
	case groups == 1:
		return nil, "all questions are in one group"
	case constant(p.differences()):
		return nil, fmt.Sprintf("constant: the difference is %.4g for every question", p.own[0]-p.other[0])
	}
	family := certify.Family{Name: "questions", Crossed: true}
	if c.Groups = groups; groups > 0 {
		family.Name = "groups of questions"
	}
	outcomes := func(values []float64) certify.Outcomes {
		all := certify.Repeated(run, family, []certify.Sample{{Values: values, Units: units}})
		if share(p.own) && share(p.other) {
			return all.Share()
		}
		return all
	}
	margin := 0.0
	if o.AnyScale || share(p.own) && share(p.other) {
		margin = o.Margin
	}
	c.Cell = certify.Certify(outcomes(p.own), outcomes(p.other), margin)
	return c, ""
}

// retained reports whether a metric measures retained knowledge.
func (o Options) retained(m *Metric) bool {
	if o.Retained == nil {
		return m.Retained
	}
	return matches(o.Retained, m.Name)
}

// matches reports whether a name matches one of the patterns. In a pattern, a star matches any text.
func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$").MatchString(name)
	})
}

// Has reports whether the log has a metric that matches a pattern.
func (l *Log) Has(pattern string) bool {
	return slices.ContainsFunc(l.Metrics, func(m Metric) bool { return matches([]string{pattern}, m.Name) })
}

// reading returns the field of both metrics that is compared: one whose mean equals the aggregate in both logs, else in
// one log, else the most common one. It adds a note unless the field is confirmed in both logs.
func (c *Comparison) reading(own, other *Metric) (x, y Reading) {
	least := 3
	for _, a := range own.Readings {
		at := slices.IndexFunc(other.Readings, func(b Reading) bool { return b.Name == a.Name })
		if at < 0 {
			continue
		}
		b, unconfirmed := other.Readings[at], 0
		if !a.Confirmed && !math.IsNaN(own.Aggregate) {
			unconfirmed++
		}
		if !b.Confirmed && !math.IsNaN(other.Aggregate) {
			unconfirmed++
		}
		if unconfirmed < least {
			x, y, least = a, b, unconfirmed
		}
	}
	if len(own.Readings) > 1 {
		c.Reading = x.Name
	}
	if least == 1 || least == 2 {
		c.Watched = false
		c.Notes = append(c.Notes, fmt.Sprintf("the mean of %s is not agg_value in the file", x.Name))
	}
	return x, y
}

// pairs holds the values of two runs for the same questions.
type pairs struct {
	own, other     []float64
	groups         []string
	missing, alone int // numbers of questions left out
}

// pair matches the values of two metrics by question. If it cannot, it returns the reason.
func (o Options) pair(own, other *Metric, x, y Reading) (p pairs, why string) {
	if x.Values == nil {
		return p, "no field in common"
	}
	place := map[string]int{}
	for i, id := range other.IDs {
		place[id] = i
	}
	common := 0
	for _, id := range own.IDs {
		if _, both := place[id]; both {
			common++
		}
	}
	p.alone = len(own.IDs) + len(other.IDs) - 2*common
	switch {
	case common == 0:
		return p, fmt.Sprintf("other questions: no id of %d is among the reference's %d", len(own.IDs), len(other.IDs))
	case p.alone > 0 && !o.Common:
		return p, fmt.Sprintf("other questions: %d in both runs, %d only here, %d only in the reference; --common "+
			"compares those in both", common, len(own.IDs)-common, len(other.IDs)-common)
	}
	for i, id := range own.IDs {
		at, both := place[id]
		if !both {
			continue
		}
		if a, b := own.Questions[id], other.Questions[id]; a != "" && b != "" && a != b {
			return p, fmt.Sprintf("other questions: %s is another question in the reference", id)
		}
		if math.IsNaN(x.Values[i]) || math.IsNaN(y.Values[at]) {
			p.missing++
			continue
		}
		p.own, p.other = append(p.own, x.Values[i]), append(p.other, y.Values[at])
		switch {
		case o.GroupSize > 0 && ofAuthors(own.Name):
			index, err := strconv.Atoi(id)
			if err != nil || index < 0 {
				return p, fmt.Sprintf("groups: %.40q is not an index", id)
			}
			p.groups = append(p.groups, strconv.Itoa(index/o.GroupSize))
		case own.Groups != nil:
			p.groups = append(p.groups, own.Groups[i])
		}
	}
	return p, ""
}

// units returns a unit number for each question and the number of groups. If there are no groups, each question is its
// own unit and groups is 0.
func (p *pairs) units() (units []int, groups int) {
	units = make([]int, len(p.own))
	numbers := map[string]int{}
	for i := range units {
		units[i] = i
		if p.groups == nil {
			continue
		}
		number, known := numbers[p.groups[i]]
		if !known {
			number = len(numbers)
			numbers[p.groups[i]] = number
		}
		units[i] = number
	}
	return units, len(numbers)
}

func (p *pairs) differences() []float64 {
	d := make([]float64, len(p.own))
	for i := range d {
		d[i] = p.own[i] - p.other[i]
	}
	return d
}

// constant reports whether all values are equal up to rounding.
func constant(values []float64) bool {
	low, high := slices.Min(values), slices.Max(values)
	return high-low <= 1e-12*max(math.Abs(low), math.Abs(high))
}

// share reports whether all values are between 0 and 1.
func share(values []float64) bool { return slices.Min(values) >= 0 && slices.Max(values) <= 1 }

// Reason returns why the first metric that both logs have could not be compared, or that no metric is in both.
func (r *Report) Reason() string {
	for _, s := range r.Skipped {
		if s.Why != onlyReference && s.Why != notInReference {
			return s.Metric + ": " + s.Why
		}
	}
	return "the files have no metric in common"
}
