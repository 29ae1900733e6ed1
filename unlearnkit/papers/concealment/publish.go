package concealment

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// described is what a publication says of a run.
type described struct {
	method  string // of unlearning, or the model that none was at work on: original, gold, judge
	version int    // 0 without a method
	erased  string // as the paper calls it
	seed    int    // of the training
	rate    float64
	after   int // passes of the method
	budgets []int
	prompt  string // of an attack, as the paper prints it
	lesson  bool
	control string // what it is a control by, "" of the study's own runs
}

// Published is how an artifact of a run is published. Scores are; of the models, which have megabytes each, the
// original and the gold one of the first concept. With these an attack of one's own can begin; an erased model is made
// from the original in a minute.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	if p.core()[run.Key()] {
		return published, false // it ships with the study beside which this is asked
	}
	base, trained := Base.Spec(run)
	model := trained && run != p.Original.Run && run != p.Golds[0].Run && !base.Discarded
	if model || Erased.Made(run) || Judge.Made(run) && run != p.judge {
		return published, false
	}
	d := describe(run)
	_, d.lesson = run.Role()[lessonLabel]
	d.control = run.Labelled(controlLabel)
	record := publish.Record{Title: run.Title, Method: d.method, Version: d.version, Repetition: d.seed,
		Budgets: d.budgets}
	return publish.Run{Record: record, Artifact: artifact,
		Place: func(name string) publish.Place { return d.place(run.Key(), name) }}, true
}

// describe looks at the specs of a run and of the model that it looks at.
func describe(run *study.Run) described {
	if spec, is := Base.Spec(run); is {
		d := described{method: "original", rate: spec.Training.Rate, seed: int(spec.Seed)}
		for _, e := range concept.Erasures() {
			if e.Concept == spec.World.Without {
				d.method, d.erased = "gold", e.Paper
			}
		}
		return d
	}
	if spec, is := Tuning.Spec(run); is {
		d := spec.described()
		d.budgets = spec.Budgets
		return d
	}
	if spec, is := Erased.Spec(run); is {
		d := spec.described()
		d.after, d.budgets = spec.Budget, []int{spec.Budget}
		return d
	}
	if spec, is := Samples.Spec(run); is {
		return describe(needed(run, spec.Model))
	}
	if spec, is := Moved.Spec(run); is {
		return describe(needed(run, spec.To))
	}
	if spec, is := Attack.Spec(run); is {
		d := describe(needed(run, spec.Other))
		d.prompt = paperPrompt(spec.Prompt, d.erased)
		return d
	}
	return described{method: "judge", rate: math.NaN(), seed: -1}
}

func (s ErasureSpec) described() described {
	return described{method: s.Method, version: s.Version, erased: s.Erasure.Paper, seed: int(s.Seed),
		rate: s.Values["rate"]}
}

// needed is the run that a field of a spec names.
func needed(run *study.Run, input study.Input) *study.Run {
	return run.Needs[slices.IndexFunc(run.Needs, func(need *study.Run) bool { return need.Input() == input })]
}

// paperPrompt is the prompt of the paper that a prompt of the small world stands for.
func paperPrompt(prompt, erased string) string {
	for _, p := range concept.PaperPrompts() {
		if p.Prompt == prompt && p.Erased == erased {
			return p.Paper
		}
	}
	return prompt
}

// place is where a file of the run goes.
func (d described) place(key store.Key, name string) publish.Place {
	switch {
	case path.Ext(name) == ".parquet":
		return d.table(key, name)
	case path.Ext(name) == ".png":
		at := []string{slug(d.erased), slug(d.prompt), name}
		if d.lesson {
			at = slices.Insert(at, 0, fmt.Sprintf("lesson-%.8s", key))
		}
		return publish.Place{File: "pictures-" + d.method + ".zip", Member: strings.Join(at, "/")}
	}
	model := d.method
	if d.erased != "" {
		model += "-without-" + slug(d.erased)
	}
	return publish.Place{File: "models/" + model + "/" + name}
}

// table is where rows go.
func (d described) table(key store.Key, name string) publish.Place {
	labels := []publish.Label{publish.Text("key", string(key)), publish.Text("method", d.method),
		publish.Text("erased", d.erased), publish.Count("seed", d.seed),
		publish.Number("learning_rate", d.rate), publish.Count("after", d.after)}
	folder := strings.TrimSuffix(name, ".parquet")
	if d.control != "" {
		labels = append(labels[:len(labels)-1], publish.Text("control", d.control), labels[len(labels)-1])
	}
	switch name {
	case study.StepsFile, SecondFile:
		labels = labels[:len(labels)-1]
	case PicturesFile, DistancesFile, FittedFile, MovedFile:
		labels = append(labels, publish.Text("paper_prompt", d.prompt), d.ofLesson())
	default:
		folder = "views"
		drawn := map[string]string{OriginalFile: "original", UnlearnedFile: "other"}[name]
		var after int
		if n, err := fmt.Sscanf(name, strings.ReplaceAll(LookFile(0), "00000", "%d"), &after); n == 1 && err == nil {
			labels[len(labels)-1] = publish.Count("after", after)
		}
		labels = append(labels, publish.Text("paper_prompt", d.prompt), publish.Text("attack_set", drawn),
			d.ofLesson())
	}
	return publish.Place{File: folder + "/" + d.method + ".parquet", Labels: labels}
}

func (d described) ofLesson() publish.Label {
	label := publish.Label{Name: "lesson", Type: safefile.AsTruth}
	if d.lesson {
		label.Number = 1
	}
	return label
}

// slug makes a name of a file of words.
func slug(words string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(words))
	return strings.Trim(strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-"), "-")
}
