package remem

import (
	"path"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// described is what a publication says of a run.
type described struct {
	size    string // of the models; "" of the tower
	method  string // of unlearning, or the model that none was at work on: tower, base, taught, gold
	version int    // 0 without a method
	file    string // names the tables with its rows
	rate    float64
	forget  int    // people
	lesson  string // the shape of what was taught
	asked   string // about whom
	bits    int    // 0 where weights were not rounded
	world   int    // -1 of what all worlds share
}

// Models that no method of unlearning was at work on.
const (
	towerModel  = "tower"
	baseModel   = "base"
	taughtModel = "taught"
	goldModel   = "gold"
)

// Published is how an artifact of a run is published. Models of people are not, which have a few megabytes each and are
// made in minutes; the base models are, on which all else stands, and the taught one that a first look begins with.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	if Unlearned.Made(run) || Taught.Made(run) && run.Key() != firstLook() {
		return published, false
	}
	d := describe(run)
	record := publish.Record{Title: run.Title, Method: d.method, Version: d.version, Repetition: d.world}
	if spec, is := Relearnt.Spec(run); is {
		record.Budgets = append([]int{0}, spec.Budgets...)
	}
	return publish.Run{Record: record, Artifact: artifact,
		Place: func(name string) publish.Place { return d.place(run.Key(), name, record.Budgets) }}, true
}

// firstLook is the taught model that a first look begins with.
var firstLook = sync.OnceValue(func() store.Key { return NewPlan(Quick()).Worlds[0].Sizes[0].Taught.Model.Key() })

// describe reads the run's first role, its spec and the spec of the model that it is about.
func describe(run *study.Run) (d described) {
	d.world = -1
	model := run
	var input study.Input
	if spec, is := Judgement.Spec(run); is {
		input, d.asked, d.bits, d.forget = spec.Model, string(spec.Asked), spec.Bits, spec.Forget
		if spec.Asked != Public {
			d.world = int(spec.World.Seed)
		}
	} else if spec, is := Relearnt.Spec(run); is {
		input, d.forget, d.world = spec.Model, spec.Forget, int(spec.World.Seed)
	} else if spec, is := Tracing.Spec(run); is {
		input, d.world = spec.Model, int(spec.World.Seed)
	}
	for _, need := range run.Needs {
		if need.Input() == input {
			model = need
		}
	}
	d.ofModel(model)
	d.size = run.Role()[sizeLabel]
	return d
}

// ofModel says what a model is.
func (d *described) ofModel(model *study.Run) {
	if spec, is := Unlearned.Spec(model); is {
		d.method, d.version, d.rate, d.forget = spec.Method, spec.Version, spec.Values["rate"], spec.Forget
		d.world = int(spec.World.Seed)
	} else if spec, is := Taught.Spec(model); is {
		d.method, d.lesson, d.world = taughtModel, spec.Lesson.Shape.Name, int(spec.World.Seed)
		if spec.Lesson.Gold > 0 {
			d.method, d.forget = goldModel, spec.Lesson.Gold
		}
	} else if Tower.Made(model) {
		d.method = towerModel
	} else {
		d.method = baseModel
	}
	d.file = d.method
}

// place is where a file of the run goes.
func (d described) place(key store.Key, name string, budgets []int) publish.Place {
	labels := []publish.Label{publish.Text("key", string(key)), publish.Text("size", d.size),
		publish.Text("method", d.method), publish.Number("learning_rate", d.rate),
		publish.Count("forget", d.forget), publish.Text("lesson", d.lesson),
		publish.Text("asked", d.asked), publish.Count("bits", d.bits), publish.Count("world", d.world)}
	for _, passes := range budgets {
		if name == RelearntFile(passes) {
			return publish.Place{File: "relearnt/" + d.file + ".parquet",
				Labels: append(labels, publish.Count("passes", passes))}
		}
	}
	switch {
	case name == AnswersFile:
		return publish.Place{File: "answers/" + d.file + ".parquet", Labels: labels}
	case name == study.StepsFile:
		return publish.Place{File: "steps/" + d.file + ".parquet", Labels: labels}
	case strings.HasSuffix(name, ".parquet"):
		return publish.Place{File: strings.TrimSuffix(name, ".parquet") + "/all.parquet", Labels: labels}
	}
	return publish.Place{File: path.Join("models", strings.TrimSuffix(d.method+"-"+d.size, "-"), name)}
}
