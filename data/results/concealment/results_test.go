package concealment_test

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/data/results/concealment"
	"github.com/unlearnlab/unlearnlab/internal/testkit/publishtest"
)

func TestPublished_Whole(t *testing.T) { publishtest.Whole(t, concealment.Shelf()) }

func TestPublished_FewFiles(t *testing.T) { publishtest.FewFiles(t, concealment.Shelf()) }
