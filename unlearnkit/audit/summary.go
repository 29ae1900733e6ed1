package audit

import "slices"

// A Count holds the number of findings with each verdict for a paper.
type Count struct {
	Paper        string `json:"paper"`
	Reproduced   int    `json:"reproduced"`
	Consistent   int    `json:"consistent"`
	Inconsistent int    `json:"inconsistent"`
	NotDerivable int    `json:"not-derivable"`
}

// Summary counts findings by paper and verdict. Papers are in the order of their first finding.
func Summary(findings []Finding) []Count {
	var counts []Count
	for _, f := range findings {
		i := slices.IndexFunc(counts, func(c Count) bool { return c.Paper == f.Paper })
		if i < 0 {
			i = len(counts)
			counts = append(counts, Count{Paper: f.Paper})
		}
		switch f.Verdict {
		case Reproduced:
			counts[i].Reproduced++
		case Consistent:
			counts[i].Consistent++
		case Inconsistent:
			counts[i].Inconsistent++
		case NotDerivable:
			counts[i].NotDerivable++
		}
	}
	return counts
}

// A Group holds the findings about one item that have the same check, verdict and reason.
type Group struct {
	Paper    string
	Item     string
	Check    string
	Verdict  Verdict
	Reason   string
	Findings []Finding
}

// Groups joins similar findings, so that hundreds of measured values take one row of a table. Groups are in the order
// of their first finding.
func Groups(findings []Finding) []Group {
	type key struct {
		paper, item, check, reason string
		verdict                    Verdict
	}
	index := map[key]int{}
	var groups []Group
	for _, f := range findings {
		k := key{f.Paper, f.Item, f.Check, f.Reason, f.Verdict}
		i, ok := index[k]
		if !ok {
			i = len(groups)
			index[k] = i
			groups = append(groups, Group{Paper: f.Paper, Item: f.Item, Check: f.Check, Verdict: f.Verdict,
				Reason: f.Reason})
		}
		groups[i].Findings = append(groups[i].Findings, f)
	}
	return groups
}
