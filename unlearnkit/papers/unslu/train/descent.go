package train

import (
	"fmt"
	"math"
	"slices"

	"github.com/gomlx/gomlx/ml/model"
	"gonum.org/v1/gonum/stat"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const (
	comparedWorlds = 16 // worlds whose heads an imported model is compared with; no preset has more
	plainDescent   = 5  // correlation, in standard errors of the correlation of unrelated heads
)

// headRoot returns the seed of the first values of a world's head.
func headRoot(world uint64) uint64 { return seed.Derive(world, "unslu", "head") }

// checkDescent returns a [study.Misfit] if the model's head began with the first values of another world's head. A
// model recognises the intents of all worlds, and an original that is trained again classifies half of the clips
// otherwise, so scores cannot show the world. But training moves a head little from its first values, which are
// random and differ between worlds.
func (m *loaded) checkDescent(d *device.Device, world uint64, from string) error {
	own, err := m.head()
	if err != nil {
		return err
	}
	descends := func(world uint64) (bool, error) {
		first := &loaded{m.config, m.samples, model.NewStore(), m.place}
		defer first.store.Finalize()
		if err := first.addHead(d, m.config.NumLabels, headRoot(world)); err != nil {
			return false, err
		}
		values, err := first.head()
		if err != nil {
			return false, err
		}
		return stat.Correlation(own, values, nil)*math.Sqrt(float64(len(own))) >= plainDescent, nil
	}
	if here, err := descends(world); err != nil || here {
		return err
	}
	for other := range uint64(comparedWorlds) {
		if there, err := descends(other); err != nil {
			return err
		} else if there {
			return study.NewMisfit(from, fmt.Sprintf("world %d", world), fmt.Sprintf("world %d", other),
				"its head began with the first values of that world's head")
		}
	}
	return nil
}

// head returns the values of the layers above the backbone, in the order of their paths.
func (m *loaded) head() (all []float64, err error) {
	for _, layer := range []string{"classifier", "projector"} {
		values, err := lab.Values(m.scope().At("%s", layer))
		if err != nil {
			return nil, err
		}
		var paths []string
		for path := range values {
			paths = append(paths, path)
		}
		slices.Sort(paths)
		for _, path := range paths {
			for _, value := range values[path] {
				all = append(all, float64(value))
			}
		}
	}
	return all, nil
}
