package language

import (
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
)

// sampleArguments returns a command line for a random model. The sample has a small effect.
func sampleArguments(model string, more ...string) []string {
	return append([]string{"causal-trace", "--model", model, "--image", seenImage, "--prompt",
		"the job of ann <image> is", "--subject", "of ann", "--substitute", "of bob", "--answer", "is", "--least",
		"1e-4"}, more...)
}

func TestCausal_Golden(t *testing.T) {
	model := languagetest.Folder(t, "llava")
	clitest.Golden(t, "causal", "trace.txt", cmd.Succeed(t, sampleArguments(model)...), clitest.SameBytes)
	wide := sampleArguments(model, "--window", "2", "--json")
	clitest.Golden(t, "causal", "trace.json", cmd.Succeed(t, wide...), clitest.SameNumbers(1e-4))
	whole := sampleArguments(model, "--whole-answer", "--prompt", "<image> the job of ann is", "--subject", "ann",
		"--substitute", "bob", "--answer", "name is", "--least", "1e-7")
	clitest.Golden(t, "causal", "whole.txt", cmd.Succeed(t, whole...), clitest.SameBytes)
	for _, format := range []string{"csv", "md", "json", "html", "tex"} {
		if shown := cmd.Succeed(t, sampleArguments(model, "--format", format)...); !strings.Contains(shown,
			"perceptron") {
			t.Errorf(`%s: got %s, want "perceptron" in it`, format, shown)
		}
	}
}

func TestCausal_LittleEffect(t *testing.T) {
	model, picture := languagetest.Folder(t, "llava"), filepath.Join(t.TempDir(), "a.png")
	shown := cmd.Succeed(t, sampleArguments(model, "--least", ".05", "--figure", picture)...)
	if strings.Count(shown, "\n") != 1 || !strings.Contains(shown, "less than 0.05, so there is nothing to trace") {
		t.Errorf(`got %v, want %q 1 times, "less than 0.05, so there is nothing to trace" in it`, shown, "\n")
	}
	if _, err := os.Stat(picture); err == nil {
		t.Error("a figure of nothing is written")
	}
	var got struct {
		OK      bool
		Skipped string
		Maps    []any
	}
	shown = cmd.Succeed(t, sampleArguments(model, "--least", ".05", "--json")...)
	if err := json.Unmarshal([]byte(shown), &got); err != nil || !got.OK || got.Skipped == "" || len(got.Maps) != 0 {
		t.Errorf("got %s, %v, want OK true, Skipped not empty, 0 Maps", shown, err)
	}
}

func TestCausal_Picture(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "new", "trace.png")
	shown := cmd.Succeed(t, sampleArguments(languagetest.Folder(t, "llava"), "--figure", picture)...)
	if !strings.HasSuffix(shown, picture+"\n") {
		t.Errorf("got %v, want %q at its end", shown, picture+"\n")
	}
	file, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := png.Decode(file); err != nil {
		t.Error(err)
	}
}

func TestCausal_Mistakes(t *testing.T) {
	model := languagetest.Folder(t, "llava")
	for _, test := range []struct {
		code int
		says string
		args []string
	}{
		{cli.ExitUsage, "--model is required", []string{"causal-trace"}},
		{cli.ExitUsage, "--prompt is required", []string{"causal-trace", "--model", model}},
		{cli.ExitUsage, "--subject is required", sampleArguments(model, "--subject", " ")},
		{cli.ExitUsage, "--answer is required", sampleArguments(model, "--answer", "")},
		{cli.ExitUsage, "--window 0", sampleArguments(model, "--window", "0")},
		{cli.ExitUsage, "--least -1", sampleArguments(model, "--least", "-1")},
		{cli.ExitUsage, "--least NaN", sampleArguments(model, "--least", "NaN")},
		{cli.ExitUsage, `--figure "a.gif"`, sampleArguments(model, "--figure", "a.gif")},
		{cli.ExitUsage, `there is no format "xml"`, sampleArguments(model, "--format", "xml")},
		{cli.ExitUsage, "expected only flags", sampleArguments(model, "more")},
		{cli.ExitFailed, "give one from 1 to the model's 2", sampleArguments(model, "--window", "3")},
		{cli.ExitFailed, "0 times; name a part", sampleArguments(model, "--subject", "eve")},
		{cli.ExitFailed, "name one of as many", sampleArguments(model, "--substitute", "of robert")},
		{cli.ExitFailed, "there is no such folder", sampleArguments(filepath.Join(model, "none"))},
		{cli.ExitFailed, "none.png: no such file", sampleArguments(model, "--image", "none.png")},
		{cli.ExitFailed, "not a directory", sampleArguments(model, "--figure", filepath.Join(seenImage, "a.png"))},
	} {
		cmd.Refused(t, test.code, test.says, test.args...)
	}
}
