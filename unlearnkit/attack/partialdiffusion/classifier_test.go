package partialdiffusion

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
)

// classifierFolder returns the folder of a residual network with three classes and random weights.
func classifierFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	weights, err := os.ReadFile("../../zoo/resnet/testdata/small.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"config.json": []byte(`{"architecture": "resnet", "blocks": [1, 1], "widths": [5, 8], "stem_kernel": 3,
			"stem_stride": 1, "stem_pool": false, "num_classes": 3}`),
		"model.safetensors": weights,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestClassifier_Classes(t *testing.T) {
	d, dir := devicetest.Open(t), classifierFolder(t)
	values := make([]float32, 2*3*8*8)
	for i := range values {
		values[i] = float32(math.Sin(.3 * float64(i)))
	}
	pictures := tensors.FromFlatDataAndDimensions(values, 2, 3, 8, 8)
	var sums [2]float64
	var recovered [2]int
	for class := range 3 {
		judge, err := Classifier(d, dir, class, 12)
		if err != nil {
			t.Fatal(err)
		}
		judgements, err := judge(t.Context(), pictures)
		if err != nil || len(judgements) != 2 {
			t.Fatalf("got %v, %v, want 2 judgements", judgements, err)
		}
		for i, j := range judgements {
			sums[i] += j.Probability
			if j.Recovered {
				recovered[i]++
			}
		}
	}
	if math.Abs(sums[0]-1) > 1e-6 || math.Abs(sums[1]-1) > 1e-6 || recovered != [2]int{1, 1} {
		t.Errorf("probabilities add up to %v, %v classes are recognised", sums, recovered)
	}
}

func TestJudgements_Softmax(t *testing.T) {
	got := judgements([]float32{0, 1, -100, 200, 3, 200}, 3, 1)
	if math.Abs(got[0].Probability-math.E/(1+math.E)) > 1e-12 || !got[0].Recovered || got[1].Probability > 1e-80 ||
		got[1].Recovered {
		t.Errorf("got %+v, want [0].Probability near %v, [0].Recovered true, [1].Probability at most 1e-80, "+
			"[1].Recovered false",
			got, math.E/(1+math.E))
	}
}

func TestOpenClassifier_Refused(t *testing.T) {
	d, dir := devicetest.Open(t), classifierFolder(t)
	for _, test := range []struct {
		dir         string
		class, size int
		want        string
	}{
		{dir, 3, 12, "class 3 of a classifier of 3"}, {dir, -1, 12, "class -1"}, {dir, 0, 0, "pictures of 0 pixels"},
		{filepath.Join(dir, "none"), 0, 12, "no such folder"},
		{"../../zoo/diffusion/testdata/pipeline/unet", 0, 12, "it is a UNet2DConditionModel"},
	} {
		if _, err := Classifier(d, test.dir, test.class, test.size); err == nil ||
			!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one that says %q", err, test.want)
		}
	}
}
