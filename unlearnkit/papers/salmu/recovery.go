package salmu

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/returned"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// leastRecovered is the smallest number of complete worlds with which the table of attacks is read.
const leastRecovered = 5

// attacked holds the scores of all attacks, in the worlds in which all attacks are complete.
type attacked struct {
	preset Preset
	worlds []int
	scores map[attackKey]*attackScores
}

// attackKey identifies an attack on a model.
type attackKey struct {
	world  int
	start  string
	method int
	kind   string
	rate   int
}

// attackScores holds the scores of an attack, by index of the budget; 0 is before the attack.
type attackScores struct {
	found, swapped, kept []certify.Sample
}

// attackedWorlds returns the worlds in which all attacks are complete. It returns [study.Absent] if they are too few.
func (p *Plan) attackedWorlds(s *store.Store) (worlds []int, err error) {
	var absent []*study.Run
	for world := p.Preset.Looked; world < p.Preset.Worlds; world++ {
		var runs []*study.Run
		for _, planned := range p.attacks {
			if planned.world == world {
				runs = append(runs, planned.run)
			}
		}
		missing, err := p.Missing(s, runs...)
		if err != nil {
			return nil, err
		}
		if absent = append(absent, missing...); len(missing) == 0 {
			worlds = append(worlds, world)
		}
	}
	if len(worlds) < min(leastRecovered, p.Preset.Worlds-p.Preset.Looked) {
		return nil, &study.Absent{Runs: absent}
	}
	return worlds, nil
}

// readAttacks reads the attacks of complete worlds. It returns [study.Absent] if they are too few.
func (p *Plan) readAttacks(s *store.Store) (*attacked, error) {
	worlds, err := p.attackedWorlds(s)
	if err != nil {
		return nil, err
	}
	a := &attacked{preset: p.Preset, worlds: worlds, scores: map[attackKey]*attackScores{}}
	for _, planned := range p.attacks {
		if !slices.Contains(a.worlds, planned.world) {
			continue
		}
		scores, err := readAttack(s, planned)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", planned.run.Title, err)
		}
		a.scores[attackKey{planned.world, planned.start, planned.method, planned.kind.Name, planned.rate}] = scores
	}
	return a, nil
}

// readAttack reads the scores of an attack. It returns nil if the model diverged.
func readAttack(s *store.Store, planned plannedAttack) (*attackScores, error) {
	artifact, err := s.Get(planned.run.Key())
	if err != nil || !artifact.Has(AttackFile) {
		return nil, err
	}
	frame, err := artifact.ReadTable(AttackFile)
	if err != nil {
		return nil, err
	}
	rows, err := safefile.RowsOf[AttackScore](frame)
	if err != nil {
		return nil, err
	}
	budgets := append([]int{0}, planned.kind.Budgets...)
	all := &attackScores{make([]certify.Sample, len(budgets)), make([]certify.Sample, len(budgets)),
		make([]certify.Sample, len(budgets))}
	for _, row := range rows {
		at := slices.Index(budgets, row.Budget)
		if at < 0 {
			return nil, fmt.Errorf("it has scores at the budget %d, which was not planned", row.Budget)
		}
		for _, outcome := range []struct {
			value float64
			into  *certify.Sample
		}{{1 / row.Rank, &all.found[at]}, {row.Swap, &all.swapped[at]}, {row.Right, &all.kept[at]}} {
			if !math.IsNaN(outcome.value) {
				outcome.into.Values = append(outcome.into.Values, outcome.value)
				outcome.into.Units = append(outcome.into.Units, row.Identity)
			}
		}
	}
	return all, nil
}

// Units of the scores of attacks. Each world has its own people and pictures.
var (
	forgottenPeople = certify.Family{Name: "people"}
	objectClasses   = certify.Family{Name: "classes"}
)

// Roles of the models in a panel.
const (
	ownRole      = "own"
	originalRole = "original"
	goldRole     = "gold"
	controlRole  = "control"
)

// roles maps roles to the key of the role's model for a method.
func roles(method int) map[string]attackKey {
	return map[string]attackKey{ownRole: {start: compromised, method: method}, originalRole: {start: compromised, method: -1},
		goldRole: {start: clean, method: -1}, controlRole: {start: clean, method: method}}
}

// measure measures what an attack brings back of what a method erased. Of several rates, the attacker takes in every
// world the one that brings back most in the other half of the worlds, so that the choice does not flatter the result.
// swap is what the other question finds before the attack. It returns false if a model diverged.
func (a *attacked) measure(method int, kind AttackKind, tests int) (r returned.Returned, swap certify.Corrected,
	known bool) {
	rates := a.rates(method, kind)
	if rates == nil {
		return r, swap, false
	}
	panel := &certify.Panel{}
	for role, key := range roles(method) {
		for budget := range len(kind.Budgets) + 1 {
			a.add(panel, nameOf(role, budget), forgottenPeople, key, kind, rates,
				func(s *attackScores) certify.Sample { return s.found[budget] })
		}
		a.add(panel, nameOf("swap "+role, 0), forgottenPeople, key, kind, rates,
			func(s *attackScores) certify.Sample { return s.swapped[0] })
		a.add(panel, "kept "+role, objectClasses, key, kind, rates,
			func(s *attackScores) certify.Sample { return s.kept[0] })
	}
	models := func(prefix string) returned.Models {
		named := func(role string) func(int) string {
			return func(budget int) string { return nameOf(prefix+role, budget) }
		}
		return returned.Models{Unlearned: named(ownRole), Original: named(originalRole), Gold: named(goldRole),
			Control: named(controlRole), Budgets: len(kind.Budgets) + 1, Kept: "kept " + ownRole,
			Whole: "kept " + originalRole}
	}
	return returned.Measure(panel, models(""), tests), returned.Start(panel, models("swap "), tests), true
}

// add adds a mean over worlds to a panel. rates holds the index of the rate in each world.
func (a *attacked) add(panel *certify.Panel, name string, family certify.Family, key attackKey, kind AttackKind, rates []int,
	of func(s *attackScores) certify.Sample) {
	samples := make([]certify.Sample, len(a.worlds))
	for i, world := range a.worlds {
		samples[i] = of(a.of(key, world, kind, rates[i]))
	}
	panel.Add(name, certify.Repeated(Worlds, family, samples).Share())
}

func (a *attacked) of(key attackKey, world int, kind AttackKind, rate int) *attackScores {
	key.world, key.kind, key.rate = world, kind.Name, rate
	return a.scores[key]
}

// rates returns the index of the attacker's rate in each world. It returns nil if a model diverged.
func (a *attacked) rates(method int, kind AttackKind) []int {
	brought := make([][]float64, len(kind.Rates)) // what each rate brings back beyond gold, by world
	for rate := range kind.Rates {
		for _, world := range a.worlds {
			sums := map[string]float64{}
			for role, key := range roles(method) {
				scores := a.of(key, world, kind, rate)
				if scores == nil {
					return nil
				}
				for _, sample := range scores.found[1:] {
					sums[role] += mean(sample.Values)
				}
			}
			brought[rate] = append(brought[rate], (sums[ownRole]-sums[goldRole])/(sums[originalRole]-sums[goldRole]))
		}
	}
	rates := make([]int, len(a.worlds))
	for i := range rates {
		best := math.Inf(-1)
		for rate, values := range brought {
			var others []float64
			for k, value := range values {
				if k%2 != i%2 || len(values) == 1 {
					others = append(others, value)
				}
			}
			if m := mean(others); m > best {
				rates[i], best = rate, m
			}
		}
	}
	return rates
}

func mean(values []float64) (sum float64) {
	for _, value := range values {
		sum += value / float64(len(values))
	}
	return sum
}

// recovery tabulates what attacks bring back of what methods erased.
func (r *Results) recovery() (*report.Table, error) {
	if r.Preset.Download != nil || r.store == nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no attacks: they are made of small worlds"}
	}
	a, err := NewPlan(Recovery()).readAttacks(r.store)
	if errors.As(err, new(*study.Absent)) {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: fmt.Sprintf("shows attacks that are missing: %v; compute "+
			"them with unlearnlab run salmu --preset %s", err, Recovery().Name)}
	}
	if err != nil {
		return nil, err
	}
	return a.table(), nil
}

func (a *attacked) table() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("What comes back (%s)", a.preset.Name), Corners: []string{"Method", "Lessons"}}
	for _, name := range []string{"Verdict", "Start", "Gain", "Returned", "At the last budget", "p gain", "Gain of the control",
		"Start, swap", "Kept"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Words: name == "Verdict"})
	}
	kinds := a.preset.Attacks
	tests := len(a.preset.Attacked) * len(kinds)
	shown := func(c certify.Corrected) report.Cell {
		e := c.Simultaneous()
		return report.Interval("%+.2f", e.Value, e.Lo, e.Hi)
	}
	var bases []certify.Basis
	for m, method := range a.preset.Attacked {
		for _, kind := range kinds {
			row := report.Named(method.Title, kind.Name)
			found, swap, known := a.measure(m, kind, tests)
			if !known {
				t.Rows = append(t.Rows, row.With(report.Word("diverged")))
				continue
			}
			bases = append(bases, found.Gain.Basis)
			t.Rows = append(t.Rows, row.With(report.Word(string(found.Verdict)), shown(found.Start), shown(found.Gain),
				shown(found.Share), shown(found.Last), found.Gain.PCell(attack.GainMargin), shown(found.Control),
				shown(swap), shown(found.Kept)))
		}
	}
	t.Note = a.note(tests, kinds, bases)
	return t
}

func (a *attacked) note(tests int, kinds []AttackKind, bases []certify.Basis) string {
	var lessons []string
	for _, kind := range kinds {
		unit := "steps"
		if kind.Attack == Alignment {
			unit = "pairs"
		}
		lessons = append(lessons, fmt.Sprintf("%s (%d to %d %s)", kind.Name, kind.Budgets[0], kind.Budgets[len(kind.Budgets)-1], unit))
	}
	text := fmt.Sprintf("n: %s", Worlds.Count(len(a.worlds)))
	if wanted := a.preset.Worlds - a.preset.Looked; len(a.worlds) < wanted {
		text += fmt.Sprintf(" of the %d that there should be", wanted)
	}
	if a.preset.Looked > 0 {
		text += fmt.Sprintf("; the first %d are left out, because the attacks were chosen by them", a.preset.Looked)
	}
	return text + fmt.Sprintf(". Every model gets the same lessons: %s. No lesson shares a picture or a caption with the "+
		"probes, half of the forgotten facts. Shares are of RetFail: Clean has 0, and Compromised after the same lessons 1. "+
		"Start: before the lessons. Returned: over all budgets, sum by sum. Gain: Returned less Start. The control is what "+
		"the method makes of Clean; its gain shows what the lessons teach, and how much damage slows them down. Swap: the "+
		"share by another question, whether the own caption is nearer than three with another person's value. Kept: of "+
		"Compromised's GenKnow before the lessons. A fact is gone if Start is surely below %g; it comes back if Gain is then "+
		"surely above %g, and the model is as gold if Gain is surely below. A model that surely keeps less than %g is damaged "+
		"unless something comes back. Of two rates the attacker takes in each world the one that brings back most in the other half "+
		"of the worlds. Intervals are simultaneous over %d rows, and p-values multiplied by as many. %s.",
		strings.Join(lessons, "; "), attack.MostLeft, attack.GainMargin, attack.LeastRetained, tests, certify.Describe(bases))
}
