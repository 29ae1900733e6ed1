package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/third"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// withThird registers the made-up study, which has one table and nothing that a table does not need, in a copy of the
// tests' home.
func withThird(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(os.Getenv(store.HomeVariable))); err != nil {
		t.Fatal(err)
	}
	t.Setenv(store.HomeVariable, home)
	t.Cleanup(labs.Register(labs.Lab{Study: third.Study, Makers: third.Makers}))
}

// line is a command line, its exit code and a part of what it prints.
type line struct {
	code int
	says string
	args string // words, separated by spaces
}

// try executes a command line. If its exit code is not 0, it must print one line and nothing else.
func (l line) try(t *testing.T, more ...string) {
	t.Helper()
	args := append(strings.Fields(l.args), more...)
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%q panics: %v\n%s", args, r, debug.Stack())
		}
	}()
	code, stdout, stderr := cmd.Run(args...)
	switch {
	case code != l.code || !strings.Contains(stdout+stderr, l.says):
		t.Errorf("%q: exit %d, want %d with %q\n%s%s", args, code, l.code, l.says, stdout, stderr)
	case code != cli.ExitDone && code != cli.ExitCheck && (stdout != "" || strings.Count(stderr, "\n") != 1):
		t.Errorf("%q: prints more than one line:\n%s%s", args, stdout, stderr)
	case code == cli.ExitDone && slices.Contains(args, "json") && !json.Valid([]byte(stdout)):
		t.Errorf("%q: no JSON:\n%s", args, stdout)
	case code == cli.ExitDone && slices.Contains(args, "csv"):
		clitest.Lines(t, stdout)
	}
}

// A study that declares one table works with every verb. What it does not declare is one line and exit code 2.
func TestThird_EveryVerb(t *testing.T) {
	withThird(t)
	plan, err := third.Study.Plan(study.Request{Preset: "smoke"})
	if err != nil {
		t.Fatal(err)
	}
	key := string(plan.Ends()[0].Key())[:12]
	for _, l := range []line{
		{0, "12 runs, 12 missing", "run third --dry-run"},
		{0, "", "run third --method ascent"},
		{0, "9 runs, 0 missing", "run third --method ascent --dry-run"},
		{2, `there is no method "ascend" of third; do you mean "ascent"?`, "run third --method ascend"},
		{2, `there is no preset "mini" of third; it has smoke, quick`, "run third --preset mini"},
		{0, "12 runs, ", "run third"},
		{0, "8 runs, ", "run third --seeds 2"},
		{0, "unlearnlab run third", "run third --print slurm"},
		{0, "", "run third --shard 1/2"},

		{2, `third has no table "2"; its tables are 1, cost`, "table third 2"},
		{2, "the study third has no printed table 1", "table third 1 --printed"},
		{2, "--judged: this study has no text answers", "table third 1 --judged scores.csv"},
		{2, "--against needs a reproduced table", "table third cost --against Gold"},
		{2, "table 1 has no row \"gild\" to compare others with; do you mean \"Gold\"?", "table third 1 --against gild"},
		{0, "each row less Gold (smoke)", "table third 1 --against Gold"},
		{0, "each row less Original (smoke)", "table third 1 --against original"},
		{0, "each row less ascent at the same budget (smoke)", "table third 1 --against ascent"},
		{0, "each row less ascent/5x (smoke)", "table third 1 --against ASCENT/5x"},
		{0, "", "table third 1 --certified --numbers"},

		{0, "under-forgotten", "trace third 1 --row ascent/1x --column accuracy"},
		{2, "do you mean", "trace third 1 --row ascend/1x --column Accuracy"},
		{2, "third has no table \"2\" with cells to trace", "trace third 2 --row Gold --column Accuracy"},
		{2, "the study third has no figures", "figures third"},
		{2, "the study third has no figures", "figures third 1 --data"},
		{2, "the study third has no audit of printed numbers", "audit third"},
		{2, "the study third has no data and models to export", "data export third new"},
		{2, "the study third has no published data to import", "data import third ."},
		{2, "the study third has no training steps of a published size", "device cost third"},
		{0, "every byte the same", "verify " + key},
		{0, "every byte the same", "verify --paper third " + key},
		{0, "third has no guests", "evaluate third --list"},
		{2, "third has no guest \"mine\"", "evaluate third --remove mine"},
		{2, "the study third has no judge of models", "evaluate third --name mine --models . --world 0"},
		{2, "the study has a row Gold of its own", "evaluate third --name gold --scores scores.csv"},
		{2, "read scores.csv: ", "evaluate third --name mine --scores scores.csv"},
		{0, "", "report third --summary"},
	} {
		l.try(t)
	}
	for _, format := range report.Formats {
		for _, args := range []string{"table third 1", "table third 1 --certified", "table third 1 --against Gold",
			"table third cost", "claims third", "evaluate third --schema", "evaluate third --list"} {
			line{0, "", args + " --format " + format}.try(t)
		}
	}
	for _, args := range []string{"trace third 1 --row Gold --column Accuracy --json", "verify --json " + key} {
		line{0, `"`, args}.try(t)
	}
	folder := t.TempDir()
	for _, args := range []string{"run third --export ", "report third --out ", "report third --single ",
		"table third 1 --format eee --out ", "table third 1 --format hf --dataset owner/name --out "} {
		line{0, "", args + filepath.Join(folder, fmt.Sprint(len(args)))}.try(t)
	}
}

// Without a named preset, verbs use the largest that the study has, if it lacks the default.
func TestThird_NoPreset(t *testing.T) {
	withThird(t)
	t.Setenv(kernelext.PresetVariable, "")
	for _, l := range []line{{0, "third\n", "report third --summary"}, {0, "(quick)", "table third 1"},
		{0, "1 claim about 1 effect: 1 holds,", "claims third"}, {0, "number of the seed", "evaluate third --schema"},
		{2, "the study third has no figures", "figures third"}, {0, "20 runs, 0 missing", "run third --dry-run"}} {
		l.try(t)
	}
}

// bare is a study without any capability: its results can neither be compared nor traced.
var bare = &study.Study{Paper: "bare", Presets: third.Study.Presets, Repetitions: third.Study.Repetitions,
	Tables: third.Study.Tables, NewPlan: func(preset string, repetitions int) (*study.PresetPlan, error) {
		whole, err := third.Study.Plan(study.Request{Preset: preset, Repetitions: repetitions})
		if err != nil {
			return nil, err
		}
		return &study.PresetPlan{Plan: whole.Plan, Preset: preset,
			Read: func(s *store.Store, tables ...string) (study.Results, error) {
				r, err := whole.Read(s, tables...)
				return struct{ study.Results }{r}, err
			}}, nil
	}}

func TestThird_Bare(t *testing.T) {
	withThird(t)
	t.Cleanup(labs.Register(labs.Lab{Study: bare, Makers: third.Makers}))
	for _, l := range []line{{0, "", "run bare"}, {0, "", "table bare 1 --certified"}, {0, "", "claims bare"},
		{2, "the study bare has no choice of methods: no run has the label \"method\"", "run bare --method ascent"},
		{2, "the study bare has no form in which its results are published", "run bare --part --export new"},
		{2, "the study bare has no comparison of rows", "table bare 1 --against Gold"},
		{2, "the study bare has no record of how its cells are computed", "trace bare 1 --row Gold --column Accuracy"},
		{2, "the study bare has no place for models from elsewhere", "evaluate bare --list"},
		{2, "the study bare has no audit", "audit bare"}, {0, "bare\n", "report bare --summary"},
		{0, "", "report bare --single " + filepath.Join(t.TempDir(), "page.html")}, {0, "", "table bare cost --json"}} {
		l.try(t)
	}
}

// A file of scores is judged like the study's own rows.
func TestThird_Scores(t *testing.T) {
	withThird(t)
	folder := filepath.Join(t.TempDir(), "scores")
	line{0, "180 rows", "evaluate third --template"}.try(t, folder)
	path := filepath.Join(folder, "scores.csv")
	filled := strings.ReplaceAll(clitest.Read(t, path), "?", "1")
	clitest.Put(t, folder, "scores.csv", filled)
	line{0, "mine (guest)", "evaluate third --name mine --scores " + path}.try(t)
	line{0, "mine (guest)", "table third 1"}.try(t)
	line{0, "each row less mine (guest)", "table third 1 --against mine"}.try(t)
	line{0, "scores from elsewhere", "trace third 1 --row mine --column Accuracy"}.try(t)
	clitest.Put(t, folder, "scores.csv", strings.Replace(filled, ",1\n", ",2\n", 1))
	line{2, `2 is no number, from 0 to 1`, "evaluate third --name mine --scores " + path}.try(t)
}

// The other verbs, and the other papers, are as without the made-up study.
func TestThird_Others(t *testing.T) {
	withThird(t)
	line{0, "", "run third"}.try(t)
	lines := []line{
		{0, "third        1 cost", "table"}, {0, "", "claims"}, {0, "", "audit"}, {0, "", "data list"},
		{0, "", "data list --json"}, {0, "third", "report --summary"}, {2, "--data needs one figure", "figures --data"},
		{2, "expected salmu or remem or unslu and the folder", "data import"},
		{2, "the papers are salmu, remem, unslu, concealment, third", "run tofu"},
		{2, "there is no result", "verify 00000000"}, {0, "third", "__complete run t"},
		{0, "1\n", "__complete table third 1"},
		{0, "unlearnlab", "completion bash"},
	}
	for _, s := range papers.All {
		for _, args := range []string{"claims", "audit", "evaluate --schema", "evaluate --list", "run --dry-run",
			"report --summary", "table " + s.Tables[0].Name} {
			words := strings.SplitN(args+" ", " ", 2)
			code := 0
			if s == third.Study && words[0] == "audit" {
				code = cli.ExitUsage
			}
			lines = append(lines, line{code, "", words[0] + " " + s.Paper + " " + words[1]})
		}
		lines = append(lines, line{2, "", "device cost " + s.Paper + " --step nothing"},
			line{2, "", "figures " + s.Paper + " nothing"}, line{2, "", "table " + s.Paper + " nothing"})
	}
	for _, l := range lines {
		l.try(t)
	}
	for _, format := range []string{"csv", "json"} {
		for _, verb := range []string{"table", "claims", "audit"} {
			line{0, "", verb + " --format " + format}.try(t)
		}
	}
	for _, g := range groups() {
		for _, verb := range g.verbs {
			line{0, "Usage:", verb.Name() + " --help"}.try(t)
			for _, sub := range verb.Commands() {
				if !sub.Hidden {
					line{0, "Usage:", verb.Name() + " " + sub.Name() + " --help"}.try(t)
				}
			}
		}
	}
	if testing.Short() {
		return // the rest takes seconds: it draws all figures twice and reads every shipped file
	}
	for _, args := range []string{"data check --json", "doctor --json", "device list"} {
		line{0, "", args}.try(t)
	}
	for _, args := range []string{"report", "figures --format svg"} {
		line{0, "index.html", args + " --out " + t.TempDir()}.try(t)
	}
}

// Completion offers the study where a verb takes it, in shells and in the kernel.
func TestThird_Completion(t *testing.T) {
	withThird(t)
	o := offers()
	for _, test := range []struct {
		verb string
		args []string
		want string
		not  bool
	}{
		{"table", nil, "third", false}, {"table", []string{"third"}, "1", false},
		{"table", []string{"third"}, "cost", false}, {"trace", nil, "third", false},
		{"trace", []string{"third"}, "1", false},
		{"run", nil, "third", false}, {"claims", nil, "third", false}, {"evaluate", nil, "third", false},
		{"audit", nil, "third", true}, {"figures", nil, "third", true}, {"data", []string{"export"}, "third", true},
	} {
		offered := launcher.Arguments(o, test.verb, test.args)
		if slices.Contains(offered, test.want) == test.not {
			t.Errorf("%s %q offers %q", test.verb, test.args, offered)
		}
	}
}
