package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var story = study.Story{
	Title:   "SALMUBench: A Benchmark for Sensitive Association-Level Multimodal Unlearning",
	Authors: "C. Selvas-Sala, L. Kang, L. Gomez", Venue: "CVPR 2026", Link: "https://arxiv.org/abs/2603.26316",
	Version: "The study follows the paper's supplement, because the main text was not at hand.",
	Asks: "CLIP, a model that matches pictures and captions, has learnt which person has which phone number or " +
		"address. Can it be made to forget these facts without losing anything else?",
	Quote: "Overall, we chose the 5× budget for the main paper as it tends to represent the best trade-off across " +
		"most methods: high forgetting performance without significant collateral damage.",
	Place: "supplement, §12.1; 5× means five passes over the data",
	Scale: []study.Size{
		{What: "parameters of the model", Here: `{{cell "scale" "parameters of the model" "Here" "million" "2"}} ` +
			`million`,
			Paper: `{{cell "scale" "parameters of the model" "The paper" "million" "1"}} million`},
		{What: "people with secrets", Here: `{{cell "scale" "people" "Here"}}, drawn`,
			Paper: `{{cell "scale" "people" "The paper"}}, as generated photographs`},
		{What: "picture-caption pairs to forget", Here: `{{cell "scale" "rows to be forgotten" "Here"}}`,
			Paper: `{{cell "scale" "rows to be forgotten" "The paper"}}`},
		{What: "learning rates of the methods",
			Here: `{{cell "scale" "rate of DELETE" "Here"}} (DELETE) to ` +
				`{{cell "scale" "rate of Finetuning/" "Here"}} (Finetuning)`,
			Paper: `{{cell "scale" "rate of DELETE" "The paper"}} (DELETE) to ` +
				`{{cell "scale" "rate of Finetuning/" "The paper"}} (Finetuning)`},
		{What: "classes of general knowledge", Here: `{{cell "scale" "classes of general knowledge" "Here"}}`,
			Paper: `{{cell "scale" "classes of general knowledge" "The paper"}}`},
	},
	Found: `The secrets leak, as in the paper. But every method that forgets them well here also loses much of the ` +
		`model's general knowledge: with DELETE, which drives the match of secret pictures and captions to zero, the ` +
		`share of objects that it names falls from {{panel "General knowledge" "saw the secrets" "interval" "3"}} to ` +
		`{{panel "General knowledge" "DELETE" "interval" "3"}}, in the paper from ` +
		`{{printed "table5" "Target Scores" "GenKnow"}} to {{printed "table5" "DELETE/5x" "GenKnow"}}. Finetuning, ` +
		`which forgets in the paper (its score for finding the secrets, RetFail, is ` +
		`{{printed "table5" "Finetuning/5x" "RetFail"}}), forgets only about half here ` +
		`({{panel "Secrets found" "Finetuning" "interval" "2"}} after five passes). The learning rates here are ` +
		`higher, most of them a thousand times the paper's. In the one world where a tenth of them was tried, most ` +
		`methods lost next to nothing, but forgot little or nothing either.`,
	Brackets: "In square brackets: 95 % intervals over {{repetitions}}, not corrected for the number of claims.",
	Points: []study.Point{
		{Claim: "Compromised has a higher RetFail than Clean",
			Says: "A model that saw the secrets leaks them.",
			Text: `It finds a picture's secret caption with a score of ` +
				`{{panel "Secrets found" "saw the secrets" "interval" "3"}}, a model that never saw them with ` +
				`{{panel "Secrets found" "never saw them" "interval" "3"}}.`},
		{Claim: "Generic Captions is of ineffective forgetting (Type 3) after five passes",
			Says: "Training on harmless captions (Generic Captions) forgets too little.",
			Text: `The score falls only from {{panel "Secrets found" "saw the secrets" "interval" "2"}} to ` +
				`{{panel "Secrets found" "Generic Captions" "interval" "2"}} in five passes.`},
		{Claim: "Shuffled Captions is of catastrophic damage (Type 1) after five passes",
			Says: "Training on shuffled captions destroys general knowledge.",
			Text: `Of {{panel "General knowledge" "saw the secrets" "interval" "2"}} only ` +
				`{{panel "General knowledge" "Shuffled Captions" "interval" "2"}} is left.`},
		{Claim: "DELETE costs less than a twentieth of general knowledge in five passes",
			Says: "DELETE forgets almost without a loss of general knowledge.",
			Text: `It loses more than a twentieth: from ` +
				`{{panel "General knowledge" "saw the secrets" "interval" "2"}} to ` +
				`{{panel "General knowledge" "DELETE" "interval" "2"}}. After more passes it recovers a part.`},
		{Claim: "Over the methods, five passes remove nine tenths of the leak",
			Says: "On average five passes remove nine tenths of the leak.",
			Text: `They remove less: {{measured .9 "interval" "3"}} of it.`},
		{Claim: "DELETE tells true captions from shuffled ones less well than Clean",
			Says: "After DELETE true captions cannot be told from shuffled ones.",
			Text: `They can: the accuracy is {{certified "5" "DELETE/5x" "ACS" "interval" "2"}}, for a model that ` +
				`never saw the secrets {{certified "4" "Clean" "ACS" "interval" "2"}}.`},
		{Claim: "DELETE reaches Clean's RetFail in five passes",
			Says: "DELETE forgets as if it had never seen the secrets.",
			Text: `Its score is {{panel "Secrets found" "DELETE" "interval" "3"}}, the goal is ` +
				`{{panel "Secrets found" "never saw them" "interval" "3"}}. It is surely higher; whether by less than ` +
				`the claim's margin is open.`},
	},
	Contradictions: []study.Contradiction{
		{Checks: []string{"gains with larger budgets"},
			Says: "The text says that Shuffled Captions forgets a little better with more passes. In Table 5 none of " +
				"its five measures of forgetting does."},
		{Checks: []string{"RetFail never rises with the budget"},
			Says: "More passes of Shuffled Captions should not make the secrets easier to find. In Table 5 they do."},
	},
	Chart: study.ChartOf((*Results).chart),
	Board: study.Start{Table: "5", Column: "RetFail", Forgot: "RetFail", Kept: "GenKnow"},
}

// chart returns the panels on what methods forget in five passes and on what they cost.
func (r *Results) chart() []study.Panel {
	secrets := study.Panel{Title: "Secrets found", About: "Score from 0 to 1 (RetFail): how often and how soon a " +
		"picture finds its secret caption. The goal is a model that never saw them."}
	knows := study.Panel{Title: "General knowledge", About: "Share of objects that the model names (GenKnow). The " +
		"goal is the model before it forgets."}
	base, _ := r.Cells("4")
	methods, _ := r.Cells("5")
	names := map[string]string{"Clean": "never saw them", "Compromised": "saw the secrets"}
	for _, c := range base {
		if name := names[c.Row]; name != "" && c.Column == "RetFail" {
			secrets.Rows = append(secrets.Rows, study.MarkOf(name, c, 3).AsReference())
		}
	}
	for _, c := range methods {
		name := c.Row
		switch {
		case name == targetRow:
			name = "saw the secrets"
		case len(c.Levels) == 2 && c.Levels[1] != "5x":
			continue
		case len(c.Levels) == 2:
			name = c.Levels[0]
		}
		switch mark := study.MarkOf(name, c, 3); {
		case c.Column == "GenKnow" && c.Row == targetRow:
			knows.Rows = append(knows.Rows, mark.AsReference())
		case c.Column == "GenKnow":
			knows.Rows = append(knows.Rows, mark)
		case c.Column == "RetFail" && c.Row != targetRow:
			secrets.Rows = append(secrets.Rows, mark)
		}
	}
	return []study.Panel{secrets, knows}
}
