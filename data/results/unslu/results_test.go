package unslu_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/unslu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

func TestEveryPublishedRunIsWhole(t *testing.T) { publishtest.Whole(t, unslu.Shelf()) }

func TestPublicationsAreFewFiles(t *testing.T) {
	for _, preset := range publishtest.Presets(t, unslu.Shelf(), ".") {
		publishtest.Small(t, preset)
	}
}
