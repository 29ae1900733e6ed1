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

// described holds the properties of a run that determine where and how it is published.
type described struct {
	benchmark string // data set and backbone
	method    string // unlearning method; or original, gold or untaught
	version   int    // version of the method; 0 if nothing is unlearned
	file      string // name of the published tables that contain the run's rows
	rate      float64
	epochs    int // training epochs
	world     int // index of the world; -1 for a backbone
	seed      uint64
}

// Published returns the published form of a run's artifact, or false if it is not published. Trained models of worlds
// are not, because each takes half a megabyte and trains in a minute or two, except for the originals that the preset
// quick starts from. An additional preset publishes neither runs that the study itself publishes nor logs of training
// steps, which would take as much space as half of the scores.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	if Base.Made(run) && !first(run) || p.Preset.isAddition() && core()[run.Key()] {
		return published, false
	}
	d := describe(run)
	if p.Preset.isAddition() {
		d.file = fmt.Sprintf("world-%d", d.world) // limits the number of files in a publication
	}
	record := publish.Record{Title: run.Title, Method: d.method, Version: d.version, Repetition: d.world}
	return publish.Run{Record: record, Artifact: artifact,
		Place: func(name string) publish.Place {
			if name == study.StepsFile && p.Preset.isAddition() {
				return publish.Place{}
			}
			return d.place(run.Key(), name)
		}}, true
}

// core returns the keys of the runs of [Mini], which the study itself publishes.
var core = sync.OnceValue(func() map[store.Key]bool { return NewPlan(Mini()).Keys() })

// first reports whether a run is the training of an original that the preset quick starts from.
func first(run *study.Run) bool {
	return slices.Contains(firstLook(), run.Key())
}

// firstLook returns the keys of the runs that train the quick preset's originals.
var firstLook = sync.OnceValue(func() (keys []store.Key) {
	for _, world := range NewPlan(Quick()).Worlds {
		for _, b := range world.Benchmarks {
			keys = append(keys, b.OriginalTraining.Key())
		}
	}
	return keys
})

// describe describes a run by its first role, its spec, and the spec of the training that it starts from.
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

// place returns where a run's file is stored in the publication.
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
