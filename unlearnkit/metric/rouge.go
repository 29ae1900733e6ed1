package metric

// ROUGEScore is a ROUGE-L score with its counts.
type ROUGEScore struct {
	Precision float64 // LCS over the tokens of the prediction
	Recall    float64 // LCS over the tokens of the reference; printed by TOFU and FIUBench
	F1        float64 // 2PR/(P+R); printed by MLLMU-Bench
	LCS       int     // length of the longest common subsequence
	Reference int     // tokens of the reference
	Predicted int     // tokens of the prediction
}

// ROUGEL scores a prediction against a reference by their longest common subsequence of stemmed tokens,
//
//	recall = LCS/|reference|,  precision = LCS/|prediction|,  F1 = 2PR/(P+R),
//
// as google's rouge-score does for "rougeL" with its stemmer on.
//
// Special cases are:
//
//	either text has no token  →  all scores 0
//	no token in common        →  all scores 0
func ROUGEL(reference, prediction string) ROUGEScore {
	return ROUGELTokens(ROUGETokens(reference), ROUGETokens(prediction))
}

// ROUGELTokens returns [ROUGEL] for given tokens, for other tokenisers and for scores without stemming.
func ROUGELTokens(reference, prediction []string) ROUGEScore {
	score := ROUGEScore{Reference: len(reference), Predicted: len(prediction)}
	score.LCS = LongestCommonSubsequence(reference, prediction)
	if score.LCS == 0 {
		return score
	}
	score.Precision = float64(score.LCS) / float64(len(prediction))
	score.Recall = float64(score.LCS) / float64(len(reference))
	// 2PR/(P+R) with one rounding instead of five, so that .2 is .2.
	score.F1 = float64(2*score.LCS) / float64(len(reference)+len(prediction))
	return score
}

// ROUGETokens splits text as google's rouge-score does: lower-case, every run of characters outside [a-z0-9] is a
// separator, and tokens of more than three characters are stemmed by [PorterStem].
//
// Lower-casing comes first, so that two non-ASCII signs whose lower case contains an ASCII letter count: the Kelvin
// sign is a k, and the capital I with a dot is an i followed by a combining dot, which separates.
func ROUGETokens(text string) []string {
	var tokens []string
	token := make([]byte, 0, 32)
	end := func() {
		switch {
		case len(token) > 3:
			tokens = append(tokens, PorterStem(string(token)))
		case len(token) > 0:
			tokens = append(tokens, string(token))
		}
		token = token[:0]
	}
	for _, r := range text {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			token = append(token, byte(r))
		case 'A' <= r && r <= 'Z':
			token = append(token, byte(r)+'a'-'A')
		case r == '\u212A': // Kelvin sign
			token = append(token, 'k')
		case r == '\u0130': // capital I with dot above
			token = append(token, 'i')
			end()
		default:
			end()
		}
	}
	end()
	return tokens
}
