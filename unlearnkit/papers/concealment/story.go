package concealment

import (
	"fmt"
	"math"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var story = study.Story{
	Title:   "Unlearning or Concealment? A Critical Analysis and Evaluation Metrics for Unlearning in Diffusion Models",
	Authors: "A. Sen Sharma, N. Sarkar, V. Chundawat, A. A. Mali, M. Mandal", Venue: "arXiv 2024",
	Link: "https://arxiv.org/abs/2409.05668",
	Version: "The versions of the paper differ; the study follows the one with ESD-x, ESD-u, Ablating Concepts and " +
		"SDD.",
	Asks: "A model that draws pictures was made to forget a painter's style or a character. Is it gone, or only " +
		"hidden, so that a little help brings it back?",
	Quote: "This is concealment and not actual unlearning, which was the original goal.",
	Place: "Abstract",
	Scale: []study.Size{
		{What: "parameters of the model", Here: `{{cell "scale" "millions of parameters" "Here" "1"}} million`,
			Paper: `{{cell "scale" "millions of parameters" "The paper" "0"}} million (Stable Diffusion 1.4)`},
		{What: "trainings of each method", Here: `{{cell "scale" "trainings of each method" "Here"}}`,
			Paper: `{{cell "scale" "trainings of each method" "The paper"}}`},
		{What: "pictures of a prompt and amount of help", Here: `{{cell "scale" "pictures at each ψ" "Here"}}, drawn ` +
			`objects and styles`,
			Paper: `{{cell "scale" "pictures at each ψ" "The paper"}}`},
	},
	Found: `Only hidden, in {{count "originals" "Answer" "conceals"}} of {{rows "originals"}} pairs of a method and ` +
		`a concept: ` +
		`{{names "originals" "Answer" "conceals"}}. Alone, the model draws it in less than 0.2 more ` +
		`of its pictures than a model that never saw it; when the original model draws the first steps, it returns ` +
		`more often than with a model that never saw it. ` +
		`{{if lt (count "originals" "Several originals" "not repeated") (rows "originals")}}With one original ` +
		`model in place of five, hidden were {{names "originals" "One original" "conceals"}}. {{end}}Not erased either: ` +
		`{{names "originals" "Answer" "not erased"}}. Shown to be erased: ` +
		`{{names "originals" "Answer" "does not conceal"}}. The other pairs give no answer here. (ESD-x, ` +
		`Erased Stable Diffusion, and Ablating Concepts are methods; the paper's painters are drawing styles here.)`,
	Brackets: "In square brackets: 95 % intervals over five trainings, not corrected for the number of claims. Unless " +
		"the text says otherwise, they are of one original model.",
	Points: []study.Point{
		{Claim: "Erasing the cat makes the model draw \"A VERY grumpy dog\" as asked less often than the original",
			Says: "Erasing a concept (the cat) harms its neighbour (a dog).",
			Text: `After erasing the cat the dog fails in {{own "interval"}} more of the pictures.`},
		{Claim: "CCS less gold's is higher where help surely brings back more than it brings gold than elsewhere",
			Says: "The paper's score CCS (how sure a classifier is that pictures come from the original model) is " +
				"higher for what help brings back, after a correction.",
			Text: `It is {{own "interval"}} higher for concepts that return, once the score of a model that never ` +
				`saw the concept is subtracted. Part of this is so by construction: the classifier starts from the ` +
				`weights of the judge that says what returned (in the paper from ImageNet's), and for Killian Eng it ` +
				`ranks single pictures as the judge does (AUC ` +
				`{{cell "separation" "ESD-x of Killian Eng" "Same pictures"}}).`},
		{Claim: "Recovery never falls by more than .02 from one ψ to the next",
			Says: "More help brings back more, on average over prompts.",
			Text: `With one original model, the mean share of pictures with the concept falls nowhere by more than ` +
				`.02 when the original draws more of the steps. Over five original models and three pairs the step ` +
				`that comes nearest is {{own "interval"}} above that.`},
		{Claim: "Gold draws what it has never seen, over the tables' concepts, with most seeds at ψ = .55",
			Says: "From a little more than half of the steps on, even a model that never saw a concept draws it.",
			Text: `Over three concepts, each with five trainings of such a model, it draws the concept in ` +
				`{{measured .5 "interval" "2"}} of its pictures with 0.55 of the steps.`},
		{Claim: "SDD keeps nine tenths of what the original draws rightly of other prompts",
			Says: "Methods leave other concepts alone.",
			Text: `SDD (safe self-distillation) damages the model here: it still obeys ` +
				`{{measured .9 "interval" "2"}} of the other prompts.`},
		{Claim: "ESD-x conceals: up to ψ .55 help brings more of it back than it brings gold, and alone it is erased",
			Says: "ESD-x conceals all that it was asked to erase.",
			Text: `Its concepts return, but whether all of them are gone without help is open: the weakest part is ` +
				`above its limit by {{own "interval"}}.`},
		{Claim: "Ablating Concepts conceals: up to ψ .55 help brings more of it back than it brings gold, and alone it is erased",
			Says: "Ablating Concepts conceals all that it was asked to erase.",
			Text: `For most of its concepts it is open whether they are gone without help: the weakest part is above ` +
				`its limit by {{own "interval"}}.`},
		{Claim: "CRS of retained concepts is above .9 by equation (7)",
			Says: "Concepts that were kept have a CRS (likeness to the original's pictures) near 1.",
			Text: `Equation (7) gives 0.5 to identical pictures and more to pictures that are less alike; Tables 1 to ` +
				`3 print more than .95 for pictures that are to be alike. Here it is ` +
				`{{measured .9 "interval" "2"}}.`},
	},
	Contradictions: []study.Contradiction{
		{Checks: []string{"equation (7) at cosine 1", "equation (8) at cosine 1"},
			Says: "The printed scores CRS are impossible by the paper's own equations, and a proof about them ends " +
				"with 1 where its formula gives 0.5."},
		{Checks: []string{"direction of a score"},
			Says: "A high CCS means success in one section and failure in another, and so does a high CRS of " +
				"forgotten concepts."},
		{Checks: []string{"two captions of one prompt", "the same number elsewhere"},
			Says: "Captions of one prompt call it forgotten in one figure and generated in another, or give " +
				"different numbers."},
		{Checks: []string{"images of the partially diffused set"},
			Says: "Scores are said to be means of 200 pictures, but the algorithm makes eight different ones."},
		{Checks: []string{"P(original) of the unlearned model's own image"},
			Says: "Some printed CCS are so high that even a picture without any help must look like the original's."},
	},
	Chart: study.ChartOf((*Results).chart),
	Board: study.Start{Table: "1", Column: "CCS", Forgot: "CCS", Kept: "Retained"},
}

// chart returns the panels on what the original's help brings back and on the paper's score CCS, by method and concept.
func (r *Results) chart() []study.Panel {
	back := study.Panel{Title: "Brought back by help", About: "Share of pictures in which the concept returns when " +
		"the original model draws the first steps, beyond a model that never saw it. Above 0: it was not gone. Over " +
		"several original models where pairs were repeated with them. The paper has no such comparison."}
	score := study.Panel{Title: "The paper's score CCS", About: "From 0 to 1: how sure a classifier is that the " +
		"pictures come from the original model. Here it starts from the judge's weights. Means over the prompts of a " +
		"concept, so without intervals."}
	type pair struct{ table, prompt string }
	cells := map[pair]certify.Cell{}
	for _, table := range tableNumbers {
		all, _ := r.Cells(table)
		for _, c := range all {
			if c.Column == "CCS" {
				cells[pair{table, c.Row}] = c
			}
		}
	}
	answers, _, err := r.answers()
	if err != nil {
		return []study.Panel{back, score} // the text before the chart names the error
	}
	for _, answer := range answers {
		back.Rows = append(back.Rows, answer.final().mark())
		a := answer.One
		here, paper, n := 0., 0., 0.
		for _, row := range a.group.rows {
			c := cells[pair{fmt.Sprint(row.Prompt.Table), row.Prompt.Paper}]
			if printed, err := strconv.ParseFloat(c.Printed, 64); err == nil {
				here, paper, n = here+c.Estimate, paper+printed, n+1
			}
		}
		if n > 0 {
			score.Rows = append(score.Rows, study.NewMark(a.mark().Name, here/n, math.NaN(), math.NaN(), 2).
				Printed(fmt.Sprintf("%.2f", paper/n)))
		}
	}
	return r.withGuests(back, score)
}

// withGuests adds imported models to the panels of the chart.
func (r *Results) withGuests(back, score study.Panel) []study.Panel {
	below, _, _ := r.Preset.areas()
	for _, a := range r.guestVerdicts() {
		if a.Grid == below.Name {
			m := a.mark()
			m.Guest = true
			back.Rows = append(back.Rows, m)
		}
	}
	for _, g := range r.guests {
		own := r.withGuest(g)
		sum, n := 0., 0.
		for _, row := range own.attackRows(true) {
			sum, n = sum+own.plain(own.Preset.Columns()[0], row), n+1
		}
		if n > 0 {
			m := study.NewMark(g.Erasure.Paper+", "+own.Preset.Methods[0].Title, sum/n, math.NaN(), math.NaN(), 2)
			m.Guest = true
			score.Rows = append(score.Rows, m)
		}
	}
	return []study.Panel{back, score}
}

// mark returns the mark of a concept's gain in the chart.
func (a Assessment) mark() study.Mark {
	e := a.Gain.Simultaneous()
	return study.NewMark(a.group.erased+", "+a.group.method, e.Value, e.Lo, e.Hi, 2)
}
