package remem

import (
	"cmp"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var story = study.Story{
	Title: "Before Forgetting, Learn to Remember: Revisiting Foundational Learning Failures in LVLM Unlearning " +
		"Benchmarks",
	Authors: "J. Kwon, M. Kim, E. Lee, J. Yun, B. Lim, Y. Kim", Venue: "Findings of ACL 2026",
	Link: "https://aclanthology.org/2026.findings-acl.1701/",
	Asks: "A model that sees pictures and answers questions is taught facts about invented people, and then made to " +
		"forget some of them. Did it learn the facts at all, and are they really gone afterwards?",
	Quote: "the high Exposure score warns that this reduction may be limited to “surface-level” masking rather than " +
		"deep erasure",
	Place: "§7.3, on the method NPO",
	Scale: []study.Size{
		{What: "parameters, smaller model", Here: `{{cell "scale" "parameters of S" "Here" "million" "2"}} million`,
			Paper: `7 billion (LLaVA-1.5-7B)`},
		{What: "parameters, larger model", Here: `{{cell "scale" "parameters of L" "Here" "million" "2"}} million`,
			Paper: `13 billion (LLaVA-1.5-13B)`},
		{What: "people taught, and to forget", Here: `{{cell "scale" "people" "Here"}} and ` +
			`{{cell "scale" "people to forget" "Here"}}, drawn`,
			Paper: `{{cell "scale" "people" "The paper"}} and {{cell "scale" "people to forget" "The paper"}}, as ` +
				`generated photographs`},
	},
	Found: `Of {{rows "verdicts"}} pairs of a method and a model size, {{count "verdicts" "Verdict" "erased"}} are ` +
		`shown to erase the people, {{count "verdicts" "Verdict" "masked"}} to mask them ` +
		`({{names "verdicts" "Verdict" "masked"}}, which trains refusals and is not among the paper's methods), and ` +
		`{{count "verdicts" "Verdict" "not erased"}} not to erase them. When a model learns half of the forgotten ` +
		`facts again, much of the other half comes back, too: after NPO (which makes the true answers less likely) ` +
		`answers to it rise by {{cell "verdicts" "S/NPO" "Gain" "interval" "percent"}} of what the taught model ` +
		`knew, more than in a model that never learnt the people.`,
	Brackets: "In square brackets: 95 % intervals over five worlds unless stated otherwise. Intervals of " +
		"relearnt facts are corrected for twelve verdicts, the others are not corrected.",
	Points: []study.Point{
		{Claim: "Nine tenths of what is taught are learnt, S",
			Says: "ReMem's data teach the people well.",
			Text: `That depends on the base model: with one the smaller model answers ` +
				`{{certified "3" "S*" "EM" "interval" "0"}} % of what it was taught, with another, in ten worlds, ` +
				`{{measured 90 "0"}} %, in the paper {{printed "table3" "LLaVA-1.5-7B*" "EM"}} %.`},
		{Claim: "People are learnt better in ReMem's shape than in those of others, by EM, ROUGE and GPT-score",
			Says: "They teach better than data in the format of older benchmarks.",
			Text: `These reach {{cell "learning" "Shape/MLLMU-bench" "EM" "0"}} to ` +
				`{{cell "learning" "Shape/FIUBench" "EM" "0"}} %, in fewer training steps. In the measure where they come ` +
				`nearest ReMem is ahead by {{own "interval" "1"}} points.`},
		{Claim: "Other facts bring back more after NPO than to a model that never learnt, S",
			Says: "After NPO, facts come back when other facts are learnt again, as the paper suspects.",
			Text: `In the smaller model answers rise by {{cell "verdicts" "S/NPO" "Gain" "interval" "percent"}} of ` +
				`what the taught model knew, more than in a model that never learnt the people.`},
		{Claim: "NPO leaves Exposure above that of a model that never learnt, S",
			Says: "Inside the model the forgotten facts still rank high (Exposure).",
			Text: `They rank at {{panel "Rank of the true value" "(NPO)" "interval" "0"}} of 100 after NPO, at ` +
				`{{panel "Rank of the true value" "never learnt them" "interval" "0"}} in a model that never learnt ` +
				`them. Part of this comes from the {{panel "Forgotten facts still answered" "(NPO)" "0"}} % that the model ` +
				`still answers.`},
		{Claim: "The shapes of others leave more than half of what they teach unlearnt",
			Says: "Older benchmarks leave most of what they teach unlearnt.",
			Text: `Here their shapes leave less than half: the one that leaves least leaves ` +
				`{{measured 50 "interval" "0"}} %, and in the worst, MLLMU-bench's, ` +
				`{{cell "learning" "Shape/MLLMU-bench" "EM" "0"}} % are answered on the mean. On unseen questions models ` +
				`answer {{cell "learning" "Shape/MLLMU-bench" "EM_t" "0"}} to ` +
				`{{cell "learning" "Shape/CLEAR" "EM_t" "0"}} %.`},
		{Claim: "NPO leaves the lowest EM_f, S",
			Says: "NPO forgets most.",
			Text: `With a rate for each method it leaves ` +
				`{{panel "Forgotten facts still answered" "(NPO)" "interval" "0"}} %, gradient ascent (GA) ` +
				`{{panel "Forgotten facts still answered" "(GA)" "interval" "0"}} %; which leaves less is ` +
				`open, also with one rate.`},
		{Claim: "GD keeps the highest ROUGE, S",
			Says: "GD (ascent on the people to forget, descent on the others) harms the others least.",
			Text: `Several methods keep nearly everything; which keeps most is open: with one rate, in ten ` +
				`worlds, GD's lead is {{own "interval" "1"}} points of ROUGE, the share of an answer's words.`},
	},
	Contradictions: []study.Contradiction{
		{Checks: []string{"NPO's high Exposure score",
			"facts that are not answered rank high, as masking would have it"},
			Says: "The text warns of NPO's high Exposure. In Table 2 it is about 50, as in a random ranking, and " +
				"among the lowest of the five methods."},
		{Checks: []string{"a whole number of the 2000 training pairs", "a whole number of the 2560 samples of D",
			"a whole number of the 560 test pairs"},
			Says: "Percentages in Table 3 cannot come from test sets of the stated size."},
		{Checks: []string{"20 identities with 100 question-answer pairs each", "forget questions of a 20 % share"},
			Says: "The stated number of samples and the stated number of questions per person do not agree."},
		{Checks: []string{"NPO causes the steepest drop in utility", "the larger model benefits utility preservation",
			"all methods consistently retain less in multi-hop questions",
			"a prominent inverse correlation of keeping and forgetting"},
			Says: "Sentences about all methods or both sizes have exceptions in Table 2."},
	},
	Chart: study.ChartOf((*Results).chart),
	Board: study.Start{Table: "2", Column: "Single-hop/EM_f", Forgot: "Single-hop/EM_f",
		Kept: "Single-hop/EM_r"},
}

// charted maps the rows of Table 2 to their names in the chart.
var charted = map[string]string{"Before": "before forgetting", "Gold": "never learnt them",
	"GA": "gradient ascent (GA)", "GD": "ascent, descent (GD)", "KL": "ascent, KL (KL)",
	"DPO": "preferences (DPO)", "NPO": "neg. preference (NPO)", "PO": "refusals (PO)"}

// chart returns the panels on what each method leaves and what relearning recovers, for the smaller model.
func (r *Results) chart() []study.Panel {
	answered := study.Panel{Title: "Forgotten facts still answered", About: "Percent of questions about the " +
		"forgotten people (EM_f; the question names the person), smaller model. The goal is a model that never " +
		"learnt them."}
	rank := study.Panel{Title: "Rank of the true value", About: "Place of the true value among all values, 100 is " +
		"first (Exposure). In the paper a random ranking has 50; here a model that never learnt the people is the " +
		"measure."}
	back := study.Panel{Title: "Brought back by relearning", About: "Share of the forgotten facts that returns when " +
		"other facts are learnt again, beyond a model that never learnt them. The paper has no such test."}
	size := r.Preset.Sizes[0].Name
	cells, _ := r.Cells("2")
	for _, c := range cells {
		row, smaller := strings.CutPrefix(c.Row, size+"/")
		if !smaller {
			continue
		}
		for column, panel := range map[string]*study.Panel{"Single-hop/EM_f": &answered, "Single-hop/Exp": &rank} {
			if c.Column == column {
				m := study.MarkOf(cmp.Or(charted[row], row), c, 1)
				m.Reference = row == "Before" || row == "Gold"
				panel.Rows = append(panel.Rows, m)
			}
		}
	}
	for _, a := range append(r.Verdicts(), r.guestVerdicts()...) {
		if a.Size == size {
			e := a.Gain.Simultaneous()
			m := study.NewMark(cmp.Or(charted[a.Method], a.Method), e.Value, e.Lo, e.Hi, 2)
			m.Guest = a.Guest
			back.Rows = append(back.Rows, m)
		}
	}
	return []study.Panel{answered, rank, back}
}
