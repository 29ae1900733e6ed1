package study

import (
	"context"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// makeFunc makes the artifact of a test's run.
type makeFunc func(ctx context.Context, w *store.Work, inputs []*store.Artifact, progress Progress) error

// testRun describes a run for a test's plan.
type testRun struct {
	Title string
	Name  string // determines the key; if empty, the title does
	Needs []*Run
	Cost  float64
	Make  makeFunc
}

type named struct {
	Name  string
	Needs []Input `json:"needs,omitempty"`
}

var testStage = Stage[named]{"study/test", 1}

// testPlan is a plan that keeps the function that makes each run.
type testPlan struct {
	Plan
	makes map[string]makeFunc
}

func (p *testPlan) Add(r testRun) *Run {
	if r.Name == "" {
		r.Name = r.Title
	}
	spec := named{Name: r.Name}
	for _, need := range r.Needs {
		spec.Needs = append(spec.Needs, need.Input())
	}
	if p.makes == nil {
		p.makes = map[string]makeFunc{}
	}
	p.makes[r.Name] = r.Make
	return testStage.Add(&p.Plan, r.Title, r.Cost, spec)
}

func (p *testPlan) makers() Makers {
	return NewMakers(testStage.By(func(ctx context.Context, spec named, in Inputs, w *store.Work,
		report Progress) error {
		return p.makes[spec.Name](ctx, w, in.All(spec.Needs), report)
	}))
}

func (p *testPlan) Execute(ctx context.Context, s *store.Store, o Options) error {
	return p.Plan.Execute(ctx, s, p.makers(), o)
}
