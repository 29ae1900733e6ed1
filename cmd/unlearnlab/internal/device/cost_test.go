package device

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
)

func TestCost_WrongUsage(t *testing.T) {
	for _, line := range []string{"device cost", "device cost clip", "device cost salmu remem",
		"device cost salmu --preset mini", "device cost salmu --step ascent", "device cost salmu --stage salmu/base",
		"device cost salmu --stored", "device cost salmu --stored --file none.json --format word"} {
		if code, _, stderr := cmd.Run(strings.Fields(line)...); code != cli.ExitUsage || strings.Count(stderr,
			"\n") != 1 {
			t.Errorf("%s: exit %d, %s", line, code, stderr)
		}
	}
}

func TestCost_WithoutCompiler(t *testing.T) {
	withoutPlugins(t)
	code, _, stderr := cmd.Run("device", "cost", "salmu", "--step", "direct")
	if code != cli.ExitFailed || !strings.Contains(stderr, "compiling for a GPU") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestCost_StoredSteps(t *testing.T) {
	path := filepath.Join(t.TempDir(), "costs.json")
	var costs labs.Costs
	steps, err := labs.Steps("salmu")
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range steps[:2] {
		costs = append(costs, labs.CompiledStep{Paper: "salmu", Stage: s.Stage, Name: s.Name, Model: s.Model,
			Rows: s.Rows, Cost: device.Cost{Arguments: 2e9, Temporary: 50e9, Peak: int64(52+40*i) * 1e9, FLOPs: 67e12}})
	}
	if err := costs.Write(path); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := cmd.Run("device", "cost", "salmu", "--stored", "--file", path, "--format", "csv")
	want := []string{",2.0,50.0,52.0,yes,67.0,1.00", ",2.0,50.0,92.0,no,67.0,1.00"}
	if code != cli.ExitDone || strings.Count(stdout, "\n") != 3 || !strings.Contains(stdout, want[0]) ||
		!strings.Contains(stdout, want[1]) {
		t.Errorf("exit %d, %s\n%s", code, stderr, stdout)
	}
}
