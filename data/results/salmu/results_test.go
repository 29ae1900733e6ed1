package salmu_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/salmu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

func TestPublished_Whole(t *testing.T) { publishtest.Whole(t, salmu.Shelf()) }

func TestPublished_FewFiles(t *testing.T) { publishtest.FewFiles(t, salmu.Shelf()) }
