package kernelext

//lint:file-ignore SA4025 Integer divisions are what students write.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// quarter is 0 because of integer division, a common mistake of students.
const quarter = 1 / 4

// Answers are understood in the notations that people use.
func TestJudge_Answers(t *testing.T) {
	for _, test := range []struct {
		exercise string
		answer   any
		says     string // sign, and parts of the comment
	}{
		{"salmu/rank", (1 + 1/4 + 1/10) / 3, "✗ in Go 1/4 is 0, because both are whole; write 1.0/4"},
		{"salmu/rank", (1 + 1.0/4 + 1.0/10) / 3, "✓"},
		{"salmu/rank", "0,45", "✓"},
		{"salmu/rank", "45 %", "✓"},
		{"salmu/rank", 0.0, "– not answered yet."},
		{"statistics/mcnemar", 2 / 32, "✗ write 1.0/4"},
		{"statistics/mcnemar", quarter, "✗ write 1.0/4"},
		{"statistics/mcnemar", "1/16", "✓"},
		{"statistics/mcnemar", "2 / 32", "✓"},
		{"statistics/mcnemar", 1.0 / 32, "✗ the other side counts too"},
		{"salmu/shown", 1/2*1/2 + 1/4, "✗ write 1.0/4"},
		{"statistics/pairs", "90 pairs", "✓"},
		{"statistics/pairs", 0, "– not answered yet."},
		{"partial/flat", "retained", "✓"},
		{"partial/flat", "the retained share", "✓"},
		{"partial/flat", "The *retained* share!", "✓"},
		{"partial/flat", "the share", "? one of retained, guidance, seed, not the share"},
		{"partial/flat", "seed", "✗"},
		{"partial/flat", "", "– One of: retained, guidance, seed."},
		{"partial/beside", "no.", "✓"},
		{"partial/beside", false, "✓"},
		{"partial/beside", "No, it does not", "✓"},
		{"partial/beside", true, "✗"},
		{"partial/beside", "maybe", "? one of yes, no"},
		{"statistics/tost", "not equal", "? one of equal, different, unresolved"},
		{"salmu/verdict", "over forgotten", "✓"},
		{"concealment/verdict", "it conceals", "✓"},
		{"concealment/verdict", "it does not conceal", "✗"},
		{"audit/most", "UnSLU-BENCH", "✓"},
	} {
		want, says, _ := strings.Cut(test.says, " ")
		right, comment := exercises()[test.exercise].judge(test.answer)
		got := comment.text
		if right != (want == signRight) || !strings.HasPrefix(got, want+" "+test.exercise+": ") ||
			!strings.Contains(got, says) {
			t.Errorf("%v: got %s, want right %v, %q at its beginning, %q in it",
				test.answer, got, (want == signRight), want+" "+test.exercise+": ", says)
		}
	}
}

func TestJudge_UntriedNoHint(t *testing.T) {
	for name, e := range exercises() {
		for _, answer := range []any{nil, "", 0.0} {
			_, comment := e.judge(answer)
			got := comment.text
			if !strings.HasPrefix(got, signUnanswered+" ") || strings.Contains(got, e.Hint) {
				t.Errorf("%s: got %s, want %q at its beginning, no %q", name, got, signUnanswered+" ", e.Hint)
			}
		}
	}
}

func TestExercises_TeachersFile(t *testing.T) {
	t.Chdir(t.TempDir())
	e, err := NewExercise("week1/share", .25, .01, "Divide.")
	if err != nil {
		t.Fatal(err)
	}
	if err := AddExercise(ExercisesFile, e); err != nil {
		t.Fatal(err)
	}
	words, err := NewExercise("week1/why", "leak", 0, "Think.", "leak", "noise")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second call replaces the first one's exercise
		if err := AddExercise(ExercisesFile, words); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := printed(t, func() { Check("week1/share", .25); Check("week1/why", "a leak") }); got !=
		"✓ week1/share: right.\n✓ week1/why: right.\n" {
		t.Errorf("got %v, want %q", got, "✓ week1/share: right.\n✓ week1/why: right.\n")
	}
	if list, err := ReadExercises(ExercisesFile); err != nil || len(list) != 2 {
		t.Errorf("got %d, %v, want 2 list", len(list), err)
	}
	if _, status := printed(t, func() { Check("salmu/rank", 1.0) }); status != 0 {
		t.Error("the laboratory's exercises are gone")
	}
	elsewhere := filepath.Join(t.TempDir(), "mine.json")
	if err := os.Rename(ExercisesFile, elsewhere); err != nil {
		t.Fatal(err)
	}
	t.Setenv(ExercisesVariable, elsewhere)
	if names, err := Exercises(); err != nil || !strings.Contains(strings.Join(names, " "), "week1/why") {
		t.Errorf(`got %v, %v, want "week1/why" in it`, names, err)
	}
}

func TestAddExercises_Refused(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"words": "hello", "an object": "{}",
		"no hash": `[{"name":"a","salt":"b"}]`,
		"large":   "[" + strings.Repeat(" ", largestExercises) + "]"} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadExercises(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got the error %v, want one with %q", name, err, path)
		}
	}
	if _, err := NewExercise("a", "leak", 0, "", "noise", "chance"); err == nil {
		t.Error("an answer that is not among the words")
	}
	t.Setenv(ExercisesVariable, filepath.Join(folder, "absent"))
	if text, status := printed(t, func() { Check("salmu/rank", 1.0) }); status != 1 || strings.Count(text, "\n") > 1 {
		t.Errorf("%d %s", status, text)
	}
}

func TestExercises_ShippedFile(t *testing.T) {
	var list []Exercise
	if err := json.Unmarshal(exercisesFile, &list); err != nil || len(list) < 30 {
		t.Errorf("got %d, %v, want at least 30 list", len(list), err)
	}
}

func TestCheck_Fails(t *testing.T) {
	t.Setenv(checkVariable, checkFails)
	for _, test := range []struct {
		answer any
		status int
	}{{"over forgotten", 0}, {"under forgotten", 1}, {"", 1}} {
		text, status := printed(t, func() { Check("salmu/verdict", test.answer) })
		if status != test.status || (status != 0) != strings.Contains(text, "salmu/verdict is not solved") {
			t.Errorf("%q: exit %d, want %d: %s", test.answer, status, test.status, text)
		}
	}
}
