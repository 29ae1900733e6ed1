package evaluate

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
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

// scores returns the rows of the study's table of scores, with a header. They repeat the scores of the models on whose
// examples guests are scored, in every repetition, and in every part of it.
func scores(t *testing.T, paper, table string) [][]string {
	t.Helper()
	plan, opened := smoke(t, paper)
	h := plan.Host
	of := h.Scores[slices.IndexFunc(h.Scores, func(s study.ScoreTable) bool { return s.Name == table })]
	noun := of.Repetitions.Singular
	header, parts := []string{noun[strings.LastIndex(noun, " ")+1:]}, []string{""}
	if h.Parts != nil {
		header, parts = append(header, h.PartColumn), h.Parts
	}
	if of.Case != "" {
		header = append(header, of.Case)
	}
	first := len(header)
	for _, f := range of.Fields {
		if _, own := of.Bounds[f.Name]; own {
			header = append(header, f.Name)
		}
	}
	rows := [][]string{header}
	for repetition := range h.Repetitions {
		for _, part := range parts {
			for _, source := range of.Sources(guest.Part{Repetition: repetition, Of: part}) {
				artifact, err := opened.Get(source.Run.Key())
				if err != nil {
					t.Fatal(err)
				}
				frame, err := artifact.ReadTable(source.File)
				if err != nil {
					t.Fatal(err)
				}
				line := []string{fmt.Sprint(repetition)}
				if part != "" {
					line = append(line, part)
				}
				if of.Case != "" {
					line = append(line, source.Case)
				}
				for row := range frame.Rows() {
					rows = append(rows, append(slices.Clone(line), cells(frame, row, header[first:])...))
				}
			}
		}
	}
	return rows
}

// cells returns the cells of some columns as text.
func cells(frame *safefile.Frame, row int, columns []string) (texts []string) {
	for _, name := range columns {
		switch c := frame.Column(name); {
		case c.Texts != nil:
			texts = append(texts, c.Texts[row])
		case c.Values[row] != c.Values[row]:
			texts = append(texts, "")
		default:
			texts = append(texts, strconv.FormatFloat(c.Values[row], 'g', -1, 64))
		}
	}
	return texts
}

// written writes tables as CSV into a folder and returns its path.
func written(t *testing.T, tables map[string][][]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, rows := range tables {
		var text bytes.Buffer
		if err := csv.NewWriter(&text).WriteAll(rows); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name+".csv"), text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// writtenFile is like written for a study with one table. It returns the path of the file.
func writtenFile(t *testing.T, rows [][]string) string {
	return filepath.Join(written(t, map[string][][]string{"scores": rows}), "scores.csv")
}

// tables returns the rows of all tables of scores that a guest brings.
func tables(t *testing.T, paper string) map[string][][]string {
	t.Helper()
	plan, _ := smoke(t, paper)
	all := map[string][][]string{}
	for _, table := range plan.Host.Scores {
		if len(table.Bounds) > 0 {
			if rows := scores(t, paper, table.Name); len(rows) > 1 {
				all[table.Name] = rows
			}
		}
	}
	return all
}

// kept lists the files of artifacts and guests in the home folder.
func kept(t *testing.T) (all []string) {
	t.Helper()
	home := os.Getenv(store.HomeVariable)
	for _, folder := range []string{"artifacts", "guests"} {
		err := filepath.WalkDir(filepath.Join(home, folder), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
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
		{"unslu", "1", "FSC/wav2vec 2.0/mine (guest)", "F1_T", "world 0, FSC/wav2vec 2.0: mine, scores from elsewhere"},
		{"remem", "2", "S/mine (guest)", "Single-hop/EM_f", "world 0, S: mine, scores from elsewhere"},
		{"concealment", "1", "Starry Night by Van Gogh/mine (guest)", "CCS",
			"training seed 0, Van Gogh: mine, scores from elsewhere, pictures (attack Starry Night by Van Gogh)"},
	} {
		t.Run(test.paper, func(t *testing.T) {
			certified := func() string {
				return cmd.Succeed(t, "table", test.paper, test.table, "--certified", "--numbers", "--format", "csv")
			}
			before, all := certified(), tables(t, test.paper)
			for _, rows := range all {
				slices.Reverse(rows[1:]) // rows may come in any order
			}
			path := written(t, all)
			code, shown, stderr := cmd.Run("evaluate", test.paper, "--name", "mine", "--scores", path)
			if code != 0 || !strings.Contains(shown, "mine (guest)") || strings.Contains(shown, "NG") {
				t.Fatalf("exit %d\n%s%s", code, shown, stderr)
			}
			_, shown, _ = cmd.Run("evaluate", test.paper, "--name", "mine", "--scores", path, "--json")
			records := clitest.Records(t, shown)
			if records[0]["table"] == nil || !strings.Contains(fmt.Sprint(records[0]["row"]), "mine (guest)") {
				t.Errorf("the first record is %v", records[0])
			}
			_, shown, _ = cmd.Run("evaluate", test.paper, "--name", "mine", "--scores", path, "--format", "csv")
			lines := clitest.Lines(t, shown)
			if len(lines) != len(records) || lines[0]["table"] != records[0]["table"] {
				t.Errorf("%d lines of CSV, %d records, the first lines are of %q", len(lines), len(records), lines[0]["table"])
			}
			if err := clitest.Numbers(lines, "estimate", "lo", "hi", "p", "p_adjusted", "n", "seeds"); err != nil {
				t.Error(err)
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

// A guest is in the claims and figures of every study, and the paper's claims are counted without it.
func TestScores_Claims(t *testing.T) {
	for _, test := range []struct{ paper, claim, figure string }{
		{"salmu", "mine (guest) reaches Clean's RetFail", "budgets"},
		{"unslu", "mine (guest) is nearer to gold under the attack than CF-k and UNSIR on FSC/wav2vec 2.0", "table1"},
		{"remem", "mine (guest) leaves Exposure above that of a model that never learnt, S", "exposure"},
		{"concealment", "mine (guest) of Van Gogh conceals: below ψ .55", "recovery"},
	} {
		t.Run(test.paper, func(t *testing.T) {
			counts := func() string {
				text := cmd.Succeed(t, "claims", test.paper, "--format", "md")
				found := regexp.MustCompile(`\d+ claims[^.]*: [^.]* untestable`).FindString(text)
				if found == "" {
					t.Fatalf("the claims are not counted:\n%s", text)
				}
				return found
			}
			before := counts()
			path := written(t, tables(t, test.paper))
			code, _, stderr := cmd.Run("evaluate", test.paper, "--name", "mine", "--scores", path)
			if code != 0 {
				t.Fatalf("exit %d\n%s", code, stderr)
			}
			if found := cmd.Succeed(t, "claims", test.paper); !strings.Contains(found, test.claim) {
				t.Errorf("no claim is about the guest:\n%s", found)
			}
			if after := counts(); after != before {
				t.Errorf("with a guest %q, without %q", after, before)
			}
			if code, _, stderr := cmd.Run("figures", test.paper, test.figure, "--out", t.TempDir()); code != 0 {
				t.Errorf("figures: exit %d\n%s", code, stderr)
			}
			cmd.Succeed(t, "evaluate", test.paper, "--remove", "mine")
		})
	}
}

func TestScores_Cell(t *testing.T) {
	integration.Test(t, "runs a cell as a program")
	path := writtenFile(t, scores(t, "salmu", "scores"))
	code, shown, stderr := cmd.Run("evaluate", "salmu", "--name", "mine", "--scores", path)
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	clitest.CompareCell(t, `kx.Evaluate("salmu", "mine", "`+path+`")`, shown)
	cmd.Succeed(t, "evaluate", "salmu", "--remove", "mine")
}

func TestScores_Refused(t *testing.T) {
	rows := scores(t, "salmu", "scores")
	at := func(column string) int { return slices.Index(rows[0], column) }
	changed := func(change func(rows [][]string) [][]string) string {
		own := make([][]string, len(rows))
		for i := range rows {
			own[i] = slices.Clone(rows[i])
		}
		return writtenFile(t, change(own))
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
			fmt.Sprintf(`line %d, column "id": "forget_identity-2" with split forget_identity, identity 2 is already in `+
				`line 4`, len(rows)+1)},
		{set(3, "id", "somebody"), `line 4, column "id": "somebody" with split forget_identity, identity 2 is not ` +
			`among the examples of world 0; score exactly the rows of the exported data`},
		{set(3, "world", "7"), `line 4, column "world": "7" is no world of the preset; give a number from 0 to 0`},
		{set(3, "split", "forget"), `line 4, column "split": "forget" is no split of the examples; give one of ` +
			`forget_association, forget_identity, `},
		{set(3, "cosine", "?"), `line 4, column "cosine": the template's ? is not filled in`},
		{set(3, "cosine", "much"), `line 4, column "cosine": "much" is not a number`},
		{set(3, "cosine", "1.5"), `line 4, column "cosine": 1.5 is no number, from -1 to 1`},
		{set(3, "cosine", "+Inf"), `line 4, column "cosine": +Inf is not finite`},
		{set(3, "rank", "0.5"), `line 4, column "rank": 0.5 is no whole number, from 1 to 21`},
		{set(3, "rank", "22"), `line 4, column "rank": 22 is no whole number, from 1 to 21`},
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
		{clitest.File(t, "scores.txt", "id"), "its ending must be one of"},
		{filepath.Join(t.TempDir(), "none.csv"), "none.csv: no such file"},
	} {
		cmd.Refused(t, cli.ExitUsage, test.says, "evaluate", "salmu", "--name", "mine", "--scores", test.path)
	}
	if after := kept(t); !slices.Equal(before, after) {
		t.Errorf("refused scores leave %d files, there were %d", len(after), len(before))
	}
}

// changed returns the study's tables with one cell changed.
func changed(t *testing.T, paper, table string, row int, column, text string) map[string][][]string {
	t.Helper()
	all := tables(t, paper)
	rows := all[table]
	rows[row][slices.Index(rows[0], column)] = text
	return all
}

func TestScores_RefusedFolders(t *testing.T) {
	without := func(paper, table string) map[string][][]string {
		all := tables(t, paper)
		delete(all, table)
		return all
	}
	answers := tables(t, "remem")
	answers["answers"] = append(answers["answers"], answers["answers"][1])
	short := tables(t, "concealment")
	short["pictures"] = short["pictures"][:len(short["pictures"])-1]
	misspelt := without("remem", "secrets")
	misspelt["secret"] = tables(t, "remem")["secrets"]
	before := kept(t)
	for _, test := range []struct {
		paper  string
		tables map[string][][]string
		says   string
	}{
		{"remem", without("remem", "answers"), "there is no answers.csv, .tsv or .parquet; give a folder with the tables " +
			"answers, secrets (optional), relearnt (optional)"},
		{"remem", misspelt, `secret.csv: no table of scores is named "secret"; rename the file`},
		{"remem", answers, `is already in line 2; give each of the answers once`},
		{"remem", changed(t, "remem", "answers", 1, "id", "somebody"),
			`answers.csv, line 2, column "id": "somebody" with part `},
		{"remem", changed(t, "remem", "answers", 1, "size", "XXL"),
			`column "size": "XXL" is no size of the study; give one of`},
		{"remem", changed(t, "remem", "answers", 1, "log_prob", ".5"),
			`column "log_prob": .5 is no number, at most 0`},
		{"remem", changed(t, "remem", "secrets", 1, "rank", "9999"),
			`secrets.csv, line 2, column "rank": 9999 is no whole number`},
		{"concealment", without("concealment", "fitted"), "there is no fitted.csv, .tsv or .parquet"},
		{"concealment", short, "1 of the "},
		{"concealment", changed(t, "concealment", "pictures", 1, "attack", "Mona Lisa"),
			`pictures.csv, line 2, column "attack": the study has no "Mona Lisa"; give one of `},
		{"concealment", changed(t, "concealment", "views", 1, "style", "7"),
			`views.csv, line 2, column "style": 7 is no whole number, from 0 to 4`},
		{"concealment", changed(t, "concealment", "distances", 1, "kid", "NaN"), `column "kid": the score is missing`},
		{"concealment", changed(t, "concealment", "fitted", 0, "training", "trained"),
			`line 1: the column "training" is missing`},
	} {
		folder := written(t, test.tables)
		cmd.Refused(t, cli.ExitUsage, test.says, "evaluate", test.paper, "--name", "mine", "--scores", folder)
	}
	one := filepath.Join(written(t, tables(t, "concealment")), "views.csv")
	cmd.Refused(t, cli.ExitUsage, "there is no pictures.csv", "evaluate", "concealment", "--name", "mine", "--scores", one)
	if after := kept(t); !slices.Equal(before, after) {
		t.Errorf("refused scores leave %d files, there were %d", len(after), len(before))
	}
}

// A file of answers alone is enough for ReMem. Cells that need other tables are empty.
func TestScores_AnswersAlone(t *testing.T) {
	path := filepath.Join(written(t, tables(t, "remem")), "answers.csv")
	code, shown, stderr := cmd.Run("evaluate", "remem", "--name", "mine", "--scores", path, "--format", "csv")
	if code != 0 {
		t.Fatalf("exit %d\n%s", code, stderr)
	}
	t.Cleanup(func() { cmd.Succeed(t, "evaluate", "remem", "--remove", "mine") })
	if !strings.Contains(shown, "mine (guest)") {
		t.Errorf("no row in\n%s", shown)
	}
	verdicts := cmd.Succeed(t, "table", "remem", "verdicts", "--format", "csv")
	if !strings.Contains(verdicts, "mine (guest)") {
		t.Errorf("no verdict in\n%s", verdicts)
	}
}

// A template has the columns and rows of right scores, in the same order. Scores to fill in are marked or, if they are
// texts, empty.
func TestTemplate(t *testing.T) {
	for _, paper := range []string{"salmu", "unslu", "remem", "concealment"} {
		folder := filepath.Join(t.TempDir(), "template")
		cmd.Succeed(t, "evaluate", paper, "--template", folder)
		for name, want := range tables(t, paper) {
			got, err := csv.NewReader(strings.NewReader(clitest.Read(t, filepath.Join(folder, name+".csv")))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(want) || !slices.Equal(got[0], want[0]) {
				t.Errorf("%s, %s: %d rows of %v, want %d of %v", paper, name, len(got), got[0], len(want), want[0])
				continue
			}
			toFill := 0
			isText := func(score string) bool { _, err := strconv.ParseFloat(score, 64); return err != nil }
			for row := range got {
				for column, text := range got[row] {
					switch {
					case text == "?" && !isText(want[row][column]),
						text == "" && (isText(want[row][column]) || paper == "remem"): // which may leave out some numbers
						toFill++
					case text != want[row][column]:
						t.Fatalf("%s, %s, row %d: %s is %q, want %q", paper, name, row, got[0][column], text, want[row][column])
					}
				}
			}
			if toFill == 0 {
				t.Errorf("%s, %s: there is no score to fill in", paper, name)
			}
		}
		cmd.Refused(t, cli.ExitUsage, "the folder is not empty, name a new one", "evaluate", paper, "--template", folder)
	}
}

func TestSchema(t *testing.T) {
	for _, test := range []struct {
		paper string
		has   []string
	}{
		{"salmu", []string{"world,whole number", "rank,\"whole number, at least 1\"", "cosine,\"number, from -1 to 1\""}},
		{"unslu", []string{"part,text", "predicted,\"whole number, at least 0\""}},
		{"remem", []string{"answers/size,text", "answers/output,text", "relearnt/passes,text,\"one of 0, "}},
		{"concealment", []string{"views/seed,whole number", "views/style,\"whole number, from 0 to 4\"",
			"pictures/attack,text", "fitted/validation,\"number, from 0 to 1\""}},
	} {
		shown := cmd.Succeed(t, "evaluate", test.paper, "--schema", "--format", "csv")
		for _, want := range test.has {
			if !strings.Contains(shown, want) {
				t.Errorf("%s: the schema lacks %q:\n%s", test.paper, want, shown)
			}
		}
	}
}
