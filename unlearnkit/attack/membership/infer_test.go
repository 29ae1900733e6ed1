package membership

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// drawn returns random losses of members and nonmembers.
func drawn(members, others int, scale float64) Sample {
	r := rand.New(rand.NewPCG(4, 0))
	var s Sample
	for range members {
		s.Members = append(s.Members, scale*r.ExpFloat64())
	}
	for range others {
		s.NonMembers = append(s.NonMembers, r.ExpFloat64())
	}
	return s
}

func TestInfer_EqualsMetric(t *testing.T) {
	s := drawn(80, 120, .4)
	r, err := Infer(s, nil, 7)
	if err != nil {
		t.Fatal(err)
	}
	m := metric.LossMIA(s.Members, s.NonMembers, seed.Stream(7, "membership", "logistic"))
	a := r.Logistic
	if a.Value != m.MIA || a.SE != m.SE || a.Forgetting != m.ForgettingScore || a.Used != 80 ||
		!near(a.Hi-a.Lo, 2*normal975*m.SE, 1e-12) || !slices.Equal(a.Splits, m.Splits) {
		t.Errorf("%+v, want %+v", a, m)
	}
}

// Scores are losses with the opposite sign.
func TestInfer_NegatedScores(t *testing.T) {
	losses := drawn(50, 60, .4)
	scores := losses
	scores.Kind = Scores
	scores.Members, scores.NonMembers = slices.Clone(losses.Members), slices.Clone(losses.NonMembers)
	for _, list := range [][]float64{scores.Members, scores.NonMembers} {
		for i := range list {
			list[i] = -list[i]
		}
	}
	a, err := Infer(losses, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Infer(scores, nil, 1)
	if err != nil || a.Curves[0].Area != b.Curves[0].Area || a.Curves[0].Area.Lo <= .5 ||
		!near(a.Logistic.Value, b.Logistic.Value, 1e-12) {
		t.Errorf("%+v and %+v, %v", a.Curves[0].Area, b.Curves[0].Area, err)
	}
	scores.Kind = Losses
	c, err := Infer(scores, nil, 1)
	if err != nil || !slices.ContainsFunc(c.Warnings, func(w Warning) bool { return w.Code == WarnReversed }) {
		t.Errorf("scores read as losses: %v, %v", c.Warnings, err)
	}
}

// Copies of an example in one group are no more evidence than the example alone.
func TestInfer_Copies(t *testing.T) {
	once := drawn(30, 30, .5)
	var copies Sample
	for i := range once.Members {
		for range 8 {
			copies.Members = append(copies.Members, once.Members[i])
			copies.NonMembers = append(copies.NonMembers, once.NonMembers[i])
			copies.MemberGroups = append(copies.MemberGroups, "a"+string(rune('A'+i)))
			copies.NonMemberGroups = append(copies.NonMemberGroups, "b"+string(rune('A'+i)))
		}
	}
	one, err := Infer(once, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Infer(copies, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	copies.MemberGroups, copies.NonMemberGroups = nil, nil
	unknown, err := Infer(copies, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := one.Curves[0].Area, all.Curves[0].Area, unknown.Curves[0].Area; !near(a.SE, b.SE, 1e-9) ||
		!near(a.Value, b.Value, 1e-12) || c.SE > a.SE/2 || all.Groups != 60 {
		t.Errorf("once %+v, copies in groups %+v, without groups %+v", a, b, c)
	}
	if all.Logistic.SE < 1.5*unknown.Logistic.SE {
		t.Errorf("accuracy ± %.3f over groups, ± %.3f over examples", all.Logistic.SE, unknown.Logistic.SE)
	}
	if a, b := one.Curves[0].Rates[2].TPR, all.Curves[0].Rates[2].TPR; b.Effective > 31 || b.Effective < 20 ||
		math.Abs((b.Hi-b.Lo)-(a.Hi-a.Lo)) > .05 {
		t.Errorf("once %+v, copies in groups %+v", a, b)
	}
}

func TestInfer_TableAndJSON(t *testing.T) {
	w := world{2, 1, .7, 80, 16}
	target, member, shadows := w.draw(rand.New(rand.NewPCG(8, 0)))
	var s Sample
	var sorted Shadows
	for _, members := range []bool{true, false} {
		for i, is := range member {
			if is != members {
				continue
			}
			if is {
				s.Members = append(s.Members, target[i])
			} else {
				s.NonMembers = append(s.NonMembers, target[i])
			}
			sorted.With = append(sorted.With, shadows.With[i])
			sorted.Without = append(sorted.Without, shadows.Without[i])
		}
	}
	r, err := Infer(s, &sorted, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Curves) != 2 || r.Curves[1].Area.Lo < r.Curves[0].Area.Value {
		t.Errorf("LiRA %+v, the threshold %+v", r.Curves[1].Area, r.Curves[0].Area)
	}
	var text bytes.Buffer
	if err := r.Table().Text(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Membership inference: 40 members, 40 non-members", "logistic   accuracy",
		"LiRA, online  AUC", "TPR at FPR 0.1 % †", "TPR at FPR 10 %  ", "DeLong, examples", "4 of 40 false alarms"} {
		if !strings.Contains(text.String(), want) && !strings.Contains(strings.Join(strings.Fields(text.String()), " "),
			strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
	content, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(content, &back); err != nil || back.Curves[1].Area != r.Curves[1].Area ||
		back.LiRA.Mode != Online || len(back.Warnings) != len(r.Warnings) {
		t.Errorf("got %s, %v, want back.Curves[1].Area %v, back.LiRA.Mode %v, length %v of back.Warnings",
			content, err, r.Curves[1].Area, Online, len(r.Warnings))
	}
}

func TestInfer_Refused(t *testing.T) {
	some, nan := []float64{1, 2, 3}, math.NaN()
	for _, test := range []struct {
		says    string
		sample  Sample
		shadows *Shadows
	}{
		{"0 members; give at least 2", Sample{NonMembers: some}, nil},
		{"1 non-members; give at least 2", Sample{Members: some, NonMembers: some[:1]}, nil},
		{"members, row 2: the loss is NaN", Sample{Members: []float64{1, nan}, NonMembers: some}, nil},
		{"non-members, row 1: the score is +Inf",
			Sample{Kind: Scores, Members: some, NonMembers: []float64{math.Inf(1), 1}}, nil},
		{"2 groups for 3 members", Sample{Members: some, NonMembers: some, MemberGroups: []string{"a", "b"},
			NonMemberGroups: []string{"c", "d", "e"}}, nil},
		{"0 groups for 3 non-members", Sample{Members: some, NonMembers: some,
			MemberGroups: []string{"a", "b", "c"}}, nil},
		{"members of 1 groups and non-members of 3", Sample{Members: some, NonMembers: some,
			MemberGroups: []string{"a", "a", "a"}, NonMemberGroups: []string{"c", "d", "e"}}, nil},
		{"all 4 numbers are equal", Sample{Members: []float64{1, 1}, NonMembers: []float64{1, 1}}, nil},
		{"give losses, not scores", Sample{Kind: Scores, Members: some, NonMembers: some}, &Shadows{}},
		{"6 losses of the target, shadows with 0", Sample{Members: some, NonMembers: []float64{3, 4, 5}}, &Shadows{}},
	} {
		_, err := Infer(test.sample, test.shadows, 0)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
	for says, s := range map[string]Scored{"2 scores, 1 truths": {Scores: []float64{1, 2}, Member: []bool{true}},
		"example 2: its score is NaN": {Scores: []float64{1, nan}, Member: []bool{true, false}}} {
		if _, err := Curve("", s); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
