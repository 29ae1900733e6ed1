package studies

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
)

// Scores from elsewhere are stored unasked, however long the runs of the study took. A model that takes hours to judge
// is not judged unasked.
func TestCompleteGuest_Unasked(t *testing.T) {
	for _, test := range []struct {
		part guest.Part
		says string
	}{
		{guest.Part{Scores: "digest"}, ""},
		{guest.Part{Model: "digest"}, "judging mine takes 1 runs, about "},
	} {
		o, _ := paced(t, "mini", 1e6)
		run := o.Runs()[1]
		err := o.CompleteGuest(&study.GuestRuns{Guest: guest.Guest{Name: "mine"}, Plan: o.Plan,
			Parts: []study.GuestPart{{Part: test.part, Import: run, Scores: []*study.Run{run}}}}, nil)
		missing, missed := o.Missing(o.Store, run)
		if missed != nil {
			t.Fatal(missed)
		}
		switch {
		case test.says == "" && (err != nil || len(missing) > 0):
			t.Errorf("scores: %v, %d runs missing", err, len(missing))
		case test.says != "" && (err == nil || !strings.HasPrefix(err.Error(), test.says) || len(missing) != 1):
			t.Errorf("a model: %v, %d runs missing, want %q", err, len(missing), test.says)
		}
	}
}
