package evaluate

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/claims"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/figures"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/report"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/table"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/trace"
)

var cmd = clitest.Of(Command, table.Command, claims.Command, report.Command, trace.Command, figures.Command)

func TestMain(m *testing.M) { os.Exit(cmd.Main(m, madeup.FillAll)) }
