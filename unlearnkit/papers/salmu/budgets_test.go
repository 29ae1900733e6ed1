package salmu

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func TestBudgets_Refused(t *testing.T) {
	s, err := Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	mine := Smoke().Methods[0]
	mine.Budgets = []int{}
	err = NewPlan(Smoke().Only(mine)).Execute(t.Context(), s, study.Makers{}, study.Options{})
	if err == nil || !strings.Contains(err.Error(), "has no budgets: give passes over the forget set") ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf(`got the error %v, want one with "has no budgets: give passes over the forget set"`, err)
	}
}
