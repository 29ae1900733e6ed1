package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Part reads the results of complete worlds. It uses both sizes or only the smaller size, whichever gives more complete
// models. Worlds are independent, so some of them are a smaller study. If no world is complete, or too few of
// [TwelveWorlds], Part returns [study.Absent].
func (p *Plan) Part(s *store.Store) (*Results, error) {
	missing, err := p.Missing(s)
	if err != nil {
		return nil, err
	}
	if len(missing) == 0 {
		return p.readAll(s)
	}
	whole := make([][]bool, len(p.Worlds)) // whether all runs are complete, by world and size
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
	if len(worlds) == 0 || p.Preset.Name == worldsPreset && len(worlds) < LeastOfTwelve {
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

// mostWhole chooses how many sizes to read, from the smaller size on, so that the number of complete models is largest.
// It also returns the worlds that are complete at these sizes.
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

// only restricts a plan to some worlds and to the smaller sizes. Both plans share their runs.
func (p *Plan) only(worlds []int, sizes int) *Plan {
	part := *p
	part.Preset.Sizes, part.Bases, part.Worlds = p.Preset.Sizes[:sizes], p.Bases[:sizes], nil
	for _, world := range worlds {
		part.Worlds = append(part.Worlds, WorldRuns{p.Worlds[world].Sizes[:sizes]})
	}
	return &part
}

// ends returns the runs from which results are read.
func (s SizeRuns) ends() (runs []*study.Run) {
	runs = slices.Concat([]*study.Run{s.Base, s.Public}, s.Shapes, s.Counts, s.Shares, s.Traces)
	for _, m := range slices.Concat([]ModelRuns{s.Taught, s.Gold}, slices.Concat(s.Methods...)) {
		runs = append(append(runs, m.Scores, m.Relearnt), m.Rounded...)
	}
	return slices.DeleteFunc(runs, func(run *study.Run) bool { return run == nil })
}
