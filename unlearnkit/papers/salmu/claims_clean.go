package salmu

import "github.com/unlearnlab/unlearnlab/unlearnkit/certify"

// Sentences of §12.2 that claims cite.
const (
	mostStable = "Generic Captions proves to be the most stable approach regarding embedding structure, maintaining " +
		"scores very close to the Clean model reference"
	moreHarmful = "Shuffled Captions causes more significant drift across both utility and structural metrics, " +
		"confirming that the noise from mismatched pairs is more harmful than the use of generic labels"
	negativeTerritory = "these methods drive the Clean model’s natural baseline alignment (AssocStr 0.142) into " +
		"negative territory (−0.114 and −0.371)"
	evenMore = "Direct Similarity Minimization is even more destructive, causing a larger drop in utility and an " +
		"even more extreme inversion of structure"
)

// cleanClaims returns the claims about Table 6, in which methods start from a model that has nothing to forget.
func cleanClaims() []certify.Claim {
	generic, shuffled := afterClean("generic"), afterClean("shuffled")
	direct, negative := afterClean("direct"), afterClean("negative")
	var stable [][]certify.Condition
	for _, column := range []string{"AssocStr", "InterIdSim", "IntraIdSim", "VisIdInt", "FragSim"} {
		for _, other := range []string{shuffled, direct, negative} {
			stable = append(stable, certify.Nearer(clean, generic, other)(column))
		}
	}
	return []certify.Claim{
		certify.Says("Generic Captions hardly moves Clean's cosines", "Table 6, AssocStr .147 from .142", mostStable,
			"AssocStr", untouched.near(generic, clean)),
		certify.Says("Generic Captions costs Clean only slightly of its general knowledge", "§12.2: from .633 to .626",
			"it induces a slight degradation in general knowledge (GenKnow drops from 0.633 to 0.626)", "GenKnow",
			slightLoss.hardlyAbove(clean, generic)),
		certify.Says("Shuffled Captions costs Clean more general knowledge than Generic Captions",
			"§12.2: .606 and .626", moreHarmful, "GenKnow", certify.Greater(generic, shuffled)),
		certify.Says("Shuffled Captions moves Clean's cosines farther than Generic Captions",
			"§12.2; Table 6, AssocStr .185 and .147 from .142", moreHarmful, "AssocStr", certify.Nearer(clean,
				generic, shuffled)),
		certify.Says("Direct Similarity Minimization drives Clean's cosines below zero", "Table 6, AssocStr -.371",
			negativeTerritory, "AssocStr", certify.Under(0, direct)),
		certify.Says("Negative Gradient drives Clean's cosines below zero", "Table 6, AssocStr -.114",
			negativeTerritory, "AssocStr", certify.Under(0, negative)),
		certify.Says("Negative Gradient preserves Clean's general knowledge reasonably well", "§12.2: .629 from .633",
			"it preserves GenKnow reasonably well (0.629)", "GenKnow", slightLoss.hardlyAbove(clean, negative)),
		certify.Says("Direct Similarity Minimization costs Clean more general knowledge than Negative Gradient",
			"§12.2: .611 and .629", evenMore, "GenKnow", certify.Greater(negative, direct)),
		certify.Says("Generic Captions moves each of Clean's five cosines less than the other methods", "§12.2",
			mostStable, "cosine", certify.Is(stable...)),
		certify.Says("Direct Similarity Minimization drives Clean's cosines lower than Negative Gradient does",
			"§12.2: -.371 and -.114", evenMore, "AssocStr", certify.Greater(negative, direct)),
	}
}
