package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
