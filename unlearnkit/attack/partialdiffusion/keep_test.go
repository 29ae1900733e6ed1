package partialdiffusion

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// However often an attack is interrupted, it ends with the same result, and makes no call of a network twice.
func TestKeep_Interrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	for _, solver := range []schedule.Solver{schedule.DDIM, schedule.PNDM} {
		build := func() *Attack {
			a := &Attack{Settings: settings(t, solver, 0),
				Original: source(tiny(t, "original", 1, nil), "", attack.Share{}),
				Targets: []Source{source(tiny(t, "erased", 2, nil), attack.Unlearned, attack.Share{}),
					source(tiny(t, "gold", 3, nil), attack.Gold, attack.Share{})},
				Alone: []uint64{20, 21, 22, 23, 24, 25},
			}
			a.Batch = 2
			return a
		}
		all := 0
		want, err := build().Draw(t.Context(), func(done, of int) {
			if done > of || done < all {
				t.Errorf("%d of %d calls after %d", done, of, all)
			}
			all = done
		})
		if err != nil {
			t.Fatal(err)
		}
		calls, err := build().Calls(schedule.StableDiffusion())
		if err != nil || calls != all {
			t.Errorf("%s: %d calls are foretold, %d were made: %v", solver, calls, all, err)
		}
		for _, every := range []time.Duration{0, time.Nanosecond} {
			keep := &Keep{Dir: filepath.Join(t.TempDir(), "kept"), Every: every}
			reached, rounds := 0, 0
			var got *Drawing
			for got == nil && rounds < 200 {
				rounds++
				ctx, stop := context.WithCancel(t.Context())
				a := build()
				a.Keep = keep
				drawn, err := a.Draw(ctx, func(done, _ int) {
					if done >= reached+7 {
						reached = done
						stop()
					}
				})
				stop()
				switch {
				case err == nil:
					got = drawn
				case !errors.Is(err, context.Canceled):
					t.Fatal(err)
				}
			}
			if rounds < 5 || rounds > all/7+3 {
				t.Errorf("%s: done after %d rounds of %d calls", solver, rounds, all)
			}
			same := func(what string, a, b *tensors.Tensor) {
				if !slices.Equal(tensors.MustCopyFlatData[float32](a), tensors.MustCopyFlatData[float32](b)) {
					t.Errorf("%s, every %v: %s is another than without an interrupt", solver, every, what)
				}
			}
			same("what the original draws alone", want.Original, got.Original)
			for i, strip := range want.Strips {
				same("what a model draws alone", strip.Alone, got.Strips[i].Alone)
				for k := range strip.Pictures {
					same("a completion", strip.Pictures[k], got.Strips[i].Pictures[k])
					same("a prediction", want.Predicted[k], got.Predicted[k])
				}
			}
		}
	}
}

func TestKeep_Damaged(t *testing.T) {
	keep := &Keep{Dir: t.TempDir()}
	a := &Attack{Settings: settings(t, schedule.DDIM, 0), Keep: keep,
		Original: source(tiny(t, "original", 1, nil), "", attack.Share{})}
	if _, err := a.Draw(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(keep.Dir, "*.state"))
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing was kept: %v", err)
	}
	if err := os.WriteFile(files[0], []byte("no"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Draw(t.Context(), nil); err == nil || !strings.Contains(err.Error(), files[0]) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("got the error %v, want one with %q", err, files[0])
	}
}
