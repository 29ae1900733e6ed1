package contrastive_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

func TestMethods_Catalogue(t *testing.T) {
	readFrozen := []string{"vlunlearn", "delete", "cliperase"}
	entries := catalogue.Contrastive.Entries()
	for i, m := range contrastive.Methods() {
		if i >= len(entries) || m.Name != entries[i].Name || m.Version != entries[i].Version ||
			m.Reference != slices.Contains(readFrozen, m.Name) {
			t.Errorf("method %d is %s, version %d; it reads the frozen model: %v", i, m.Name, m.Version, m.Reference)
		}
	}
	if len(contrastive.Methods()) != len(entries) {
		t.Errorf("the catalogue has %d methods", len(entries))
	}
}

func TestEveryMethod_Digests(t *testing.T) {
	unlearntest.Watch(t)
	digests := map[string]string{}
	for _, m := range contrastive.Methods() {
		budgets := m.Passes
		if budgets == nil {
			budgets = []int{1, 5}
		}
		digests[m.Name] = unlearntest.Digest(t, unlearntest.NewJob(t, m, budgets...))
	}
	unlearntest.CompareDigests(t, "testdata/digests.json", digests)
}

func TestScale_Clamped(t *testing.T) {
	unlearntest.Watch(t)
	for _, test := range []struct{ start, sign, want float32 }{{0.001, 1, 0}, {4.6, -1, float32(math.Log(100))}} {
		// the cosine of an image with itself is 1: the loss is the scale
		m := unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
			image := m.Policy.Image(b.Of(unlearn.Forget, contrastive.Image))
			logits := m.Policy.Logits(image, image)
			count := logits.Shape().Dim(0)
			itself := graph.Where(graph.Diagonal(logits.Graph(), count), logits, graph.ZerosLike(logits))
			return graph.MulScalar(graph.ReduceAllSum(itself), float64(test.sign)/float64(count))
		})
		j := unlearntest.NewJob(t, m, 1)
		if err := j.Store.GetVariable("/" + unlearn.Policy +
			"/logit_scale").SetValue(tensors.FromScalar(test.start)); err != nil {
			t.Fatal(err)
		}
		if _, err := j.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := tensors.ToScalar[float32](j.Store.GetVariable("/" + unlearn.Policy +
			"/logit_scale").MustValue()); math.Abs(float64(got-test.want)) > 1e-6 {
			t.Errorf("from %v the scale went to %v, want %v", test.start, got, test.want)
		}
	}
}

// Descent to Delete adds its noise to the finetuned model.
func TestDescentToDelete_Noise(t *testing.T) {
	unlearntest.Watch(t)
	tuned := unlearntest.NewJob(t, contrastive.Finetuning(), 1)
	if _, err := tuned.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := contrastive.DescentToDelete()
	j := unlearntest.NewJob(t, m, 1)
	j.Values["examples"], j.Values["strength"] = 8e4, 0.2
	// enough numbers to see the distribution
	j.Store.VariableWithValue("/"+unlearn.Policy+"/unread", make([]float32, 5000))
	at, result := unlearntest.Snapshots(t, j)
	left := unlearntest.Contents(t, j.Store, unlearn.Policy)
	sigma := catalogue.DeletionNoise(8e4, 0.2)
	var noise []float64
	for _, path := range []string{"image/weight", "image/bias", "text/weight", "logit_scale", "unread"} {
		var before []float32
		if variable := tuned.Store.GetVariable("/" + unlearn.Policy + "/" + path); variable != nil {
			before = tensors.MustCopyFlatData[float32](variable.MustValue())
		}
		for i, value := range tensors.MustCopyFlatData[float32](j.Store.GetVariable("/" + unlearn.Policy + "/" +
			path).MustValue()) {
			if before != nil {
				value -= before[i]
			}
			noise = append(noise, float64(value)/sigma)
		}
	}
	if len(at) != 1 || len(unlearntest.Differing(at[1], left)) > 0 || len(result.Log) != 2 ||
		result.Passes != 1 {
		t.Errorf("%d snapshots, %d steps, %g passes", len(at), len(result.Log), result.Passes)
	}
	var sum, squares, fourth float64
	for _, x := range noise {
		sum, squares, fourth = sum+x, squares+x*x, fourth+x*x*x*x
	}
	n := float64(len(noise))
	// Five standard errors of the moments of a normal distribution: 1/√n, √2/√n, √96/√n.
	if mean, variance, kurtosis := sum/n, squares/n,
		fourth/n; math.Abs(mean) > 5/math.Sqrt(n) || math.Abs(variance-1) > 5*math.Sqrt(2/n) ||
		math.Abs(kurtosis-3) > 5*math.Sqrt(96/n) {
		t.Errorf("%g numbers of mean %.3f, variance %.3f and fourth moment %.3f, want 0, 1 and 3", n, mean, variance,
			kurtosis)
	}
	for i, x := range noise[:80] {
		if x == 0 || slices.Contains(noise[:i], x) {
			t.Errorf("the noise %d is %g, nothing or another's", i, x)
		}
	}
}

func TestVLUnlearn_RateByPasses(t *testing.T) {
	unlearntest.Watch(t)
	m := contrastive.VLUnlearn()
	j := unlearntest.NewJob(t, m, 5, 20)
	result, err := j.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range result.Log {
		if want := 0.01 * 0.5 * (1 + math.Cos(math.Pi*float64(i/3)/20)); math.Abs(step.Rate-want) > 1e-15 {
			t.Errorf("step %d: rate %g, want %g", i, step.Rate, want)
		}
	}
}

// The four values were computed in Python from the formula of MultiDelete's code.
func TestDescentToDelete_NoiseDeviation(t *testing.T) {
	for _, test := range []struct{ n, strength, want float64 }{
		{4e8, 0.2, 1.98148e-6},
		{4e8, 0.001, 0.0734249},
		{8e4, 0.02, 0.714281},
		{8e4, 0.2, 0.00763937},
	} {
		if got := catalogue.DeletionNoise(test.n, test.strength); math.Abs(got-test.want) > 5e-6*test.want {
			t.Errorf("n = %g, strength %g: %.6g, want %.6g", test.n, test.strength, got, test.want)
		}
	}
}
