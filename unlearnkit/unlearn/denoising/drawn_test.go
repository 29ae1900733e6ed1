package denoising_test

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

// Snapshots see the average, and the average remains at the end.
func TestAverage_InSnapshots(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.SDD(), 1, 2, 3)
	j.Values["batch"] = 8 // one step per pass
	path := "/" + unlearn.Policy + "/unet/mid_block/attentions/0/transformer_blocks/0/attn2/to_k/weight"
	read := func(path string) []float32 {
		return tensors.MustCopyFlatData[float32](j.Store.GetVariable(path).MustValue())
	}
	want := read(path)
	j.Snapshot = func(_ context.Context, budget int) error {
		moving, judged := read("/optimizer_0/average"+path), read(path)
		apart := 0.
		for i := range want {
			want[i] += 0.5 * (moving[i] - want[i])
			apart = max(apart, math.Abs(float64(moving[i]-judged[i])))
			if math.Abs(float64(want[i]-judged[i])) > 1e-6 {
				t.Fatalf("budget %d: %g, the average is %g", budget, judged[i], want[i])
			}
		}
		if apart < 1e-3 {
			t.Errorf("budget %d: the average is where the model is", budget)
		}
		return nil
	}
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(read(path), want) && math.Abs(float64(read(path)[0]-want[0])) > 1e-6 {
		t.Error("the run leaves another model than it judged last")
	}
	for variable := range j.Store.IterVariables() {
		if !strings.HasPrefix(variable.Path(), "/"+unlearn.Policy+"/") {
			t.Errorf("%s is left", variable.Path())
		}
	}
}

// The original model draws the pictures of the anchor once. Their noise is drawn again in each pass.
func TestAnchor_DrawnOnce(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.AblatingConcepts(denoising.ModelBased, denoising.AblationGroups()[0]), 3)
	plain, draws := tinyDiffusion(t), 0
	j.Task = watching(plain, func(scope *model.Scope, s denoising.Sampling, drawn *tensors.Tensor) {
		draws++
		if scope.Scope() != "/"+unlearn.Policy {
			t.Errorf("%s draws", scope.Scope())
		}
	})
	noises := map[string]int{}
	j.Progress = func(done, _ int) {
		if done%4 != 0 {
			return
		}
		for path, data := range unlearntest.Contents(t, j.Store, "optimizer_0/drawn/noises/column") {
			noises[path+data]++
		}
	}
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if draws != 1 || len(noises) != 6 {
		t.Errorf("pictures are drawn %d times; %d different columns of noise in three passes, want 6", draws,
			len(noises))
	}
}

func TestDrawing_Cancelled(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.ESDX(), 2)
	j.Folder = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	whole := erasing(t, denoising.ESDX(), 2)
	at, _ := unlearntest.Snapshots(t, whole)
	j.Progress = func(done, _ int) {
		if done == 4 { // next, the second pass is drawn
			cancel()
		}
	}
	j.Snapshot = func(context.Context, int) error { calls++; return nil }
	result, err := j.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(result.Log) != 4 || calls != 0 || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%d steps, %d snapshots, %v", len(result.Log), calls, err)
	}
	again := erasing(t, denoising.ESDX(), 2)
	again.Folder = j.Folder
	end, _ := unlearntest.Snapshots(t, again)
	if names := unlearntest.Differing(at[2], end[2]); len(names) > 0 {
		t.Errorf("after an interruption %v differ", names)
	}
	if files, _ := filepath.Glob(filepath.Join(j.Folder, "*")); len(files) != 1 {
		t.Errorf("%v are in the folder", files)
	}
}

// A run that continues within a pass does not draw the pass's rows again.
func TestDrawing_NotRepeated(t *testing.T) {
	unlearntest.Watch(t)
	folder := t.TempDir()
	draws := 0
	newJob := func() denoising.Job {
		j := erasing(t, denoising.ESDX(), 2)
		j.Folder = folder
		j.Task = watching(tinyDiffusion(t), func(*model.Scope, denoising.Sampling, *tensors.Tensor) { draws++ })
		return j
	}
	if _, err := unlearntest.Cancelled(t, newJob(), 6); !errors.Is(err, context.Canceled) || draws != 2 {
		t.Fatalf("%d draws, %v", draws, err)
	}
	at, _ := unlearntest.Snapshots(t, newJob())
	if draws != 2 {
		t.Errorf("%d draws, of which some are after the run went on", draws)
	}
	whole, _ := unlearntest.Snapshots(t, erasing(t, denoising.ESDX(), 2))
	if names := unlearntest.Differing(at[2], whole[2]); len(names) > 0 {
		t.Errorf("%v differ", names)
	}
}
