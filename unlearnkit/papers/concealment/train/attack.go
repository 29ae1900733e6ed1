package train

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// publishedNumber is the seed of the attacks in the paper's code. The same seed also gives a picture in both models'
// sets.
const publishedNumber = 42

// Attack draws pictures that the original begins and the other model completes, and scores them.
func (l *Lab) Attack(ctx context.Context, spec concealment.AttackSpec, in study.Inputs, w *store.Work,
	progress study.Progress) error {
	original, other := in.Of(spec.Original), in.Of(spec.Other)
	p, err := newAttackPlan(spec, l.atOnce)
	if err != nil {
		return err
	}
	parts := newPartsProgress(progress, 6)
	return l.judged(original, in.Of(spec.Judge), w, func(a *artist, j *judge) error {
		if err := a.sameShape(other.Dir); err != nil {
			return err
		}
		drawn, err := p.draw(ctx, a, &l.openings, original.Dir, other.Dir, parts)
		if err != nil {
			return err
		}
		attacked, err := p.score(ctx, j, drawn, parts)
		if err != nil {
			return err
		}
		w.Note("calls", drawn.calls)
		if spec.Sheet {
			if err := drawn.writeSheets(w.Dir(), a.image); err != nil {
				return err
			}
		}
		return attacked.Write(w.Dir())
	})
}

// attackPlan holds the parsed spec of an attack.
type attackPlan struct {
	concealment.AttackSpec
	settings  partialdiffusion.Settings
	published []int // indices of the paper's ratios in Psi
	// place is the index of the published picture within its batch. In the sets, the picture of the same noise has the
	// same index, so the two pictures are bit-identical.
	place int
}

func newAttackPlan(spec concealment.AttackSpec, atOnce int) (*attackPlan, error) {
	p := &attackPlan{AttackSpec: spec}
	psi, err := partialdiffusion.Ratios(spec.Psi...)
	if err != nil {
		return nil, err
	}
	for _, prompt := range []string{spec.Prompt, p.finish()} {
		if _, err := concept.Tokens(prompt); err != nil {
			return nil, err
		}
	}
	if spec.Set < 2 || spec.Pictures < 2 || !(spec.Fit.Held >= 0 && spec.Fit.Held < .5) || spec.Fit.Batch < 1 {
		return nil, fmt.Errorf("an attack with %d pictures at every ψ, sets of %d, of which %v are held out, "+
			"in batches of %d: choose at least 2, at least 2, from 0 to below 0.5, and at least 1", spec.Pictures, spec.Set, spec.Fit.Held,
			spec.Fit.Batch)
	}
	p.settings = partialdiffusion.Settings{
		Psi: psi, Solver: schedule.Solver(spec.Sampling.Solver), Steps: spec.Sampling.Steps, Eta: spec.Sampling.Eta,
		Guidance: spec.Sampling.Guidance, Batch: atOnce,
	}
	for number := range spec.Pictures + filling(spec.Pictures+1, atOnce) {
		p.settings.Seeds = append(p.settings.Seeds, concept.NoiseSeed(spec.Seed, concept.ForAttack, number))
	}
	p.place = p.numberOfPublished() % atOnce
	p.settings.Seeds = slices.Insert(p.settings.Seeds, p.place, p.soloSeed(p.numberOfPublished()))
	if _, err := p.settings.Stages(schedule.StableDiffusion()); err != nil {
		return nil, err
	}
	for i, ratio := range psi {
		if slices.ContainsFunc(partialdiffusion.PaperRatios(), func(papers partialdiffusion.Ratio) bool {
			return papers.Float() == ratio.Float()
		}) {
			p.published = append(p.published, i)
		}
	}
	return p, nil
}

// finish returns the prompt for the other model.
func (p *attackPlan) finish() string {
	if p.Finish == nil {
		return p.Prompt
	}
	return *p.Finish
}

func (p *attackPlan) numberOfPublished() int { return min(publishedNumber, p.Set-1) }

// soloSeed returns the noise seed of a picture that a model draws without the other.
func (p *attackPlan) soloSeed(number int) uint64 {
	return concept.NoiseSeed(p.Seed, concept.ForEvaluation, number)
}

// drawing holds the pictures of an attack as concatenated colour planes.
type drawing struct {
	original, unlearned []float32   // pictures that each model draws alone
	completed           [][]float32 // pictures at each ratio, including the published picture
	predicted           [][]float32 // original's prediction of the published picture at the handover
	hands               []partialdiffusion.HandOver
	calls               partialdiffusion.Calls // number of calls of both networks in partial diffusion, per picture
}

// complete draws the other model's set and completes the begun pictures. The artist must hold the other model's
// weights.
func (p *attackPlan) complete(ctx context.Context, a *artist, begun *originalPart, parts *partsProgress) (*drawing,
	error) {
	unlearned, err := p.set(ctx, a, p.finish(), parts)
	if err != nil {
		return nil, err
	}
	model, err := p.model(ctx, a, "the other model", p.finish())
	if err != nil {
		return nil, err
	}
	completions, err := begun.prefixes.Complete(ctx, model, parts.next())
	if err != nil {
		return nil, err
	}
	own := begun.prefixes.Calls
	d := &drawing{original: begun.alone, unlearned: unlearned, hands: begun.prefixes.HandOvers}
	d.calls = partialdiffusion.Calls{Made: own.Made + completions.Calls.Made,
		Without: own.Without + completions.Calls.Without}
	each := channels * a.image * a.image
	from, to := p.place*each, (p.place+1)*each // bounds of the published picture
	for i, hand := range d.hands {
		latents := completions.Latents[i]
		disjoint := slices.Concat(latents[:from], latents[to:])[:p.Pictures*each]
		d.completed = append(d.completed, a.decode(slices.Concat(disjoint, latents[from:to])))
		d.predicted = append(d.predicted, a.decode(hand.Predicted[from:to]))
	}
	return d, nil
}

// draw draws the pictures of an attack: first with the original, then with the other model.
func (p *attackPlan) draw(ctx context.Context, a *artist, cache *originalParts, original, other string,
	parts *partsProgress) (*drawing, error) {
	begun, err := p.drawOriginal(ctx, a, cache, original, parts)
	if err != nil {
		return nil, err
	}
	if err := a.load(other); err != nil {
		return nil, err
	}
	return p.complete(ctx, a, begun, parts)
}

// set draws a model's own pictures of a prompt.
func (p *attackPlan) set(ctx context.Context, a *artist, prompt string, parts *partsProgress) ([]float32, error) {
	var seeds []uint64
	for number := range p.Set {
		seeds = append(seeds, p.soloSeed(number))
	}
	return a.draw(ctx, slices.Repeat([]string{prompt}, p.Set), seeds, p.Sampling, parts.next())
}

func (p *attackPlan) model(ctx context.Context, a *artist, name, told string) (partialdiffusion.Model, error) {
	prompt, err := a.hidden(ctx, told)
	if err != nil {
		return partialdiffusion.Model{}, err
	}
	empty, err := a.hidden(ctx, "")
	return partialdiffusion.Model{Name: name, Denoiser: a.denoiser, Prompt: prompt, Empty: empty}, err
}

// sameShape returns an error if the model in dir does not have the artist's architecture.
func (a *artist) sameShape(dir string) error {
	other, err := readFolder(dir)
	if err != nil {
		return err
	}
	shapes := [2]string{}
	for i, of := range []folder{{a.network, a.image}, other} {
		content, err := json.Marshal(of)
		if err != nil {
			panic(err)
		}
		shapes[i] = string(content)
	}
	if shapes[0] != shapes[1] {
		return fmt.Errorf("read %s: the model and the original have different shapes, so the original cannot "+
			"hand over to it: %s, not %s", dir, shapes[1], shapes[0])
	}
	return nil
}
