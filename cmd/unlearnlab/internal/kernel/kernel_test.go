package kernel

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// kernelVerb runs one command line below "unlearnlab kernel".
func kernelVerb(t *testing.T, args ...string) (string, error) {
	t.Helper()
	command := Command(func() launcher.Offers { return launcher.Offers{} })
	command.SilenceErrors, command.SilenceUsage = true, true
	var output bytes.Buffer
	command.SetArgs(args)
	command.SetOut(&output)
	command.SetErr(&output)
	err := command.Execute()
	return output.String(), err
}

func TestKernel_Mistakes(t *testing.T) {
	elsewhere := t.TempDir()
	tests := []struct {
		args []string
		says string
	}{
		{[]string{"instal"}, "do you mean install?"},
		{[]string{"install", "--user", "--prefix", "/x"}, "give only one of"},
		{[]string{"install", "--sys-prefix", "--prefix", "/x"}, "give only one of"},
		{[]string{"install", "--root", elsewhere}, "give --root"},
		{[]string{"warm", "--root", elsewhere}, "give --root"},
		{[]string{"uninstall", "--prefix", elsewhere}, "kernel doctor"},
		{[]string{"run"}, "--kernel is missing"},
		{[]string{"run", "--kernel", filepath.Join(elsewhere, "none.json"), "--flag-of-another-version"},
			"connection file"},
		{[]string{"guard", "x"}, "starts its guard itself"},
	}
	for _, test := range tests {
		if _, err := kernelVerb(t, test.args...); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("kernel %s: %v; want one line that says %q", strings.Join(test.args, " "), err, test.says)
		}
	}
}

func TestModule_FoundFromInside(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../../../../kernelext/kernel/launcher")
	if got, err := moduleRoot(""); err != nil || got != root {
		t.Errorf("%s, %v; want %s", got, err, root)
	}
	if _, err := moduleRoot("."); err == nil {
		t.Error("a given folder that is not the module's was replaced by another")
	}
}

func TestDoctor_JSON(t *testing.T) {
	t.Chdir(t.TempDir()) // outside of a clone, which may have the kernel of make lab
	t.Setenv("JUPYTER_DATA_DIR", t.TempDir())
	t.Setenv("VIRTUAL_ENV", t.TempDir())
	output, err := kernelVerb(t, "doctor", "--json")
	if err == nil {
		t.Error("a doctor without a kernel is content")
	}
	var report struct {
		OK       bool
		Findings []struct {
			OK         bool
			What, Mend string
		}
	}
	if err := json.Unmarshal([]byte(output), &report); err != nil || report.OK || len(report.Findings) == 0 ||
		report.Findings[0].Mend == "" {
		t.Errorf("%s: got the error %v, want report.OK false, length other than 0 of report.Findings, "+
			"report.Findings[0].Mend not empty",
			output, err)
	}
}
