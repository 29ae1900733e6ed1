package salmu_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/publication/publicationtest"
)

func TestEveryPublishedRunIsWhole(t *testing.T) { publicationtest.Whole(t, salmu.Shelf()) }

func TestPublicationsAreFewFiles(t *testing.T) {
	for _, preset := range publicationtest.Presets(t, salmu.Shelf(), ".") {
		publicationtest.Small(t, preset)
	}
}
