package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/attack"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
)

func TestCompletion_Offers(t *testing.T) {
	o := offers()
	for _, test := range o.Tests {
		if _, _, stderr := cmd.Run("stat", test, "nowhere.csv"); strings.Contains(stderr, "there is no test") {
			t.Error(stderr)
		}
	}
	for _, name := range o.Attacks {
		if found, _, err := attack.Command().Find([]string{name}); err != nil || found.Name() != name {
			t.Errorf("there is no attack %s: %v", name, err)
		}
	}
	for _, paper := range o.Studies {
		if err := studies.CheckPaper(paper); err != nil {
			t.Error(err)
		}
	}
	for _, table := range o.Tables {
		if !studies.IsFurther(table.Paper, table.Name) {
			t.Errorf("there is no table %s %s", table.Paper, table.Name)
		}
	}
	for _, table := range o.Made {
		if !studies.IsReproduced(table.Paper, table.Name) {
			t.Errorf("nothing makes table %s %s again", table.Paper, table.Name)
		}
	}
	for _, figure := range o.Figures {
		_, _, stderr := cmd.Run("figures", figure.Paper, figure.Name, "--format", "gif")
		if !strings.Contains(stderr, "there is no format") {
			t.Error(stderr)
		}
	}
	if len(o.Tests)*len(o.Attacks)*len(o.Studies)*len(o.Tables)*len(o.Made)*len(o.Figures) == 0 {
		t.Errorf("something is never offered: %+v", o)
	}
}

func TestCompletion_ShellEqualsNotebook(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("scores.csv", []byte("id,ours,gold\na,1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
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
		"stat ks scores.csv --x |":   "id ours gold",
		"stat ks scores.csv --y go|": "gold",
		"model |":                    "inspect",
		"table salmu 5 --certified|": "--certified",
	} {
		words := append([]string{"__complete"}, strings.Fields(strings.TrimSuffix(line, "|"))...)
		if strings.HasSuffix(line, " |") {
			words = append(words, "")
		}
		code, got, stderr := cmd.Run(words...) // stderr describes the completion directive
		if code != cli.ExitDone {
			t.Errorf("%s: exit %d, %s", line, code, stderr)
		}
		for name := range strings.FieldsSeq(want) {
			if !strings.Contains("\n"+got, "\n"+name+"\n") && !strings.Contains("\n"+got, "\n"+name+"\t") {
				t.Errorf("%s: no %q among\n%s", line, name, got)
			}
		}
	}
}

// Completion works in a bash without the package bash-completion.
func TestCompletion_BareShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("needs bash")
	}
	folder := t.TempDir()
	// A fake unlearnlab records its arguments and prints completions.
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
	output, err := shell.Output() // bash warns on stderr that no Tab was pressed
	if err != nil || string(output) != "evaluator 5\n" {
		t.Errorf("got %v %s, want string(output) %q", err, output, "evaluator 5\n")
	}
	if asked, err := os.ReadFile(filepath.Join(folder, "asked")); err != nil || !strings.HasPrefix(string(asked),
		"__complete table salmu") {
		t.Errorf(`got %v %s, want "__complete table salmu" at its beginning`, err, asked)
	}
	for _, other := range shells[1:] {
		if script := cmd.Succeed(t, "completion", other); !strings.Contains(script, "unlearnlab") {
			t.Errorf(`%s: got %s, want "unlearnlab" in it`, other, script)
		}
	}
	cmd.Refused(t, cli.ExitUsage, "there is no completion for \"csh\"", "completion", "csh")
}
