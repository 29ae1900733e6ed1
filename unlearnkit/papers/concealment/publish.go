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

// described holds the properties of a run that determine where and how it is published.
type described struct {
	method  string // unlearning method; or original, gold or judge
	version int    // version of the method; 0 if nothing is unlearned
	erased  string // the paper's name of the erased concept
	seed    int    // random seed of the training
	rate    float64
	after   int // number of passes of the method
	budgets []int
	prompt  string // prompt of the attack, as the paper prints it
	lesson  bool
	control string // kind of control; "" for the study's own runs
}

// Published returns the published form of a run's artifact, or false if it is not published. All scores are published.
// Models take megabytes each, so only the judge, the original and the gold model of the first concept are published. A
// user's own attacks can start from them, and an erased model can be computed from the original in a minute.
func (p *Plan) Published(run *study.Run, artifact *store.Artifact) (published publish.Run, passedOn bool) {
	if p.core()[run.Key()] {
		return published, false // published with the study to which the preset is an addition
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

// describe describes a run by its spec and by the spec of the model that it uses.
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

// needed returns the run that a field of a spec refers to.
func needed(run *study.Run, input study.Input) *study.Run {
	return run.Needs[slices.IndexFunc(run.Needs, func(need *study.Run) bool { return need.Input() == input })]
}

// paperPrompt returns the paper's prompt that one of the study's prompts replaces.
func paperPrompt(prompt, erased string) string {
	for _, p := range concept.PaperPrompts() {
		if p.Prompt == prompt && p.Erased == erased {
			return p.Paper
		}
	}
	return prompt
}

// place returns where a run's file is stored in the publication.
func (d described) place(key store.Key, name string) publish.Place {
	switch {
	case path.Ext(name) == ".parquet":
		return d.table(key, name)
	case path.Ext(name) == ".png":
		at := []string{d.method, slug(d.erased), slug(d.prompt), name}
		if d.lesson {
			at = slices.Insert(at, 1, fmt.Sprintf("lesson-%.8s", key))
		}
		return publish.Place{File: "pictures.zip", Member: strings.Join(at, "/")}
	}
	model := d.method
	if d.erased != "" {
		model += "-without-" + slug(d.erased)
	}
	return publish.Place{File: "models/" + model + "/" + name}
}

// table returns where the rows of a table are stored in the publication.
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
	case PicturesFile, distancesFile, fittedFile, MovedFile:
		labels = append(labels, publish.Text("paper_prompt", d.prompt), d.ofLesson())
	default:
		folder = "views"
		drawn := map[string]string{originalFile: "original", unlearnedFile: "other"}[name]
		var after int
		if n, err := fmt.Sscanf(name, strings.ReplaceAll(LookFile(0), "00000", "%d"), &after); n == 1 && err == nil {
			labels[len(labels)-1] = publish.Count("after", after)
		}
		labels = append(labels, publish.Text("paper_prompt", d.prompt), publish.Text("attack_set", drawn),
			d.ofLesson())
	}
	return publish.Place{File: folder + "/all.parquet", Labels: labels}
}

func (d described) ofLesson() publish.Label {
	label := publish.Label{Name: "lesson", Type: safefile.AsTruth}
	if d.lesson {
		label.Number = 1
	}
	return label
}

// slug converts a text to a file name.
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
