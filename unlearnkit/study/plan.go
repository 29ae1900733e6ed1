package study

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Progress is called with the finished and the total amount of a run.
type Progress func(done, of int)

// Run is one artifact of a study. [Stage.Add] creates runs.
type Run struct {
	Title string // title for messages: "world 2: DELETE"
	Stage store.Stage
	Needs []*Run  // runs that the spec names as inputs
	Cost  float64 // in a unit common to all runs of the plan, to estimate the remaining time

	spec  any // has the type S of the stage
	key   store.Key
	roles []Labels // at least one, in the order of planning
}

// Key returns the key of the run's artifact.
func (r *Run) Key() store.Key { return r.key }

// Spec returns the run's spec in the canonical JSON that its key is computed from.
func (r *Run) Spec() []byte {
	text, err := store.Canonical(r.spec)
	if err != nil {
		panic(fmt.Sprintf("study: %s: %v", r.Title, err)) // cannot happen: the key was computed before
	}
	return text
}

// Plan holds the distinct runs of a study. Every run follows the runs that it needs.
type Plan struct {
	runs  []*Run
	known map[store.Key]*Run

	refused error
}

// Refuse records why the plan cannot be executed, which is a mistake in its request. Only the first reason counts.
func (p *Plan) Refuse(why error) {
	if p.refused == nil {
		p.refused = why
	}
}

// add adds a run to the plan. It panics if the spec has no key, which is a programming error.
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

// Join adds runs of another plan, and all runs that they need, to this plan.
func (p *Plan) Join(runs ...*Run) (joined []*Run) {
	for _, run := range runs {
		own := *run
		own.Needs, own.roles = p.Join(run.Needs...), slices.Clone(run.roles)
		joined = append(joined, p.add(own))
	}
	return joined
}

// Runs returns the runs in the order in which they were added.
func (p *Plan) Runs() []*Run { return p.runs }

// Ends returns the runs that no other run needs.
func (p *Plan) Ends() []*Run {
	needed := map[*Run]bool{}
	for _, run := range p.runs {
		for _, need := range run.Needs {
			needed[need] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(p.runs), func(run *Run) bool { return needed[run] })
}

// Missing returns the wanted runs that are not in the store, and the missing runs that they need. Without wanted runs
// it checks the ends of the plan. A trained model is not missing if its scores are stored. A damaged artifact is an
// error.
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

// Role returns the labels under which the run was planned first.
func (r *Run) Role() Labels { return r.roles[0] }

// Labelled returns the value of a label in the first role that has it, or "".
func (r *Run) Labelled(key string) string {
	for _, role := range r.roles {
		if value, has := role[key]; has {
			return value
		}
	}
	return ""
}

// Label adds a label to every role of the run.
func (r *Run) Label(key, value string) {
	for i, role := range r.roles {
		r.roles[i] = role.With(key, value)
	}
}
