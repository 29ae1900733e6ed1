package remem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Judged returns the results with the scores of another judge instead of the rules' scores. The keys of scores name
// rows of the table of answers. Every answer about the people to forget needs a score.
func (r *Results) Judged(scores map[string]float64) (study.Results, error) {
	own := *r
	own.judged, own.Worlds = true, slices.Clone(r.Worlds)
	var missing []string
	for world := range own.Worlds {
		sizes := slices.Clone(own.Worlds[world].Sizes)
		own.Worlds[world].Sizes = sizes
		for size := range sizes {
			s := &sizes[size]
			s.Befores, s.Methods = slices.Clone(s.Befores), slices.Clone(s.Methods)
			last := r.Preset.last()
			s.Methods[last] = slices.Clone(s.Methods[last])
			lines := r.methodLines(size, last)
			for i, place := range append([]**Model{&s.Befores[last], &s.Gold}, pointers(s.Methods[last])...) {
				judged := (*place).Scores
				judged.Answers = slices.Clone(judged.Answers)
				for j := range judged.Answers {
					a := &judged.Answers[j]
					if a.Part != PartForget {
						continue
					}
					name := strings.Join(answerLevels(world, lines[i], *a), "/")
					score, there := scores[name]
					if !there {
						missing = append(missing, name)
					}
					a.Judged = float32(score)
				}
				*place = &Model{Scores: judged, from: (*place).from}
			}
			s.compareGold()
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("%d answers about people to forget have no score, such as %s; the table "+
			`"answers" lists all`, len(missing), missing[0])
	}
	return &own, nil
}

func pointers(models []*Model) (all []**Model) {
	for i := range models {
		all = append(all, &models[i])
	}
	return all
}

// answerLevels returns the levels of a row's name in the table of answers.
func answerLevels(world int, of line, a Answer) []string {
	return slices.Concat([]string{fmt.Sprint(world)}, of.levels, []string{a.Part, a.ID})
}
