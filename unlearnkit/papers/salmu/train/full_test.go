package train

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/fulltest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// The weights are random, so the scores mean nothing. The test shows that models, pictures and steps of the paper's
// size run.
func TestFull_PapersSize(t *testing.T) {
	paritytest.Slow(t, "two ViT-B-16, minutes and several GiB")
	f, s := downloaded(t, clip.ViTB16(), 512), emptyStore(t)
	f.ImageNet, f.Retain = "", ""
	d, err := device.Open("")
	if err != nil {
		t.Fatal(err)
	}
	found := find(t, s, f)
	preset := salmu.Paper(found.Download).Only(salmu.Method{Entry: catalogue.Contrastive.Entry("direct"),
		Values: map[string]float64{"rate": 3e-8, "batch": 4}, Budgets: []int{1}})
	plan := salmu.NewPlan(preset)
	makers := NewLab(func() (*device.Device, error) { return d, nil }).reading(found).Makers()
	fulltest.Make(t, &plan.Plan, s, makers, d.Name())
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	before, after := r.Evaluation(plan.Worlds[0].Compromised, 0), r.Evaluation(plan.Worlds[0].Methods[0], 1)
	moved := 0
	cosines := before.Frame().Column("cosine").Values
	for i, cosine := range after.Frame().Column("cosine").Values {
		if cosine != cosines[i] {
			moved++
		}
	}
	strength := study.Find(plan.Preset.Columns(), "AssocStr")
	if start, end := strength.Mean(before, nil), strength.Mean(after, nil); moved < len(cosines)/2 || !(end < start) {
		t.Errorf("two steps moved %d of %d cosines; AssocStr from %v to %v", moved, len(cosines), start, end)
	}
	artifact, err := s.Get(plan.Worlds[0].Methods[0].Key())
	if err != nil {
		t.Fatal(err)
	}
	if notes := string(artifact.Manifest.Notes["examples"]); notes != "8" {
		t.Errorf("%s examples", notes)
	}
	if model, err := s.Get(plan.Worlds[0].Clean.Needs[0].Key()); err != nil ||
		string(model.Manifest.Notes["parameters"]) != "149620737" {
		t.Errorf("%v parameters, %v", model.Manifest.Notes, err)
	}
}
