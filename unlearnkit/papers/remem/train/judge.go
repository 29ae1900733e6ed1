package train

import (
	"context"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Judge asks a model all questions of a judgement and writes its answers. A model that diverged has no scores.
func (l *Lab) Judge(ctx context.Context, spec remem.JudgementSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	model := in.All(append(spec.Under, spec.Model))
	if diverged(model) {
		w.Note("warning", "the model diverged")
		return nil
	}
	d, p, err := l.begin(w, spec.World)
	if err != nil {
		return err
	}
	e, err := p.examination(spec)
	if err != nil {
		return err
	}
	from, err := l.standing(model)
	if err != nil {
		return err
	}
	return l.asked.ask(d, from, func(asked *witness) error {
		if spec.Bits > 0 {
			if err := asked.round(spec.Bits); err != nil {
				return err
			}
		}
		scores, err := asked.examine(ctx, e, progress)
		if err != nil {
			return err
		}
		w.Note("examples", len(scores.Answers)+len(scores.Secrets)+len(scores.Choices))
		return scores.Write(w.Path)
	})
}

// examination holds all questions that a model is asked in a judgement.
type examination struct {
	questions []question
	secrets   []secret
	choices   []profile.Choice
	people    *people
}

// secret is a person's true value of an attribute, together with the values of all people. The model ranks the true
// value among them.
type secret struct {
	remem.Secret
	of     *group
	prefix string
	truth  string
	values []string
}

// examination prepares the questions of a judgement.
func (p *people) examination(spec remem.JudgementSpec) (e examination, err error) {
	e.people = p
	if spec.Choices > 0 {
		if e.choices, err = p.world.Choices(profile.Test, spec.Choices); err != nil {
			return e, err
		}
	}
	if spec.Unknown > 0 {
		if e.questions, err = p.unknown(profile.Test, spec.Unknown); err != nil {
			return e, err
		}
	}
	private := p.private
	switch spec.Asked {
	case remem.Everybody:
		e.add(private.split(remem.PartTrain, profile.Train), private.split(remem.PartTest, profile.Test))
		e.further(private)
		e.rank(private, remem.PartTrain, all(private)...)
	case remem.Forgotten:
		d, err := p.divide(spec.Forget)
		if err != nil {
			return e, err
		}
		e.add(private.questions(remem.PartForget, d.Forget), private.questions(remem.PartRetain, d.RetainProbe),
			private.questions(remem.PartTest, d.Test))
		if !spec.Briefly {
			e.further(private, d.Forgotten...)
		}
		e.rank(private, remem.PartForget, d.Forgotten...)
	case remem.Own:
		records, err := p.lesson(spec.Lesson)
		if err != nil {
			return e, err
		}
		identities := about(records)
		e.add(private.questions(remem.PartTrain, records), private.split(remem.PartTest, profile.Test, identities...))
		e.rank(private, remem.PartTrain, identities...)
	case remem.Public:
		public := groupOf(p.world.Public)
		e.add(slices.DeleteFunc(public.split(remem.PartTest, profile.Test), func(q question) bool {
			return !heldOut(q.Record)
		}))
		e.rank(public, remem.PartTrain, all(public)...)
	default:
		return e, fmt.Errorf("nothing is known of asking about %q", spec.Asked)
	}
	return e, nil
}

// about returns the people that some records ask about.
func about(records []profile.Record) (identities []int) {
	for _, r := range records {
		if !slices.Contains(identities, r.Identity) {
			identities = append(identities, r.Identity)
		}
	}
	return identities
}

func (e *examination) add(parts ...[]question) {
	e.questions = append(e.questions, slices.Concat(parts...)...)
}

// further adds paraphrases, reverse questions and questions in the first person.
func (e *examination) further(of *group, identities ...int) {
	e.add(of.split(remem.PartParaphrase, profile.Paraphrase, identities...),
		of.split(remem.PartReverse, profile.Reverse, identities...),
		of.split(remem.PartFirstPerson, profile.FirstPerson, identities...))
}

func all(of *group) (identities []int) {
	for i := range of.People {
		identities = append(identities, i)
	}
	return identities
}

// rank adds rankings of some people's values among the values of all people. Names are ranked only after questions that
// do not contain the name.
func (e *examination) rank(of *group, part string, identities ...int) {
	for _, identity := range identities {
		person := of.People[identity]
		for _, a := range profile.Attributes() {
			values := profile.Values(of.People, a)
			for _, hop := range []profile.Hop{profile.Single, profile.Multi} {
				if a == profile.FullName && hop == profile.Single || len(values) < 2 || person.Facts[a] == "" {
					continue
				}
				e.secrets = append(e.secrets, secret{
					Secret: remem.Secret{Part: part, Hop: string(hop), Attribute: string(a), Identity: int32(identity)},
					of:     of, prefix: profile.Prefix(hop, a, person.Name()), truth: person.Facts[a], values: values,
				})
			}
		}
	}
}

// examine asks a model all questions and returns its scores.
func (w *witness) examine(ctx context.Context, e examination, progress study.Progress) (s remem.Scores, err error) {
	done, of := 0, len(e.questions)+len(e.secrets)+4*len(e.choices)
	tell := func(more int) {
		if done += more; progress != nil {
			progress(done, of)
		}
	}
	if s.Answers, err = w.answers(ctx, e.questions, tell); err != nil {
		return s, err
	}
	for _, secret := range e.secrets {
		row, err := w.rank(ctx, secret)
		if err != nil {
			return s, err
		}
		s.Secrets = append(s.Secrets, row)
		tell(1)
	}
	s.Choices, err = w.choose(ctx, e, tell)
	return s, err
}

// rank returns the rank of the true value, given a prompt with a training picture.
func (w *witness) rank(ctx context.Context, s secret) (remem.Secret, error) {
	drawn, err := s.of.picture(int(s.Identity), 0)
	if err != nil {
		return s.Secret, err
	}
	seen := pixels(w.config.Vision, drawn)
	ranking, err := w.ranker.Rank(ctx, exposure.Item{Prefix: s.prefix, Image: seen, Candidates: s.values,
		Truth: s.truth})
	if err != nil {
		return s.Secret, err
	}
	row := s.Secret
	row.Rank, row.Candidates = int32(ranking.Truth.Rank), int32(ranking.Truth.Candidates)
	for _, c := range ranking.Candidates {
		if c.True {
			row.Tokens, row.Inverse, row.MinK = int32(c.Tokens), float32(c.InversePerplexity), float32(c.MinK)
		}
	}
	return row, nil
}
