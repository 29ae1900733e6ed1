package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestMisspeltVerbsAndFlagsAreGuessed(t *testing.T) {
	for line, says := range map[string]string{
		"tabel salmu 5":             `there is no verb "tabel"; do you mean table?`,
		"xyzzyxyzzy":                `there is no verb "xyzzyxyzzy"; unlearnlab --help lists them`,
		"table salmu 5 --certifed":  "unknown flag: --certifed; do you mean --certified?",
		"table salmu 5 --qqqqqqqqq": "unlearnlab table --help lists the flags",
		"kernel instal":             `there is no kernel verb "instal"; do you mean install?`,
		"notebook gradde":           "do you mean grade?",
		"device lst":                "do you mean list?",
	} {
		cmd.Refused(t, exitUsage, says, strings.Fields(line)...)
	}
}

func TestTheVersionIsPrinted(t *testing.T) {
	if got := cmd.Succeed(t, "--version"); !strings.HasPrefix(got, "unlearnlab ") || !strings.Contains(got, "go1.") ||
		strings.Count(got, "\n") != 1 {
		t.Error(got)
	}
}

func TestTheShellCompletesWhatANotebookCompletes(t *testing.T) {
	for line, want := range map[string]string{
		"table |":                    "salmu remem unslu concealment",
		"table salmu |":              "evaluator",
		"table unslu r|":             "rates readings",
		"stat wil|":                  "wilcoxon",
		"trace conc|":                "concealment",
		"claims |":                   "salmu",
		"attack m|":                  "mia",
		"table salmu 5 --preset m|":  "mini",
		"claims salmu --format te|":  "text tex",
		"exposure --dev|":            "--device",
		"notebook gr|":               "grade",
		"verify abc --paper uns|":    "unslu",
		"figures salmu |":            "8",
		"model |":                    "inspect",
		"table salmu 5 --certified|": "--certified",
	} {
		words := append([]string{"__complete"}, strings.Fields(strings.TrimSuffix(line, "|"))...)
		if strings.HasSuffix(line, " |") {
			words = append(words, "")
		}
		code, got, stderr := cmd.Run(words...) // which says on stderr what a shell would do
		if code != exitDone {
			t.Errorf("%s: exit %d, %s", line, code, stderr)
		}
		for name := range strings.FieldsSeq(want) {
			if !strings.Contains("\n"+got, "\n"+name+"\n") && !strings.Contains("\n"+got, "\n"+name+"\t") {
				t.Errorf("%s: no %q among\n%s", line, name, got)
			}
		}
	}
}

// A shell without Debian's package of completions completes as well.
func TestABareShellLoadsTheScript(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	folder := t.TempDir()
	// It stands in for the command.
	words := "#!/bin/sh\necho \"$@\" > " + folder + "/asked\nprintf 'evaluator\\n5\\n:4\\n'\n"
	if err := os.WriteFile(filepath.Join(folder, "unlearnlab"), []byte(words), 0o755); err != nil {
		t.Fatal(err)
	}
	script := cmd.Succeed(t, "completion", "bash") + `
COMP_WORDS=(unlearnlab table salmu "") COMP_CWORD=3 COMP_LINE="unlearnlab table salmu " COMP_POINT=23 COMP_TYPE=9
__start_unlearnlab
echo "${COMPREPLY[@]}"`
	shell := exec.Command(bash, "--norc", "--noprofile", "-c", script)
	shell.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"))
	output, err := shell.Output() // on stderr it says that nobody has pressed Tab
	if err != nil || string(output) != "evaluator 5\n" {
		t.Errorf("%v %s", err, output)
	}
	if asked, err := os.ReadFile(filepath.Join(folder, "asked")); err != nil || !strings.HasPrefix(string(asked),
		"__complete table salmu") {
		t.Errorf("%v %s", err, asked)
	}
	for _, other := range shells[1:] {
		if script := cmd.Succeed(t, "completion", other); !strings.Contains(script, "unlearnlab") {
			t.Errorf("%s: %s", other, script)
		}
	}
	cmd.Refused(t, exitUsage, "there is no completion for \"csh\"", "completion", "csh")
}

func TestAFullDiskIsOneSentence(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: "/mnt/lab/work/x/scores", Err: syscall.ENOSPC}
	var all []error
	for i := range 20 {
		all = append(all, fmt.Errorf("world %d: %w", i, full))
	}
	got := sentence(errors.Join(all...)).Error()
	if strings.Contains(got, "\n") || len(got) > 250 ||
		!strings.HasPrefix(got, "the disk is full at /mnt/lab/work/x: free some space") {
		t.Error(got)
	}
	for i := range all {
		all[i] = fmt.Errorf("world %d: diverged", i)
	}
	if got := sentence(errors.Join(all...)).Error(); got != "world 0: diverged; and 19 more errors" {
		t.Error(got)
	}
	if got := sentence(all[3]); got != all[3] {
		t.Error(got)
	}
}

func TestAHomeThatCannotBeWrittenToIsSaidSo(t *testing.T) {
	t.Setenv(store.HomeVariable, "") // which the doctor sets
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	homes := []string{filepath.Join(file, "home")}
	if _, err := os.Stat("/proc/self"); err == nil {
		homes = append(homes, "/proc/unlearnlab") // where not even root makes folders
	}
	for _, home := range homes {
		code, _, stderr := cmd.Run("doctor", "--home", home, "--device", "go")
		if code != exitFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, store.HomeVariable) {
			t.Errorf("doctor at %s: exit %d, %s", home, code, stderr)
		}
		code, _, stderr = cmd.Run("run", "salmu", "--preset", "smoke", "--home", home, "--dry-run")
		if code == exitDone || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "choose another") {
			t.Errorf("run at %s: exit %d, %s", home, code, stderr)
		}
	}
}
