package train

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func TestPupil(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, d, plan := open(t, shared), devicetest.Open(t), remem.NewPlan(small())
	makers := NewLab(func() (*device.Device, error) { return d, nil }).Makers()
	for _, run := range []*study.Run{plan.Tower, plan.Bases[0]} {
		if err := plan.Make(t.Context(), s, makers, study.Options{}, run); err != nil {
			t.Fatal(err)
		}
	}
	base, err := s.Get(plan.Bases[0].Key())
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := remem.Taught.Spec(plan.Worlds[0].Sizes[0].Taught.Model)
	p, err := Meet(d, base.Dir, spec.World)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	world, err := profile.Generate(spec.World.Spec)
	if err != nil {
		t.Fatal(err)
	}
	division, err := world.Private.Divide(spec.World.Seed, 1)
	if err != nil {
		t.Fatal(err)
	}
	records := division.Forget[:16]
	sure := func(p *Pupil) (sum float64) {
		answers, err := p.Ask(t.Context(), records...)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range answers {
			sum += float64(a.LogProb)
			if a.ID != records[i].ID {
				t.Errorf("answer %d is to %s, not to %s", i, a.ID, records[i].ID)
			}
		}
		return sum
	}
	training := remem.Training{Epochs: 40, Batch: 16, Rate: 2e-2, Rank: 4}
	before := sure(p)
	if err := p.Learn(t.Context(), records, training, nil); err != nil {
		t.Fatal(err)
	}
	taught := sure(p)
	training.Epochs, training.Batch = 5, 32
	if err := p.Forget(t.Context(), "gradient-ascent", 1, training, nil); err != nil {
		t.Fatal(err)
	}
	forgot := sure(p)
	if taught < before+1 || forgot > taught-1 {
		t.Errorf("the log-probabilities of what is right sum to %.2f, taught to %.2f, forgotten to %.2f", before,
			taught, forgot)
	}
	folder := t.TempDir()
	if err := p.Keep(folder); err != nil {
		t.Fatal(err)
	}
	kept, err := Meet(d, folder, spec.World)
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	if got := sure(kept); got != forgot {
		t.Errorf("kept and read again they sum to %.9f, not %.9f", got, forgot)
	}
}
