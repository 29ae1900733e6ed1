package compare

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
)

var cmd = clitest.Of(Command)

func TestMain(m *testing.M) { os.Exit(cmd.Main(m)) }
