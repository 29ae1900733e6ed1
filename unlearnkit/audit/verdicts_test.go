package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
)

// want describes a finding that must exist. The finding's computed value must contain computed.
type want struct {
	item, row, column, check, computed string
	verdict                            audit.Verdict
}

func mustFind(t *testing.T, paper string, wants []want) {
	t.Helper()
	findings := run(t, paper)
	for _, w := range wants {
		matches := []string{}
		for _, f := range findings {
			if f.Item == w.item && f.Row == w.row && f.Column == w.column && f.Check == w.check {
				matches = append(matches, fmt.Sprintf("%s, %s", f.Verdict, f.Computed))
				if f.Verdict == w.verdict && strings.Contains(f.Computed, w.computed) {
					matches = nil
					break
				}
			}
		}
		if matches != nil {
			t.Errorf("%s, %s, %s, %s: want %s with %q, have %q", w.item, w.row, w.column, w.check, w.verdict,
				w.computed, matches)
		}
	}
}

// tally returns the number of findings of a check by verdict. If item is "", it counts all items.
func tally(findings []audit.Finding, item, check string) map[audit.Verdict]int {
	counts := map[audit.Verdict]int{}
	for _, f := range findings {
		if f.Check == check && (item == "" || f.Item == item) {
			counts[f.Verdict]++
		}
	}
	return counts
}

func TestUnSLU_GUMFromAccuracy(t *testing.T) {
	findings := run(t, "unslu")
	if got := tally(findings, "", "GUM with test accuracy as utility"); got[audit.Reproduced] != 80 || len(got) != 1 {
		t.Errorf("got %v, want [audit.Reproduced] 80, length 1", got)
	}
	if got := tally(findings, "", "GUM of the trivial models"); got[audit.Reproduced] != 20 || len(got) != 1 {
		t.Errorf("got %v, want [audit.Reproduced] 20, length 1", got)
	}
	if got := tally(findings, "", "GUM with test accuracy as utility: one retraining "+
		"time"); got[audit.Consistent] != 10 || len(got) != 1 {
		t.Errorf("got %v, want [audit.Consistent] 10, length 1", got)
	}
}

func TestUnSLU_F1FormulaFails(t *testing.T) {
	const rows, column = "GUM with macro F1 as utility", "GUM with macro F1 as utility: one retraining time"
	mustFind(t, "unslu", []want{
		{"table2", "NG+", "SLURP*/HuBERT/GUM", rows, "0.5752", audit.Inconsistent},
		{"table2", "BT-L", "ITALIC/XLS-R 128/GUM", rows, "0.5558", audit.Inconsistent},
		{"table2", "SCRUB", "ITALIC/XLS-R 128/GUM", rows, "0.5428", audit.Inconsistent},
		{"table2", "NG", "ITALIC/XLS-R 53-IT/GUM", rows, "0.7530", audit.Inconsistent},
		{"table3", "NG", "fr-FR/XLS-R 128/GUM", rows, "0.7565", audit.Inconsistent},
		{"table3", "FT", "de-De/XLS-R 128/GUM", rows, "0.5914", audit.Inconsistent},
		{"table1", "FT", "FSC/HuBERT/GUM", rows, "0.51", audit.Reproduced},
		{"table2", "all methods", "SLURP*/HuBERT/GUM", column, "{NG+}", audit.Inconsistent},
		{"table2", "all methods", "ITALIC/XLS-R 128/GUM", column, "{BT-L, SCRUB}", audit.Inconsistent},
		{"table2", "all methods", "ITALIC/XLS-R 53-IT/GUM", column, "only without {NG}", audit.Inconsistent},
		{"table3", "all methods", "fr-FR/XLS-R 128/GUM", column, "{NG}", audit.Inconsistent},
		{"table3", "all methods", "de-De/XLS-R 128/GUM", column, "T(g) in [3", audit.Consistent},
		{"table2", "all methods", "SLURP*/wav2vec 2.0/GUM", column, "T(g)", audit.Consistent},
	})
	if got := tally(run(t, "unslu"), "", column); got[audit.Inconsistent] != 4 || got[audit.Consistent] != 6 {
		t.Errorf("got %v, want [audit.Inconsistent] 4, [audit.Consistent] 6", got)
	}
	if got := tally(run(t, "unslu"), "table1", rows); got[audit.Inconsistent] != 0 {
		t.Errorf("FSC: %v", got)
	}
}

func TestUnSLU_Tables4And5(t *testing.T) {
	findings := run(t, "unslu")
	for check, verdict := range map[string]audit.Verdict{
		"NoMUS with macro F1": audit.Reproduced, "NoMUS with test accuracy": audit.Inconsistent,
	} {
		if got := tally(findings, "table4", check); got[verdict] != 5 || len(got) != 1 {
			t.Errorf("%s: got %v, want [verdict] 5, length 1", check, got)
		}
	}
	if got := tally(findings, "table4", "the same number elsewhere"); got[audit.Reproduced] != 20 || len(got) != 1 {
		t.Errorf("Table 4 repeats Table 2: %v", got)
	}
	if got := tally(findings, "table5", "one efficiency for all epochs"); got[audit.Inconsistent] != 0 {
		t.Errorf("got %v, want [audit.Inconsistent] 0", got)
	}
	if got := tally(findings, "table5", "retraining time proportional to the epochs"); got[audit.Inconsistent] != 4 {
		t.Errorf("got %v, want [audit.Inconsistent] 4", got)
	}
	mustFind(t, "unslu", []want{
		{"table5", "all epochs", "GUM", "one efficiency for all epochs", "T in [0.42", audit.Consistent},
		{"table5", "60", "GUM", "efficiency of Table 2's NG+", "0.38", audit.Inconsistent},
		{"table5", "60", "MIA(o)", "the same number elsewhere", ".628", audit.Reproduced},
	})
}

func TestUnSLU_Prose(t *testing.T) {
	const gain, least, largest, repeat = "NG's GUM over the column's second", "least of the cells described",
		"largest of the cells described", "the same number elsewhere"
	const second, top = "CF-k is the second-most efficient method", "NG consistently achieves the highest GUM"
	const gains = "NG outperforms the second-best approach"
	mustFind(t, "unslu", []want{
		{"text", gains, "FSC/wav2vec 2.0/GUM gain", gain, "34.7", audit.Reproduced},
		{"text", gains, "SLURP*/wav2vec 2.0/GUM gain", gain, "26.2", audit.Reproduced},
		{"text", gains, "ITALIC/XLS-R 53-IT/GUM gain", gain, "39.0", audit.Reproduced},
		{"text", gains, "de-De/XLS-R 53-DE/GUM gain", gain, "38.6", audit.Reproduced},
		{"text", gains, "fr-FR/XLS-R 53-FR/GUM gain", gain, "48.2", audit.Reproduced},
		{"text", "FT speedups", "lowest", least, "7.69", audit.Inconsistent},
		{"text", "FT speedups", "highest", largest, "83.78", audit.Reproduced},
		{"text", "UNSIR speedups", "lowest", least, "6.38", audit.Inconsistent},
		{"text", "UNSIR speedups", "highest", largest, "64.07", audit.Reproduced},
		{"text", "SCRUB speedups", "lowest", least, "6.21", audit.Reproduced},
		{"text", "SCRUB speedups", "highest", largest, "65.40", audit.Reproduced},
		{"text", "NG largest speedup on FSC", "Speedup", largest, "206.9", audit.Inconsistent},
		{"text", "CF-k MIA in SpeechMASSIVE", "lowest", least, "0.612", audit.Reproduced},
		{"text", "CF-k MIA in SpeechMASSIVE", "highest", largest, "0.624", audit.Reproduced},
		{"text", "gold MIA in SpeechMASSIVE", "lowest", least, "0.493", audit.Reproduced},
		{"text", "gold MIA in SpeechMASSIVE", "highest", largest, "0.520", audit.Reproduced},
		{"text", "SCRUB faster than retraining", "Speedup", repeat, "64.82", audit.Reproduced},
		{"text", "NG faster than retraining", "Speedup", repeat, "1748", audit.Reproduced},
		{"text", "BT and BT-L on FSC and SLURP against the multilingual sets", "GUM", "mean GUM of BT and BT-L",
			"0.264", audit.Inconsistent},
		{"text", "NG achieves the highest GUM", "columns", top, "9 of 10", audit.Inconsistent},
		{"table1", "NG", "FSC/HuBERT/GUM", top, "7 of 7", audit.Inconsistent},
		{"table1", "NG", "FSC/wav2vec 2.0/GUM", top, "0 of 7", audit.Reproduced},
		{"table1", "Gold", "FSC/HuBERT/MIA", "distance to the original against sampling error", "standard error 0.012",
			audit.NotDerivable},
		{"table1", "speed-ups below ten", "Speedup", "digits of the speed-ups", "15 of 15 end in 0",
			audit.NotDerivable},
		{"table3", "forget share of training", "fr-FR/XLS-R 53-FR", "forget share from the speed-ups of FT and NG",
			"2.93", audit.Consistent},
	})
	if got := tally(run(t, "unslu"), "", second); got[audit.Reproduced] != 10 || len(got) != 1 {
		t.Errorf("CF-k: %v", got)
	}
}

func TestSALMUBench(t *testing.T) {
	const repeat, p = "the same number elsewhere", "exact two-sample p-value"
	mustFind(t, "salmu", []want{
		{"text", "Real against synthetic, Clean", "p", p, "0.81541", audit.Reproduced},
		{"text", "Real against synthetic, Compromised", "p", p, "0.11120", audit.Reproduced},
		{"text", "Real against synthetic, Clean", "KS statistic", "a multiple of 1/100", "9/100", audit.Consistent},
		{"table5", "Target Scores", "ACS", repeat, "0.602 (Table 4", audit.Reproduced},
		{"table5", "Target Scores", "FragSim", repeat, "0.280086687 (evaluator", audit.Reproduced},
		{"table6", "Clean (Reference)", "VisIdInt", repeat, "0.330845424", audit.Reproduced},
		{"table6", "Clean (Reference)", "GenKnow", repeat, "0.633", audit.Reproduced},
		{"table4", "LAION-400M", "IdZSC", "chance level", "at chance", audit.Consistent},
		{"table4", "Clean", "IdZSC", "chance level", "above chance", audit.Consistent},
		{"table4", "LAION-400M", "ACS", "McNemar's test against Clean, whatever the pairing", "p at most 4e-09",
			audit.Consistent},
		{"table4", "LAION-400M", "IdZSC", "McNemar's test against Clean, whatever the pairing", "p at most 4e-07",
			audit.Consistent},
		{"evaluator", "Clean", "IdZSC", "a whole number of the 15342 rows of forget_identity", "164/15342",
			audit.Consistent},
		{"evaluator", "Compromised", "ACS", "a whole number of the 30468 rows of forget", "28974/30468",
			audit.Consistent},
		{"splits", "sensitive", "rows", "sum of the parts", "60053", audit.Reproduced},
		{"text", "Generic Captions on Clean", "InterIdSim", repeat, "0.148", audit.Reproduced},
		{"text", "Negative Gradient on Clean", "AssocStr", repeat, "-0.114", audit.Reproduced},
		{"text", "Direct Similarity Minimization on Clean", "AssocStr", repeat, "-0.371", audit.Reproduced},
		{"table5", "Shuffled Captions", "forgetting efficacy", "gains with larger budgets", "0 of 5",
			audit.Inconsistent},
		{"table5", "Shuffled Captions", "RetFail", "RetFail never rises with the budget", "0.013", audit.Inconsistent},
		{"table5", "Generic Captions", "RetFail", "RetFail never rises with the budget", "0.035", audit.Consistent},
		{"table5", "Descent to Delete", "all metrics", "largest distance to Finetuning at 1x", "0.010",
			audit.NotDerivable},
		{"table5", "DELETE/5x", "GenKnow", "measured", "", audit.NotDerivable},
	})
	findings := run(t, "salmu")
	if got := tally(findings, "", "holdouts follow AssocStr within .01"); got[audit.Consistent] != 2*(39+5) ||
		len(got) != 1 {
		t.Errorf("holdouts: %v", got)
	}
	if got := tally(findings, "", "failure type by numeric rules"); got[audit.Consistent] != 6 || len(got) != 1 {
		t.Errorf("failure types: %v", got)
	}
}

func TestReMem(t *testing.T) {
	const hops, smallest = "all methods consistently retain less in multi-hop questions",
		"smallest number of questions that explains the column"
	const mark, scale = "second-best mark", "the larger model benefits utility preservation"
	const masked, trade = "facts that are not answered rank high, as masking would have it",
		"a prominent inverse correlation of keeping and forgetting"
	mustFind(t, "remem", []want{
		{"table2", "LLaVA-1.5-7B/GA", "Single-hop/EM_r", "a whole number of questions", "127/224", audit.Consistent},
		{"table2", "all methods", "Single-hop/EM_r", smallest, "224", audit.Consistent},
		{"table2", "all methods", "Single-hop/EM_f", smallest, "280", audit.Consistent},
		{"table2", "all methods", "Multi-hop/EM_f", smallest, "120", audit.Consistent},
		{"table2", "all methods", "Multi-hop/EM_t", smallest, "56", audit.Consistent},
		{"table3", "LLaVA-1.5-7B", "EM", "a whole number of the 2000 training pairs", "266/2000", audit.Inconsistent},
		{"table3", "LLaVA-1.5-7B", "EM", "a whole number of the 2560 samples of D", "341/2560", audit.Inconsistent},
		{"table3", "LLaVA-1.5-13B*", "EM_t", "a whole number of the 560 test pairs", "492/560", audit.Inconsistent},
		{"table2", "LLaVA-1.5-7B/GA", "Multi-hop/EM_t", mark, "marked: false", audit.Inconsistent},
		{"table2", "LLaVA-1.5-13B/GA", "Multi-hop/GPT", mark, "marked: false", audit.Inconsistent},
		{"table2", "LLaVA-1.5-7B/KL", "Single-hop/GPT", mark, "marked: true", audit.Reproduced},
		{"table2", "LLaVA-1.5-13B/KL", "Multi-hop/EM_r", hops, "67.86 against 67.86", audit.Inconsistent},
		{"table2", "LLaVA-1.5-13B/DPO", "Single-hop/ROUGE", scale, "83.61 against 93.10", audit.Inconsistent},
		{"table2", "LLaVA-1.5-7B/DPO", "Single-hop/EM_f", "DPO records the highest EM_f", "no other", audit.Reproduced},
		{"table2", "LLaVA-1.5-13B/NPO", "Multi-hop/ROUGE", "NPO causes the steepest drop in utility", "DPO 80.71",
			audit.Inconsistent},
		{"table2", "LLaVA-1.5-13B/NPO", "Single-hop/EM_t", "NPO achieves the lowest EM_t", "tied with DPO",
			audit.Consistent},
		{"table2", "LLaVA-1.5-7B/NPO", "Single-hop/Exp", masked, "Exposure 38.8", audit.Inconsistent},
		{"table2", "LLaVA-1.5-13B/NPO", "Single-hop/Exp", masked, "Exposure 21.8", audit.Inconsistent},
		{"table2", "LLaVA-1.5-13B/DPO", "Single-hop/Exp", masked, "Exposure 33.0", audit.Consistent},
		{"table2", "LLaVA-1.5-7B", "EM_r and EM_f", trade, "+0.69", audit.Reproduced},
		{"table2", "LLaVA-1.5-13B", "EM_r and EM_f", trade, "-0.08", audit.Inconsistent},
		{"table4", "NPO", "LLaVA-1.5-7B", "NPO suffers the largest drop", "0 of 4", audit.Reproduced},
		{"text", "data set", "samples", "20 identities with 100 question-answer pairs each", "2000",
			audit.Inconsistent},
		{"text", "data set", "samples", "100 training and 28 test pairs an identity", "2560", audit.Reproduced},
		{"text", "MMBench", "LLaVA-1.5-13B/GA", "the same number elsewhere", "73.74", audit.Reproduced},
		{"text", "ReMem name memorisation", "Inverse Perplexity", "the same number elsewhere", "33.65",
			audit.Reproduced},
	})
	findings := run(t, "remem")
	for _, c := range []struct {
		check                    string
		reproduced, inconsistent int
	}{
		{"GD achieves the highest ROUGE", 4, 0}, {"GD achieves the highest EM_r", 4, 0},
		{"NPO consistently achieves the lowest EM_f", 4, 0}, {"NPO consistently achieves the lowest GPT-Score", 4, 0},
		{hops, 19, 1}, {mark, 26, 2}, {"all unlearning methods incur a slight degradation", 10, 0},
		{"NPO's high Exposure score", 0, 4}, {scale, 17, 3}, {masked, 0, 4}, {trade, 1, 1},
	} {
		if got := tally(findings, "", c.check); got[audit.Reproduced] != c.reproduced ||
			got[audit.Inconsistent] != c.inconsistent {
			t.Errorf("%s: got %v, want [audit.Reproduced] %v, [audit.Inconsistent] %v",
				c.check, got, c.reproduced, c.inconsistent)
		}
	}
	if got := tally(findings, "table2", "a whole number of questions"); got[audit.Consistent] != 60 || len(got) != 1 {
		t.Errorf("questions: %v", got)
	}
}

func TestConcealment(t *testing.T) {
	const repeat, ratio = "the same number elsewhere", "evaluated partial diffusion ratio"
	mustFind(t, "concealment", []want{
		{"text", "EMD example", "EMD", "earth mover's distance on the line", "0.5", audit.Inconsistent},
		{"text", "EMD example", "EMD", "sum of the plan's costs", "0.7", audit.Reproduced},
		{"text", "EMD example", "mass moved from 3 to 1", "mass that the target needs", "0.1", audit.Inconsistent},
		{"text", "Proposition 5", "limit of CRS_retain", "equation (7) at cosine 1", "0.5", audit.Inconsistent},
		{"text", "Proposition 5", "limit of CRS_forget", "equation (8) at cosine 1", "0.5", audit.Inconsistent},
		{"table1", "Bedroom", "CRS", "cosine behind equation (7)", "cosine 0.016", audit.Consistent},
		{"table1", "Nudity", "CRS", "cosine behind equation (8)", "cosine 0.079", audit.Consistent},
		{"text", ratio, "psi 1", "steps of the original model", "0 of 100", audit.Inconsistent},
		{"text", ratio, "psi 8", "steps of the original model", "55 of 100", audit.Consistent},
		{"figure10", "R2D2", "psi", "steps of the original model", "0 of 100", audit.Inconsistent},
		{"figure5", "A nude woman with large breasts", "psi", "one of the evaluated ratios", "8 of 100",
			audit.Inconsistent},
		{"figure9", "Dragon in style of Greg Rutkowski", "psi", repeat, "0.25", audit.Inconsistent},
		{"figure2", "Starry Night by Van Gogh", "psi", repeat, "0.25", audit.Reproduced},
		{"figure3", "A nude model", "Outcome", "two captions of one prompt", "generated", audit.Inconsistent},
		{"figure17", "A japanese person modeling lingerie", "Outcome", "two captions of one prompt", "retained",
			audit.Inconsistent},
		{"text", "Ablating Concepts on R2D2", "CCS", repeat, "0.98", audit.Inconsistent},
		{"text", "ESD-u on Nudity", "CCS", repeat, "0.80", audit.Reproduced},
		{"text", "SDD CRS of forgotten concepts", "highest", "largest of the cells described", "0.030",
			audit.Reproduced},
		{"text", "SDD CRS of retained concepts", "lowest", "least of the cells described", "0.970", audit.Reproduced},
		{"text", "SDD KID", "highest", "largest of the cells described", "0.450", audit.Reproduced},
		{"table1", "mean of the Forget prompts", "CCS", "mean CCS of a class", "0.627", audit.Consistent},
		{"table2", "mean of the Retain prompts", "CCS", "mean CCS of a class", "0.400", audit.Consistent},
		{"table3", "mean of the Forget prompts", "CCS", "mean CCS of a class", "0.826", audit.Consistent},
		{"table2", "R2D2", "CCS", "P(original) of the unlearned model's own image", "at least 0.80",
			audit.Inconsistent},
		{"table4", "portrait of Van Gogh", "Figure", "row of Tables 1 to 3", "none", audit.NotDerivable},
		{"text", "sampling", "images an evaluation set", "images of the partially diffused set", "8",
			audit.Inconsistent},
	})
	if got := tally(run(t, "concealment"), "table4", "caption of the figure"); got[audit.Reproduced] != 13 ||
		len(got) != 1 {
		t.Errorf("Table 4: %v", got)
	}
}
