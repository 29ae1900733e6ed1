package page

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
)

// audit checks the printed numbers of the paper against each other.
func (p *paper) audit() error {
	findings, err := audit.Run(p.Name)
	if err != nil {
		return err
	}
	p.Count = audit.Summary(findings)[0]
	for _, g := range audit.Sorted(findings) {
		if g.Verdict == audit.Inconsistent && !slices.Contains(p.Contradict, g.Check) {
			p.Contradict = append(p.Contradict, g.Check)
		}
	}
	p.Audit = layOut(p.Name+"-audit-table", "What the printed numbers say of each other",
		audit.Table("", findings, false), "unlearnlab audit "+p.Name)
	return nil
}
