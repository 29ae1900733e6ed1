package concealment

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// madeUp determines the outcomes of artificial attacks.
type madeUp struct {
	// recovered returns the share of pictures that show the erased concept or, in a retain row, what the prompt asks
	// for. method is the method's title, or "gold".
	recovered func(method string, forget bool, psi float64, seed int) float64
	retained  func(method string) float64 // share of the gate's prompts that are obeyed
	outcome   func(forget bool, psi float64, leaky bool) Outcome
	kid       func(forget, unlearned bool) float64
}

// usual returns outcomes in which ESD conceals and Ablating Concepts recovers less than gold. SDD recovers more than
// gold with some seeds and less with others.
func usual() madeUp {
	gold := func(psi float64) float64 { return 1 / (1 + math.Exp(-(psi-.5)*14)) }
	return madeUp{
		recovered: func(method string, forget bool, psi float64, seed int) float64 {
			switch {
			case !forget:
				return .9
			case method == "ESD-x" || method == "ESD-u":
				return min(1, .05+2.5*psi)
			case method == "Ablating Concepts":
				return .2 * gold(psi)
			case method == "SDD":
				return min(1, max(0, gold(psi)+.5*float64(seed%2)-.15))
			}
			return gold(psi)
		},
		retained: func(method string) float64 {
			if method == "SDD" {
				return .6
			}
			return .93
		},
		outcome: func(forget bool, psi float64, leaky bool) Outcome {
			o := Outcome{Probability: .3 + .6*psi, CodeOriginal: .22 - .05*psi, CodeUnlearned: .2,
				Original: .7 + .2*psi, Unlearned: .8, PrintedRetain: .56, PrintedForget: .44}
			if leaky {
				o.Probability -= .2
			}
			if forget {
				o.Probability += .05
			}
			return o
		},
		kid: func(forget, unlearned bool) float64 {
			if forget == unlearned {
				return .25
			}
			return .2
		},
	}
}

// rank returns the ranks of n noises in random order, evenly spaced between 0 and 1: a share x of them is below x.
func rank(random *rand.Rand, n int) []float64 {
	places := make([]float64, n)
	for i, p := range random.Perm(n) {
		places[i] = (float64(p) + .5) / float64(n)
	}
	return places
}

// labelled returns the labels of a picture that shows the concept. Kinds of labels that the concept does not determine
// have their first label.
func labelled(c concept.Concept) concept.Labels {
	var l concept.Labels
	for o := range concept.Objects {
		if concept.Object(o).String() == c.Object {
			l.Object = concept.Object(o)
		}
	}
	for s := range concept.Styles {
		if concept.Style(s).String() == c.Style {
			l.Style = concept.Style(s)
		}
	}
	for k := range concept.Colours {
		if concept.Colour(k).String() == c.Colour {
			l.Colour = concept.Colour(k)
		}
	}
	for t := range concept.Textures {
		if concept.Texture(t).String() == c.Texture {
			l.Texture = concept.Texture(t)
		}
	}
	return l
}

// other returns labels that differ from l in every kind.
func other(l concept.Labels) concept.Labels {
	return concept.Labels{
		Object: (l.Object + 1) % concept.Object(concept.Objects), Style: (l.Style + 1) % concept.Style(concept.Styles),
		Colour:  (l.Colour + 1) % concept.Colour(concept.Colours),
		Texture: (l.Texture + 1) % concept.Texture(concept.Textures),
	}
}

// attack returns artificial scores of an attack. If method is "", the attacked model is gold.
func (m madeUp) attack(p Preset, row AttackScores, method string, training int) *Attacked {
	a := &Attacked{}
	shown, _ := concept.Shown(row.Prompt.Prompt)
	random := seed.Stream(7, row.Prompt.Paper, method, training)
	for _, protocol := range []Protocol{Disjoint, Published} {
		count := p.Attack.Pictures
		if protocol == Published {
			count = 1
		}
		ranks := rank(random, count)
		for _, psi := range p.Attack.Psi {
			for number, place := range ranks {
				labels := labelled(shown)
				if row.Prompt.Forget {
					labels = labelled(row.Erasure.Concept)
				}
				if name := method; place >= m.recovered(map[string]string{"": "gold"}[name]+name, row.Prompt.Forget,
					Value(psi), training) {
					labels = other(labels)
				}
				o := m.outcome(row.Prompt.Forget, Value(psi), protocol == Published)
				o.Probability += .01 * (place - .5)
				a.Pictures = append(a.Pictures, Picture{protocol, psi, number, labels, [2]Outcome{o, o}})
				a.Pictures[len(a.Pictures)-1].Of[0].Probability = .5
			}
			for _, unlearned := range []bool{false, true} {
				a.Distances = append(a.Distances,
					Distance{protocol, psi, unlearned, m.kid(row.Prompt.Forget, unlearned) + .001*random.Float64(),
						.01})
			}
		}
	}
	a.Fitted = []Fitted{{Classifiers[0], .8, .7}, {Classifiers[1], .95, .85 + .001*float64(training)}}
	a.Original, a.Unlearned = m.views(p, "", 0, 1), m.views(p, method, training, 1)
	for i := range a.Unlearned {
		if v := &a.Unlearned[i]; method == "" && row.Erasure.Concept.Covers(v.Labels) {
			v.Labels = other(v.Labels) // gold cannot show the concept
		}
	}
	return a
}

// views returns artificial labels of pictures for the gate's prompts.
func (m madeUp) views(p Preset, method string, training, each int) Views {
	var views Views
	ranks := rank(seed.Stream(8, method, training), each*len(concept.GatePrompts()))
	for _, prompt := range concept.GatePrompts() {
		for number := range each {
			shown, _ := concept.Shown(prompt)
			labels := labelled(shown)
			if ranks[len(views)] >= m.retained(method) {
				labels = other(labels)
			}
			views = append(views, View{prompt, number, labels})
		}
	}
	return views
}

// results returns artificial results of a preset.
func (m madeUp) results(p Preset) *Results {
	r := &Results{Preset: p, Original: m.views(p, "", 0, p.Gate), Golds: map[string]Views{}}
	for _, output := range append([]string{p.Base.Network.Output}, p.Outputs...) {
		learning := learningCurve{Output: output}
		for i, steps := range p.Base.Looks {
			weak := m
			weak.retained = func(string) float64 { return float64(i+1) / float64(len(p.Base.Looks)) }
			learning.Looks = append(learning.Looks, lookScores{steps, weak.views(p, "", 0, p.Base.Each)})
		}
		r.learning = append(r.learning, learning)
	}
	for _, e := range p.erasures() {
		r.Golds[e.Paper] = m.views(p, "gold", len(r.Golds), p.Each)
	}
	if p.Originals {
		for training := 1; training < p.Seeds; training++ {
			f := furtherTraining{Original: m.views(p, "", training, p.Gate), Golds: map[string]Views{}}
			for _, e := range p.erasures() {
				f.Golds[e.Paper] = m.views(p, "gold", len(r.Golds)*training+len(f.Golds), p.Each)
			}
			r.further = append(r.further, f)
		}
	}
	for _, method := range p.Methods {
		for _, erased := range method.Erased {
			pair := PairScores{Method: method, Erasure: erasure(erased), Setting: method.setting(erased)}
			for training := range p.Seeds {
				pair.Views = append(pair.Views, m.views(p, method.Title, training, p.Each))
			}
			r.Pairs = append(r.Pairs, pair)
		}
	}
	for _, prompt := range p.Prompts {
		row := AttackScores{Prompt: prompt, Erasure: erasure(prompt.Erased)}
		row.Gold = m.attack(p, row, "", 0)
		for training := range r.further {
			row.Others = append(row.Others, m.attack(p, row, "", training+1))
		}
		for training := range p.Seeds {
			if p.method(prompt.Method) != nil {
				row.Unlearned = append(row.Unlearned, m.attack(p, row, prompt.Method, training))
			}
		}
		r.Attacks = append(r.Attacks, row)
	}
	return r
}

// small returns the mini preset with fewer pictures.
func small() Preset {
	p := Mini()
	p.Name, p.Attack.Pictures, p.Gate, p.Each = "small", 20, 2, 2
	return p
}

// pretender replaces the stages with functions that write artificial scores.
type pretender struct {
	madeUp
	preset   Preset
	diverges int // budget from which methods diverge in tuning; 0 for never
}

func fakes(p *pretender) study.Makers {
	return study.NewMakers(Judge.By(p.Judge), Base.By(p.Base), Samples.By(p.Look), Tuning.By(p.Tune),
		Erased.By(p.Erase), Attack.By(p.Attack), Moved.By(p.Moved), Second.By(p.Second))
}

func (p *pretender) Judge(_ context.Context, spec JudgeSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
	return os.WriteFile(w.Path("judge.txt"), fmt.Append(nil, spec), 0o644)
}

func (p *pretender) Base(_ context.Context, spec BaseSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
	judge := in.Of(spec.Judge)
	// No pictures are judged while gold models, or originals of further training seeds, are trained.
	unseen := spec.World.Without != (concept.Concept{}) || spec.Seed > 0
	if unseen != (judge == nil) || unseen != (len(spec.Looks) == 0) || !unseen && study.Input(judge.Key) != spec.Judge {
		return fmt.Errorf("a base of %+v with judge %v", spec, judge)
	}
	for _, steps := range spec.Looks {
		if err := p.views(p.preset, "", 0, 1).WriteParquet(w.Path(LookFile(steps))); err != nil {
			return err
		}
	}
	return os.WriteFile(w.Path("model.txt"), fmt.Append(nil, spec), 0o644)
}

func (p *pretender) Look(_ context.Context, spec SamplesSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
	model, judge := in.Of(spec.Model), in.Of(spec.Judge)
	if study.Input(model.Key) != spec.Model || study.Input(judge.Key) != spec.Judge {
		return fmt.Errorf("looked at %s by %s", model.Key, judge.Key)
	}
	return p.views(p.preset, "gold", 0, spec.Each).WriteParquet(w.Path(ViewsFile))
}

func (p *pretender) Tune(_ context.Context, spec TuningSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
	start, judge := in.Of(spec.Start), in.Of(spec.Judge)
	if study.Input(start.Key) != spec.Start || study.Input(judge.Key) != spec.Judge {
		return fmt.Errorf("tuned %s with %s", start.Key, judge.Key)
	}
	for _, budget := range append([]int{0}, spec.Budgets...) {
		if p.diverges > 0 && budget >= p.diverges {
			break
		}
		if err := tuned(spec.Erasure, spec.Forget, budget*spec.Forget/4,
			.9).WriteParquet(w.Path(LookFile(budget))); err != nil {
			return err
		}
	}
	return nil
}

func (p *pretender) Erase(_ context.Context, spec ErasedSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
	start := in.Of(spec.Start)
	if study.Input(start.Key) != spec.Start {
		return fmt.Errorf("erased from %s", start.Key)
	}
	return os.WriteFile(w.Path("model.txt"), fmt.Append(nil, spec.Seed), 0o644)
}

func (p *pretender) Attack(_ context.Context, spec AttackSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
	original, other := in.Of(spec.Original), in.Of(spec.Other)
	if study.Input(original.Key) != spec.Original || study.Input(other.Key) != spec.Other ||
		study.Input(in.Of(spec.Judge).Key) != spec.Judge {
		return fmt.Errorf("attacked %s with %s", other.Key, original.Key)
	}
	for _, prompt := range p.preset.Prompts {
		if prompt.Prompt != spec.Prompt {
			continue
		}
		row := AttackScores{Prompt: prompt, Erasure: erasure(prompt.Erased)}
		if err := p.attack(p.preset, row, prompt.Method, 0).Write(w.Dir()); err != nil {
			return err
		}
	}
	if !spec.Sheet {
		return nil
	}
	for i, name := range []string{OriginalSheet, UnlearnedSheet, StripSheet} {
		picture := image.NewNRGBA(image.Rect(0, 0, 10+i, 10))
		picture.Set(i, 0, color.White)
		file, err := os.Create(w.Path(name))
		if err != nil {
			return err
		}
		if err := png.Encode(file, picture); err != nil {
			return err
		}
		if err := file.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (p *pretender) Moved(_ context.Context, _ MovedSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
	return WriteMoves(w.Dir(), usualMoves())
}

func (p *pretender) Second(_ context.Context, spec SecondSpec, in study.Inputs, w *store.Work, _ study.Progress) error {
	judge, attacks := in.Of(spec.Judge), in.All(spec.Attacks)
	if study.Input(judge.Key) != spec.Judge || len(attacks) != len(spec.Attacks) {
		return fmt.Errorf("%d attacks of %d were looked at by %s", len(attacks), len(spec.Attacks), judge.Key)
	}
	all, _, err := StoredPictures(attacks)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].Labels.Texture = concept.Spotted // the second judge sees spots in everything
	}
	return all.WriteParquet(w.Path(SecondFile))
}

// usualMoves returns the moves of a network in which only cross-attention has moved.
func usualMoves() []Move {
	return []Move{{"unet/a/attn2.to_k", 10, 4, 1}, {"unet/b/attn2.to_v", 30, 12, 3}, {"unet/conv_in", 60, 9, 0}}
}

// tuned returns artificial labels of an erasure's tuning pictures: count pictures that should show the concept, of
// which erased do not, and count for other prompts, of which a share obeyed shows what the prompt asks for.
func tuned(e concept.Erasure, count, erased int, obeyed float64) Views {
	forget, retain := e.Tuning()
	var views Views
	for i := range count {
		labels := labelled(e.Concept)
		if i < erased {
			labels = other(labels)
		}
		views = append(views, View{forget[i%len(forget)], i, labels})
		shown, _ := concept.Shown(retain[i%len(retain)])
		labels = labelled(shown)
		if float64(i) >= obeyed*float64(count) {
			labels = other(labels)
		}
		views = append(views, View{retain[i%len(retain)], i, labels})
	}
	return views
}
