package concealment_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/publication/publicationtest"
)

func TestEveryPublishedRunIsWhole(t *testing.T) { publicationtest.Whole(t, concealment.Shelf()) }

func TestPublicationsAreFewFiles(t *testing.T) {
	for _, preset := range publicationtest.Presets(t, concealment.Shelf(), ".") {
		publicationtest.Small(t, preset)
	}
}
