package study

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Stage is a kind of run. S is the type of its spec. The version must be increased when the stage makes something else
// from the same spec.
//
// All inputs of a run are named in its spec: a field of type [Input] names one artifact, and a field of type []Input
// names several.
type Stage[S any] struct {
	Name    string // name, such as "paper/base"
	Version int
}

// Input is the key of an artifact that a run is made from. It is empty if a run does not need this input.
type Input store.Key

// Input returns the run's artifact as an input of another run.
func (r *Run) Input() Input { return Input(r.key) }

// Kind returns the stage without the type of its spec, as stores use it.
func (s Stage[S]) Kind() store.Stage { return store.Stage{Name: s.Name, Version: s.Version} }

// Add adds a run to the plan and returns it. If the plan already has an equal run, Add adds a role to that run and
// returns it. The inputs that the spec names must be in the plan.
func (s Stage[S]) Add(p *Plan, title string, cost float64, spec S) *Run {
	return s.AddAs(nil, p, title, cost, spec)
}

// AddAs works like [Stage.Add] and labels the run's role.
func (s Stage[S]) AddAs(role Labels, p *Plan, title string, cost float64, spec S) *Run {
	run := Run{Title: title, Stage: s.Kind(), Cost: cost, spec: spec, roles: []Labels{role}}
	for _, key := range inputsOf(reflect.ValueOf(spec)) {
		need, known := p.known[key]
		if !known {
			panic(fmt.Sprintf("study: %s needs %.12s, which is not part of the plan", title, key))
		}
		run.Needs = append(run.Needs, need)
	}
	return p.add(run)
}

// Spec returns the spec of a run, or false if the run belongs to another stage.
func (s Stage[S]) Spec(run *Run) (spec S, is bool) {
	if run.Stage != s.Kind() {
		return spec, false
	}
	spec, is = run.spec.(S)
	return spec, is
}

// Made reports whether a run belongs to the stage.
func (s Stage[S]) Made(run *Run) bool { return run.Stage == s.Kind() }

var (
	inputType  = reflect.TypeFor[Input]()
	inputsType = reflect.TypeFor[[]Input]()
)

// inputsOf returns the distinct keys of the inputs in a spec, in the order of its fields.
func inputsOf(spec reflect.Value) (keys []store.Key) {
	if spec.Kind() != reflect.Struct {
		return nil
	}
	add := func(inputs ...Input) {
		for _, input := range inputs {
			if key := store.Key(input); key != "" && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	for i := range spec.NumField() {
		field := spec.Field(i)
		switch {
		case !spec.Type().Field(i).IsExported():
		case field.Type() == inputType:
			add(Input(field.String()))
		case field.Type() == inputsType:
			add(field.Interface().([]Input)...)
		case field.Kind() == reflect.Struct:
			for _, key := range inputsOf(field) {
				add(Input(key))
			}
		}
	}
	return keys
}

// Inputs holds the artifacts that are inputs of a run.
type Inputs struct{ artifacts map[store.Key]*store.Artifact }

// NewInputs returns the artifacts as inputs of a run.
func NewInputs(artifacts ...*store.Artifact) Inputs {
	in := Inputs{map[store.Key]*store.Artifact{}}
	for _, artifact := range artifacts {
		in.artifacts[artifact.Key] = artifact
	}
	return in
}

// Of returns the artifact that an input in the spec names, or nil if the input is empty.
func (in Inputs) Of(input Input) *store.Artifact { return in.artifacts[store.Key(input)] }

// All returns the artifacts that inputs in the spec name.
func (in Inputs) All(inputs []Input) []*store.Artifact {
	var all []*store.Artifact
	for _, input := range inputs {
		all = append(all, in.Of(input))
	}
	return all
}

// Maker makes the artifacts of one stage.
type Maker struct {
	stage store.Stage
	run   func(ctx context.Context, run *Run, in Inputs, w *store.Work, progress Progress) error
}

// By returns a maker that calls a function to make the stage's artifacts.
func (s Stage[S]) By(run func(ctx context.Context, spec S, in Inputs, w *store.Work, progress Progress) error) Maker {
	return Maker{s.Kind(), func(ctx context.Context, r *Run, in Inputs, w *store.Work, progress Progress) error {
		spec, is := s.Spec(r)
		if !is {
			panic(fmt.Sprintf("study: %s is not of %s", r.Title, s.Name))
		}
		return run(ctx, spec, in, w, progress)
	}}
}

// Makers maps stages to their makers. A plan without makers can be read, but not executed.
type Makers struct{ of map[store.Stage]Maker }

// NewMakers combines makers of different stages.
func NewMakers(makers ...Maker) Makers {
	all := Makers{map[store.Stage]Maker{}}
	for _, maker := range makers {
		if _, twice := all.of[maker.stage]; twice {
			panic(fmt.Sprintf("study: two makers of %s", maker.stage.Name))
		}
		all.of[maker.stage] = maker
	}
	return all
}

// With returns the makers with one more. The new maker replaces one of the same stage.
func (m Makers) With(maker Maker) Makers {
	all := Makers{maps.Clone(m.of)}
	all.of[maker.stage] = maker
	return all
}

// check returns an error if a run's stage has no maker.
func (m Makers) check(runs []*Run) error {
	for _, run := range runs {
		if _, known := m.of[run.Stage]; !known {
			return fmt.Errorf("%s is missing, and nothing here makes the stage %s version %d", run.Title,
				run.Stage.Name, run.Stage.Version)
		}
	}
	return nil
}

// do is the type of the method values s.Do and s.TryDo of a [store.Store].
type do func(ctx context.Context, stage store.Stage, spec any, inputs []store.Key,
	work func(context.Context, *store.Work) error) (*store.Artifact, error)

// carryOut makes the artifact of a run. It reads the run's inputs from a store.
func (m Makers) carryOut(ctx context.Context, run *Run, from *store.Store, do do,
	progress Progress) (*store.Artifact, error) {
	var artifacts []*store.Artifact
	var keys []store.Key
	for _, need := range run.Needs {
		artifact, err := from.Local(need.key)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", need.Title, err)
		}
		artifacts, keys = append(artifacts, artifact), append(keys, need.key)
	}
	in := NewInputs(artifacts...)
	return do(ctx, run.Stage, run.spec, keys, func(ctx context.Context, w *store.Work) error {
		progress(0, 0) // from here on no other process makes the run
		return m.of[run.Stage].run(ctx, run, in, w, progress)
	})
}
