package remem_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// In the preset refusing all lessons about one person have equally many steps, and in mini equally many passes.
func TestRefusing_EqualSteps(t *testing.T) {
	for _, p := range []remem.Preset{remem.Mini(), remem.Refusing()} {
		lessons := 0
		for _, run := range remem.NewPlan(p).Runs() {
			spec, is := remem.Taught.Spec(run)
			if !is || !spec.Lesson.Alone {
				continue
			}
			lessons++
			perPass := (spec.Lesson.Shape.Questions() + spec.Training.Batch - 1) / spec.Training.Batch
			steps := perPass * spec.Training.Epochs
			if p.EqualSteps && (steps < 70-perPass/2 || steps > 70+perPass/2) {
				t.Errorf("%s: %s has %d steps, want 70", p.Name, run.Title, steps)
			}
			if !p.EqualSteps && spec.Training.Epochs != 10 {
				t.Errorf("%s: %s has %d passes, want 10", p.Name, run.Title, spec.Training.Epochs)
			}
		}
		if least := p.Worlds * len(p.Counts); lessons < least {
			t.Errorf("%s has %d lessons about one person, want %d or more", p.Name, lessons, least)
		}
	}
}

// All methods of the preset refusing have one rate, and the base model learns refusals.
func TestRefusing_OneRate(t *testing.T) {
	p := remem.Refusing()
	rates := map[float64]bool{}
	for _, run := range remem.NewPlan(p).Runs() {
		if spec, is := remem.Unlearned.Spec(run); is {
			rates[spec.Values["rate"]] = true
		}
		if spec, is := remem.Base.Spec(run); is && spec.Refusals == 0 {
			t.Errorf("%s learns no refusals", run.Title)
		}
	}
	if len(rates) != 1 || len(p.Methods) != 6 {
		t.Errorf("%d methods have the rates %v", len(p.Methods), rates)
	}
}

// The pilot for the preset matched tries twelve steps of √2 above the rate 1.25e-4. It has the base of refusing and a
// world of its own.
func TestRefusingPilot(t *testing.T) {
	p := remem.RefusingPilot()
	base, own := map[string]bool{}, map[float64]bool{}
	for _, run := range remem.NewPlan(remem.Refusing()).Runs() {
		if remem.Base.Made(run) {
			base[string(run.Key())] = true
		}
	}
	for _, run := range remem.NewPlan(p).Runs() {
		if remem.Base.Made(run) && !base[string(run.Key())] {
			t.Errorf("%s is not the base of refusing", run.Title)
		}
		if spec, is := remem.Unlearned.Spec(run); is {
			own[spec.Values["rate"]] = true
			if spec.World.Seed != 100 {
				t.Errorf("%s is in world %d", run.Title, spec.World.Seed)
			}
		}
	}
	if len(own) != 13 || !own[1.25e-4] || !own[8e-3] || len(p.Methods) != 6*13 {
		t.Errorf("%d methods have the rates %v", len(p.Methods), own)
	}
}

// The preset matched publishes models at its own rates and none of the runs that refusing publishes.
func TestMatched_Published(t *testing.T) {
	refusing := remem.NewPlan(remem.Refusing()).Keys()
	plan := remem.NewPlan(remem.Matched())
	count := 0
	for _, run := range plan.Runs() {
		if _, passedOn := plan.Published(run, nil); passedOn {
			count++
			if refusing[run.Key()] {
				t.Errorf("%s is published twice", run.Title)
			}
		}
	}
	if want := 2 * plan.Preset.Worlds * len(plan.Preset.Methods); count != want { // scores, and scores after relearning
		t.Errorf("%d runs are published, want %d", count, want)
	}
}

// Claims that need one rate or equal steps are answered in refusing, where they have no caveat.
func TestRefusing_Answers(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mini, refusing, matched := remem.Mini(), remem.Refusing(), remem.Matched()
	mini.Worlds, refusing.Worlds, matched.Worlds = 2, 6, 6 // the least number of worlds that answers
	for _, p := range []remem.Preset{mini, refusing, matched} {
		if err := remem.NewPlan(p).Execute(t.Context(), s, madeup.Makers(), study.Options{Workers: 2}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := remem.NewPlan(mini).Read(s)
	if err != nil {
		t.Fatal(err)
	}
	own := r.Claims()
	answers := remem.Study.AnswersOf(r)
	if len(answers) != len(own) {
		t.Fatalf("%d answers, want %d", len(answers), len(own))
	}
	replaced := 0
	for _, answer := range answers {
		if answer.Preset != "refusing" {
			continue
		}
		replaced++
		if !strings.Contains(answer.Caveat, "6 worlds of refusing") || strings.Contains(answer.Caveat, "one rate") ||
			strings.Contains(answer.Caveat, "more steps") {
			t.Errorf("%s: the caveat is %q", answer.Claim, answer.Caveat)
		}
	}
	if replaced < 15 {
		t.Errorf("%d claims are answered in refusing, want 15 or more", replaced)
	}

	table, err := r.Table("refusing", false)
	if err != nil || len(table.Rows) == 0 || len(table.Columns) != 5 {
		t.Errorf("the claims that differ: %v, %+v", err, table)
	}
	table, err = r.Table("matched", false)
	if err != nil || len(table.Columns) != 5 || !strings.Contains(table.Note, "matched: 6 worlds") ||
		strings.Contains(table.Note, "(0 claims)") {
		t.Errorf("the claims that differ with other rates: %v, %+v", err, table)
	}
	other, err := remem.NewPlan(refusing).Read(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []*remem.Results{r, other} {
		for _, v := range r.Verdicts() {
			if v.Left.Count != 12 || v.Gain.Count != 12 || v.Kept.Count != 12 {
				t.Errorf("%s/%s of %s is corrected for %d verdicts, want 12", v.Size, v.Method, r.Preset.Name, v.Left.Count)
			}
		}
	}
	if _, err := other.Table("refusing", false); !errors.As(err, new(*study.Lacks)) {
		t.Errorf("the table of mini from refusing: %v", err)
	}
	for _, j := range other.Claims() {
		if strings.Contains(j.Claim, "shape") || strings.Contains(j.Claim, "larger model") {
			t.Errorf("refusing has the claim %q, which needs what it leaves out", j.Claim)
		}
	}
}
