package train

import (
	"context"
	"slices"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// paperTokens is the approximate number of tokens in a question and its answer, without the picture.
const paperTokens = 40

// Steps returns the training steps of the paper preset, in float32 and in bfloat16.
func Steps() []lab.Step { return append(stepsIn(""), stepsIn(remem.BFloat16)...) }

func stepsIn(precision string) []lab.Step {
	p := remem.Paper(remem.Download{People: 2, Models: map[string]string{remem.LLaVA7B: "given",
		remem.LLaVA13B: "given"}})
	configs := map[string]llava.Config{"7B": llava.LLaVA15_7B(), "13B": llava.LLaVA15_13B()}
	var steps []lab.Step
	for _, size := range p.Sizes {
		c, teaching := configs[size.Name], size.Teaching
		steps = append(steps, stepOn(c, remem.Taught.Name, "taught", size.Model, answering.Finetuning(), teaching.Rank,
			teaching.Batch, precision))
		for _, m := range p.Methods {
			method, err := unlearn.Find(answering.Methods(), m.Name)
			if err != nil {
				panic(err) // the catalogue and the methods have the same names
			}
			steps = append(steps, stepOn(c, remem.Unlearned.Name, m.Name, size.Model, method, teaching.Rank, p.Batch,
				precision))
		}
	}
	return steps
}

// stepOn returns a step of a method that trains new adapters and the projector.
func stepOn(c llava.Config, stage, name, size string, method answering.Method, rank, rows int,
	precision string) lab.Step {
	return lab.Step{Stage: stage, Name: name, Model: size, Rows: rows, Precision: precision,
		Costs: func(ctx context.Context, d *device.Device) ([]unlearn.PhaseCost, error) {
			store := model.NewStore()
			defer store.Finalize()
			if precision != "" {
				answering.Mix(store.RootScope())
			}
			nn.Adapt(store.Scope("/"+unlearn.Policy+"/language_model"), nn.LoRA{Rank: rank, Alpha: 2 * float64(rank),
				Targets: llava.Projections})
			m := loaded{config: c, store: store, device: d}
			m.recompute()
			if err := m.trace(); err != nil {
				return nil, err
			}
			record := answering.Record{Question: slices.Repeat([]int32{5}, paperTokens-4), Answer: []int32{6, 7, 8, 9, 2},
				Pixels: make([]float32, c.Vision.Channels*c.Vision.Image*c.Vision.Image)}
			record.Question[0] = c.Placeholder // placeholder for the picture's tokens
			records := slices.Repeat([]answering.Record{record}, rows)
			task, err := answering.NewTask(answering.LLaVA(c), answering.Data{Forget: records, Retain: records,
				Refusals: [][]int32{{6, 7, 8, 2}}})
			if err != nil {
				return nil, err
			}
			return answering.Job{Device: d, Store: store, Task: task, Method: method,
				Values: unlearn.Values{"batch": float64(rows)}, Budgets: []int{1}}.Costs(ctx)
		}}
}
