package unslu_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/publication/publicationtest"
)

func TestEveryPublishedRunIsWhole(t *testing.T) { publicationtest.Whole(t, unslu.Shelf()) }

func TestPublicationsAreFewFiles(t *testing.T) {
	for _, preset := range publicationtest.Presets(t, unslu.Shelf(), ".") {
		publicationtest.Small(t, preset)
	}
}
