package denoising

import (
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Trajectories is the name of the stream of samples between noise and a picture of the concept.
const Trajectories = "trajectories"

// trajectories returns a stream of partly denoised samples. The number of finished steps is uniformly distributed, and
// the timestep is drawn between the last finished step and the next one. The texts take turns, in a new order each
// round. The samples are drawn from the texts in column drawnFrom, or from the prompts if the stream lacks that column.
func trajectories(p *unlearn.Plan, drawnFrom string) (Drawn, error) {
	forget, err := p.Stream(unlearn.Forget, Prompt, Empty)
	if err != nil {
		return Drawn{}, err
	}
	count, stops, steps, guidance := p.Whole("trajectories"), p.Whole("stops"), p.Whole("steps"), p.Value("guidance")
	draw := func(ctx context.Context, sampler Sampler, root uint64, pass int) ([]*tensors.Tensor, error) {
		texts, err := textsOf(forget, root, pass*count, count)
		if err != nil {
			return nil, err
		}
		s := Sampling{Prompts: texts[drawnFrom], Empty: texts[Empty], Guidance: guidance, Steps: steps}
		if s.Prompts == nil {
			s.Prompts = texts[Prompt]
		}
		width := sampler.TrainSteps() / steps
		if width < 1 {
			return nil, fmt.Errorf("%d sampling steps; the schedule allows 1 to %d", steps, sampler.TrainSteps())
		}
		random := seed.Stream(root, "stops", pass)
		var times []int32
		var of []int // the trajectory of each row
		for k := range count {
			s.Seeds = append(s.Seeds, seed.Derive(root, "trajectory", pass, k))
			places := make([]int, stops)
			for i := range places {
				places[i], of = random.IntN(steps), append(of, k)
			}
			slices.Sort(places)
			for _, place := range places {
				times = append(times, int32((steps-1-place)*width+random.IntN(width)))
			}
			s.Stops = append(s.Stops, places)
		}
		samples, err := sampler.Draw(ctx, s)
		if err != nil {
			return nil, err
		}
		return withTexts([]*tensors.Tensor{samples, tensors.FromFlatDataAndDimensions(times, len(times))}, of,
			texts[Prompt], texts[Empty])
	}
	return Drawn{
		Name: Trajectories, Rows: count * stops, Columns: []string{Sample, Timestep, Prompt, Empty},
		Open: openWith(draw),
	}, nil
}

// textsOf returns the columns of count texts, from index begin of a random walk through the stream.
func textsOf(stream unlearn.Stream, root uint64, begin, count int) (map[string]*tensors.Tensor, error) {
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

// withTexts appends the texts of each row's trajectory to columns.
func withTexts(columns []*tensors.Tensor, of []int, texts ...*tensors.Tensor) ([]*tensors.Tensor, error) {
	for _, text := range texts {
		repeated, err := unlearn.Pick(text, of)
		if err != nil {
			return nil, err
		}
		columns = append(columns, repeated)
	}
	return columns, nil
}
