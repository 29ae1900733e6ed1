package partialdiffusion

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Source is a model that is opened only when it is needed, so that only one model is in memory at a time.
type Source struct {
	Name     string
	Role     attack.Role  // role among the completing models
	Retained attack.Share // accuracy on retained prompts, printed next to the curve
	// Config, if known before the weights are read, lets mistakes be found early.
	Config *diffusion.Model
	Open   func(ctx context.Context) (*Opened, error)
}

// Opened is a model in memory.
type Opened struct {
	Model
	Decode   Decode
	Close    func()   // releases the model; may be nil
	Warnings []string // warnings of loading, such as weights that are not finite
}

func (o *Opened) close() {
	if o.Close != nil {
		o.Close()
	}
}

// Decode converts latents to pictures: [n, 3, height, width] in float32, from -1 to 1 and slightly beyond.
// [diffusion.Pipeline.Pictures] is a Decode.
type Decode func(ctx context.Context, latents diffusion.Result) (*tensors.Tensor, error)

// Judge decides whether pictures show the concept.
type Judge func(ctx context.Context, pictures *tensors.Tensor) ([]Judgement, error)

// Judgement is a classifier's decision on a picture.
type Judgement struct {
	Probability float64 // probability of the concept
	Recovered   bool    // the concept is the most probable class
}

// Attack runs partial diffusion on several models, which may include gold.
type Attack struct {
	Settings
	Original Source
	Targets  []Source
	Judge    Judge // judge of the pictures; if nil, they are compared with the pictures of single models
	// Alone lists the seeds of extra pictures that each model draws by itself, for [Scorer.Score]. It may be empty.
	Alone []uint64
	Keep  *Keep // folder for unfinished work; if nil, an interrupted attack starts again
}

var _ attack.Attack = (*Attack)(nil)

// Name returns "partial diffusion".
func (a *Attack) Name() string { return "partial diffusion" }

// Axis returns "ψ".
func (a *Attack) Axis() string { return "ψ" }

// Budgets returns the ratios.
func (a *Attack) Budgets() []attack.Budget { return budgets(a.Psi) }

func budgets(psi []Ratio) []attack.Budget {
	var budgets []attack.Budget
	for _, r := range psi {
		budgets = append(budgets, attack.Budget{Text: r.String(), Value: r.Float()})
	}
	return budgets
}

// Run draws the pictures and judges them.
func (a *Attack) Run(ctx context.Context, progress attack.Progress) (*attack.Result, error) {
	drawing, err := a.Draw(ctx, progress)
	if err != nil {
		return nil, err
	}
	return drawing.Result(ctx, a.Judge)
}

// Draw draws all pictures.
func (a *Attack) Draw(ctx context.Context, progress attack.Progress) (*Drawing, error) {
	if err := a.Check(); err != nil {
		return nil, err
	}
	d := &Drawing{}
	if err := a.begin(ctx, d, progress); err != nil {
		return nil, err
	}
	for i, source := range a.Targets {
		if err := a.complete(ctx, d, source, a.targetProgress(progress, d.Prefixes, i)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Check finds the mistakes that can be found before any weights are read.
func (a *Attack) Check() error {
	names := map[string]bool{}
	for _, target := range a.Targets {
		if names[target.Name] {
			return fmt.Errorf("partial diffusion: two models are named %s", target.Name)
		}
		names[target.Name] = true
		if target.Role != attack.Unlearned && target.Role != attack.Gold {
			return fmt.Errorf("partial diffusion: %s has the role %q: %s or %s", target.Name, target.Role,
				attack.Unlearned, attack.Gold)
		}
		if a.Original.Config != nil && target.Config != nil {
			if err := family(*a.Original.Config, *target.Config, target.Name); err != nil {
				return fmt.Errorf("partial diffusion: %w", err)
			}
		}
	}
	if a.Original.Config == nil {
		return nil
	}
	if _, err := a.Stages(a.Original.Config.Schedule); err != nil {
		return fmt.Errorf("partial diffusion: %w", err)
	}
	return nil
}

// begin runs the original model.
func (a *Attack) begin(ctx context.Context, d *Drawing, progress attack.Progress) error {
	original, err := a.Original.Open(ctx)
	if err != nil {
		return err
	}
	defer original.close()
	d.Warnings = append(d.Warnings, original.Warnings...)
	stages, err := a.Stages(original.Denoiser.Model().Schedule)
	if err != nil {
		return fmt.Errorf("partial diffusion: %w", err)
	}
	own := a.ownCalls(stages)
	total := func(done, of int) {
		if progress != nil {
			progress(done, of+own+len(a.Targets)*(completionCalls(stages)+own))
		}
	}
	if d.Prefixes, err = begin(ctx, a.Settings, original.Model, a.Keep, total); err != nil {
		return err
	}
	calls := prefixCalls(stages)
	if d.Original, err = a.ownPictures(ctx, d.Prefixes, original, "", func(done int) {
		total(calls+done, calls)
	}); err != nil {
		return err
	}
	latents := make([][]float64, len(d.HandOvers))
	for i, hand := range d.HandOvers {
		latents[i] = hand.Predicted
	}
	d.Predicted, err = d.decode(ctx, original.Decode, latents)
	return err
}

func (a *Attack) complete(ctx context.Context, d *Drawing, source Source, progress attack.Progress) error {
	opened, err := source.Open(ctx)
	if err != nil {
		return err
	}
	defer opened.close()
	opened.Name = source.Name
	d.Warnings = append(d.Warnings, opened.Warnings...)
	completions, err := d.Complete(ctx, opened.Model, progress)
	if err != nil {
		return err
	}
	pictures, err := d.decode(ctx, opened.Decode, completions.Latents)
	if err != nil {
		return err
	}
	calls := completionCalls(d.stages())
	alone, err := a.ownPictures(ctx, d.Prefixes, opened, source.Name, func(done int) {
		if progress != nil {
			progress(calls+done, calls)
		}
	})
	if err != nil {
		return err
	}
	d.Strips = append(d.Strips, Strip{attack.Model{Name: source.Name, Role: source.Role, Retained: source.Retained},
		completions, pictures, alone})
	return nil
}

// ownPictures draws a model's own pictures, or returns nil if a.Alone is empty. progress counts calls per attacked
// picture.
func (a *Attack) ownPictures(ctx context.Context, p *Prefixes, m *Opened, name string, progress func(done int)) (
	*tensors.Tensor, error) {
	if len(a.Alone) == 0 {
		return nil, nil
	}
	s := p.Settings
	s.Seeds = a.Alone
	o := s.options(m.Model, schedule.Plan{Solver: s.Solver, Steps: s.Steps, Eta: s.Eta})
	o.Progress = func(calls, _ int) { progress(calls * len(a.Alone) / len(a.Seeds)) }
	drawn, err := a.Keep.sample(ctx, "alone-"+name, m.Denoiser, o)
	if err != nil {
		return nil, fmt.Errorf("partial diffusion: %s alone: %w", name, err)
	}
	return decodeAll(ctx, m.Decode, drawn, s.Batch)
}

// ownCalls returns the number of calls for a model's own pictures, per attacked picture.
func (a *Attack) ownCalls(stages []Stage) int {
	last := stages[len(stages)-1]
	return (last.CallsBefore + last.CallsAfter) * len(a.Alone) / len(a.Seeds)
}

// Calls returns how often networks are called per picture; guidance takes two calls a step. Steps that ratios do not
// share add calls.
func (a *Attack) Calls(config schedule.Config) (int, error) {
	stages, err := a.Stages(config)
	if err != nil {
		return 0, err
	}
	calls := prefixCalls(stages) + a.ownCalls(stages) + len(a.Targets)*(completionCalls(stages)+a.ownCalls(stages))
	return calls, nil
}

// targetProgress returns the progress of the i-th target.
func (a *Attack) targetProgress(progress attack.Progress, p *Prefixes, i int) attack.Progress {
	if progress == nil {
		return nil
	}
	own := a.ownCalls(p.stages())
	before := prefixCalls(p.stages()) + own
	return func(done, of int) {
		each := of + own
		progress(before+i*each+done, before+len(a.Targets)*each)
	}
}
