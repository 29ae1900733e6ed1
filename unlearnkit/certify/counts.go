package certify

import "cmp"

// Counts holds the number of claims, of distinct effects, and of claims with each verdict.
type Counts struct {
	Claims, Effects                      int
	Holds, Fails, Unresolved, Untestable int
}

// Count counts the paper's claims by verdict. It skips claims about guests.
func Count(judged []Judged) Counts {
	var c Counts
	effects := map[[2]string]bool{}
	for _, j := range judged {
		if j.Guest {
			continue
		}
		c.Claims++
		effects[[2]string{j.Paper, cmp.Or(j.Effect, j.Claim)}] = true
		switch j.Verdict {
		case Holds:
			c.Holds++
		case Fails:
			c.Fails++
		case Unresolved:
			c.Unresolved++
		default:
			c.Untestable++
		}
	}
	c.Effects = len(effects)
	return c
}
