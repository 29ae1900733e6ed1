package salmu

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// described is what a publication says of a run.
type described struct {
	method  string // of unlearning, or the model that none was at work on: clean, compromised, independent
	version int    // 0 without a method
	file    string // names the tables with its rows
	start   string // the model that the method began with
	variant string // "" in the study's own worlds
	rate    float64
	world   int
	budgets []int
}

// Published is how an artifact of a run is published. Pictures of a download are not, since they are not ours to pass
// on, nor the models of variants and of worlds beyond the study's, which have megabytes each and are trained in
// minutes.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	d := p.describe(run)
	if Pictures.Made(run) || Base.Made(run) && (d.variant != "" || p.Preset.beside()) || p.core()[run.Key()] {
		return published, false
	}
	record := publish.Record{Title: run.Title, Method: d.method, Version: d.version, Repetition: d.world,
		Budgets: d.budgets}
	return publish.Run{Record: record, Artifact: artifact,
		Place: func(name string) publish.Place { return d.place(run.Key(), name) }}, true
}

// describe looks at the specs of a run and of the model that it begins with.
func (p *Plan) describe(run *study.Run) described {
	title, tried := p.variantOf(run)
	d := described{file: "base", variant: title, rate: math.NaN()}
	if spec, is := Base.Spec(run); is {
		d.method, d.world, d.rate = spec.name(), int(spec.Seed), spec.Training.Rate
	}
	if Published.Made(run) {
		d.method = publishedName(run)
	}
	if spec, is := Judgement.Spec(run); is {
		d.method, d.world = modelOf(run, spec.Model, spec.Corpus), world(spec.Corpus)
	}
	if spec, is := Unlearned.Spec(run); is {
		d.method, d.version, d.file, d.start = spec.Method, spec.Version, spec.Method,
			modelOf(run, spec.Start, spec.Corpus)
		d.world, d.rate, d.budgets = world(spec.Corpus), spec.Values["rate"], spec.Budgets
	}
	if tried {
		d.file = "trials"
	}
	return d
}

// modelOf names a model that a run looks at or begins with.
func modelOf(run *study.Run, model study.Input, corpus Corpus) string {
	for _, need := range run.Needs {
		spec, trained := Base.Spec(need)
		switch {
		case need.Input() != model:
		case !trained:
			return publishedName(need)
		case spec.Seed != corpus.root():
			return "independent"
		default:
			return spec.name()
		}
	}
	return ""
}

// publishedName is that of a model of a download, which its title begins with: "Clean, as published".
func publishedName(run *study.Run) string {
	name, _, _ := strings.Cut(run.Title, ",")
	return strings.ToLower(name)
}

func (s BaseSpec) name() string {
	if s.Compromised {
		return "compromised"
	}
	return "clean"
}

func world(c Corpus) int {
	if c.World == nil {
		return 0
	}
	return int(c.World.Seed)
}

// variantOf is the title of the variant or of the trial that a run is of.
func (p *Plan) variantOf(run *study.Run) (title string, tried bool) {
	for _, w := range p.Worlds {
		if among(run, w.own()) {
			return "", false
		}
	}
	for i, v := range p.Variants {
		if among(run, append([]*study.Run{v.Compromised}, v.Methods...)) {
			return p.Preset.Variants[i].Title, false
		}
	}
	for i, worlds := range p.Trials {
		for _, w := range worlds {
			if among(run, w.own()) {
				return p.Preset.Trials[i].Title, true
			}
		}
	}
	return "", false
}

// own are the runs of a world.
func (w World) own() []*study.Run {
	bases := []*study.Run{w.Clean, w.Compromised}
	if w.Independent != nil {
		bases = append(bases, w.Independent)
	}
	return slices.Concat(bases, w.Methods, w.FromClean, w.Rates)
}

// among tells whether a run is one of some, or the model that one begins with.
func among(run *study.Run, some []*study.Run) bool {
	return slices.ContainsFunc(some, func(one *study.Run) bool {
		return one == run || slices.Contains(one.Needs, run)
	})
}

// place is where a file of the run goes.
func (d described) place(key store.Key, name string) publish.Place {
	labels := []publish.Label{publish.Text("key", string(key)), publish.Text("method", d.method),
		publish.Text("start", d.start), publish.Text("variant", d.variant),
		publish.Number("learning_rate", d.rate), publish.Count("world", d.world)}
	switch {
	case name == study.StepsFile:
		return publish.Place{File: "steps/" + d.file + ".parquet", Labels: labels}
	case name == GapFile:
		return publish.Place{File: "gap.parquet", Labels: labels}
	case strings.HasSuffix(name, ".parquet"):
		for _, budget := range append([]int{0}, d.budgets...) {
			if name == ScoresFile(budget) {
				labels = append(labels, publish.Count("budget", budget))
			}
		}
		return publish.Place{File: "scores/" + d.file + ".parquet", Labels: labels}
	case d.version == 0:
		return publish.Place{File: fmt.Sprintf("models/world-%d-%s/%s", d.world, d.method, name)}
	}
	return publish.Place{File: path.Join("notes", string(key), name)}
}
