package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// CostTable is the name of the table that reports the cost of a study.
const CostTable = "cost"

// expense is the total recorded cost of a preset's runs.
type expense struct {
	runs, recorded int
	wall, cpu      float64 // sums over the runs, in seconds
	peak           int64   // largest memory use of a run, in bytes
	backends       []string
	missing        time.Duration // estimated time for the missing runs
	paced          bool          // whether missing could be estimated
}

// Cost returns a table with the recorded cost of each preset, over shipped and locally made runs. It starts no runs. It
// skips the preset for the paper's own data, because its runs cannot be planned without these data.
func Cost(s *Study, from *store.Store) (*report.Table, error) {
	t := &report.Table{Title: "What the presets of " + s.Paper + " cost", Corner: "Preset",
		Columns: []report.Column{{Name: "Runs"}, {Name: "Recorded"}, {Name: "Hours"}, {Name: "Processor hours"},
			{Name: "Peak GiB"}, {Name: "Hours missing"}, {Name: "On", Words: true}},
		Note: "Hours: the sum over the recorded runs, those that ship and those made here. Processor time and " +
			"memory cover the whole program. Presets can share runs. Hours missing: what the tables still " +
			"need, at the pace of the recorded runs. A dash: nothing is recorded.",
	}
	for _, preset := range SmallPresets(s) {
		plan, err := s.Plan(Request{Preset: preset})
		if err != nil {
			return nil, err
		}
		e, err := plan.expense(from)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, report.Row{Name: preset, Cells: e.cells()})
	}
	return t, nil
}

func (p *PresetPlan) expense(from *store.Store) (e expense, err error) {
	for _, run := range p.Runs() {
		e.runs++
		made, err := from.Kept(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		if err != nil {
			return e, fmt.Errorf("%s: %w", run.Title, err)
		}
		e.recorded++
		e.wall += made.Manifest.Wall
		e.cpu += made.Manifest.CPU
		e.peak = max(e.peak, made.Manifest.PeakMemory)
		// Runs that use no device record no backend.
		if on := made.Manifest.Backend; on != store.Unknown && !slices.Contains(e.backends, on) {
			e.backends = append(e.backends, on)
		}
	}
	slices.Sort(e.backends)
	missing, err := p.Missing(from)
	if err != nil {
		return e, err
	}
	e.missing, e.paced, err = p.Estimate(from, missing)
	return e, err
}

func (e expense) cells() []report.Cell {
	count := func(n int) report.Cell { return report.Number(fmt.Sprint(n), float64(n)) }
	cells := []report.Cell{count(e.runs), count(e.recorded)}
	if e.recorded == 0 {
		for range 5 {
			cells = append(cells, report.Word("–"))
		}
		return cells
	}
	const hour, gib = 3600, 1 << 30
	for _, value := range []float64{e.wall / hour, e.cpu / hour, float64(e.peak) / gib} {
		cells = append(cells, amount(value))
	}
	missing := report.Word("–")
	if e.paced {
		missing = amount(e.missing.Hours())
	}
	return append(cells, missing, report.Word(strings.Join(e.backends, ", ")))
}

// amount formats values below 0.1 with two decimals and other values with one.
func amount(value float64) report.Cell {
	if value > 0 && value < .1 {
		return report.Number(fmt.Sprintf("%.2f", value), value)
	}
	return report.Number(fmt.Sprintf("%.1f", value), value)
}
