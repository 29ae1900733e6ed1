package salmu

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Frame compares the models' size, training and data with the paper's. It returns "" for the paper's own data.
func (r *Results) Frame() string {
	p := r.Preset
	if p.Download != nil || r.Seeds() == 0 {
		return ""
	}
	text := fmt.Sprintf("The models have %.2g million parameters, the paper's ViT-B/16 has %.4g. %d fictional "+
		"people with drawn portraits replace the paper's %d with generated photographs, and drawn objects of "+
		"%d classes replace ImageNet's 1,000.", float64(p.Size.Parameters(p.World.ImageSize))/1e6, paperParameters/1e6, p.World.Identities,
		paperPeople, p.World.ObjectClasses)
	leak, knows := r.learnt("RetFail"), r.learnt("GenKnow")
	if !math.IsNaN(leak + knows) {
		text += fmt.Sprintf(" The secrets are learnt better than in the paper: Compromised has a RetFail of "+
			"%.2f and a GenKnow of %.2f, the paper's has .236 and .638.", leak, knows)
	}
	return text
}

// learnt returns Compromised's mean score in a column, or NaN if the column is not judged.
func (r *Results) learnt(column string) float64 {
	panel := &certify.Panel{}
	r.add(panel, compromised, r.baseRow(compromised, true, compromised))
	if name := certify.ScoreOf(compromised, column); panel.Has(name) {
		return panel.Estimate(certify.Mean(name)).Value
	}
	return math.NaN()
}
