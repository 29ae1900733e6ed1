package unslu_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/unslu"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

func TestPublished_Whole(t *testing.T) { publishtest.Whole(t, unslu.Shelf()) }

func TestPublished_FewFiles(t *testing.T) { publishtest.FewFiles(t, unslu.Shelf()) }
