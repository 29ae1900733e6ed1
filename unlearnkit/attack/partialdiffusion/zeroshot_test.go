package partialdiffusion

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
)

// clipFolder returns the folder of package clip's small CLIPModel, with a tokenizer of single letters.
func clipFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, path := range []string{"../../zoo/clip/testdata/transformers/config.json",
		"../../zoo/clip/testdata/transformers/model.safetensors", "testdata/zeroshot/vocab.json",
		"testdata/zeroshot/merges.txt"} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(path)), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestZeroShot_EqualsTransformers(t *testing.T) {
	content, err := os.ReadFile("testdata/zeroshot.json")
	if err != nil {
		t.Fatal(err)
	}
	var expected struct {
		Pictures      [][]float32
		Texts         []string
		Probabilities [][]float64
	}
	if err := json.Unmarshal(content, &expected); err != nil {
		t.Fatal(err)
	}
	var values []float32
	for _, picture := range expected.Pictures {
		for _, level := range picture {
			values = append(values, level/127.5-1)
		}
	}
	pictures := tensors.FromFlatDataAndDimensions(values, len(expected.Pictures), 3, 12, 12)
	d, dir := devicetest.Open(t), clipFolder(t)
	for at, concept := range expected.Texts {
		var others []string
		others = append(append(others, expected.Texts[:at]...), expected.Texts[at+1:]...)
		judge, err := ZeroShot(d, dir, concept, others...)
		if err != nil {
			t.Fatal(err)
		}
		judgements, err := judge(t.Context(), pictures)
		if err != nil || len(judgements) != 2 {
			t.Fatalf("got %v, %v, want 2 judgements", judgements, err)
		}
		for i, j := range judgements {
			if want := expected.Probabilities[i][at]; math.Abs(j.Probability-want) > 2e-6 ||
				j.Recovered != (at == 1) { // both pictures are most similar to "fog"
				t.Errorf("picture %d, %q: %+v, transformers has %v", i, concept, j, want)
			}
		}
	}
}

func TestZeroShot_Refused(t *testing.T) {
	d, dir := devicetest.Open(t), clipFolder(t)
	for _, test := range []struct {
		dir, says string
		others    []string
	}{
		{dir, "is always most similar", nil},
		{dir, "has 12 tokens with its start and end marks", []string{"a b c d e f g h i j"}},
		{classifierFolder(t), "CLIPModel", []string{"b"}},
	} {
		_, err := ZeroShot(d, test.dir, "a", test.others...)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v does not say %q", err, test.says)
		}
	}
}
