package figures

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/report"
)

var cmd = clitest.Of(Command, report.Command)

func TestMain(m *testing.M) { os.Exit(cmd.Main(m, madeup.FillAll)) }
