package partialdiffusion

import (
	"context"
	"fmt"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Source is a model that is opened when its turn comes, so that one is in memory at a time.
type Source struct {
	Name     string
	Role     attack.Role  // of the models that complete
	Retained attack.Share // how often it draws right what it was to retain; it is shown beside the curve
	// Config, if it is known before the weights are read, lets mistakes be found early.
	Config *diffusion.Model
	Open   func(ctx context.Context) (*Opened, error)
}

// Opened is a model in memory.
type Opened struct {
	Model
	Decode   Decode
	Close    func()   // may be nil
	Warnings []string // of loading, such as weights that are not finite
}

func (o *Opened) close() {
	if o.Close != nil {
		o.Close()
	}
}

// Decode makes pictures of latents: [n, 3, height, width] in float32, from -1 to 1 and somewhat beyond.
// [diffusion.Pipeline.Pictures] is one.
type Decode func(ctx context.Context, latents diffusion.Result) (*tensors.Tensor, error)

// Judge says of pictures whether they show the concept.
type Judge func(ctx context.Context, pictures *tensors.Tensor) ([]Judgement, error)

// Judgement is a classifier's word on a picture.
type Judgement struct {
	Probability float64 // of the concept
	Recovered   bool    // the concept is what it takes the picture for
}

// Attack is partial diffusion of some models, and gold among them if there is one.
type Attack struct {
	Settings
	Original Source
	Targets  []Source
	Judge    Judge // may be nil; then the pictures are compared with those that the models draw alone
	// Alone are the seeds of the pictures that each model draws by itself beside those, for [Drawing.Scores]; may be
	// none.
	Alone []uint64
	Keep  *Keep // may be nil; then an interrupted attack begins anew
}

var _ attack.Attack = (*Attack)(nil)

// Name is "partial diffusion".
func (a *Attack) Name() string { return "partial diffusion" }

// Axis is "ψ".
func (a *Attack) Axis() string { return "ψ" }

// Budgets are the ratios.
func (a *Attack) Budgets() []attack.Budget { return budgets(a.Psi) }

func budgets(psi []Ratio) []attack.Budget {
	var budgets []attack.Budget
	for _, r := range psi {
		budgets = append(budgets, attack.Budget{Text: r.String(), Value: r.Float()})
	}
	return budgets
}

// Run draws and judges.
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
		if err := a.complete(ctx, d, source, a.shifted(progress, d.Prefixes, i)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Check finds mistakes that can be found before any weights are read.
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

// begin does the original's part.
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
	own := a.aloneCalls(stages)
	total := func(done, of int) {
		if progress != nil {
			progress(done, of+own+len(a.Targets)*(completionCalls(stages)+own))
		}
	}
	if d.Prefixes, err = begin(ctx, a.Settings, original.Model, a.Keep, total); err != nil {
		return err
	}
	calls := prefixCalls(stages)
	if d.Original, err = a.alone(ctx, d.Prefixes, original, "", func(done int) {
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
	alone, err := a.alone(ctx, d.Prefixes, opened, source.Name, func(done int) {
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

// alone draws a model's own pictures, nil if none are wanted. Progress hears of a call for each attacked picture.
func (a *Attack) alone(ctx context.Context, p *Prefixes, m *Opened, name string, progress func(done int)) (
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

// aloneCalls are the calls for a model's own pictures, counted for each attacked one.
func (a *Attack) aloneCalls(stages []Stage) int {
	last := stages[len(stages)-1]
	return (last.CallsBefore + last.CallsAfter) * len(a.Alone) / len(a.Seeds)
}

// Calls is how often networks are called, with guidance twice a picture and step; more by what several ratios do not
// share.
func (a *Attack) Calls(config schedule.Config) (int, error) {
	stages, err := a.Stages(config)
	if err != nil {
		return 0, err
	}
	calls := prefixCalls(stages) + a.aloneCalls(stages) + len(a.Targets)*(completionCalls(stages)+a.aloneCalls(stages))
	return calls, nil
}

// shifted is the progress of the i-th target.
func (a *Attack) shifted(progress attack.Progress, p *Prefixes, i int) attack.Progress {
	if progress == nil {
		return nil
	}
	own := a.aloneCalls(p.stages())
	before := prefixCalls(p.stages()) + own
	return func(done, of int) {
		each := of + own
		progress(before+i*each+done, before+len(a.Targets)*each)
	}
}
