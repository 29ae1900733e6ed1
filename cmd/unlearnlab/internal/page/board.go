package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// board is a paper's leaderboard: each certified cell of its tables with the paper's value, ours, the interval and the
// verdict. Readers choose a score, search and sort.
type board struct {
	ID     string
	Start  string // the score that is shown first
	Groups []scoreGroup
	Rows   []boardRow // the nearest to the target first, reference rows before
	// Pairs shows a score of what was forgotten next to a score of what was kept, which have the names Forgot and Kept.
	Pairs        []pairRow
	Forgot, Kept string
}

// pairRow is a model with both scores.
type pairRow struct{ Forgot, Kept boardRow }

// Distance returns the larger of the distances from both targets. It is NaN for reference rows.
func (r pairRow) Distance() float64 {
	if r.Kind() == "reference" {
		return math.NaN()
	}
	return max(r.Forgot.Far, r.Kept.Far)
}

// Shown formats the distance.
func (r pairRow) Shown() string {
	if d := r.Distance(); !math.IsNaN(d) {
		return fmt.Sprintf("%.1f", d)
	}
	return ""
}

// Kind returns "guest", "reference", or "" for a method of the paper.
func (r pairRow) Kind() string {
	if r.Forgot.Sign == nil {
		return r.Kept.Kind()
	}
	return r.Forgot.Kind()
}

// scoreGroup lists the scores of one table.
type scoreGroup struct {
	Title  string
	Scores []score
}

type score struct{ Value, Name string }

type boardRow struct {
	Score, Name string
	Printed     string
	Here        string
	Value       float64 // value to sort by
	Interval    string
	Width       float64 // width of the interval, to sort by
	Far         float64 // distance from the target in margins of equivalence; NaN without one
	Sign        *Sign   // verdict's sign; nil for reference rows
	Guest       bool
	Run         string // short key of a guest's first run; empty if the page does not list it
	Hidden      bool   // the row belongs to a score that is not shown first
}

// Kind returns "guest", "reference", or "" for a method of the paper.
func (r boardRow) Kind() string {
	switch {
	case r.Guest:
		return "guest"
	case r.Sign == nil:
		return "reference"
	}
	return ""
}

// board returns the leaderboard, or nil if no table has certified cells. It must be called after tables.
func (s *shelf) board() *board {
	b := &board{ID: s.name + "-board"}
	for _, t := range s.certified {
		b.add(t.title, t.table, t.cells)
	}
	listed := s.listed()
	for i, r := range b.Rows {
		if !listed[r.Run] {
			b.Rows[i].Run = ""
		}
	}
	if len(b.Rows) == 0 {
		return nil
	}
	at := s.Study.Story.Board
	b.pair(at.Table+" "+at.Forgot, at.Table+" "+at.Kept)
	b.Forgot, b.Kept = at.Forgot, at.Kept
	slices.SortStableFunc(b.Rows, func(x, y boardRow) int { return nearer(x.Far, y.Far, x.Kind(), y.Kind()) })
	b.Start = b.start(at.Table + " " + at.Column)
	for i := range b.Rows {
		b.Rows[i].Hidden = b.Rows[i].Score != b.Start
	}
	return b
}

// pair fills in the models that have two scores. It omits those with a verdict on one score only, such as prompts to
// retain, which nothing had to forget.
func (b *board) pair(forgot, kept string) {
	others := map[string]boardRow{}
	for _, r := range b.Rows {
		if r.Score == kept {
			others[r.Name] = r
		}
	}
	for _, r := range b.Rows {
		other, is := others[r.Name]
		if is && r.Score == forgot && (r.Sign == nil) == (other.Sign == nil) {
			b.Pairs = append(b.Pairs, pairRow{r, other})
		}
	}
	slices.SortStableFunc(b.Pairs, func(x, y pairRow) int {
		return nearer(x.Distance(), y.Distance(), x.Kind(), y.Kind())
	})
}

// nearer compares two rows: reference rows are first, then those nearest to the target, then those without a distance.
func nearer(far, other float64, kind, otherKind string) int {
	rank := func(far float64, kind string) float64 {
		switch {
		case kind == "reference":
			return -1
		case math.IsNaN(far):
			return math.Inf(1)
		}
		return far
	}
	return cmp.Compare(rank(far, kind), rank(other, otherKind))
}

// start returns the score that is shown first: the story's or, if guests lack it, the first that a guest has.
func (b *board) start(score string) string {
	guests := slices.DeleteFunc(slices.Clone(b.Rows), func(r boardRow) bool { return !r.Guest })
	switch of := func(r boardRow) bool { return r.Score == score }; {
	case len(guests) > 0 && !slices.ContainsFunc(guests, of):
		return guests[0].Score
	case !b.has(score):
		return b.Rows[0].Score
	}
	return score
}

// HasGuests reports whether a row is a guest's.
func (b *board) HasGuests() bool {
	return slices.ContainsFunc(b.Rows, func(r boardRow) bool { return r.Guest })
}

func (b *board) has(score string) bool {
	for _, r := range b.Rows {
		if r.Score == score {
			return true
		}
	}
	return false
}

// add adds a table's cells. The table becomes a group of scores.
func (b *board) add(title, table string, cells []certify.Cell) {
	b.Groups = append(b.Groups, scoreGroup{Title: title})
	group := &b.Groups[len(b.Groups)-1]
	for _, c := range cells {
		if math.IsNaN(c.Estimate) {
			continue
		}
		value := table + " " + c.Column
		if !b.has(value) {
			group.Scores = append(group.Scores, score{value, c.Column})
		}
		row := boardRow{Score: value, Name: c.Row, Printed: c.Printed, Here: digits(c.Estimate),
			Value: c.Estimate, Width: math.NaN(), Sign: signOf(string(c.Verdict)), Guest: c.Guest}
		if c.Guest && len(c.From) > 0 {
			row.Run = short(c.From[0].Key)
		}
		row.Far = math.NaN()
		if c.Margin > 0 && row.Sign != nil {
			row.Far = math.Abs(c.Difference) / c.Margin
		}
		if !math.IsNaN(c.Lo) {
			row.Interval = fmt.Sprintf("[%s, %s]", digits(c.Lo), digits(c.Hi))
			row.Width = c.Hi - c.Lo
		}
		b.Rows = append(b.Rows, row)
	}
}

// digits formats a value with three decimals, and with fewer from 10 on.
func digits(value float64) string {
	switch size := math.Abs(value); {
	case size >= 100:
		return fmt.Sprintf("%.0f", value)
	case size >= 10:
		return fmt.Sprintf("%.1f", value)
	}
	return fmt.Sprintf("%.3f", value)
}
