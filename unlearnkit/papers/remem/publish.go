package remem

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// described holds the properties of a run that determine where and how it is published.
type described struct {
	size    string // name of the size of the models; "" for the tower
	method  string // unlearning method; or tower, base, taught or gold
	version int    // version of the method; 0 if nothing is unlearned
	file    string // name of the published table that contains the run's answers
	rate    float64
	forget  int    // number of people to forget
	lesson  string // name of the shape that was taught
	asked   string // which people the model is asked about, see [Asked]
	bits    int    // number of bits to which weights were rounded; 0 if they were not
	world   int    // index of the world; -1 if all worlds share the run
}

// Names of models without unlearning.
const (
	towerModel  = "tower"
	baseModel   = "base"
	taughtModel = "taught"
	goldModel   = "gold"
)

// Published returns the published form of a run's artifact, or false if it is not published. It skips models that were
// taught about people, because each takes a few megabytes and trains in minutes. It keeps the base models, on which all
// others depend, and the taught model that the preset quick starts from. An additional preset does not publish the
// vision tower, because the study does, nor the runs of the preset that it extends.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	if Unlearned.Made(run) || Taught.Made(run) && run.Key() != firstLook() ||
		Tower.Made(run) && slices.Contains(additions, p.Preset.Name) ||
		p.Preset.extended()[run.Key()] {
		return published, false
	}
	d := describe(run)
	if slices.Contains(additions, p.Preset.Name) {
		d.file = "all" // a study ships in a limited number of files
	}
	record := publish.Record{Title: run.Title, Method: d.method, Version: d.version, Repetition: d.world}
	if spec, is := Relearnt.Spec(run); is {
		record.Budgets = append([]int{0}, spec.Budgets...)
	}
	return publish.Run{Record: record, Artifact: artifact,
		Place: func(name string) publish.Place { return d.place(run.Key(), name, record.Budgets) }}, true
}

// firstLook returns the key of the taught model that the preset quick starts from.
var firstLook = sync.OnceValue(func() store.Key { return NewPlan(Quick()).Worlds[0].Sizes[0].Taught.Model.Key() })

// ofMini and ofRefusing return the keys of the runs of [Mini] and [Refusing].
var (
	ofMini     = sync.OnceValue(func() map[store.Key]bool { return NewPlan(Mini()).Keys() })
	ofRefusing = sync.OnceValue(func() map[store.Key]bool { return NewPlan(Refusing()).Keys() })
)

// extended returns the keys of the runs of the preset that p extends. It returns nil if p extends none.
func (p Preset) extended() map[store.Key]bool {
	switch p.Name {
	case worldsPreset:
		return ofMini()
	case matchedPreset:
		return ofRefusing()
	}
	return nil
}

// describe describes a run by its first role, its spec, and the spec of the model that it judges.
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

// ofModel adds the description of a model.
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

// place returns where a run's file is stored in the publication.
func (d described) place(key store.Key, name string, budgets []int) publish.Place {
	labels := []publish.Label{publish.Text("key", string(key)), publish.Text("size", d.size),
		publish.Text("method", d.method), publish.Number("learning_rate", d.rate),
		publish.Count("forget", d.forget), publish.Text("lesson", d.lesson),
		publish.Text("asked", d.asked), publish.Count("bits", d.bits), publish.Count("world", d.world)}
	for _, passes := range budgets {
		if name == RelearntFile(passes) {
			return publish.Place{File: "relearnt/all.parquet", Labels: append(labels, publish.Count("passes", passes))}
		}
	}
	switch {
	case name == AnswersFile:
		return publish.Place{File: "answers/" + d.file + ".parquet", Labels: labels}
	case strings.HasSuffix(name, ".parquet"):
		return publish.Place{File: strings.TrimSuffix(name, ".parquet") + "/all.parquet", Labels: labels}
	}
	return publish.Place{File: path.Join("models", strings.TrimSuffix(d.method+"-"+d.size, "-"), name)}
}
