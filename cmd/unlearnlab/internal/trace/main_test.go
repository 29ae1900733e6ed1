package trace

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
)

var cmd = clitest.Of(Command)

func TestMain(m *testing.M) { os.Exit(cmd.Main(m, madeup.FillAll)) }
