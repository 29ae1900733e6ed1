// Package papers names the studies of papers, once. Who asks for any of them asks here.
package papers

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// All are the studies that there are.
var All = []*study.Study{salmu.Study, remem.Study, unslu.Study, concealment.Study}

// Of is the study of a paper, nil if there is none.
func Of(paper string) *study.Study {
	for _, s := range All {
		if s.Paper == paper {
			return s
		}
	}
	return nil
}

// Papers have a study.
func Papers() []string {
	var papers []string
	for _, s := range All {
		papers = append(papers, s.Paper)
	}
	return papers
}

// At names the papers of which there is a study at a preset.
func At(preset string) []string {
	return slices.DeleteFunc(Papers(), func(paper string) bool { return !slices.Contains(Of(paper).Presets, preset) })
}

// Flags are what any of the studies takes, each once.
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

// Taking names the papers whose studies take a flag.
func Taking(flag string) []string {
	return slices.DeleteFunc(Papers(), func(paper string) bool {
		return !slices.ContainsFunc(Of(paper).Flags, func(f study.Flag) bool { return f.Name == flag })
	})
}
