package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestUsage_GuessesNames(t *testing.T) {
	for line, says := range map[string]string{
		"tabel salmu 5":             `there is no verb "tabel"; do you mean table?`,
		"xyzzyxyzzy":                `there is no verb "xyzzyxyzzy"; unlearnlab --help lists them`,
		"table salmu 5 --certifed":  "unknown flag: --certifed; do you mean --certified?",
		"table salmu 5 --qqqqqqqqq": "unlearnlab table --help lists the flags",
		"kernel instal":             `there is no kernel verb "instal"; do you mean install?`,
		"notebook gradde":           "do you mean grade?",
		"device lst":                "do you mean list?",
	} {
		cmd.Refused(t, cli.ExitUsage, says, strings.Fields(line)...)
	}
}

func TestHelp_UnknownVerb(t *testing.T) {
	cmd.Refused(t, cli.ExitUsage, `there is no verb "xyzzyxyzzy"; unlearnlab --help lists them`, "help", "xyzzyxyzzy")
	cmd.Refused(t, cli.ExitUsage, `there is no kernel verb "instal"; do you mean install?`, "help", "kernel", "instal")
	if got, want := cmd.Succeed(t, "help", "kernel", "install"), cmd.Succeed(t, "kernel", "install", "--help"); got != want {
		t.Errorf("help kernel install prints\n%s", got)
	}
}

func TestVersion(t *testing.T) {
	if cmd.Succeed(t, "version") != cmd.Succeed(t, "--version") {
		t.Error("the verb version prints something else than --version")
	}
	if got := cmd.Succeed(t, "--version"); !strings.HasPrefix(got, "unlearnlab ") || !strings.Contains(got, "go1.") ||
		strings.Count(got, "\n") != 1 {
		t.Errorf(`got %v, want "unlearnlab " at its beginning, "go1." in it, %q 1 times`, got, "\n")
	}
}

func TestHome_NotWritable(t *testing.T) {
	t.Setenv(store.HomeVariable, "") // restores the variable after the test, because the doctor sets it
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	homes := []string{filepath.Join(file, "home")}
	if _, err := os.Stat("/proc/self"); err == nil {
		homes = append(homes, "/proc/unlearnlab") // not even root can create folders there
	}
	for _, home := range homes {
		code, _, stderr := cmd.Run("doctor", "--home", home, "--device", "go")
		if code != cli.ExitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, store.HomeVariable) {
			t.Errorf("doctor at %s: exit %d, %s", home, code, stderr)
		}
		code, _, stderr = cmd.Run("run", "salmu", "--preset", "smoke", "--home", home)
		if code == cli.ExitDone || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "choose another") {
			t.Errorf("run at %s: exit %d, %s", home, code, stderr)
		}
	}
}
