package study

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// MethodLabel labels the runs of an unlearning method with the method's name. Runs without it are reference models.
const MethodLabel = "method"

// selector returns the function [PresetPlan.Of], or nil if no run of the table belongs to a method.
func (of models) selector(s *Study) func(methods ...string) ([]*Run, error) {
	var known []string
	for _, m := range of {
		if name := m.Runs[0].Labelled(MethodLabel); name != "" && !slices.Contains(known, name) {
			known = append(known, name)
		}
	}
	if known == nil {
		return nil
	}
	return func(methods ...string) (runs []*Run, err error) {
		for _, name := range methods {
			if !slices.Contains(known, name) {
				return nil, fmt.Errorf("there is no method %q of %s; %s", name, s.Paper, hint(name, known))
			}
		}
		for _, m := range of {
			for _, run := range m.Runs {
				if name := run.Labelled(MethodLabel); name == "" || slices.Contains(methods, name) {
					runs = append(runs, run)
				}
			}
		}
		return runs, nil
	}
}

// published returns the function [PresetPlan.Published]. It publishes the runs with scores. The score files of all runs
// become one table.
func (of models) published() func(run *Run, artifact *store.Artifact) (publish.Run, bool) {
	return func(run *Run, artifact *store.Artifact) (found publish.Run, passedOn bool) {
		record := publish.Record{Title: run.Title, Method: run.Labelled(MethodLabel), Version: run.Stage.Version}
		scores := map[string][]publish.Label{}
		for _, m := range of {
			repetition := slices.Index(m.Runs, run)
			if repetition < 0 {
				continue
			}
			record.Repetition = repetition
			if m.Budget > 0 {
				record.Budgets = append(record.Budgets, m.Budget)
			}
			scores[m.File] = []publish.Label{publish.Text("key", string(run.Key())), publish.Text("model", m.Name()),
				publish.Count("repetition", repetition), publish.Count("budget", m.Budget)}
		}
		place := func(name string) publish.Place {
			key := []publish.Label{publish.Text("key", string(run.Key()))}
			switch labels, is := scores[name]; {
			case is:
				return publish.Place{File: "scores.parquet", Labels: labels}
			case strings.HasSuffix(name, ".parquet"):
				return publish.Place{File: name, Labels: key}
			}
			return publish.Place{File: path.Join("notes", string(run.Key()), name)}
		}
		return publish.Run{Record: record, Artifact: artifact, Place: place}, len(scores) > 0
	}
}

// host describes how the study judges scores from elsewhere. The first row has the examples.
func (of models) host(s *Study) *Host {
	layout, first := s.Layout, of[0]
	if layout.Bounds == nil {
		layout.Bounds = s.bounds()
	}
	h := &Host{ScoresOnly: true, Repetitions: len(first.Runs), Tables: []string{s.Tables[0].Name},
		Scores: []ScoreTable{{Name: "scores", Layout: layout, Sources: func(part guest.Part) []ScoreSource {
			return []ScoreSource{{Run: first.Runs[part.Repetition], File: first.File}}
		}}}}
	for _, m := range of {
		h.Names = append(h.Names, m.Name())
	}
	h.Plan = func(plan *Plan, g guest.Guest, part guest.Part) (GuestPart, error) {
		if part.Of != "" {
			return GuestPart{}, ErrNoPart
		}
		return h.AddScores(plan, g, part), nil
	}
	h.Admit = func(r Results, _ *store.Store, g *GuestRuns) error {
		return r.(*oneTable).set.Admit(g, rowKey.Is(first.Name()))
	}
	return h
}

// bounds returns the limits of the columns that a guest's score file has: the keys and the scores that metrics read.
func (s *Study) bounds() map[string]Bound {
	bounds := map[string]Bound{}
	for _, key := range s.Layout.Keys {
		bounds[key] = Bound{About: "as in the template"}
	}
	for _, m := range s.Columns {
		s.bind(bounds, m, m.Name)
	}
	return bounds
}

// bind adds the columns that a metric reads for a column of the table.
func (s *Study) bind(bounds map[string]Bound, m Metric, column string) {
	for _, ref := range m.Score.refs {
		s.bind(bounds, ref.Metric, column)
	}
	for _, name := range m.Score.Values {
		if m.File != "" || slices.Contains(s.Layout.Keys, name) {
			continue
		}
		bound, known := bounds[name]
		if !known {
			bound.About = "score for " + column
			bound.Free = slices.ContainsFunc(s.Layout.Fields, func(f safefile.Field) bool { return f.Name == name && f.Words })
		}
		switch {
		case m.Score.Value != nil:
		case m.Share:
			bound.Hi = math.Max(bound.Hi, 1)
		case m.Percent:
			bound.Hi = 100
		}
		bounds[name] = bound
	}
}
