package train

import (
	"context"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestUnlearned_UnknownMethod(t *testing.T) {
	lab, s := NewLab(func() (*device.Device, error) { return device.Open("go") }), emptyStore(t)
	for _, test := range []struct {
		spec salmu.UnlearnedSpec
		says string
	}{
		{salmu.UnlearnedSpec{Method: "generic", Version: 2},
			"method generic has version 1 here, but the run has version 2"},
		{salmu.UnlearnedSpec{Method: "esd-x", Version: 1}, `no method is called "esd-x"; there are generic, shuffled`},
	} {
		_, err := s.Do(t.Context(), salmu.Unlearned.Kind(), test.spec, nil,
			func(ctx context.Context, w *store.Work) error {
				return lab.Unlearn(ctx, test.spec, study.Inputs{}, w, nil)
			})
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, test.says)
		}
	}
}
