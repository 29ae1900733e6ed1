package concealment_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/concealment"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

func TestEveryPublishedRunIsWhole(t *testing.T) { publishtest.Whole(t, concealment.Shelf()) }

func TestPublicationsAreFewFiles(t *testing.T) {
	for _, preset := range publishtest.Presets(t, concealment.Shelf(), ".") {
		publishtest.Small(t, preset)
	}
}
