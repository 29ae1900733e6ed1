package main

import (
	"io"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// experiment is the study of a paper.
type experiment struct {
	paper   string
	tables  []string // of the paper that it makes
	further []further
	// published says that it has a preset of the paper's own data and models.
	published bool
	repeated  func(n int) string // what its seeds are, so many of them
	resampled string             // what intervals are about
	// check refuses flags that ask for what the study has not, before anything is opened.
	check func(f studyFlags) error
	lay   func(f studyFlags, l workbench) (*laid, error)
}

// further is a table of the study that the paper has not.
type further struct {
	name, about string
	table       func(r findings) (*report.Table, error)
}

// workbench is where a study is laid out.
type workbench struct {
	store  *store.Store
	device func() (*device.Device, error) // opened when it is first asked for
	stderr io.Writer
}

// laid is a study at a preset.
type laid struct {
	*study.Plan
	preset string
	large  bool                                          // memory holds one of its models
	of     func(methods ...string) ([]*study.Run, error) // the runs of some methods
	read   func(s *store.Store) (findings, error)        // when all runs are made
	kept   func(run *study.Run) bool                     // whether a run is passed on, or made again by who wants it
}

// findings are what a study has found.
type findings interface {
	Seeds() int // of whatever is repeated: worlds, or trainings
	Table(number string, certified bool) (*report.Table, error)
	Cells(number string) ([]certify.Cell, error)
	Claims() []certify.Judged
}

// experiments are the studies that there are.
var experiments = []experiment{salmuExperiment, concealmentExperiment}

// studied are their papers.
var studied = func() []string {
	var papers []string
	for _, e := range experiments {
		papers = append(papers, e.paper)
	}
	return papers
}()

// studiesAt are the papers of which there is a study at a preset, for verbs that are about all of them.
func studiesAt(preset string) []string {
	return slices.DeleteFunc(slices.Clone(studied), func(paper string) bool {
		return preset == paperPreset && !experimentOf(paper).published
	})
}

// experimentOf is the study of a paper, nil if there is none.
func experimentOf(paper string) *experiment {
	at := slices.IndexFunc(experiments, func(e experiment) bool { return e.paper == paper })
	if at < 0 {
		return nil
	}
	return &experiments[at]
}
