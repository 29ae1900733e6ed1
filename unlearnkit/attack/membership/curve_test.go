package membership

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func readFixture(t *testing.T, name string, v any) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(content, v); err != nil {
		t.Fatalf("testdata/%s: %v", name, err)
	}
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

// curveCase is a curve as computed by scikit-learn, confidenceinterval, statsmodels and numpy.
type curveCase struct {
	Name            string
	Scores          []float64
	Member          []bool
	Groups          []string
	AUC, Lo, Hi, SE float64
	GroupSE         float64 `json:"group_se"`
	FPR, TPR        []float64
	Rates           []struct {
		Limit, TPR, FPR float64
		TPRInterval     [2]float64 `json:"tpr_interval"`
		FPRInterval     [2]float64 `json:"fpr_interval"`
	}
}

func curveCases(t *testing.T) []curveCase {
	var fixture struct{ Cases []curveCase }
	readFixture(t, "curves.json", &fixture)
	return fixture.Cases
}

func TestCurve_EqualsLibraries(t *testing.T) {
	for _, c := range curveCases(t) {
		t.Run(c.Name, func(t *testing.T) {
			alone, err := Curve(c.Name, Scored{Scores: c.Scores, Member: c.Member})
			if err != nil {
				t.Fatal(err)
			}
			a := alone.Area
			if !near(a.Value, c.AUC, 1e-12) || !near(a.SE, c.SE, 1e-12) || !near(a.Lo, c.Lo, 1e-5) ||
				!near(a.Hi, c.Hi, 1e-5) || a.Method != DeLong {
				t.Errorf("%+v, want %v ± %v [%v, %v]", a, c.AUC, c.SE, c.Lo, c.Hi)
			}
			for i := range c.FPR {
				if at := (Point{c.FPR[i], c.TPR[i]}); !onCurve(alone.Points, at) {
					t.Errorf("scikit-learn's point %v is not on the curve", at)
				}
			}
			r := alone
			if c.Groups != nil {
				if r, err = Curve(c.Name, Scored{c.Scores, c.Member, c.Groups}); err != nil {
					t.Fatal(err)
				}
				if a := r.Area; !near(a.SE, c.GroupSE, 1e-12) || a.Method != Obuchowski || a.Value != alone.Area.Value {
					t.Errorf("%+v, over groups %v", a, c.GroupSE)
				}
			}
			for i, want := range c.Rates {
				got := r.Rates[i]
				if got.Limit != want.Limit || !near(got.TPR.Value, want.TPR, 1e-14) ||
					!near(got.FPR.Value, want.FPR, 1e-14) ||
					!near(got.TPR.Lo, want.TPRInterval[0], 1e-9) || !near(got.TPR.Hi, want.TPRInterval[1], 1e-9) ||
					!near(got.FPR.Lo, want.FPRInterval[0], 1e-9) || !near(got.FPR.Hi, want.FPRInterval[1], 1e-9) {
					t.Errorf("%+v, want %+v", got, want)
				}
			}
		})
	}
}

// onCurve reports whether a point is on one of the straight lines between corners.
func onCurve(corners []Point, p Point) bool {
	return slices.ContainsFunc(rangeOf(len(corners)-1), func(i int) bool {
		a, b := corners[i], corners[i+1]
		across := (b.FPR-a.FPR)*(p.TPR-a.TPR) - (b.TPR-a.TPR)*(p.FPR-a.FPR)
		return math.Abs(across) < 1e-12 && p.FPR >= a.FPR && p.FPR <= b.FPR && p.TPR >= a.TPR && p.TPR <= b.TPR
	})
}

func rangeOf(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// The standard error of the area must agree with resampling of whole groups.
func TestCurve_GroupErrors(t *testing.T) {
	for _, c := range curveCases(t) {
		if c.Groups == nil {
			continue
		}
		labels, clusters := map[string]int{}, make([]int, len(c.Groups))
		for i, name := range c.Groups {
			if _, met := labels[name]; !met {
				labels[name] = len(labels)
			}
			clusters[i] = labels[name]
		}
		b := stat.Bootstrap(len(c.Scores), func(rows []int) float64 {
			var e evidence
			for _, at := range rows {
				if c.Member[at] {
					e.members = append(e.members, c.Scores[at])
				} else {
					e.others = append(e.others, c.Scores[at])
				}
			}
			if len(e.members) == 0 || len(e.others) == 0 {
				return math.NaN()
			}
			return e.area().Value
		}, stat.Clusters(clusters), stat.Resamples(999), stat.Percentile)
		r, err := Curve(c.Name, Scored{c.Scores, c.Member, c.Groups})
		if err != nil || r.Area.SE < .75*b.SE || r.Area.SE > 1.25*b.SE {
			t.Errorf("%s: standard error %v, of resamples %v, %v", c.Name, r.Area.SE, b.SE, err)
		}
	}
}

func TestCurve_GroupsOfOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := rapid.SliceOfN(rapid.Float64Range(-3, 3), 3, 20)
		members, others := draw.Draw(t, "members"), draw.Draw(t, "others")
		s := Sample{Kind: Scores, Members: members, NonMembers: others}.Scored()
		alone, err := Curve("", s)
		if err != nil {
			t.Skip("outside of the domain")
		}
		for i := range s.Scores {
			s.Groups = append(s.Groups, string(rune('a'+i)))
		}
		grouped, err := Curve("", s)
		if err != nil || !near(grouped.Area.SE, alone.Area.SE, 1e-9) || !near(grouped.Area.Lo, alone.Area.Lo, 1e-9) {
			t.Errorf("%+v, alone %+v, %v", grouped.Area, alone.Area, err)
		}
	})
}

// If a share p of the members score above all nonmembers and the rest below, the area is p, and n members are separated
// from n nonmembers with probability pⁿ. No other scores with area p are separated more often.
func TestCurve_Separation(t *testing.T) {
	for _, n := range []int{5, 20, 100} {
		s := Scored{}
		for i := range 2 * n {
			s.Scores, s.Member = append(s.Scores, float64(i)), append(s.Member, i >= n)
		}
		above, err := Curve("", s)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s.Member {
			s.Member[i] = !s.Member[i]
		}
		below, err := Curve("", s)
		if a, b := above.Area, below.Area; err != nil || a.Value != 1 || a.Hi != 1 || a.Method != Pairs ||
			b.Value != 0 || b.Lo != 0 || !near(b.Hi, 1-a.Lo, 1e-12) {
			t.Errorf("%d of each: %+v and %+v, %v", n, a, b, err)
		}
		if share := math.Pow(above.Area.Lo, float64(n)); !near(share, .025, 1e-9) {
			t.Errorf("%d of each: apart in %.3f of samples at the lower limit %.3f", n, share, above.Area.Lo)
		}
	}
}

func TestCurve_Coverage(t *testing.T) {
	const groups, size, repeats = 25, 6, 300
	truth := distuv.UnitNormal.CDF(1 / math.Sqrt(2*1.6)) // distance 1, variances 1 + .6
	for _, grouped := range []bool{true, false} {
		r, covered := rand.New(rand.NewPCG(5, 0)), 0
		for range repeats {
			var s Scored
			for g := range 2 * groups {
				effect := math.Sqrt(.6) * r.NormFloat64()
				for range size {
					score := effect + r.NormFloat64()
					if g < groups {
						score++
					}
					s.Scores, s.Member = append(s.Scores, score), append(s.Member, g < groups)
					if grouped {
						s.Groups = append(s.Groups, string(rune('A'+g)))
					}
				}
			}
			c, err := Curve("", s)
			if err != nil {
				t.Fatal(err)
			}
			if c.Area.Lo <= truth && truth <= c.Area.Hi {
				covered++
			}
		}
		share := float64(covered) / repeats
		if grouped && share < .9 || !grouped && share > .85 {
			t.Errorf("over groups %v: %.3f of the intervals hold the area", grouped, share)
		}
	}
}

func TestCurve_ValuesInIntervals(t *testing.T) {
	inside := func(lo, value, hi float64) bool { return 0 <= lo && lo <= value && value <= hi && hi <= 1 }
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 30).Draw(t, "examples")
		s := Scored{Scores: rapid.SliceOfN(rapid.Float64Range(-2, 2), n, n).Draw(t, "scores"),
			Member: rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "member")}
		if rapid.Bool().Draw(t, "ties") {
			for i := range s.Scores {
				s.Scores[i] = math.Round(s.Scores[i])
			}
		}
		if rapid.Bool().Draw(t, "grouped") {
			s.Groups = rapid.SliceOfN(rapid.StringMatching("[a-d]"), n, n).Draw(t, "groups")
		}
		r, err := Curve("", s)
		if err != nil {
			return // too few members or non-members
		}
		if a := r.Area; !inside(a.Lo, a.Value, a.Hi) {
			t.Errorf("got %+v, want inside(a.Lo, a.Value, a.Hi) true", a)
		}
		for _, rate := range r.Rates {
			for _, share := range []Share{rate.TPR, rate.FPR} {
				if !inside(share.Lo, share.Value, share.Hi) || share.Effective > float64(share.Of) {
					t.Errorf("got %+v, want inside(share.Lo, share.Value, share.Hi) true, Effective at most %v",
						share, float64(share.Of))
				}
			}
			if !onCurve(r.Points, Point{rate.FPR.Value, rate.TPR.Value}) {
				t.Errorf("%+v is not on %v", rate, r.Points)
			}
		}
	})
}

// A rate of false alarms is resolved if it allows one non-member or more. Otherwise, the result has a warning.
func TestCurve_FalseAlarms(t *testing.T) {
	for _, test := range []struct {
		others   int
		resolved []bool
	}{{999, []bool{false, true, true}}, {1000, []bool{true, true, true}}, {99, []bool{false, false, true}},
		{9, []bool{false, false, false}}} {
		s := Scored{Scores: []float64{1e6, 2e6}, Member: []bool{true, true}}
		for i := range test.others {
			s.Scores, s.Member = append(s.Scores, float64(i)), append(s.Member, false)
		}
		s.Scores[0] = 5.5
		r, err := Curve("", s)
		if err != nil {
			t.Fatal(err)
		}
		for i, rate := range r.Rates {
			if rate.Resolved != test.resolved[i] || rate.FPR.Value > rate.Limit || rate.TPR.Count < 1 {
				t.Errorf("%d others: %+v", test.others, rate)
			}
		}
		warned := slices.ContainsFunc(r.Warnings, func(w Warning) bool { return w.Code == WarnUnresolved })
		if warned == test.resolved[0] {
			t.Errorf("%d others: warnings %v", test.others, r.Warnings)
		}
	}
}
