package unslu

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// described is what a publication says of a run.
type described struct {
	benchmark string // the data set and backbone
	method    string // of unlearning, or the model that none was at work on: original, gold, untaught
	version   int    // 0 without a method
	file      string // names the tables with its rows
	rate      float64
	epochs    int // of the training
	world     int // -1 of a backbone
	seed      uint64
}

// Published is how an artifact of a run is published. The models of worlds are not, which have half a megabyte each and
// are trained in a minute or two; backbones are, since all else stands on them, and the originals that a first look
// begins with. Both ship with the study.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	if Base.Made(run) && !first(run) || Backbone.Made(run) && p.Preset.beside() {
		return published, false
	}
	d := describe(run)
	record := publish.Record{Title: run.Title, Method: d.method, Version: d.version, Repetition: d.world}
	return publish.Run{Record: record, Artifact: artifact,
		Place: func(name string) publish.Place { return d.place(run.Key(), name) }}, true
}

// first tells whether a run is the training of an original that a first look begins with.
func first(run *study.Run) bool {
	return slices.Contains(firstLook(), run.Key())
}

// firstLook are the keys of those trainings.
var firstLook = sync.OnceValue(func() (keys []store.Key) {
	for _, world := range NewPlan(Quick()).Worlds {
		for _, b := range world.Benchmarks {
			keys = append(keys, b.OriginalTraining.Key())
		}
	}
	return keys
})

// describe reads the run's first role, its spec and the spec of the training that it begins with.
func describe(run *study.Run) described {
	role, training := run.Role(), run
	d := described{benchmark: role[benchmarkLabel], method: role[modelLabel], file: role[modelLabel]}
	if spec, is := Unlearned.Spec(run); is {
		d.method, d.version, d.file, d.rate = spec.Method, spec.Version, spec.Method, spec.Values["rate"]
		training = run.Needs[0]
	}
	if Judgement.Made(run) {
		training = run.Needs[0]
	}
	spec, is := Base.Spec(training)
	if !is {
		return described{method: "backbone", file: "backbone", world: -1}
	}
	d.world, d.epochs, d.seed = int(spec.Corpus.World.Seed), spec.Training.Epochs, spec.Seed
	return d
}

// place is where a file of the run goes.
func (d described) place(key store.Key, name string) publish.Place {
	labels := []publish.Label{publish.Text("key", string(key)), publish.Text("benchmark", d.benchmark),
		publish.Text("method", d.method), publish.Number("learning_rate", d.rate),
		publish.Count("epochs", d.epochs), publish.Count("world", d.world),
		publish.Count("seed", int(d.seed))}
	switch {
	case name == study.StepsFile:
		return publish.Place{File: "steps/" + d.file + ".parquet", Labels: labels}
	case name == EpochsFile:
		return publish.Place{File: "epochs/all.parquet", Labels: labels}
	case name == CostFile:
		return publish.Place{File: "costs/all.parquet", Labels: labels}
	case strings.HasSuffix(name, ".parquet"):
		return publish.Place{File: "scores/" + d.file + ".parquet", Labels: labels}
	}
	return publish.Place{File: path.Join("models", fmt.Sprintf("%.12s", key), name)}
}
