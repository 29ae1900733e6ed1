package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// keyDigits is the length of the key prefix by which commands identify a run.
const keyDigits = 12

func short(key string) string { return fmt.Sprintf("%.*s", keyDigits, key) }

// expense is the total cost of the runs of one stage.
type expense struct {
	stage     string
	runs      int
	wall, cpu float64
	memory    int64
	devices   []string
}

func (e *expense) add(r Run) {
	m := r.Manifest
	e.runs, e.wall, e.cpu, e.memory = e.runs+1, e.wall+m.Wall, e.cpu+m.CPU, max(e.memory, m.PeakMemory)
	device := strings.TrimSpace(m.Backend + " " + m.SIMD)
	for _, known := range e.devices {
		if known == device {
			return
		}
	}
	e.devices = append(e.devices, device)
}

func (e *expense) row(name string) report.Row {
	return report.Row{Name: name, Cells: []report.Cell{
		report.Number(thousands(e.runs), float64(e.runs)), report.Number(duration(e.wall), e.wall),
		report.Number(duration(e.cpu), e.cpu),
		report.Number(gigabytes(e.memory), float64(e.memory)), report.Word(strings.Join(e.devices, ", "))}}
}

// costOf returns the cost of a paper's runs by stage, or nil if there are no runs.
func costOf(p Paper) *grid {
	if len(p.Runs) == 0 {
		return nil
	}
	var stages []*expense
	by, all := map[string]*expense{}, &expense{}
	for _, r := range p.Runs {
		stage := strings.TrimPrefix(r.Manifest.Stage, p.Study.Paper+"/")
		if by[stage] == nil {
			by[stage] = &expense{stage: stage}
			stages = append(stages, by[stage])
		}
		by[stage].add(r)
		all.add(r)
	}
	t := &report.Table{Corner: "Stage", Columns: []report.Column{{Name: "Runs"}, {Name: "Wall time"},
		{Name: "CPU time"}, {Name: "Peak memory"}, {Name: "Device", Words: true}}}
	for _, e := range stages {
		t.Rows = append(t.Rows, e.row(e.stage))
	}
	sum := all.row("Total, one after the other")
	sum.Reference = true
	t.Rows = append(t.Rows, sum)
	t.Note = "Peak memory is the peak of the process that made the run, including its earlier runs. The sums leave " +
		"out trainings whose models were not kept."
	return newGrid(p.Study.Paper+"-cost-table", fmt.Sprintf("Cost of the runs behind these numbers (%s)",
		p.Preset), t, "")
}

// ledgerOf lists a paper's runs with the keys that tables link to. It returns nil if there are no runs.
func ledgerOf(p Paper) *grid {
	if len(p.Runs) == 0 {
		return nil
	}
	g := &grid{ID: p.Study.Paper + "-ledger", Caption: "All runs", Corner: "Key", Head: [][]head{{
		{"Run", 1, true}, {"Stage", 1, true}, {"Device", 1, true}, {"Seconds", 1, false}, {"Peak memory", 1, false}}}}
	for _, r := range p.Runs {
		m := r.Manifest
		key := short(string(m.Key))
		line := row{ID: "run-" + key, Own: key}
		for i, text := range []string{r.Title, strings.TrimPrefix(m.Stage, p.Study.Paper+"/"),
			strings.TrimSpace(m.Backend + " " + m.SIMD), fmt.Sprintf("%.1f", m.Wall), gigabytes(m.PeakMemory)} {
			line.Cells = append(line.Cells, cell{Lines: []string{text}, Words: i < 3})
		}
		g.Rows = append(g.Rows, line)
	}
	return g
}

// duration formats a time in seconds, minutes or hours.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

func gigabytes(bytes int64) string { return fmt.Sprintf("%.1f GB", float64(bytes)/1e9) }
