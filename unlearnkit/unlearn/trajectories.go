package unlearn

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// Trajectories is the name of the stream of samples on their way from noise to a picture of the concept.
const Trajectories = "trajectories"

// pool are the settings of methods that learn from trajectories; the papers' code draws one for each step.
var pool = []Setting{
	{"trajectories", 1, "one for each step in the official code: trajectories drawn at the beginning of a pass"},
	{"stops", 1, "one for each step in the official code: samples kept of each trajectory, which are the rows of a " +
		"pass"},
	{"steps", 50, "official code: of DDIM without added noise"},
	{"guidance", 3, "official code: of the trajectories"},
}

// trajectories is a stream of samples at random places on their way: of so many steps, each number is equally likely to
// have been made, and the timestep is drawn from those between the last step and the next. The texts take turns, in a
// new order each round. The column that says what is drawn may be missing, then it is the prompt itself.
func trajectories(p Plan, drawnFrom string) Drawn {
	count, stops, steps, guidance := p.whole("trajectories"), p.whole("stops"), p.whole("steps"), p.Value("guidance")
	return Drawn{
		Name: Trajectories, Rows: count * stops, Columns: []string{Sample, Timestep, Prompt, Empty},
		Draw: func(ctx context.Context, sampler Sampler, root uint64, pass int) ([]*tensors.Tensor, error) {
			texts, err := textsOf(p.stream(Forget), root, pass*count, count)
			if err != nil {
				return nil, err
			}
			ask := texts[drawnFrom]
			if ask == nil {
				ask = texts[Prompt]
			}
			random := seed.Stream(root, "stops", pass)
			s := Sampling{Prompts: ask, Empty: texts[Empty], Guidance: guidance, Steps: steps}
			width := sampler.TrainSteps() / steps
			if width < 1 {
				return nil, fmt.Errorf("%d sampling steps; the schedule allows 1 to %d", steps, sampler.TrainSteps())
			}
			var times []int32
			var of []int // the trajectory of each row
			for k := range count {
				s.Seeds = append(s.Seeds, seed.Derive(root, "trajectory", pass, k))
				var own []int
				for range stops {
					own = append(own, random.IntN(steps))
				}
				slices.Sort(own)
				for _, stop := range own {
					times = append(times, int32((steps-1-stop)*width+random.IntN(width)))
					of = append(of, k)
				}
				s.Stops = append(s.Stops, own)
			}
			samples, err := sampler.Draw(ctx, s)
			if err != nil {
				return nil, err
			}
			return withTexts([]*tensors.Tensor{samples, tensors.FromFlatDataAndDimensions(times, len(times))}, of,
				texts[Prompt], texts[Empty])
		},
	}
}

// textsOf are the columns of a stream of texts at places of a walk through it.
func textsOf(stream Stream, root uint64, begin, count int) (map[string]*tensors.Tensor, error) {
	rows := train.NewWalk(root, "texts", stream.Rows()).Rows(begin, count)
	columns, err := stream.Batch(rows)
	if err != nil {
		return nil, err
	}
	texts := map[string]*tensors.Tensor{}
	for i, name := range stream.Columns() {
		texts[name] = columns[i]
	}
	return texts, nil
}

// withTexts adds, to columns of rows that belong to trajectories, the texts of those.
func withTexts(columns []*tensors.Tensor, of []int, texts ...*tensors.Tensor) ([]*tensors.Tensor, error) {
	for _, text := range texts {
		repeated, err := pick(text, of)
		if err != nil {
			return nil, err
		}
		columns = append(columns, repeated)
	}
	return columns, nil
}

// forgetTexts makes sure that the forget stream has texts.
func forgetTexts(p Plan, columns ...string) {
	stream := p.stream(Forget)
	if rowsOf(stream) == 0 {
		panic(fmt.Errorf("the task has no rows of the stream %q", Forget))
	}
	for _, column := range columns {
		if !slices.Contains(stream.Columns(), column) {
			panic(fmt.Errorf("the task's stream %q has no column %q", Forget, column))
		}
	}
}
