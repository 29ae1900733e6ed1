package repotest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
)

func TestQuick(t *testing.T) {
	integration.Test(t, "runs vet and tests")
	for files, says := range map[string]string{
		"README.md": "no Go package has changed",
		"CHANGELOG.md\ninternal/spelling/spelling.go": "/internal/spelling\t",
	} {
		c := exec.CommandContext(t.Context(), "scripts/quick")
		c.Env = append(os.Environ(), "QUICK_FILES="+files, "QUICK_LIMIT=0")
		if output, err := c.CombinedOutput(); err != nil || !strings.Contains(string(output), says) {
			t.Errorf("%q: %v, want %q in\n%s", files, err, says, output)
		}
	}
}
