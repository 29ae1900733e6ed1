package page

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
)

// audit fills in the paper's audit: whether its printed numbers agree with each other.
func (p *paper) audit(of audit.Audit) error {
	findings, err := of.Findings()
	if err != nil || len(findings) == 0 {
		return err
	}
	p.Count = audit.Summary(findings)[0]
	p.Findings = audit.Sorted(findings)
	p.Audit = newGrid(p.Name+"-audit-table", "Whether the printed numbers agree with each other",
		audit.Table("", findings, false), "unlearnlab audit "+p.Name)
	return nil
}
