// Package study carries a paper's experiment out: runs that depend on each other and are made once, what they cost, how
// far they are, and whether a run comes to the same when it is made again.
//
// It knows no model and no paper.
package study

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Progress is told how much of a run is done.
type Progress func(done, of int)

// Run is one artifact of a study. [Stage.Add] makes one.
type Run struct {
	Title string // for people: "world 2: DELETE"
	Stage store.Stage
	Needs []*Run  // what its spec names as inputs
	Cost  float64 // in any unit, the same for all runs of a plan: what remains is told by it

	spec  any // of the type that the stage has
	key   store.Key
	roles []Labels // at least one, in the order in which they were planned
}

// Key is the artifact's.
func (r *Run) Key() store.Key { return r.key }

// Spec is what determines the run, in the canonical JSON that its key is computed from.
func (r *Run) Spec() []byte {
	text, err := store.Canonical(r.spec)
	if err != nil {
		panic(fmt.Sprintf("study: %s: %v", r.Title, err)) // a key was made of it before
	}
	return text
}

// Plan is the runs of a study, each once, those that are needed before those that need them.
type Plan struct {
	runs  []*Run
	known map[store.Key]*Run

	refused error
}

// Refuse says why the plan cannot be carried out: a mistake in what it was laid for. The first one counts.
func (p *Plan) Refuse(why error) {
	if p.refused == nil {
		p.refused = why
	}
}

// add takes a run into the plan. A spec that cannot be a key is a mistake of the program.
func (p *Plan) add(r Run) *Run {
	key, err := store.KeyOf(r.Stage, r.spec)
	if err != nil {
		panic(fmt.Sprintf("study: %s: %v", r.Title, err))
	}
	if there, known := p.known[key]; known {
		there.roles = append(there.roles, r.roles...)
		return there
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
		own.Needs, own.roles = p.Join(run.Needs...), slices.Clone(run.roles)
		joined = append(joined, p.add(own))
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
	if p.refused != nil {
		return nil, p.refused
	}
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
