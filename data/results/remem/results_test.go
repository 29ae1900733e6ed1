package remem_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/remem"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

func TestPublished_Whole(t *testing.T) { publishtest.Whole(t, remem.Shelf()) }

func TestPublished_FewFiles(t *testing.T) { publishtest.FewFiles(t, remem.Shelf()) }
