package labs

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
)

// The batches are those of the papers: SALMUBench's supplement, ReMem's 64 questions, and UnSLU-BENCH's 8 clips with
// gradients summed over four steps. Those of concealment are the batches of the methods' authors.
func TestSteps_HaveThePapersBatches(t *testing.T) {
	rows := map[string]int{}
	for _, paper := range papers.Papers() {
		steps, err := Steps(paper)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range steps {
			name := strings.TrimSpace(paper + " " + s.Name + " " + s.Model + " " + s.Precision)
			if rows[name] != 0 {
				t.Errorf("%s is listed twice", name)
			}
			rows[name] = s.Rows
		}
	}
	for name, want := range map[string]int{"salmu direct ViT-B/16": 256, "salmu finetuning ViT-B/16": 32,
		"salmu vlunlearn ViT-B/16": 16, "remem taught LLaVA-1.5-7B": 64, "remem npo LLaVA-1.5-13B": 64,
		"remem npo LLaVA-1.5-13B bfloat16": 64,
		"unslu trained wav2vec2-base":      32, "unslu trained wav2vec2-xls-r-300m": 8, "unslu scrub wav2vec2-base": 8,
		"concealment esd-x Stable Diffusion 1.4": 1, "concealment ablating-model Stable Diffusion 1.4": 8,
		"concealment sdd Stable Diffusion 1.4": 1} {
		if got := rows[name]; got != want {
			t.Errorf("%s: %d rows, want %d", name, got, want)
		}
	}
}

// Every study of package papers has code that computes it.
func TestLabs_Studies(t *testing.T) {
	for i, s := range papers.All {
		if i >= len(all) || all[i].Study != s || all[i].PlanAndMakers == nil {
			t.Errorf("lab %d does not compute the study %s", i, s.Paper)
		}
	}
}

func TestCosts_Roundtrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "costs.json")
	if c, err := ReadCosts(path); err != nil || c != nil {
		t.Errorf("a missing file: %v, %v", c, err)
	}
	steps, err := Steps("salmu")
	if err != nil {
		t.Fatal(err)
	}
	step := steps[0]
	want := Costs{{Paper: "salmu", Stage: step.Stage, Name: step.Name, Model: step.Model, Rows: step.Rows,
		Cost: device.Cost{Peak: 1 << 35, FLOPs: 2.5e12}, Compiler: device.CompilerVersion(), Date: "2026-11-27"}}
	if err := want.Write(path); err != nil {
		t.Fatal(err)
	}
	got, err := ReadCosts(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Of("salmu", step)); diff != "" {
		t.Error(diff)
	}
	if other := got.Of("salmu", steps[1]); len(other) != 0 {
		t.Errorf("another step: %v", other)
	}
}
