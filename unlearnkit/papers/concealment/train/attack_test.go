package train

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func tinyAttack() concealment.AttackSpec {
	return concealment.AttackSpec{
		Prompt: "cat swirl", Psi: []string{"0", ".001", ".25", ".55", "1"}, Sampling: tinySampling, Pictures: 4,
		Set:   10,
		Fit:   concealment.Fit{Epochs: 2, Batch: 8, Rate: 1e-3, Momentum: .9, Margin: 1, Held: .2, Subsets: 10},
		Sheet: true,
	}
}

// inputs sets the models and the judge in the spec of an attack, and returns them as inputs of the run.
func inputs(spec *concealment.AttackSpec, original, other, judge *store.Artifact) study.Inputs {
	spec.Original, spec.Other, spec.Judge = study.Input(original.Key), study.Input(other.Key), study.Input(judge.Key)
	return study.NewInputs(original, other, judge)
}

func (s *scene) attack(t *testing.T, l *Lab, spec concealment.AttackSpec, other *store.Artifact) (*store.Artifact,
	error) {
	t.Helper()
	in := inputs(&spec, s.original, other, s.judge)
	return do(t, concealment.Attack.Kind(), spec, func(w *store.Work) error {
		return l.Attack(t.Context(), spec, in, w, heard(t))
	})
}

// scored runs an attack and reads its scores.
func (s *scene) scored(t *testing.T, l *Lab, spec concealment.AttackSpec, other *store.Artifact) *concealment.Attacked {
	t.Helper()
	artifact, err := s.attack(t, l, spec, other)
	if err != nil {
		t.Fatal(err)
	}
	attacked, err := concealment.ReadAttacked(artifact)
	if err != nil {
		t.Fatal(err)
	}
	return attacked
}

// An attack gives the same bytes beside other attacks, in a new lab, and with cached graphs.
func TestAttack_SameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, spec, l := onScene(t), tinyAttack(), newLab(t)
	first, err := s.attack(t, l, spec, s.other)
	if err != nil {
		t.Fatal(err)
	}
	if names := first.Names(); !slices.Equal(names,
		[]string{"distances.parquet", "fitted.parquet", "original.parquet", "original.png", "pictures.parquet",
			"strip.png", "unlearned.parquet", "unlearned.png"}) {
		t.Errorf("an attack leaves %v", names)
	}
	var beside sync.WaitGroup
	for range 2 {
		beside.Go(func() {
			if again, err := s.attack(t, l, spec, s.other); err != nil || store.Same(first, again) != nil {
				t.Errorf("beside another: %v, %v", err, store.Same(first, again))
			}
		})
	}
	beside.Wait()
	if again, err := s.attack(t, newLab(t), spec, s.other); err != nil || store.Same(first, again) != nil {
		t.Errorf("in a new lab: %v, %v", err, store.Same(first, again))
	}
	spec.Prompt = "dog" // the cached pictures of the cat must not be reused
	first, err = s.attack(t, newLab(t), spec, s.other)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := s.attack(t, l, spec, s.other); err != nil || store.Same(first, again) != nil {
		t.Errorf("after another prompt: %v, %v", err, store.Same(first, again))
	}
}

// drawn draws the pictures of an attack and passes them to check.
func (s *scene) drawn(t *testing.T, l *Lab, spec concealment.AttackSpec,
	check func(p *attackPlan, d *drawing, a *artist)) {
	t.Helper()
	p, err := newAttackPlan(spec, l.atOnce)
	if err != nil {
		t.Fatal(err)
	}
	err = l.withArtist(devicetest.Open(t), s.original, func(a *artist) error {
		d, err := p.draw(t.Context(), a, &l.openings, s.original.Dir, s.other.Dir, newPartsProgress(nil, 6))
		if err == nil {
			check(p, d, a)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The number of pictures is not a multiple of the batch; the additional pictures of the last batch must not change the
// others.
func TestAttack_NoneOrAllSteps(t *testing.T) {
	s := onScene(t)
	for _, pictures := range []int{3, 13} {
		spec := tinyAttack()
		spec.Pictures = pictures
		s.drawn(t, newLab(t), spec, func(p *attackPlan, d *drawing, a *artist) {
			each := len(d.original) / spec.Set
			published := func(pictures []float32) []float32 { return pictures[len(pictures)-each:] }
			last := len(spec.Psi) - 1
			for _, same := range []struct {
				what      string
				got, want []float32
			}{
				{"no step, the published picture", published(d.completed[0]), published(d.unlearned)},
				{"ψ .001, which is no step", d.completed[1], d.completed[0]},
				{"all steps, the published picture", published(d.completed[last]), published(d.original)},
				{"all steps, what the original takes its latent for", d.predicted[last], published(d.original)},
			} {
				if !slices.Equal(same.got, same.want) {
					t.Errorf("%d pictures, %s: others", pictures, same.what)
				}
			}
			if slices.Equal(published(d.completed[2]), published(d.original)) ||
				slices.Equal(published(d.completed[2]), published(d.unlearned)) {
				t.Errorf("%d pictures: a step of four changes nothing, or all", pictures)
			}
			var seeds []uint64
			for number := range pictures {
				seeds = append(seeds, concept.NoiseSeed(spec.Seed, concept.ForAttack, number))
			}
			seeds = slices.Insert(seeds, p.place, p.soloSeed(9))
			// The artist holds the other model's weights at this point.
			alone, err := a.draw(t.Context(), slices.Repeat([]string{spec.Prompt}, pictures+1), seeds, spec.Sampling,
				nil)
			if err != nil {
				t.Fatal(err)
			}
			own := slices.Delete(slices.Clone(alone), p.place*each, (p.place+1)*each)
			if !slices.Equal(d.completed[0][:pictures*each], own) || len(d.completed[0]) != (pictures+1)*each {
				t.Errorf("%d pictures at no step are not what the model draws alone", pictures)
			}
		})
	}
}

func TestAttack_OriginalWithItself(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, spec := onScene(t), tinyAttack()
	spec.Set, spec.Pictures, spec.Fit.Subsets = 24, 15, 50
	attacked := s.scored(t, newLab(t), spec, s.original)
	for i, name := range concealment.Classifiers {
		var probabilities []float64
		for _, picture := range attacked.Pictures {
			probabilities = append(probabilities, picture.Of[i].Probability)
			if o := picture.Of[i]; math.Abs(o.CodeOriginal-o.CodeUnlearned) > 1e-6 ||
				math.Abs(o.Original-o.Unlearned) > 1e-6 {
				t.Fatalf("%s: ψ %s, number %d: unlike the one as it is unlike the other, which is the same: %+v", name,
					picture.Psi, picture.Number, o)
			}
		}
		fitted := attacked.Fitted[i]
		if confidence := stat.Mean(probabilities, nil); confidence < .3 || confidence > .7 || fitted.Validation < .2 ||
			fitted.Validation > .8 || fitted.Classifier != name {
			t.Errorf("%s: confidence %.3f, %+v", name, confidence, fitted)
		}
	}
	other := s.scored(t, newLab(t), spec, s.other)
	for i, d := range attacked.Distances {
		if d.Protocol == concealment.Disjoint && math.Abs(d.KID) > .1*math.Abs(largest(other.Distances)) {
			t.Errorf("row %d: ψ %s: a distance of %v from itself; the other model is %v away", i, d.Psi, d.KID,
				largest(other.Distances))
		}
	}
	if other.Fitted[1].Validation < .8 {
		t.Errorf("models of other seeds are not told apart: %+v", other.Fitted)
	}
}

func largest(all []concealment.Distance) float64 {
	most := 0.
	for _, d := range all {
		if d.Protocol == concealment.Disjoint {
			most = max(most, d.KID)
		}
	}
	return most
}

// The scores of an attack are recomputed from its pictures.
func TestAttack_EqualsPlainLoops(t *testing.T) {
	s, spec, l := onScene(t), tinyAttack(), newLab(t)
	attacked := s.scored(t, l, spec, s.other)
	if want := len(spec.Psi)*spec.Pictures + 3; len(attacked.Pictures) != want || len(attacked.Original) != spec.Set ||
		len(attacked.Unlearned) != spec.Set {
		t.Fatalf("%d pictures, %d and %d alone; want %d, of which 3 are the published ones at the paper's ratios",
			len(attacked.Pictures), len(attacked.Original), len(attacked.Unlearned), want)
	}
	d := devicetest.Open(t)
	s.drawn(t, l, spec, func(p *attackPlan, drawn *drawing, _ *artist) {
		err := l.withJudge(d, s.judge, 32, func(j *judge) error {
			features := func(pictures []float32) [][]float64 {
				flat, err := j.features(t.Context(), pictures)
				if err != nil {
					t.Fatal(err)
				}
				return discriminator.RowsOf(flat, j.Config.FeatureWidth())
			}
			original, published := features(drawn.original), features(drawn.completed[1])[spec.Pictures]
			want, err := metric.KIDRepeated(discriminator.Matrix(original), published)
			if err != nil {
				return err
			}
			for _, row := range attacked.Distances {
				if row.Protocol == concealment.Published && row.Psi == ".001" && !row.Unlearned &&
					math.Abs(row.KID-want) > 1e-12 {
					t.Errorf("the published distance at the first ratio is %v, want %v", row.KID, want)
				}
			}
			seen, err := j.see(t.Context(), drawn.completed[3])
			if err != nil {
				return err
			}
			for _, picture := range attacked.Pictures {
				if picture.Psi != ".55" {
					continue
				}
				at := picture.Number
				if picture.Protocol == concealment.Published {
					at = spec.Pictures
				}
				if picture.Labels != seen[at].labels() {
					t.Errorf("%s %d at ψ .55: %v, want %v", picture.Protocol, picture.Number, picture.Labels,
						seen[at].labels())
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	for _, picture := range attacked.Pictures {
		for i, o := range picture.Of {
			// All these scores follow from one arctangent a: 2/π (1 - a) and 4/π a.
			if math.Abs(o.CodeOriginal-(2/math.Pi-o.Original/2)) > 2e-6 ||
				math.Abs(o.CodeUnlearned-(2/math.Pi-o.Unlearned/2)) > 2e-6 || o.PrintedRetain < .5-1e-6 ||
				o.PrintedForget > .5+1e-6 || !(o.Probability >= 0 && o.Probability <= 1) {
				t.Errorf("%s at ψ %s by %s: %+v", picture.Protocol, picture.Psi, concealment.Classifiers[i], o)
			}
		}
	}
}

func TestAttack_Refused(t *testing.T) {
	s, l := onScene(t), newLab(t)
	wide := tinyBase
	wide.Network.Channels, wide.Training.Steps = []int{8, 24}, 1
	wider := must(t, concealment.Base.Kind(), wide, func(w *store.Work) error {
		return l.Base(t.Context(), wide, study.Inputs{}, w, nil)
	})
	for _, test := range []struct {
		name, says string
		change     func(spec *concealment.AttackSpec)
		other      *store.Artifact
	}{
		{"no word", `"unicorn" is no word of this world`, func(spec *concealment.AttackSpec) {
			spec.Prompt = "unicorn swirl"
		}, s.other},
		{"500 words", "has 500 words; at most 7", func(spec *concealment.AttackSpec) {
			spec.Prompt = strings.Repeat("cat ", 500)
		}, s.other},
		{"a ratio of more than one", "ψ is 1.5; it must be from 0 to 1", func(spec *concealment.AttackSpec) {
			spec.Psi = []string{"0", "1.5"}
		}, s.other},
		{"a ratio that is none", `ψ is "half"`, func(spec *concealment.AttackSpec) {
			spec.Psi = []string{"half"}
		}, s.other},
		{"ratios that fall", "growing order", func(spec *concealment.AttackSpec) {
			spec.Psi = []string{".5", ".25"}
		}, s.other},
		{"no solver", `solver "euler"`, func(spec *concealment.AttackSpec) { spec.Sampling.Solver = "euler" }, s.other},
		{"one picture", "1 pictures at every ψ", func(spec *concealment.AttackSpec) { spec.Pictures = 1 }, s.other},
		{"all held", "of which 1 are held", func(spec *concealment.AttackSpec) { spec.Fit.Held = 1 }, s.other},
		{"another shape", `have different shapes, so the original cannot hand over to it: ` +
			`{"network":{"channels":[8,24]`, func(*concealment.AttackSpec) {}, wider},
		{"no model", "none of the model's tensors is in the file", func(*concealment.AttackSpec) {}, nil},
	} {
		spec := tinyAttack()
		test.change(&spec)
		other := test.other
		if other == nil {
			other = &store.Artifact{Dir: withWeights(t, s.original.Dir, s.judge.Dir)}
		}
		in := inputs(&spec, s.original, other, s.judge)
		_, err := do(t, concealment.Attack.Kind(), spec, func(w *store.Work) error {
			return l.Attack(t.Context(), spec, in, w, nil)
		})
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want one line with %q", test.name, err, test.says)
		}
	}
	spec := tinyAttack()
	in := inputs(&spec, s.original, s.other, s.other)
	_, err := do(t, concealment.Attack.Kind(), 1, func(w *store.Work) error {
		return l.Attack(t.Context(), spec, in, w, nil)
	})
	if err == nil || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), s.other.Dir) {
		t.Errorf("a model for a judge: %v", err)
	}
}
