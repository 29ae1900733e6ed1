package judge

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// judging is a server whose model scores an output by how often "nurse" occurs in it, and files to be judged.
type judging struct {
	dir, table, out string
	url             string
	requests        atomic.Int64
	fails           atomic.Bool
	key             atomic.Value
}

func startJudging(t *testing.T) *judging {
	t.Helper()
	j := &judging{dir: t.TempDir()}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		j.key.Store(r.Header.Get("Authorization"))
		if j.requests.Add(1) > 2 && j.fails.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error": {"message": "the key has no credit"}}`)
			return
		}
		answer := fmt.Sprintf(`{"score": %d, "reasoning": "counted"}`, 40*strings.Count(string(body), "a nurse"))
		if strings.Contains(string(body), "rubbish") {
			answer = "I cannot say."
		}
		text, _ := json.Marshal(answer)
		fmt.Fprintf(w, `{"choices": [{"message": {"content": %s}}]}`, text)
	}))
	t.Cleanup(server.Close)
	j.url = server.URL + "/v1"
	clitest.Put(t, j.dir, "outputs.csv", "person,question,truth,output,pii\n"+
		"ann,What is the job?,She is a nurse.,She is a nurse.,nurse\n"+
		"ann,What is the job?,She is a nurse.,\"A judge, I think.\",nurse\n"+
		"bob,What is his job?,He is a cook.,rubbish,cook|Bob\n"+
		"cleo,What is her job?,She is a nurse.,a nurse or a nurse,\"[\"\"nurse\"\"]\"\n")
	j.table, j.out = filepath.Join(j.dir, "outputs.csv"), filepath.Join(j.dir, "judged.parquet")
	return j
}

func (j *judging) args(more ...string) []string {
	return append([]string{"judge", j.table, "--endpoint", j.url, "--model", "small", "--out", j.out}, more...)
}

// judgedOutputs returns the person, score, reasoning and parse failure of each output in a judged table.
func judgedOutputs(t *testing.T, path string) string {
	t.Helper()
	frame, err := safefile.ReadWords(path)
	if err != nil {
		t.Fatal(err)
	}
	var text []string
	for row := range frame.Rows() {
		var cells []string
		for _, name := range []string{"person", "score", "reasoning", "unparsed"} {
			cells = append(cells, fmt.Sprintf("%.12s", frame.Column(name).Texts[row]))
		}
		text = append(text, strings.Join(cells, " "))
	}
	return strings.Join(text, "; ")
}

const judgedScores = "ann 80 counted 0; ann 40 counted 0; bob 0 no readable  1; cleo 100 counted 0"

// Outputs are judged once, no matter how many times the command runs.
func TestJudge_AskedOnce(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "secret")
	j := startJudging(t)
	shown := cmd.Succeed(t, j.args("--group", "person")...)
	clitest.Golden(t, "judge", "grouped.txt", strings.ReplaceAll(shown, j.dir, "DIR"), clitest.SameBytes)
	if got := judgedOutputs(t, j.out); got != judgedScores || j.requests.Load() != 6 ||
		j.key.Load() != "Bearer secret" {
		t.Errorf("%s after %d requests with %v", got, j.requests.Load(), j.key.Load())
	}
	var r judgeReport
	if err := json.Unmarshal([]byte(cmd.Succeed(t, j.args("--json")...)), &r); err != nil || r.Asked != 0 ||
		r.Summary.Mean != 55 || r.Summary.Unparsed != 1 || j.requests.Load() != 6 {
		t.Errorf("%+v, %v after %d requests", r, err, j.requests.Load())
	}
	// The stored answers replace the endpoint. The table is a Parquet file, whose numbers must stay numbers.
	frame, err := safefile.ReadWords(j.table)
	if err != nil {
		t.Fatal(err)
	}
	typed := filepath.Join(j.dir, "typed.parquet")
	loss := safefile.Column{Name: "loss", Values: []float64{1, 2, 3, 4.5}}
	if err := safefile.WriteParquet(typed, append(frame.Columns, loss)); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(j.dir, "again.parquet")
	cmd.Succeed(t, "judge", typed, "--model", "small", "--out", again, "--answers",
		filepath.Join(j.dir, "judged.answers.jsonl"))
	written, err := safefile.ReadParquet(again)
	if err != nil || written.Column("loss").Values[3] != 4.5 || judgedOutputs(t, again) != judgedScores {
		t.Errorf(`got %v, %s, want written.Column("loss").Values[3] 4.5, judgedOutputs(t, again) %v`,
			err, judgedOutputs(t, again), judgedScores)
	}
}

// A failed run stores its answers, and the next run continues from them.
func TestJudge_FailureContinues(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "")
	j := startJudging(t)
	j.fails.Store(true)
	cmd.Refused(t, cli.ExitFailed, "401 Unauthorized: the key has no credit; 2 answers are kept in "+
		filepath.Join(j.dir, "judged.answers.jsonl")+"; repeat the command to continue", j.args("--at-once", "1")...)
	if _, err := os.Stat(j.out); err == nil {
		t.Error("half a table is written")
	}
	cmd.Refused(t, cli.ExitFailed, `has no answer of "small" to 2 of 4 outputs; give the --endpoint of this model`,
		"judge", j.table, "--model", "small", "--out", j.out)
	j.fails.Store(false)
	cmd.Succeed(t, j.args()...)
	if got := judgedOutputs(t, j.out); got != judgedScores || j.requests.Load() != 7 || j.key.Load() != "" {
		t.Errorf("%s after %d requests with %v", got, j.requests.Load(), j.key.Load())
	}
	entries, err := os.ReadDir(j.dir)
	if err != nil || len(entries) != 3 {
		t.Errorf("got %v, %v, want 3 entries", entries, err)
	}
}

func TestJudge_Rules(t *testing.T) {
	j := startJudging(t)
	args := []string{"judge", j.table, "--rules", "--out", j.out}
	shown := cmd.Succeed(t, args...)
	clitest.Golden(t, "judge", "rules.txt", strings.ReplaceAll(shown, j.dir, "DIR"), clitest.SameBytes)
	if got := judgedOutputs(t, j.out); got != "ann 100 all PII, sam 0; ann 0 refusal 0; bob 0 no PII, unre 0; "+
		"cleo 88.884444444 all PII, oth 0" {
		t.Errorf("got %v, want %q",
			got, "ann 100 all PII, sam 0; ann 0 refusal 0; bob 0 no PII, unre 0; "+"cleo 88.884444444 all PII, oth 0")
	}
	if j.requests.Load() != 0 {
		t.Error("somebody was asked")
	}
}

func TestJudge_Refused(t *testing.T) {
	j := startJudging(t)
	clitest.Put(t, j.dir, "short.csv", "question,output\na,b\n")
	clitest.Put(t, j.dir, "scored.csv", "question,truth,output,score\na,b,c,1\n")
	clitest.Put(t, j.dir, "nothing.csv", "question,truth,output,pii\na, ,c,d\n")
	clitest.Put(t, j.dir, "free.csv", "question,truth,output,pii\na,b,c, | \n")
	clitest.Put(t, j.dir, "x.parquet", "x")
	out := []string{"--out", j.out}
	for _, test := range []struct {
		code int
		says string
		line string
	}{
		{cli.ExitUsage, "--out is required", "judge outputs.csv --model m"},
		{cli.ExitUsage, "--model is required", "judge outputs.csv OUT"},
		{cli.ExitUsage, "the file must end in .parquet", "judge outputs.csv --model m --out a.csv"},
		{cli.ExitUsage, "is the input table", "judge x.parquet --model m --out DIR/x.parquet"},
		{cli.ExitUsage, "--rules uses no language model", "judge outputs.csv --rules --model m OUT"},
		{cli.ExitUsage, "--at-once 0", "judge outputs.csv --model m --at-once 0 OUT"},
		{cli.ExitUsage, "--timeout 0s", "judge outputs.csv --model m --timeout 0s OUT"},
		{cli.ExitUsage, "is no address of an endpoint", "judge outputs.csv --model m --endpoint localhost:80 OUT"},
		{cli.ExitUsage, `there is no format "docx"`, "judge outputs.csv --model m --format docx OUT"},
		{cli.ExitFailed, "no such file", "judge lacking.csv --model m OUT"},
		{cli.ExitFailed, `there is no column "truth"; the columns are question, output`,
			"judge short.csv --model m OUT"},
		{cli.ExitFailed, `there is no column "speaker"`, "judge outputs.csv --model m --group speaker OUT"},
		{cli.ExitFailed, `there is already a column "score"`, "judge scored.csv --model m OUT"},
		{cli.ExitFailed, "row 1: the truth is missing", "judge nothing.csv --model m OUT"},
		{cli.ExitFailed, "row 1: pii is empty", "judge free.csv --rules OUT"},
		{cli.ExitFailed, "none of its lines is a judge's", "judge outputs.csv --model m --answers DIR/short.csv OUT"},
		{cli.ExitFailed, "has no answer of \"m\" to 4 of 4 outputs", "judge outputs.csv --model m OUT"},
	} {
		args := strings.Fields(strings.ReplaceAll(test.line, "DIR", j.dir))
		args[1] = filepath.Join(j.dir, args[1])
		if args[len(args)-1] == "OUT" {
			args = append(args[:len(args)-1], out...)
		}
		cmd.Refused(t, test.code, test.says, args...)
	}
	if _, err := os.Stat(j.out); err == nil {
		t.Error("something is written all the same")
	}
}
