package unslu

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

var story = study.Story{
	Title:   "“Alexa, can you forget me?” Machine Unlearning Benchmark in Spoken Language Understanding",
	Authors: "A. Koudounas, C. Savelli, F. Giobergia, E. Baralis", Venue: "Interspeech 2025",
	Link: "https://arxiv.org/abs/2505.15700",
	Asks: "A speech assistant has learnt from many speakers, and some of them ask to be forgotten. Which of eight " +
		"methods makes it forget them best, without training again?",
	Quote: "NG remains one of the most well-rounded approaches, performing consistently well across all metrics",
	Place: "§4, conclusion",
	Scale: []study.Size{
		{What: "parameters of the backbone", Here: `{{cell "scale" "FSC/wav2vec 2.0" "parameters" "million" "2"}} ` +
			`million`,
			Paper: `94 million (wav2vec 2.0, HuBERT) and 315 million (XLS-R)`},
		{What: "speech", Here: "made-up voices", Paper: "recordings, five data sets"},
		{What: "test score of the original (macro F1)",
			Here:  `{{between "What the originals learnt" "here"}}`,
			Paper: `{{between "What the originals learnt" "paper"}}`},
	},
	Found: `NG, which simply reverses training on the speakers to forget, has the best mean score here, too: its GUM ` +
		`(the harmonic mean of accuracy, forgetting and saved time) is ` +
		`{{panel "Overall score GUM" "(NG)" "interval" "2"}} on average; the GUM of a random teacher (BT-L) is ` +
		`{{panel "Overall score GUM" "(BT-L)" "interval" "2"}}. Most of the lead is saved time, which a method's ` +
		`design fixes. Whether NG is well-rounded, as the paper says, is open: on average its scores are further from ` +
		`gold's than our margins, but that may be chance. Be careful: the models here learnt little, and what was ` +
		`hardly learnt can hardly be forgotten.`,
	Brackets: "In square brackets: 95 % intervals over {{repetitions}}, not corrected for the number of claims.",
	Points: []study.Point{
		{Claim: "NG is nearer to gold under the attack than CF-k and UNSIR on the mean of the ten",
			Says: "Methods differ: NG hides the speakers better than CF-k (trains the last layers on) and UNSIR " +
				"(adds noise, then repairs).",
			Text: `The success of an attack that looks for the speakers (MIA) differs by ` +
				`{{cell "components" "all/NG" "MIA from gold" "interval" "3"}} from that on a model trained without ` +
				`them, after CF-k by {{cell "components" "all/CF-k" "MIA from gold" "interval" "3"}}.`},
		{Claim: "UNSIR has a lower GUM than the other methods on the whole",
			Says: "UNSIR is worse than the other methods are on average.",
			Text: `Its GUM is {{panel "Overall score GUM" "(UNSIR)" "interval" "2"}}, the mean of the others ` +
				`{{own "interval"}} higher. Whether it is below CF-k's ` +
				`({{panel "Overall score GUM" "(CF-k)" "interval" "2"}}) is open.`},
		{Claim: "NG takes the least time on each of the ten",
			Says: "NG is the fastest.",
			Text: `In five worlds whose seconds were measured it was the fastest on each of the ten pairs of data ` +
				`set and backbone. On some pairs that may be chance: {{p}}.`},
		{Claim: "NG is within .03 of gold's F1_T and F1_F and within .05 of its MIA on the mean of the ten",
			Says: "NG performs consistently well across all metrics.",
			Text: `Compared with our margins (.03 for macro F1, .05 for the attack) its weakest score has ` +
				`{{own "interval"}} to spare; below zero it is further from gold's. Its utility is ` +
				`{{cell "components" "all/NG" "U" "interval" "2"}}; BT-L keeps more ` +
				`({{cell "components" "all/BT-L" "U" "interval" "2"}}), SCRUB less ` +
				`({{cell "components" "all/SCRUB" "U" "interval" "2"}}).`},
		{Claim: "NG has the highest GUM on the mean of the ten",
			Says: "NG has the highest GUM on average.",
			Text: `It is {{own "interval"}} ahead of the next.`},
		{Claim: "NG has the highest GUM on each of the ten",
			Says: "NG consistently has the highest GUM.",
			Text: `In {{held}} it leads on all ten pairs. Its mean lead is smallest on one pair, with ` +
				`{{own "interval"}}.`},
	},
	Contradictions: []study.Contradiction{
		{Checks: []string{"NG consistently achieves the highest GUM"},
			Says: "The text says that NG consistently has the highest GUM. In Table 1 its GUM on one data set is 0, " +
				"the lowest of all methods."},
		{Checks: []string{"GUM with macro F1 as utility", "GUM with macro F1 as utility: one retraining time"},
			Says: "The text defines GUM by macro F1. The printed GUM follows from test accuracy instead."},
		{Checks: []string{"NoMUS with test accuracy"},
			Says: "NoMUS, an older score, is the other way round: it follows from macro F1, not from accuracy."},
		{Checks: []string{"mean GUM of BT and BT-L"},
			Says: "BT and BT-L (a bad and a random teacher) are called good in English and poor in other languages. " +
				"The printed values are lower in English."},
		{Checks: []string{"retraining time proportional to the epochs", "efficiency of Table 2's NG+",
			"largest of the cells described", "least of the cells described"},
			Says: "Times and speed-ups in the text and in Table 5 do not agree with the other tables."},
	},
	Chart: study.ChartOf((*Results).chart),
	Board: study.Start{Table: "1", Column: "GUM", Forgot: "MIA", Kept: "F1_T"},
}

// charted maps methods to their names in the chart.
var charted = map[string]string{"FT": "training on (FT)", "NG": "reversed gradient (NG)",
	"NG+": "NG and training on (NG+)", "CF-k": "last layers (CF-k)", "UNSIR": "noise, repair (UNSIR)", "BT": "bad teacher (BT)",
	"BT-L": "random teacher (BT-L)", "SCRUB": "two-way teacher (SCRUB)"}

// chart returns the panels that compare the methods' scores, and what the originals had learnt, with the paper's.
func (r *Results) chart() []study.Panel {
	score := study.Panel{Title: "Overall score GUM", About: "From 0 to 1: how well a method keeps accuracy, hides " +
		"the speakers and saves time, averaged over ten pairs of data set and backbone. Higher is better."}
	learnt := study.Panel{Title: "What the originals learnt", About: "Macro F1 on test clips, before any forgetting. " +
		"Here the models learnt much less than in the paper."}
	sums, counts := map[string]float64{}, map[string]int{}
	for _, number := range TableNumbers[:3] {
		cells, _ := r.Cells(number)
		for _, c := range cells {
			levels := report.Levels(c.Row, c.Levels)
			method := levels[len(levels)-1]
			printed, err := strconv.ParseFloat(c.Printed, 64)
			if c.Column == "GUM" && err == nil {
				sums[method] += printed
				counts[method]++
			}
			if c.Column == "F1_T" && method == originalRow {
				learnt.Rows = append(learnt.Rows, study.MarkOf(levels[0]+", "+levels[1], c, 3))
			}
		}
	}
	selections := r.selections()
	slices.SortStableFunc(selections, func(a, b selection) int { return cmp.Compare(b.GUM.Estimate, a.GUM.Estimate) })
	for _, s := range selections {
		m := study.NewMark(cmp.Or(charted[s.Method], s.Method), s.GUM.Estimate, s.GUM.Lo, s.GUM.Hi, 3)
		if n := counts[s.Method]; n > 0 {
			m = m.Printed(fmt.Sprintf("%.3f", sums[s.Method]/float64(n)))
		}
		score.Rows = append(score.Rows, m)
	}
	return []study.Panel{score, learnt}
}
