package remem

import (
	"path"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// described describes a run in a publication.
type described struct {
	size    string // size of the models; "" for the tower
	method  string // unlearning method, or a model without unlearning: tower, base, taught, gold
	version int    // 0 if there is no method
	file    string // file name of the tables with the run's rows
	rate    float64
	forget  int    // number of people
	lesson  string // shape of what was taught
	asked   string // the people asked about
	bits    int    // 0 if weights were not rounded
	world   int    // -1 if all worlds share the run
}

// Models without unlearning.
const (
	towerModel  = "tower"
	baseModel   = "base"
	taughtModel = "taught"
	goldModel   = "gold"
)

// Published returns how a run's artifact is published, or false if it is not. Models of people are not published:
// they have a few megabytes each and are made in minutes. The base models are published, because all others depend on
// them. The taught model of a first look is published, too.
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

// firstLook returns the key of the taught model that a first look starts from.
var firstLook = sync.OnceValue(func() store.Key { return NewPlan(Quick()).Worlds[0].Sizes[0].Taught.Model.Key() })

// describe reads the run's first role, its spec and the spec of the model that it uses.
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

// ofModel describes a model.
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

// place returns where a file of the run is published.
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
