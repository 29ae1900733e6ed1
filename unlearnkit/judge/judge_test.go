package judge_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/judge"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// outputs returns n cases with different outputs.
func outputs(n int) (cases []metric.JudgeCase) {
	for i := range n {
		cases = append(cases, metric.JudgeCase{Question: "Who?", GroundTruth: "Ann", Output: fmt.Sprint("output ", i)})
	}
	return cases
}

// model is a language model that calls a function and counts the calls.
type model struct {
	answer func(user string, time int) (string, error)
	asked  atomic.Int64
}

func (m *model) Complete(_ context.Context, _, user string) (string, error) {
	return m.answer(user, int(m.asked.Add(1)))
}

func open(t testing.TB, path string) *judge.Answers {
	t.Helper()
	answers, err := judge.OpenAnswers(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answers.Close() })
	return answers
}

// A run that fails loses no answer and continues where it stopped.
func TestRun_FailureContinues(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	cases := outputs(40)
	scoring := func(user string, time int) (string, error) {
		if time > 15 {
			return "", errors.New("the endpoint is down")
		}
		return fmt.Sprintf(`{"score": %d}`, len(user)%7), nil
	}
	first := &model{answer: scoring}
	_, err := judge.All(t.Context(), judge.NewRemembering(first, "m", open(t, path)), cases, 3, nil)
	if err == nil || !strings.Contains(err.Error(), "the endpoint is down") ||
		!strings.HasPrefix(err.Error(), "output ") {
		t.Fatal(err)
	}
	kept := open(t, path)
	if kept.Len() != 15 || kept.Damaged != 0 {
		t.Errorf("%d answers are kept, %d damaged", kept.Len(), kept.Damaged)
	}
	second := &model{answer: func(user string, _ int) (string, error) { return scoring(user, 0) }}
	remembering := judge.NewRemembering(second, "m", kept)
	if lacks := remembering.Lacks(cases); lacks != 25 {
		t.Errorf("%d answers lack", lacks)
	}
	done := 0
	judgments, err := judge.All(t.Context(), remembering, cases, 3, func() { done++ })
	if err != nil || second.asked.Load() != 25 || done != 40 {
		t.Fatalf("%v after %d questions, %d done", err, second.asked.Load(), done)
	}
	again, err := judge.All(t.Context(), judge.NewRemembering(nil, "m", open(t, path)), cases, 3, nil)
	for i := range cases {
		if _, user := metric.JudgePrompt(cases[i]); err != nil || again[i].Score != judgments[i].Score ||
			again[i].Score != float64(len(user)%7) {
			t.Fatalf("%d: %v, with the endpoint %v; %v", i, again[i], judgments[i], err)
		}
	}
	_, err = judge.All(t.Context(), judge.NewRemembering(nil, "other", open(t, path)), cases, 3, nil)
	if !errors.Is(err, judge.ErrUnanswered) {
		t.Errorf("another model has the answers too: %v", err)
	}
}

func TestRun_SameOutputOnce(t *testing.T) {
	m := &model{answer: func(string, int) (string, error) { return `{"score": 5}`, nil }}
	cases := append(outputs(3), outputs(3)...)
	cases = append(cases, cases...)
	judgments, err := judge.All(t.Context(),
		judge.NewRemembering(m, "m", open(t, filepath.Join(t.TempDir(), "a"))), cases, 8, nil)
	if err != nil || m.asked.Load() != 3 || judgments[11].Score != 5 {
		t.Errorf("%d questions, %v, %v", m.asked.Load(), judgments, err)
	}
}

func TestRun_UnreadableAnswers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	m := &model{answer: func(user string, time int) (string, error) {
		switch {
		case strings.Contains(user, "output 0"):
			return "I'd rather not.", nil
		case strings.Contains(user, "output 1"):
			return `{"reasoning": "beyond", "score": 250}`, nil
		case time < 6:
			return `{"score": `, nil
		}
		return `{"reasoning": "half", "score": "50.5"}`, nil
	}}
	judged, err := judge.All(t.Context(), judge.NewRemembering(m, "m", open(t, path)), outputs(3), 1, nil)
	if err != nil || !judged[0].Unparsed || judged[0].Score != 0 || judged[1].Score != 100 || judged[1].Unparsed ||
		judged[2].Score != 50.5 || judged[2].Reasoning != "half" || m.asked.Load() != 6 {
		t.Errorf("%+v, %v after %d questions", judged, err, m.asked.Load())
	}
	again, err := judge.All(t.Context(), judge.NewRemembering(nil, "m", open(t, path)), outputs(3), 1, nil)
	if err != nil || !again[0].Unparsed || again[2].Score != 50.5 {
		t.Errorf("without the endpoint: %+v, %v", again, err)
	}
	if s := judge.Summarize(judged, nil); s.Unparsed != 1 || s.N != 3 || s.Mean != 150.5/3 {
		t.Errorf("got %+v, want Unparsed 1, N 3, Mean 150.5/3", s)
	}
}

func TestRun_BrokenLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	m := &model{answer: func(string, int) (string, error) { return `{"score": 5}`, nil }}
	all := func(count int) {
		if _, err := judge.All(t.Context(), judge.NewRemembering(m, "m", open(t, path)), outputs(count), 2,
			nil); err != nil {
			t.Fatal(err)
		}
	}
	all(3)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if first := strings.IndexByte(string(whole), '\n'); cut > 0 && cut < first {
			if _, err := judge.OpenAnswers(path); err == nil || !strings.Contains(err.Error(), "none of its lines is") {
				t.Fatalf("of %d bytes: %v", cut, err)
			}
			continue // no complete line shows that the file contains answers
		}
		kept := open(t, path)
		before := m.asked.Load()
		all(3)
		if asked := m.asked.Load() - before; int(asked) != 3-kept.Len() || open(t, path).Len() != 3 {
			t.Fatalf("of %d bytes: %d answers kept, %d asked, %d then", cut, kept.Len(), asked, open(t, path).Len())
		}
	}
}

func TestRun_BadFiles(t *testing.T) {
	dir := t.TempDir()
	put := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, want := range map[string]string{
		put("table.csv", "question,truth\na,b\n"): "none of its lines is a judge's answer; name another file",
		put("other.jsonl", `{"key": "a"}`+"\n"):   "none of its lines is a judge's answer",
		dir:                                       "is a directory",
	} {
		if _, err := judge.OpenAnswers(path); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "read "+path) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	answers := open(t, filepath.Join(dir, "lacking", "answers.jsonl"))
	if err := answers.Put("k", 1, "m", "a"); err == nil || !strings.HasPrefix(err.Error(), "write "+dir) {
		t.Error(err)
	}
	if _, kept := answers.Get("k", 1); kept {
		t.Error("an answer that could not be written counts")
	}
}

func TestRun_Interrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m := &model{answer: func(string, int) (string, error) { cancel(); return `{"score": 5}`, nil }}
	_, err := judge.All(ctx, judge.NewRemembering(m, "m", open(t, filepath.Join(t.TempDir(), "a"))), outputs(9), 1, nil)
	if !errors.Is(err, context.Canceled) || m.asked.Load() > 2 {
		t.Errorf("%v after %d questions", err, m.asked.Load())
	}
}

func TestKey_Distinct(t *testing.T) {
	seen := map[string]bool{}
	for _, parts := range [][3]string{{"a", "b", "c"}, {"ab", "", "c"}, {"a", "bc", ""}, {"", "ab", "c"},
		{"a", "b", "C"}} {
		key := judge.Key(parts[0], parts[1], parts[2])
		if seen[key] || len(key) != 64 {
			t.Errorf("%v: %s", parts, key)
		}
		seen[key] = true
	}
}

func TestSummarize_Groups(t *testing.T) {
	judged := []metric.Judgment{{Score: 100}, {Score: 0}, {Score: 50}, {Score: 50}}
	alone, grouped := judge.Summarize(judged, nil), judge.Summarize(judged, []string{"a", "a", "b", "b"})
	one, none := judge.Summarize(judged[:1], nil), judge.Summarize(nil, nil)
	if alone.Mean != 50 || alone.Groups != 4 || !(alone.Lo < 50 && alone.Hi > 50) || alone.Hi > 100 {
		t.Errorf("got %+v, want Mean 50, Groups 4, Lo < 50, Hi > 50, Hi at most 100", alone)
	}
	if grouped.Mean != 50 || grouped.Groups != 2 || !strings.Contains(grouped.Basis, "2 groups") {
		t.Errorf(`got %+v, want Mean 50, Groups 2, "2 groups" in Basis`, grouped)
	}
	if one.Mean != 100 || !math.IsNaN(one.Lo) || !strings.Contains(one.Table().Note, "no interval") {
		t.Errorf(`got %+v, want Mean 100, Lo NaN, "no interval" in it`, one)
	}
	if !math.IsNaN(none.Mean) {
		t.Errorf("got %+v, want Mean NaN", none)
	}
	if text, err := none.MarshalJSON(); err != nil || !strings.Contains(string(text), `"mean":null`) {
		t.Errorf("got %s, %v, want %q in it", text, err, `"mean":null`)
	}
}
