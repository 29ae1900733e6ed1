package study

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Progress is called with the amount of work that a run has finished, and its total amount.
type Progress func(done, of int)

// Run is a planned computation of one artifact. [Stage.Add] creates runs.
type Run struct {
	Title string // title for messages, such as "world 2: DELETE"
	Stage store.Stage
	Needs []*Run  // runs whose artifacts are inputs of this run
	Cost  float64 // expected cost in a unit common to the plan, to estimate the remaining time

	spec  any // spec, of the stage's type S
	key   store.Key
	roles []Labels // labels of each time the run was planned; at least one
}

// Key returns the key of the run's artifact.
func (r *Run) Key() store.Key { return r.key }

// Spec returns the run's spec as canonical JSON, from which its key is computed.
func (r *Run) Spec() []byte {
	text, err := store.Canonical(r.spec)
	if err != nil {
		panic(fmt.Sprintf("study: %s: %v", r.Title, err)) // cannot happen: the key was computed before
	}
	return text
}

// Plan holds the distinct runs of a study. Every run comes after the runs that it needs.
type Plan struct {
	runs  []*Run
	known map[store.Key]*Run

	refused error
}

// Refuse records that the plan cannot be executed because its request is wrong. Only the first reason is kept.
func (p *Plan) Refuse(why error) {
	if p.refused == nil {
		p.refused = why
	}
}

// add adds a run to the plan. It panics if the spec cannot be encoded, because that is a programming error.
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

// Keys returns the keys of all runs.
func (p *Plan) Keys() map[store.Key]bool {
	keys := map[store.Key]bool{}
	for _, run := range p.runs {
		keys[run.Key()] = true
	}
	return keys
}

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

// Missing returns the wanted runs that are not in the store, with all missing runs that they need. Without wanted runs,
// it starts from the ends of the plan. If scores are stored, the model that they came from is not missing. A damaged
// artifact is an error.
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

// Role returns the labels of the first time that the run was planned.
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

// Absent is the error for results that cannot be read because some runs have not been computed.
type Absent struct{ Runs []*Run }

func (a *Absent) Error() string {
	return fmt.Sprintf("%d runs are not made yet, the first is %q", len(a.Runs), a.Runs[0].Title)
}

// Complete returns an [Absent] error if the store lacks runs of the plan.
func (p *Plan) Complete(s *store.Store) error {
	missing, err := p.Missing(s)
	if err == nil && len(missing) > 0 {
		err = &Absent{missing}
	}
	return err
}
