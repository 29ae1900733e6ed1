package table

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/audit"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/claims"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/judge"
)

var cmd = clitest.Of(Command, audit.Command, claims.Command, judge.Command)

func TestMain(m *testing.M) { os.Exit(cmd.Main(m, madeup.FillAll)) }
