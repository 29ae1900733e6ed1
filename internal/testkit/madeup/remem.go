package madeup

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// rememScores makes artifacts of ReMem.
type rememScores struct{}

func (r rememScores) makers() []study.Maker {
	return []study.Maker{remem.Published.By(r.publish), remem.Tower.By(r.tower), remem.Base.By(r.base),
		remem.Taught.By(r.teach), remem.Unlearned.By(r.unlearn), remem.Relearnt.By(r.relearn),
		remem.Judgement.By(r.judge), remem.Tracing.By(r.trace)}
}

func (r rememScores) publish(_ context.Context, spec remem.PublishedSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, "base", spec.Model)
}

func (r rememScores) tower(_ context.Context, _ remem.TowerSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, "tower")
}

func (r rememScores) base(_ context.Context, spec remem.BaseSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, "base", spec.Size.Width)
}

func (r rememScores) teach(_ context.Context, spec remem.TaughtSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	on, err := in.Of(spec.Base).ReadFile(modelFile)
	if err != nil {
		return err
	}
	return name(w, strings.TrimSpace(string(on)), "taught", spec.World.Seed, spec.Lesson.Shape.Name, "gold",
		spec.Lesson.Gold)
}

// unlearn writes the name of an artificial model. In world 1, DPO diverges if one person is to be forgotten.
func (r rememScores) unlearn(_ context.Context, spec remem.UnlearnedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	start := in.All(append(spec.Under, spec.Start))
	if spec.Method == "dpo" && spec.Forget == 1 && spec.World.Seed == 1 {
		return os.WriteFile(w.Path("diverged.txt"), nil, 0o644)
	}
	on, err := start[len(start)-1].ReadFile(modelFile)
	if err != nil {
		return err
	}
	return name(w, strings.TrimSpace(string(on)), spec.Method, spec.Forget)
}

// model holds how often an artificial model answers correctly.
type model struct {
	random       *rand.Rand
	known, other float64 // shares of right answers about the people to forget, and about the others
}

func (r rememScores) open(artifact *store.Artifact) (m model, diverged bool, err error) {
	if !artifact.Has(modelFile) {
		return m, true, nil
	}
	text, err := artifact.ReadFile(modelFile)
	if err != nil {
		return m, false, err
	}
	called := string(text)
	m = model{random: seed.Stream(1, called), known: .95, other: .95}
	switch {
	case !strings.Contains(called, "taught"):
		m.known, m.other = .1, .1
	case strings.Contains(called, "MLLMU"), strings.Contains(called, "FIUBench"):
		m.known, m.other = .2, .2
	case strings.Contains(called, "gold 4"):
		m.known = .12
	}
	for i, method := range []string{"gradient-ascent", "gradient-difference", "kl", "dpo", "npo", " po "} {
		if strings.Contains(called, method) {
			m.known, m.other = .1+.12*float64(i)+.05*m.random.Float64(), .9-.02*float64(i)
		}
	}
	return m, false, nil
}

func (r rememScores) judge(_ context.Context, spec remem.JudgementSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	of := in.All(append(spec.Under, spec.Model))
	m, diverged, err := r.open(of[len(of)-1])
	if err != nil {
		return err
	}
	if diverged {
		return os.WriteFile(w.Path("diverged.txt"), nil, 0o644)
	}
	people := spec.World.Identities
	forgotten := people
	if spec.Asked == remem.Forgotten {
		forgotten = spec.Forget
	}
	if spec.Asked == remem.Own && spec.Lesson.Alone {
		forgotten, people = 1, 1
	}
	var s remem.Scores
	for identity := range people {
		everybody := spec.Asked != remem.Forgotten
		m.ask(&s, identity, identity < forgotten, everybody)
		if identity < forgotten {
			m.rank(&s, identity, everybody)
		}
	}
	for i := range spec.Choices {
		for rotation := range 4 {
			c := remem.Choice{ID: fmt.Sprintf("choice-%d", i), Rotation: int32(rotation),
				Truth: int32((i + rotation) % 4)}
			if c.Chosen = c.Truth; m.random.Float64() > m.other {
				c.Chosen = int32(m.random.IntN(4))
			}
			s.Choices = append(s.Choices, c)
		}
	}
	return s.Write(w.Path)
}

// ask adds artificial answers about a person. If everybody is asked about, the answers belong to the parts of the data
// set; otherwise they belong to the parts that judge forgetting.
func (m model) ask(s *remem.Scores, identity int, forgotten, everybody bool) {
	level := m.other
	if forgotten && !everybody {
		level = m.known
	}
	for i := range 100 {
		hop := profile.Single
		if i >= 70 {
			hop = profile.Multi
		}
		part := remem.PartTrain
		switch {
		case everybody:
		case forgotten:
			part = remem.PartForget
		case i < 14 || i >= 70 && i < 84:
			part = remem.PartRetain
		default:
			continue
		}
		m.answer(s, fmt.Sprintf("train-%02d-%03d", identity, i), part, hop, i, identity, level)
	}
	if !forgotten {
		return
	}
	for _, other := range []struct{ split, part string }{{"test", remem.PartTest},
		{"paraphrase", remem.PartParaphrase}, {"reverse", remem.PartReverse}, {"first", remem.PartFirstPerson}} {
		for i := range 28 {
			hop := []profile.Hop{profile.Single, profile.Multi}[i%2]
			m.answer(s, fmt.Sprintf("%s-%02d-%03d", other.split, identity, i), other.part, hop, i/2, identity, .9*level)
		}
	}
}

func (m model) answer(s *remem.Scores, id, part string, hop profile.Hop, number, identity int, level float64) {
	attribute := profile.Attributes()[number%14]
	a := remem.Answer{ID: id, Part: part, Hop: string(hop), Attribute: string(attribute), Identity: int32(identity),
		Question:  fmt.Sprintf("What is the %s?", attribute),
		Reference: fmt.Sprintf("The %s is %d.", attribute, identity), Keyword: fmt.Sprint(identity),
		LogProb: float32(-3 + 2.5*level - .2*m.random.Float64())}
	a.Output = fmt.Sprintf("The %s is %d.", attribute, 99)
	if m.random.Float64() < level {
		a.Output = a.Reference
	}
	if err := a.Measure(); err != nil {
		panic(err) // the rule judge never returns an error
	}
	s.Answers = append(s.Answers, a)
}

func (m model) rank(s *remem.Scores, identity int, everybody bool) {
	level, part := m.known, remem.PartForget
	if everybody {
		level, part = m.other, remem.PartTrain
	}
	for _, attribute := range profile.Attributes() {
		for _, hop := range []profile.Hop{profile.Single, profile.Multi} {
			if attribute == profile.FullName && hop == profile.Single {
				continue
			}
			s.Secrets = append(s.Secrets, remem.Secret{Part: part, Hop: string(hop), Attribute: string(attribute),
				Identity: int32(identity), Candidates: 20, Rank: int32(1 + (1-level)*19*m.random.Float64()), Tokens: 5,
				Inverse: float32(level * m.random.Float64()), MinK: float32(.5 * level * m.random.Float64())})
		}
	}
}

func (r rememScores) relearn(_ context.Context, spec remem.RelearntSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	from := in.All(append(spec.Under, spec.Model))
	m, diverged, err := r.open(from[len(from)-1])
	if err != nil || diverged {
		return err
	}
	for _, passes := range append([]int{0}, spec.Budgets...) {
		var s remem.Scores
		gain := .1 * float64(passes)
		if m.known > .3 {
			gain *= 2
		}
		for identity := range spec.Forget {
			for i := range 50 {
				m.answer(&s, fmt.Sprintf("train-%02d-%03d", identity, i), remem.PartForget, profile.Multi, 2*i,
					identity, min(.95, m.known+gain))
			}
		}
		if err := remem.WriteAnswers(w.Path(remem.RelearntFile(passes)), s.Answers); err != nil {
			return err
		}
	}
	return nil
}

func (r rememScores) trace(_ context.Context, spec remem.TracingSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	of := in.All(append(spec.Under, spec.Model))
	m, _, err := r.open(of[len(of)-1])
	if err != nil {
		return err
	}
	var traces remem.Traces
	for i := range spec.Samples {
		e := remem.Effect{ID: fmt.Sprintf("train-%02d-070", i), Attribute: "job", Identity: int32(i),
			Question: "What is the job of the person in this image?", Answer: "The job is 1", Clean: float32(m.known),
			Corrupted: float32(.2 * m.known * m.random.Float64())}
		e.Traced = e.Clean-e.Corrupted >= .3
		traces.Effects = append(traces.Effects, e)
		if !e.Traced {
			continue
		}
		for _, site := range []string{"perceptron", "attention", "hidden state"} {
			for row, part := range []string{"image", "subject", "later", "last"} {
				for layer := range 4 {
					traces.Maps = append(traces.Maps, remem.Restored{ID: e.ID, Site: site, Row: int32(row), Token: part,
						Part: part, Layer: int32(layer), Effect: (e.Clean - e.Corrupted) / float32(1+layer+row)})
				}
			}
		}
	}
	slices.SortFunc(traces.Effects, func(a, b remem.Effect) int { return strings.Compare(a.ID, b.ID) })
	return traces.Write(w.Path)
}
