package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestStudyVerbs_WrongUsage(t *testing.T) {
	home := madeup.Home(t, salmu.Study)
	for _, test := range []struct{ says, line string }{
		{`there is no preset "tiny" of salmu; it has smoke, quick, mini`, "run salmu --preset tiny"},
		{`there is no preset "tiny"`, "table salmu 5 --preset tiny"},
		{`there is no preset "tiny"`, "figures salmu 6 --preset tiny"},
		{`there is no preset "tiny"`, "claims salmu --preset tiny"},
		{`there is no preset "tiny"`, "verify abc --preset tiny"},
		{`there is no method "delte"; do you mean delete?`, "run salmu --method delte"},
		{`there is no method "xyzzy"; there are generic, shuffled`, "run salmu --method delete,xyzzy"},
		{"--method: name unlearning methods", "run salmu --method="},
		{"--seeds 0: give a number of worlds or training seeds from 1 to 1000", "run salmu --seeds 0"},
		{"--seeds -1: give", "run salmu --seeds -1"},
		{"--seeds 5000: give", "run salmu --seeds 5000"},
		{`invalid argument "abc" for "--seeds" flag: invalid syntax`, "run salmu --seeds abc"},
		{"--workers -1: give", "run salmu --workers -1"},
		{"--certified needs a reproduced table: salmu 4, 5, 6", "table remem 2 --certified --printed"},
		{"--certified needs", "table salmu 5 --printed --certified"},
		{`salmu has no table "7"; its tables are evaluator`, "table salmu 7"},
		{`there is no preset "paper" of concealment; it has smoke, quick, mini`, "run concealment --preset paper"},
		{"--models is for salmu, remem, unslu: concealment has data of its own", "run concealment --models folder"},
		{`there is no method "esd"; do you mean esd-x?`, "run concealment --method esd"},
		{`there is no method "delete"; there are esd-x, ablating-model`, "run concealment --method delete"},
		{"--seeds 0: give", "run concealment --seeds 0"},
		{"--certified needs", "table concealment verdicts --certified"},
		{`concealment has no table "verdict"; do you mean verdicts?`, "table concealment verdict"},
		{`there is no figure "concealment 18"; the figures are concealment 1,`, "figures concealment 18"},
		{`there is no format "docx"`, "table concealment verdicts --format docx"},
		{`there is no method "dop"; did you mean "dpo"?`, "run remem --method dop"},
		{`there is no paper "tofu"`, "verify abc --paper tofu"},
		{`there is no result "abcdefg"`, "verify abcdefg"},
		{"; give more of the key", "verify " + commonBeginning(t)},
		{"/nowhere/", "verify /nowhere/" + string(salmu.NewPlan(salmu.Smoke()).Ends()[0].Key())},
	} {
		cmd.Refused(t, cli.ExitUsage, test.says, append(strings.Fields(test.line), "--home", home)...)
	}
	fresh := filepath.Join(t.TempDir(), "home")
	cmd.Refused(t, cli.ExitUsage, `device "abacus" is not known: go,`, "run", "salmu", "--device", "abacus", "--home",
		fresh)
}

// commonBeginning returns a digit with which at least two run keys begin.
func commonBeginning(t *testing.T) string {
	seen := map[string]bool{}
	for _, run := range salmu.NewPlan(salmu.Smoke()).Runs() {
		first := string(run.Key()[:1])
		if seen[first] {
			return first
		}
		seen[first] = true
	}
	t.Fatal("no two keys begin alike")
	return ""
}

// With --method, run lists the method's runs and the runs that they need.
func TestRun_Method(t *testing.T) {
	home := t.TempDir()
	listed := cmd.Succeed(t, "run", "salmu", "--method", "delete", "--dry-run", "--home", home)
	if !strings.HasSuffix(listed, "\n7 runs, 7 missing\n") || !strings.Contains(listed, "world 0: DELETE") ||
		strings.Contains(listed, "CLIPERase") {
		t.Errorf(`got %v, want %q at its end, "world 0: DELETE" in it, no "CLIPERase"`,
			listed, "\n7 runs, 7 missing\n")
	}
}

// A run whose artifact was removed but whose results remain is listed as absent, not as missing.
func TestRun_AbsentArtifact(t *testing.T) {
	home := madeup.Home(t, salmu.Study)
	base := salmu.NewPlan(salmu.Smoke()).Runs()[0]
	if err := os.RemoveAll(filepath.Join(home, "artifacts", string(base.Key()[:2]), string(base.Key()))); err != nil {
		t.Fatal(err)
	}
	listed := cmd.Succeed(t, "run", "salmu", "--dry-run", "--home", home)
	if strings.Count(listed, "absent") != 1 || !strings.HasPrefix(listed, "absent ") ||
		!strings.Contains(listed, ", 0 missing\n") {
		t.Errorf(`got %v, want "absent" 1 times, "absent " at its beginning, %q in it`, listed, ", 0 missing\n")
	}
}

// Commands reject a home that is a file or that holds foreign files. Commands that would compute reject one that cannot
// be made.
func TestHome_Refused(t *testing.T) {
	folder := t.TempDir()
	file, foreign := filepath.Join(folder, "file"), filepath.Join(folder, "foreign")
	if err := os.WriteFile(file, []byte("letter"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(file, "below")
	for home, says := range map[string]string{file: "not a directory", below: "not a directory", foreign: `"letter.txt"`} {
		for _, line := range []string{"run salmu", "table salmu 5", "figures salmu 6 --data", "claims salmu",
			"run salmu --dry-run", "verify abc"} {
			if home == below && (line == "run salmu --dry-run" || line == "verify abc") {
				continue // they only read
			}
			cmd.Refused(t, cli.ExitFailed, says, append(strings.Fields(line), "--home", home)...)
		}
	}
	if letter, err := os.ReadFile(file); err != nil || string(letter) != "letter" {
		t.Errorf("the file is %q now, %v", letter, err)
	}
	if entries, err := os.ReadDir(foreign); err != nil || len(entries) != 1 {
		t.Errorf("%v in a folder of others, %v", entries, err)
	}
}

func TestScores_Damaged(t *testing.T) {
	run := salmu.NewPlan(salmu.Smoke()).Worlds[0].Methods[2]
	for says, damage := range map[string]func(content []byte) []byte{
		"its SHA-256 is":    func(content []byte) []byte { content[len(content)/2] ^= 1; return content },
		"it has 1000 bytes": func(content []byte) []byte { return content[:1000] },
	} {
		home := madeup.Home(t, salmu.Study)
		scores := filepath.Join(home, "artifacts", string(run.Key()[:2]), string(run.Key()), salmu.ScoresFile(5))
		damaged := damage([]byte(clitest.Read(t, scores)))
		if err := os.Chmod(scores, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(scores, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"run salmu", "run salmu --dry-run", "table salmu 5", "figures salmu 8 --data",
			"claims salmu", "verify " + string(run.Key())} {
			cmd.Refused(t, cli.ExitFailed, "is damaged: "+salmu.ScoresFile(5)+": "+says,
				append(strings.Fields(line), "--home", home)...)
		}
	}
}

// The made-up model cannot be loaded, so its scores can be neither confirmed nor refuted.
func TestVerify_CannotRepeat(t *testing.T) {
	home := madeup.Home(t, salmu.Study)
	key := string(salmu.NewPlan(salmu.Smoke()).Worlds[0].Clean.Key())
	code, stdout, stderr := cmd.Run("verify", key, "--home", home)
	if code != cli.ExitFailed || stdout != "" || !strings.Contains(stderr, "config.json") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	base := string(salmu.NewPlan(salmu.Smoke()).Runs()[0].Key())
	if code, stdout, stderr = cmd.Run("verify", base, "--home", home); code != cli.ExitCheck ||
		!strings.Contains(stdout, "world 0: Clean, training: ") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}

// An interrupted command reports the state of its results and leaves no temporary folder.
func TestInterrupt_LeavesNoFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system where one process can interrupt another")
	}
	plan, _ := smoke(t)
	made, pages := os.Getenv(store.HomeVariable), filepath.Join(t.TempDir(), "report")
	for _, test := range []struct {
		says string
		code int
		args []string
	}{
		{"unlearnlab: interrupted; finished results are kept, and the same command continues\n", cli.ExitLater,
			[]string{"run", "salmu", "--home", t.TempDir()}},
		{"unlearnlab: interrupted; finished results are kept, and the same command continues\n", cli.ExitLater,
			[]string{"table", "salmu", "5", "--home", t.TempDir()}},
		{"unlearnlab: interrupted; the result is neither confirmed nor refuted\n", cli.ExitFailed,
			[]string{"verify", string(plan.Runs()[0].Key()), "--home", made}},
		{"unlearnlab: interrupted; nothing is written, and the same command continues\n", cli.ExitLater,
			[]string{"report", "--preset", "mini", "--out", pages}},
	} {
		temporary := t.TempDir()
		c := exec.Command(os.Args[0], test.args...)
		c.Env = append(os.Environ(), clitest.AsCommand+"=1", "TMPDIR="+temporary)
		var stdout strings.Builder
		c.Stdout = &stdout
		stderr, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		said, last := bufio.NewReader(stderr), ""
		for line, err := said.ReadString('\n'); err == nil; line, err = said.ReadString('\n') {
			if last = line; strings.HasPrefix(line, "computing on") || strings.HasPrefix(line, "reading") {
				if err := c.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
			}
		}
		c.Wait()
		if c.ProcessState.ExitCode() != test.code || last != test.says || stdout.String() != "" {
			t.Errorf("%v: exit %d\n%s%s", test.args, c.ProcessState.ExitCode(), stdout.String(), last)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) != 0 {
			t.Errorf("%v: %v is left, %v", test.args, left, err)
		}
	}
	if _, err := os.Stat(pages); !os.IsNotExist(err) {
		t.Errorf("an interrupted report leaves its folder: %v", err)
	}
}
