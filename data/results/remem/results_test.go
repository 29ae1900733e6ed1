package remem_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/publication/publicationtest"
)

func TestEveryPublishedRunIsWhole(t *testing.T) { publicationtest.Whole(t, remem.Shelf()) }

func TestPublicationsAreFewFiles(t *testing.T) {
	for _, preset := range publicationtest.Presets(t, remem.Shelf(), ".") {
		publicationtest.Small(t, preset)
	}
}
