package salmu_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/salmu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

func TestEveryPublishedRunIsWhole(t *testing.T) { publishtest.Whole(t, salmu.Shelf()) }

func TestPublicationsAreFewFiles(t *testing.T) {
	for _, preset := range publishtest.Presets(t, salmu.Shelf(), ".") {
		publishtest.Small(t, preset)
	}
}
