// Package study carries a paper's experiment out: runs that depend on each other and are made once, what they cost, how
// far they are, and whether a run comes to the same when it is made again.
//
// It knows no model and no paper.
package study

import (
	"context"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// Progress is told how much of a run is done.
type Progress func(done, of int)

// Run is one artifact of a study.
type Run struct {
	Title string // for people: "world 2: DELETE"
	Stage store.Stage
	Spec  any // names the keys of what is needed
	Needs []*Run
	Cost  float64 // in any unit, the same for all runs of a plan: what remains is told by it
	// Make makes the artifact from those of Needs, in their order.
	Make func(ctx context.Context, w *store.Work, inputs []*store.Artifact, progress Progress) error

	key store.Key
}

// Key is the artifact's; the run is part of a plan.
func (r *Run) Key() store.Key { return r.key }

// Plan is the runs of a study, each once, those that are needed before those that need them.
type Plan struct {
	runs  []*Run
	known map[store.Key]*Run
}

// Add takes a run into the plan and returns it, or the equal one that is there already. A spec that cannot be a key is
// a mistake of the program.
func (p *Plan) Add(r Run) *Run {
	key, err := store.KeyOf(r.Stage, r.Spec)
	if err != nil {
		panic(fmt.Sprintf("study: %s: %v", r.Title, err))
	}
	if there, known := p.known[key]; known {
		return there
	}
	for _, need := range r.Needs {
		if p.known[need.key] != need {
			panic(fmt.Sprintf("study: %s needs %s, which is not part of the plan", r.Title, need.Title))
		}
	}
	if p.known == nil {
		p.known = map[store.Key]*Run{}
	}
	r.key = key
	p.known[key] = &r
	p.runs = append(p.runs, &r)
	return &r
}

// Join takes runs of another plan into this one, with all that they need.
func (p *Plan) Join(runs ...*Run) (joined []*Run) {
	for _, run := range runs {
		own := *run
		own.Needs = p.Join(run.Needs...)
		joined = append(joined, p.Add(own))
	}
	return joined
}

// Runs are those of the plan in the order in which they were added.
func (p *Plan) Runs() []*Run { return p.runs }

// Ends are the runs that no other run needs.
func (p *Plan) Ends() []*Run {
	needed := map[*Run]bool{}
	for _, run := range p.runs {
		for _, need := range run.Needs {
			needed[need] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(p.runs), func(run *Run) bool { return needed[run] })
}

// Missing are the runs that have to be made: the wanted ones that a store has not, those at the ends of the plan where
// none are named, and what is needed for them and is not there either. A model that was trained long ago is not missing
// while its scores are there. A damaged artifact is an error.
func (p *Plan) Missing(s *store.Store, wanted ...*Run) ([]*Run, error) {
	if len(wanted) == 0 {
		wanted = p.Ends()
	}
	want := map[*Run]bool{}
	for _, run := range wanted {
		want[run] = true
	}
	var missing []*Run
	for _, run := range slices.Backward(p.runs) {
		if !want[run] {
			continue
		}
		there, err := has(s, run)
		if err != nil {
			return nil, err
		}
		if there {
			continue
		}
		missing = append(missing, run)
		for _, need := range run.Needs {
			want[need] = true
		}
	}
	slices.Reverse(missing)
	return missing, nil
}
