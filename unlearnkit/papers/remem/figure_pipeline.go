package remem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

func pipeline(r *Results) (*chart.Figure, error) {
	made, err := r.Pipeline()
	if err != nil {
		return nil, err
	}
	return PipelineFigure(made, r.Preset)
}

// PipelineFigure draws ReMem's Figure 4: the steps of the study, with the numbers of a preset.
func PipelineFigure(made Pipeline, preset Preset) (*chart.Figure, error) {
	var sizes, methods []string
	for _, s := range preset.Sizes {
		sizes = append(sizes, s.Name)
	}
	for _, m := range preset.Methods {
		methods = append(methods, m.Title)
	}
	forget := make([]string, len(preset.Forget))
	for i, people := range preset.Forget {
		forget[i] = fmt.Sprint(people)
	}
	training := preset.Sizes[0].Teaching
	most := slices.Max(preset.Forget)
	judged := []string{"ROUGE, EM and judge on kept and forgotten facts", "Exposure, compared with gold"}
	if preset.Choices > 0 {
		judged = append(judged, fmt.Sprintf("%d multiple-choice questions", preset.Choices))
	}
	return chart.Flow{
		Title: "From invented people to scores after unlearning", Columns: 4,
		Steps: []chart.FlowStep{
			{Name: "Profiles", Notes: []string{fmt.Sprintf("%d people of %d attributes", made.People,
				len(profile.Attributes())), fmt.Sprintf("and %d public ones", made.Public)}},
			{Name: "Pictures", Notes: []string{"2 anchors a person",
				fmt.Sprintf("%d generated in all", made.Filter.Candidates)}},
			{Name: "Identity filter", Notes: []string{fmt.Sprintf("%d resemble the anchors", made.Filter.Passed),
				fmt.Sprintf("%d kept by the review", made.Filter.Kept),
				fmt.Sprintf("%d + %d a person, to train and to test with", preset.People.Pictures,
					profile.TestPictures)}},
			{Name: "Questions", Notes: []string{
				fmt.Sprintf("%d with and %d without the name a person", made.Single, made.Multi),
				fmt.Sprintf("%d to test with, in unseen words", made.Test),
				fmt.Sprintf("%d in other words", made.Otherwise)}},
			{Name: "Stage 1: learn", Notes: []string{
				fmt.Sprintf("%s: %s", plural(len(sizes), "size", "sizes"), strings.Join(sizes, ", ")),
				fmt.Sprintf("%d epochs, adapters of rank %d", training.Epochs, training.Rank),
				fmt.Sprintf("gold learns %d people of %d", made.People-most, made.People)}},
			{Name: "Stage 2: forget", Notes: []string{
				fmt.Sprintf("%s of %d people", strings.Join(forget, ", "), made.People),
				fmt.Sprintf("%d epochs of %s", preset.Epochs, strings.Join(methods, ", "))}},
			{Name: "Measures", Notes: judged},
		},
		Caption: fmt.Sprintf("The preset %s with %s, of which the first is counted. Profiles, pictures and "+
			"questions are counted per world, adapters for size %s", preset.Name, Worlds.Count(preset.Worlds),
			preset.Sizes[0].Name),
	}.Figure()
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
