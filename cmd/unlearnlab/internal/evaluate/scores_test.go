package evaluate

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// smoke opens the study and the store with its made-up results.
func smoke(t *testing.T, paper string) (*study.PresetPlan, *store.Store) {
	t.Helper()
	s := papers.Of(paper)
	plan, err := s.Plan(study.Request{Preset: preset.Smoke})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := s.OpenStore(os.Getenv(store.HomeVariable))
	if err != nil {
		t.Fatal(err)
	}
	return plan, opened
}

// scores returns a score file's rows, header first. They copy the scores of the study's model that supplies the
// examples, for every repetition and part.
func scores(t *testing.T, paper string) [][]string {
	t.Helper()
	plan, opened := smoke(t, paper)
	noun := plan.Host.Layout.Repetitions.Singular
	header := []string{noun[strings.LastIndex(noun, " ")+1:]}
	parts := []string{""}
	if plan.Host.Parts != nil {
		header, parts = append(header, "part"), plan.Host.Parts
	}
	for _, f := range plan.Host.Layout.Fields {
		header = append(header, f.Name)
	}
	rows := [][]string{header}
	for repetition := range plan.Host.Repetitions {
		for _, part := range parts {
			run, file := plan.Host.Examples(guest.Part{Repetition: repetition, Of: part})
			artifact, err := opened.Get(run.Key())
			if err != nil {
				t.Fatal(err)
			}
			frame, err := artifact.ReadTable(file)
			if err != nil {
				t.Fatal(err)
			}
			for row := range frame.Rows() {
				line := []string{fmt.Sprint(repetition)}
				if part != "" {
					line = append(line, part)
				}
				for _, f := range plan.Host.Layout.Fields {
					switch c := frame.Column(f.Name); {
					case f.Words:
						line = append(line, c.Texts[row])
					case c.Values[row] != c.Values[row]:
						line = append(line, "")
					default:
						line = append(line, strconv.FormatFloat(c.Values[row], 'g', -1, 64))
					}
				}
				rows = append(rows, line)
			}
		}
	}
	return rows
}

// written writes rows to a CSV file and returns its path.
func written(t *testing.T, rows [][]string) string {
	t.Helper()
	var text bytes.Buffer
	if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return clitest.File(t, "scores.csv", text.String())
}

// kept lists the files of artifacts and guests in the home folder.
func kept(t *testing.T) (all []string) {
	t.Helper()
	home := os.Getenv(store.HomeVariable)
	for _, folder := range []string{"artifacts", "guests"} {
		err := filepath.WalkDir(filepath.Join(home, folder), func(path string, _ fs.DirEntry, err error) error {
			if err == nil {
				all = append(all, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestScores_Row(t *testing.T) {
	for _, test := range []struct{ paper, table, row, column, run string }{
		{"salmu", "5", "mine (guest)", "RetFail", "world 0: mine, scores from elsewhere"},
		{"unslu", "1", "FSC/wav2vec 2.0/mine (guest)", "F1_T", "world 0: mine, scores from elsewhere"},
	} {
		t.Run(test.paper, func(t *testing.T) {
			certified := func() string {
				return cmd.Succeed(t, "table", test.paper, test.table, "--certified", "--numbers", "--format", "csv")
			}
			before, rows := certified(), scores(t, test.paper)
			slices.Reverse(rows[1:]) // rows may come in any order
			path := written(t, rows)
			code, shown, stderr := cmd.Run("evaluate", test.paper, "--name", "mine", "--scores", path)
			if code != 0 || !strings.Contains(shown, "mine (guest)") || strings.Contains(shown, "NG") {
				t.Fatalf("exit %d\n%s%s", code, shown, stderr)
			}
			var others []string
			for line := range strings.Lines(certified()) {
				if !strings.Contains(line, "mine (guest)") {
					others = append(others, line)
				}
			}
			if got := strings.Join(others, ""); got != before {
				t.Errorf("a guest changes the other rows:\n%s\nwere\n%s", got, before)
			}
			if list := cmd.Succeed(t, "evaluate", test.paper, "--list", "--format", "csv"); !strings.Contains(list,
				"mine,smoke,0,") {
				t.Errorf("the list is %s", list)
			}
			traced := cmd.Succeed(t, "trace", test.paper, test.table, "--row", test.row, "--column", test.column)
			if !strings.Contains(traced, test.run) {
				t.Errorf("the trace is %s", traced)
			}
			out := t.TempDir()
			cmd.Succeed(t, "report", test.paper, "--preset", "smoke", "--out", out)
			page := clitest.Read(t, filepath.Join(out, test.paper+".html"))
			if !strings.Contains(page, `">`+test.row+`</a></th>`) {
				t.Error("the page has no row of the guest with a link to its run")
			}
			cmd.Succeed(t, "evaluate", test.paper, "--remove", "mine")
			if again := certified(); again != before {
				t.Errorf("after its removal a guest leaves %s", again)
			}
		})
	}
}

func TestScores_Claims(t *testing.T) {
	path := written(t, scores(t, "salmu"))
	code, shown, stderr := cmd.Run("evaluate", "salmu", "--name", "mine", "--scores", path)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	if found := cmd.Succeed(t, "claims", "salmu"); !strings.Contains(found, "mine (guest) reaches Clean's RetFail") {
		t.Errorf("no claim is about the guest:\n%s", found)
	}
	picture := filepath.Join(t.TempDir(), "budgets.png")
	if code, _, stderr := cmd.Run("figures", "salmu", "budgets", "--out", picture); code != 0 {
		t.Errorf("figures: exit %d\n%s", code, stderr)
	}
	clitest.CompareCell(t, `kx.Evaluate("salmu", "mine", "`+path+`")`, shown)
	cmd.Succeed(t, "evaluate", "salmu", "--remove", "mine")
}

func TestScores_Refused(t *testing.T) {
	rows := scores(t, "salmu")
	at := func(column string) int { return slices.Index(rows[0], column) }
	changed := func(change func(rows [][]string) [][]string) string {
		own := make([][]string, len(rows))
		for i := range rows {
			own[i] = slices.Clone(rows[i])
		}
		return written(t, change(own))
	}
	set := func(row int, column, text string) string {
		return changed(func(rows [][]string) [][]string {
			rows[row][at(column)] = text
			return rows
		})
	}
	before := kept(t)
	for _, test := range []struct{ path, says string }{
		{changed(func(rows [][]string) [][]string { return append(rows, rows[3]) }),
			fmt.Sprintf(`line %d, column "id": "forget_identity-2" is already in line 4`, len(rows)+1)},
		{set(3, "id", "somebody"), `line 4, column "id": "somebody" with split forget_identity, identity 2 is none of the ` +
			`examples of world 0; score the rows of the exported data`},
		{set(3, "world", "7"), `line 4, column "world": "7" is no world of the preset; give a number from 0 to 0`},
		{set(3, "cosine", "much"), `line 4, column "cosine": "much" is not a number`},
		{set(3, "cosine", "1.5"), `line 4, column "cosine": 1.5 is no number, from -1 to 1`},
		{set(3, "cosine", "+Inf"), `line 4, column "cosine": +Inf is not finite`},
		{set(3, "rank", "0.5"), `line 4, column "rank": 0.5 is no whole number, at least 1`},
		{set(3, "rank", ""), `line 4, column "rank": the score is missing`},
		{set(len(rows)-1, "rank", "1"), `column "rank": 1 is given, but no model has this score for this row`},
		{set(0, "cosine", "cosines"), `line 1: the column "cosine" is missing`},
		{changed(func(rows [][]string) [][]string { return rows[:len(rows)-2] }),
			fmt.Sprintf("2 of the %d examples of world 0 are missing, the first is object_test-18 of object_test", len(rows)-1)},
		{changed(func(rows [][]string) [][]string {
			for i := range rows {
				rows[i] = append(rows[i], "x")
			}
			return rows
		}), `line 1: no column is named "x"; remove it`},
		{clitest.File(t, "scores.txt", "id"), "its ending is none of"},
		{filepath.Join(t.TempDir(), "none.csv"), "none.csv: no such file"},
	} {
		cmd.Refused(t, cli.ExitUsage, test.says, "evaluate", "salmu", "--name", "mine", "--scores", test.path)
	}
	if after := kept(t); !slices.Equal(before, after) {
		t.Errorf("refused scores leave %d files, there were %d", len(after), len(before))
	}
}

func TestSchema(t *testing.T) {
	shown := cmd.Succeed(t, "evaluate", "salmu", "--schema", "--format", "csv")
	for _, want := range []string{"world,whole number", "rank,\"whole number, at least 1\"", "cosine,\"number, from -1 to 1\""} {
		if !strings.Contains(shown, want) {
			t.Errorf("the schema lacks %q:\n%s", want, shown)
		}
	}
}
