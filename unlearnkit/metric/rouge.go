package metric

// ROUGEScore is a ROUGE-L score with the counts that it is computed from.
type ROUGEScore struct {
	Precision float64 // LCS divided by the number of predicted tokens
	Recall    float64 // LCS divided by the number of reference tokens; reported by TOFU and FIUBench
	F1        float64 // 2PR/(P+R); reported by MLLMU-Bench
	LCS       int     // length of the longest common subsequence
	Reference int     // number of tokens in the reference
	Predicted int     // number of tokens in the prediction
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

// ROUGELTokens returns [ROUGEL] for given tokens, so that other tokenisers or no stemming can be used.
func ROUGELTokens(reference, prediction []string) ROUGEScore {
	score := ROUGEScore{Reference: len(reference), Predicted: len(prediction)}
	score.LCS = LongestCommonSubsequence(reference, prediction)
	if score.LCS == 0 {
		return score
	}
	score.Precision = float64(score.LCS) / float64(len(prediction))
	score.Recall = float64(score.LCS) / float64(len(reference))
	// This is 2PR/(P+R) with one rounding instead of five.
	score.F1 = float64(2*score.LCS) / float64(len(reference)+len(prediction))
	return score
}

// ROUGETokens splits a text as google's rouge-score does. It converts to lower case, separates tokens at characters
// outside [a-z0-9], and stems tokens of more than three characters with [PorterStem].
//
// Two non-ASCII characters have an ASCII letter in lower case and become part of a token: the Kelvin sign becomes k,
// and the capital I with a dot becomes i followed by a combining dot, which separates.
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
