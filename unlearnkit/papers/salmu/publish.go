package salmu

import (
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// described holds the properties of a run that determine where and how it is published.
type described struct {
	method  string // unlearning method, or the base model: clean, compromised or independent
	version int    // version of the method; 0 for a base model
	file    string // name of the published tables that contain the run's rows
	start   string // base model that the method starts from
	variant string // title of the variant; "" for the study's own models
	rate    float64
	world   int
	budgets []int
	attack  string // empty unless the run attacks a model
	lessons string
}

// Published returns the published form of a run's artifact, or false if it is not published. It skips the pictures of a
// download, which cannot be redistributed, the base models of variants and of additional worlds, which are large and
// train in minutes, and runs that the study itself publishes.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	d := describe(run)
	if p.Preset.isAddition() {
		d.file = "all" // limits the number of files in a publication
	}
	if Pictures.Made(run) || Forgetful.Made(run) || Base.Made(run) && (d.variant != "" || p.Preset.isAddition()) || p.core()[run.Key()] {
		return published, false
	}
	record := publish.Record{Title: run.Title, Method: d.method, Version: d.version, Repetition: d.world,
		Budgets: d.budgets}
	return publish.Run{Record: record, Artifact: artifact,
		Place: func(name string) publish.Place { return d.place(run.Key(), name) }}, true
}

// describe describes a run by its first role and its spec.
func describe(run *study.Run) described {
	role := run.Role()
	d := described{method: role[modelLabel], start: role[startLabel], file: "base", variant: role[variantLabel],
		rate: math.NaN()}
	if spec, is := Base.Spec(run); is {
		d.world, d.rate = int(spec.Seed), spec.Training.Rate
	}
	if spec, is := Judgement.Spec(run); is {
		d.world = world(spec.Corpus)
	}
	if spec, is := Unlearned.Spec(run); is {
		d.method, d.version, d.file = spec.Method, spec.Version, spec.Method
		d.world, d.rate, d.budgets = world(spec.Corpus), spec.Values["rate"], spec.Budgets
	}
	if spec, is := Attacked.Spec(run); is {
		d.method, d.world, d.rate = role[methodLabel], world(spec.Corpus), spec.Rate
		d.attack, d.lessons = string(spec.Attack), string(spec.Lessons)
	}
	if trial := role[trialLabel]; trial != "" {
		d.variant, d.file = trial, "trials"
	}
	return d
}

func world(c Corpus) int {
	if c.World == nil {
		return 0
	}
	return int(c.World.Seed)
}

// place returns where a run's file is stored in the publication.
func (d described) place(key store.Key, name string) publish.Place {
	labels := []publish.Label{publish.Text("key", string(key)), publish.Text("method", d.method),
		publish.Text("start", d.start), publish.Text("variant", d.variant),
		publish.Number("learning_rate", d.rate), publish.Count("world", d.world)}
	switch {
	case name == study.StepsFile:
		return publish.Place{File: "steps/all.parquet", Labels: labels}
	case name == AttackFile:
		return publish.Place{File: fmt.Sprintf("attacks/world-%d.parquet", d.world),
			Labels: append(labels, publish.Text("attack", d.attack), publish.Text("lessons", d.lessons))}
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
