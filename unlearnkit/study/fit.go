package study

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Fit describes how a study notices that a guest belongs to another repetition or part than the one that the user gave
// it as. It compares the guest's main table with the scores of the model that methods start from.
type Fit struct {
	// Like returns the scores of the model that methods start from. Its run is nil if there is no such model.
	Like func(p guest.Part) ScoreSource
	Keys []string // columns that identify an example of both tables
	// Agrees compares an example of the guest's scores with the same example of the scores in Like. It reports whether
	// the example counts, and whether the guest agrees as a model of the part p should.
	Agrees  func(p guest.Part, own, like Example) (counts, agrees bool)
	Measure string // what is counted, such as "objects recognised"
	// Lost says why a guest of the right part may not agree. If it is "", disagreement is not worth a note.
	Lost string
}

// Example is a row of a table of scores.
type Example struct {
	frame *safefile.Frame
	row   int
}

// Number returns the value of a numeric column.
func (e Example) Number(column string) float64 { return e.frame.Column(column).Values[e.row] }

// Word returns the value of a text column.
func (e Example) Word(column string) string { return e.frame.Column(column).Texts[e.row] }

// Limits on the agreement of a guest. A model with little agreement is also judged as every other part. A guest belongs
// to another part if its agreement there exceeds its own by plainExcess standard errors, and may belong there from
// possibleExcess on.
const (
	littleAgreement = .25
	plainExcess     = 5
	possibleExcess  = 4
)

// agreement counts the examples in which a guest agrees with the model that methods start from.
type agreement struct{ agree, of int }

func (a agreement) share() float64 { return float64(a.agree) / float64(a.of) }

// excess returns how many standard errors the agreement exceeds another by. The standard error is that of the
// difference of two independent shares with a common expectation.
func (a agreement) excess(other agreement) float64 {
	if a.of == 0 || other.of == 0 {
		return 0
	}
	pooled := float64(a.agree+other.agree) / float64(a.of+other.of)
	se := math.Sqrt(pooled * (1 - pooled) * (1/float64(a.of) + 1/float64(other.of)))
	if se == 0 {
		return 0
	}
	return (a.share() - other.share()) / se
}

// describe returns the agreement in words.
func (a agreement) describe(place string) string {
	return fmt.Sprintf("%.0f %% for %s", 100*a.share(), place)
}

// Misfit is the error for a guest's part that belongs to another repetition or part.
type Misfit struct{ text string }

// NewMisfit returns the error for a model or scores at a path that were given as one part but belong to another.
func NewMisfit(path, given, belongs, why string) *Misfit {
	return &Misfit{fmt.Sprintf("read %s, given as %s: it belongs to %s (%s); give it as %[3]s", path, given, belongs, why)}
}

func (m *Misfit) Error() string { return m.text }

// Judge returns the main table of a guest's model, judged as another part. It returns [ErrNoPart] if the model cannot be
// judged there.
type Judge func(p guest.Part) (*safefile.Frame, error)

// CheckFit compares a part of a guest, whose main scores are in the store, with the models that methods start from. It
// returns a [Misfit] if the part belongs to another repetition or part, and a note if that cannot be known. It judges
// the guest's model as other parts only if the model agrees with its own part in less than a quarter of the examples.
func (h *Host) CheckFit(s *store.Store, part GuestPart, judge Judge) (note string, err error) {
	if h.Fit.Like == nil {
		return "", nil
	}
	file := h.Scores[0].Sources(part.Part)[0].File
	artifact, err := s.Get(part.Scores[0].Key())
	if err != nil || !artifact.Has(file) {
		return "", err // a model that diverged has no scores
	}
	frame, err := artifact.ReadTable(file)
	if err != nil {
		return "", err
	}
	own, known, err := h.agreement(s, part.Part, frame)
	if err != nil || !known {
		return "", err
	}
	f := fitted{Host: h, part: part.Part, own: own}
	var elsewhere []guest.Part // parts with other examples
	for _, p := range h.otherParts(part.Part) {
		other, known, err := h.agreement(s, p, frame)
		if err != nil {
			return "", err
		}
		if !known {
			elsewhere = append(elsewhere, p)
			continue
		}
		f.compare(p, other)
	}
	if f.most < possibleExcess && part.Model != "" && own.share() < littleAgreement {
		if err := f.judge(s, elsewhere, judge); err != nil {
			return "", err
		}
	}
	return f.result()
}

// fitted compares the agreement of a guest's part with its agreement elsewhere.
type fitted struct {
	*Host
	part guest.Part
	own  agreement

	most  float64    // largest excess of the agreement elsewhere, in standard errors
	best  guest.Part // place of the largest excess
	there agreement  // agreement in the best place
}

// compare compares the agreement of the guest's part with its agreement as another part. If no example of its own part
// counts, the guest may belong to a part in which it plainly agrees.
func (f *fitted) compare(p guest.Part, other agreement) {
	if other.of == 0 {
		return
	}
	excess := other.excess(f.own)
	if f.own.of == 0 && other.excess(agreement{of: other.of}) >= plainExcess {
		excess = possibleExcess
	}
	if excess > f.most {
		f.most, f.best, f.there = excess, p, other
	}
}

// judge judges the guest as other parts until one fits plainly.
func (f *fitted) judge(s *store.Store, parts []guest.Part, judge Judge) error {
	for _, p := range parts {
		if f.most >= plainExcess {
			return nil
		}
		p.Model, p.Whole, p.From = f.part.Model, f.part.Whole, f.part.From
		frame, err := judge(p)
		if errors.Is(err, ErrNoPart) {
			continue
		}
		if err != nil {
			return err
		}
		other, known, err := f.agreement(s, p, frame)
		if err != nil {
			return err
		}
		if known {
			f.compare(p, other)
		}
	}
	return nil
}

// result returns the note about the guest's part, or the error [Misfit].
func (f *fitted) result() (string, error) {
	title := f.Scores[0].partTitle
	compared := f.Fit.Measure + ": "
	if f.own.of > 0 {
		compared += f.own.describe(title(f.part)) + ", "
	}
	compared += f.there.describe(title(f.best))
	switch {
	case f.most >= plainExcess:
		return "", NewMisfit(f.part.From, title(f.part), title(f.best), compared)
	case f.most >= possibleExcess:
		return fmt.Sprintf("%s may belong to %s (%s).", title(f.part), title(f.best), compared), nil
	case f.Fit.Lost != "" && f.own.share() < littleAgreement:
		return fmt.Sprintf("%s: %s, or it belongs elsewhere (%s: %.0f %%).", title(f.part), f.Fit.Lost, f.Fit.Measure,
			100*f.own.share()), nil
	}
	return "", nil
}

// otherParts returns all repetitions and parts of the study except one, the nearest first: the same part in other
// repetitions, other parts in the same repetition, and the rest.
func (h *Host) otherParts(except guest.Part) (all []guest.Part) {
	for _, p := range h.places(-1) {
		if p.Repetition != except.Repetition || p.Of != except.Of {
			all = append(all, p)
		}
	}
	distance := func(p guest.Part) (d int) {
		if p.Of != except.Of {
			d++
		}
		if p.Of != except.Of && p.Repetition != except.Repetition {
			d++
		}
		return d
	}
	slices.SortStableFunc(all, func(a, b guest.Part) int { return distance(a) - distance(b) })
	return all
}

// agreement counts the examples in which a guest agrees with the model that methods of a part start from. It returns
// false if that model has no scores in the store, or none for some of the guest's examples.
func (h *Host) agreement(s *store.Store, p guest.Part, own *safefile.Frame) (a agreement, known bool, err error) {
	source := h.Fit.Like(p)
	if source.Run == nil {
		return a, false, nil
	}
	artifact, err := s.Get(source.Run.Key())
	if errors.Is(err, store.ErrAbsent) || err == nil && !artifact.Has(source.File) {
		return a, false, nil
	}
	if err != nil {
		return a, false, fmt.Errorf("%s: %w", source.Run.Title, err)
	}
	like, err := artifact.ReadTable(source.File)
	if err != nil {
		return a, false, err
	}
	at := map[string]int{}
	for row := range like.Rows() {
		at[h.Fit.key(like, row)] = row
	}
	for row := range own.Rows() {
		place, has := at[h.Fit.key(own, row)]
		if !has {
			return a, false, nil
		}
		if counts, agrees := h.Fit.Agrees(p, Example{own, row}, Example{like, place}); counts {
			a.of++
			if agrees {
				a.agree++
			}
		}
	}
	return a, true, nil
}

// key identifies the example of a row.
func (f *Fit) key(frame *safefile.Frame, row int) string {
	var texts []string
	for _, name := range f.Keys {
		texts = append(texts, textOf(frame.Column(name), row))
	}
	return strings.Join(texts, "\x00")
}
