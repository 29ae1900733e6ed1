package madeup

import (
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// concealmentScores makes artifacts of "Unlearning or Concealment?".
type concealmentScores struct{}

func (c concealmentScores) makers() []study.Maker {
	return []study.Maker{concealment.Judge.By(c.judge), concealment.Base.By(c.base), concealment.Samples.By(c.look),
		concealment.Tuning.By(c.tune), concealment.Erased.By(c.erase), concealment.Attack.By(c.attack),
		concealment.Moved.By(c.moved), concealment.Second.By(c.second)}
}

func (c concealmentScores) streamOf(model *store.Artifact, more ...any) (*rand.Rand, error) {
	named, err := os.ReadFile(model.Path(modelFile))
	return seed.Stream(1, append([]any{string(named)}, more...)...), err
}

func (c concealmentScores) judge(_ context.Context, spec concealment.JudgeSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, "judge", spec.Seed)
}

func (c concealmentScores) base(_ context.Context, spec concealment.BaseSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	for _, steps := range spec.Looks {
		views := c.seen(seed.Stream(1, "look", steps), concept.GatePrompts(), spec.Each, .2*float64(steps))
		if err := views.WriteParquet(w.Path(concealment.LookFile(steps))); err != nil {
			return err
		}
	}
	if spec.Discarded {
		return nil // only the judge's labels are kept
	}
	return name(w, "base", spec.World.Without)
}

func (c concealmentScores) look(_ context.Context, spec concealment.SamplesSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	random, err := c.streamOf(in.Of(spec.Model), "look")
	if err != nil {
		return err
	}
	return c.seen(random, spec.Prompts, spec.Each, .9).WriteParquet(w.Path(concealment.ViewsFile))
}

func (c concealmentScores) tune(_ context.Context, spec concealment.TuningSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	forget, retain := spec.Erasure.Tuning()
	for _, budget := range append([]int{0}, spec.Budgets...) {
		views := c.seen(seed.Stream(1, spec.Method, budget),
			append(forget[:spec.Forget:spec.Forget], retain[:spec.Retain]...), 1, .8)
		if err := views.WriteParquet(w.Path(concealment.LookFile(budget))); err != nil {
			return err
		}
	}
	return nil
}

func (c concealmentScores) erase(_ context.Context, spec concealment.ErasedSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return name(w, "erased", spec.Method, spec.Erasure.Paper, spec.Seed)
}

func (c concealmentScores) moved(_ context.Context, spec concealment.MovedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	random, err := c.streamOf(in.Of(spec.To), "moved")
	if err != nil {
		return err
	}
	return concealment.WriteMoves(w.Dir(), []concealment.Move{
		{Tensor: "attn2.to_k", Numbers: 40, Square: 4, Move: random.Float64()},
		{Tensor: "conv_in", Numbers: 60, Square: 9}})
}

func (c concealmentScores) second(_ context.Context, spec concealment.SecondSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	all, _, err := concealment.StoredPictures(in.All(spec.Attacks))
	if err != nil {
		return err
	}
	return all.WriteParquet(w.Path(concealment.SecondFile))
}

func (c concealmentScores) attack(_ context.Context, spec concealment.AttackSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	random, err := c.streamOf(in.Of(spec.Other), spec.Prompt)
	if err != nil {
		return err
	}
	a := &concealment.Attacked{
		Fitted: []concealment.Fitted{{Classifier: concealment.Classifiers[0], Training: .8, Validation: .75},
			{Classifier: concealment.Classifiers[1], Training: .95, Validation: .9}},
		Original:  c.seen(random, []string{spec.Prompt}, spec.Set, .9),
		Unlearned: c.seen(random, []string{spec.Prompt}, spec.Set, .2),
	}
	for _, protocol := range []concealment.Protocol{concealment.Disjoint, concealment.Published} {
		for _, psi := range spec.Psi {
			count := spec.Pictures
			if protocol == concealment.Published {
				count = 1
			}
			for _, view := range c.seen(random, []string{spec.Prompt}, count, concealment.Value(psi)) {
				picture := concealment.Picture{Protocol: protocol, Psi: psi, Number: view.Number, Labels: view.Labels}
				for i := range picture.Of {
					near := func() float64 { return .5*concealment.Value(psi) + .5*random.Float64() }
					picture.Of[i] = concealment.Outcome{Probability: near(), CodeOriginal: .3 * near(),
						CodeUnlearned: .3 * near(), Original: near(), Unlearned: near(), PrintedRetain: .5 + .1*near(),
						PrintedForget: .5 - .1*near()}
				}
				a.Pictures = append(a.Pictures, picture)
			}
			for _, unlearned := range []bool{false, true} {
				a.Distances = append(a.Distances,
					concealment.Distance{Protocol: protocol, Psi: psi, Unlearned: unlearned,
						KID: .1 + .2*random.Float64(), Error: .01})
			}
		}
	}
	if !spec.Sheet {
		return a.Write(w.Dir())
	}
	for _, sheet := range []struct {
		file           string
		count, columns int
	}{{concealment.OriginalSheet, spec.Set, concealment.SheetColumns},
		{concealment.UnlearnedSheet, spec.Set, concealment.SheetColumns},
		{concealment.StripSheet, 2 * len(spec.Psi), len(spec.Psi)}} {
		if err := safefile.WriteFile(w.Path(sheet.file), func(target io.Writer) error {
			return png.Encode(target, c.coloured(random, sheet.count, sheet.columns))
		}); err != nil {
			return err
		}
	}
	return a.Write(w.Dir())
}

// seen returns artificial labels. The given share of pictures shows all that the prompt asks for.
func (c concealmentScores) seen(random *rand.Rand, prompts []string, each int, share float64) concealment.Views {
	var views concealment.Views
	for _, prompt := range prompts {
		asked, err := concept.Shown(prompt)
		if err != nil {
			panic(err)
		}
		for number := range each {
			var l concept.Labels
			for obeys := random.Float64() < share; ; {
				l = concept.Labels{
					Object:  concept.Object(random.IntN(concept.Objects)),
					Style:   concept.Style(random.IntN(concept.Styles)),
					Colour:  concept.Colour(random.IntN(concept.Colours)),
					Texture: concept.Texture(random.IntN(concept.Textures)),
				}
				if asked.Covers(l) == obeys {
					break
				}
			}
			views = append(views, concealment.View{Prompt: prompt, Number: number, Labels: l})
		}
	}
	return views
}

// coloured returns a sheet of plain pictures.
func (c concealmentScores) coloured(random *rand.Rand, count, columns int) image.Image {
	var pictures []*image.NRGBA
	for range count {
		picture := image.NewNRGBA(image.Rect(0, 0, 4, 4))
		shade := color.NRGBA{uint8(random.IntN(256)), uint8(random.IntN(256)), uint8(random.IntN(256)), 255}
		for i := range 16 {
			picture.SetNRGBA(i%4, i/4, shade)
		}
		pictures = append(pictures, picture)
	}
	return concept.Sheet(pictures, columns)
}
