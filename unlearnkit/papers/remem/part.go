package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Part reads the complete worlds, at both sizes or at the smaller size alone, whichever gives more models. Worlds are
// independent of each other, so that some of them are a smaller study. If no world is complete, the error is a
// [study.Absent].
func (p *Plan) Part(s *store.Store) (*Results, error) {
	missing, err := p.Missing(s)
	if err != nil {
		return nil, err
	}
	if len(missing) == 0 {
		return p.readAll(s)
	}
	whole := make([][]bool, len(p.Worlds)) // by world and size
	for world, w := range p.Worlds {
		for _, size := range w.Sizes {
			lacks, err := p.Missing(s, size.ends()...)
			if err != nil {
				return nil, err
			}
			whole[world] = append(whole[world], len(lacks) == 0)
		}
	}
	worlds, sizes := mostWhole(whole)
	if len(worlds) == 0 {
		return nil, &study.Absent{Runs: missing}
	}
	r, err := p.only(worlds, sizes).readAll(s)
	if err != nil {
		return nil, err
	}
	if len(worlds) < len(p.Worlds) {
		r.lack = fmt.Sprintf(" of the %d that there should be", len(p.Worlds))
	}
	if sizes < len(p.Preset.Sizes) {
		r.lack += ", at the smaller size alone"
	}
	return r, nil
}

// mostWhole chooses the number of sizes, the smaller ones first, with the most complete models. It returns the worlds
// that are complete at these sizes.
func mostWhole(whole [][]bool) (worlds []int, sizes int) {
	for count := 1; count <= len(whole[0]); count++ {
		var own []int
		for world := range whole {
			if !slices.Contains(whole[world][:count], false) {
				own = append(own, world)
			}
		}
		if count*len(own) >= sizes*len(worlds) {
			worlds, sizes = own, count
		}
	}
	return worlds, sizes
}

// only restricts a plan to some worlds and to the smaller sizes. It shares the runs of the whole plan.
func (p *Plan) only(worlds []int, sizes int) *Plan {
	part := *p
	part.Preset.Sizes, part.Bases, part.Worlds = p.Preset.Sizes[:sizes], p.Bases[:sizes], nil
	for _, world := range worlds {
		part.Worlds = append(part.Worlds, WorldRuns{p.Worlds[world].Sizes[:sizes]})
	}
	return &part
}

// ends returns the runs that results are read from.
func (s SizeRuns) ends() (runs []*study.Run) {
	runs = slices.Concat([]*study.Run{s.Base, s.Public}, s.Shapes, s.Counts, s.Shares, s.Traces)
	for _, m := range slices.Concat([]ModelRuns{s.Taught, s.Gold}, slices.Concat(s.Methods...)) {
		runs = append(append(runs, m.Scores, m.Relearnt), m.Rounded...)
	}
	return slices.DeleteFunc(runs, func(run *study.Run) bool { return run == nil })
}
