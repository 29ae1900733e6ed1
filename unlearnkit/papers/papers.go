// Package papers lists the studies of all papers.
package papers

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// All lists the studies in the order in which they are shown.
var All = []*study.Study{salmu.Study, remem.Study, unslu.Study, concealment.Study}

// Register adds a study to All and returns a function that removes it. The command and the pages then show it like the
// others; package labs registers it together with the code that computes it. It panics if the study is incomplete or
// its name is taken.
func Register(s *study.Study) (remove func()) {
	if err := s.Validate(); err != nil {
		panic("papers: " + err.Error())
	}
	if Of(s.Paper) != nil {
		panic("papers: two studies of " + s.Paper)
	}
	All = append(All, s)
	return func() {
		All = slices.DeleteFunc(slices.Clone(All), func(other *study.Study) bool { return other == s })
	}
}

// Of returns the study of a paper, or nil for an unknown paper.
func Of(paper string) *study.Study {
	for _, s := range All {
		if s.Paper == paper {
			return s
		}
	}
	return nil
}

// Papers returns the papers that have a study.
func Papers() []string {
	var papers []string
	for _, s := range All {
		papers = append(papers, s.Paper)
	}
	return papers
}

// Audit returns the findings of all papers' audits, which check the numbers that the papers print.
func Audit() ([]audit.Finding, error) {
	var all []audit.Finding
	for _, s := range All {
		findings, err := s.Audit.Findings()
		if err != nil {
			return nil, err
		}
		all = append(all, findings...)
	}
	return all, nil
}

// Audited returns the papers whose printed numbers are checked.
func Audited() []string {
	return slices.DeleteFunc(Papers(), func(paper string) bool { return !Of(paper).Audit.Exists() })
}

// At returns the papers whose study has a preset.
func At(preset string) []string {
	return slices.DeleteFunc(Papers(), func(paper string) bool { return !slices.Contains(Of(paper).Presets, preset) })
}

// Flags returns the distinct flags of all studies.
func Flags() []study.Flag {
	var flags []study.Flag
	for _, s := range All {
		for _, f := range s.Flags {
			if !slices.ContainsFunc(flags, func(known study.Flag) bool { return known.Name == f.Name }) {
				flags = append(flags, f)
			}
		}
	}
	return flags
}

// Taking returns the papers whose studies have a flag.
func Taking(flag string) []string {
	return slices.DeleteFunc(Papers(), func(paper string) bool {
		return !slices.ContainsFunc(Of(paper).Flags, func(f study.Flag) bool { return f.Name == flag })
	})
}
