package registry_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
)

// A file published by sentence-transformers contains a model that this module lacks, which must be reported.
func TestRealFile_Named(t *testing.T) {
	dir := paritytest.Real(t, "minilm", "scripts/real_models.py")
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Parameters int
		Sums       map[string]float64
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	inspection, err := registry.Inspect(dir)
	if err != nil {
		t.Fatal(err)
	}
	if inspection.OK || inspection.Architecture != "BertModel" || inspection.Parameters != want.Parameters ||
		len(inspection.Tensors) != len(want.Sums) ||
		!strings.Contains(strings.Join(inspection.Warnings, ""),
			"it is a BertModel, which is not supported") {
		t.Errorf("ok %v, %s, %d parameters in %d tensors, want %d in %d; %v", inspection.OK, inspection.Architecture,
			inspection.Parameters, len(inspection.Tensors),
			want.Parameters, len(want.Sums), inspection.Warnings)
	}
	folder, err := hf.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Tensors.Close()
	for name, sum := range want.Sums {
		got, absolute := 0.0, 0.0
		for _, value := range floats(t, folder.Tensors, name) {
			got, absolute = got+value, absolute+math.Abs(value)
		}
		if math.Abs(got-sum) > 1e-9*absolute {
			t.Errorf("%s sums to %g, numpy says %g", name, got, sum)
		}
	}
}
