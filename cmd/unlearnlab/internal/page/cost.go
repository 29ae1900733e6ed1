package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// keyDigits are the first ones of a key, by which commands know a run.
const keyDigits = 12

func short(key string) string { return fmt.Sprintf("%.*s", keyDigits, key) }

// expense is what runs of one kind have cost.
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

// costOf adds up what the runs of a paper have cost, by stage; nil of none.
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
	t := &report.Table{Corner: "Stage", Columns: []report.Column{{Name: "Runs"}, {Name: "By the clock"},
		{Name: "Of processors"}, {Name: "Peak memory"}, {Name: "Device", Words: true}}}
	for _, e := range stages {
		t.Rows = append(t.Rows, e.row(e.stage))
	}
	sum := all.row("All, one after the other")
	sum.Reference = true
	t.Rows = append(t.Rows, sum)
	t.Note = "Peak memory is that of the process that made the run, with what it had made before. Trainings whose " +
		"models are not kept are no part of the sums."
	return layOut(p.Study.Paper+"-cost-table", fmt.Sprintf("What the runs behind these numbers have cost (%s)",
		p.Preset), t, "")
}

// ledgerOf lists the runs, under the keys by which tables name them; nil of none.
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

// duration is a time in the words of people.
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
