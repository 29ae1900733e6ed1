package metric_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// lineCost returns the costs |i − j| of moving along a line.
func lineCost(m, n int) [][]float64 {
	cost := make([][]float64, m)
	for i := range cost {
		cost[i] = make([]float64, n)
		for j := range cost[i] {
			cost[i][j] = math.Abs(float64(i - j))
		}
	}
	return cost
}

// checkOptimal verifies a result without another solver: the plan must move p to q, and the prices must prove that no
// plan is cheaper.
func checkOptimal(t interface{ Fatalf(string, ...any) }, p, q []float64, cost [][]float64, r metric.EMDResult) {
	if err := metric.CheckPlan(r.Plan, p, q); err != nil {
		t.Fatalf("%v", err)
	}
	for i := range p {
		for j := range q {
			slack := cost[i][j] - r.PriceP[i] - r.PriceQ[j]
			if slack < -1e-9 || r.Plan[i][j] > 0 && slack > 1e-9 {
				t.Fatalf("slack %v where %v moves from %d to %d", slack, r.Plan[i][j], i, j)
			}
		}
	}
	bound := floats.Dot(p, r.PriceP) + floats.Dot(q, r.PriceQ)
	if math.Abs(bound-r.Distance) > 1e-9 || math.Abs(metric.PlanCost(r.Plan, cost)-r.Distance) > 1e-12 {
		t.Fatalf("distance %v, lower bound %v, cost of the plan %v", r.Distance, bound, metric.PlanCost(r.Plan, cost))
	}
}

func TestEMD_EqualsPOT(t *testing.T) {
	var reference struct {
		General []struct {
			P, Q         []float64
			Cost         [][]float64
			POT, Linprog float64
		}
		Line []struct {
			U, P, V, Q     []float64
			Weighted, Even float64
		}
	}
	loadReference(t, "emd_pot.json", &reference)
	if len(reference.General) == 0 || len(reference.Line) == 0 {
		t.Fatal("no cases")
	}
	for i, c := range reference.General {
		r, err := metric.EMD(c.P, c.Q, c.Cost)
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, fmt.Sprint("case ", i, ", POT"), r.Distance, c.POT, 1e-12)
		wantNear(t, fmt.Sprint("case ", i, ", linprog"), r.Distance, c.Linprog, 1e-12)
		checkOptimal(t, c.P, c.Q, c.Cost, r)
	}
	for i, c := range reference.Line {
		weighted, err := metric.EMDOnLine(c.U, c.P, c.V, c.Q)
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, fmt.Sprint("line ", i, ", weighted"), weighted, c.Weighted, 1e-13)
		even, err := metric.EMDOnLine(c.U, nil, c.V, nil)
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, fmt.Sprint("line ", i, ", even"), even, c.Even, 1e-13)
	}
}

// The appendix of Unlearning or Concealment moves .1 from position 3 to 2 and .3 from 3 to 1 and prints the cost .7 as
// the distance.
func TestEMD_PrintedPlan(t *testing.T) {
	p, q := []float64{.2, .1, .7}, []float64{.3, .4, .3}
	printed := [][]float64{{.2, 0, 0}, {0, .1, 0}, {.3, .1, .3}}
	wantNear(t, "cost of the printed plan", metric.PlanCost(printed, lineCost(3, 3)), .7, 1e-15)
	var gaps metric.MarginalError
	if err := metric.CheckPlan(printed, p, q); !errors.As(err, &gaps) {
		t.Fatalf("the printed plan is accepted: %v", err)
	}
	if len(gaps) != 2 || gaps[0].Source || gaps[0].Index != 0 || gaps[1].Source || gaps[1].Index != 1 {
		t.Errorf("got %+v, want length 2, [0].Source false, [0].Index 0, [1].Source false, [1].Index 1", gaps)
	}
	if want := "transport plan: position 1 receives 0.5, want 0.3; position 2 receives 0.2, want " +
		"0.4"; gaps.Error() != want {
		t.Errorf("got %v, want Error() %v", gaps, want)
	}
	r, err := metric.EMD(p, q, lineCost(3, 3))
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "distance", r.Distance, .5, 1e-15)
	checkOptimal(t, p, q, lineCost(3, 3), r)
	if feasible := [][]float64{{.2, 0, 0}, {0, .1, 0}, {.1, .3, .3}}; metric.CheckPlan(feasible, p, q) != nil {
		t.Error("the plan with .1 and .3 exchanged is refused")
	}
}

func TestCheckPlan_Faults(t *testing.T) {
	p, q := []float64{.5, .5}, []float64{.5, .5}
	var gaps metric.MarginalError
	if err := metric.CheckPlan([][]float64{{.5, 0}, {0, .4}}, p, q); !errors.As(err, &gaps) || len(gaps) != 2 ||
		!gaps[0].Source || gaps[0].Index != 1 {
		t.Errorf("a short row: %v", err)
	}
	for name, plan := range map[string][][]float64{
		"rows": {{.5, .5}}, "columns": {{.5}, {.5}}, "negative": {{.6, -.1}, {-.1, .6}}, "NaN": {{nan, 0}, {0, .5}},
		"infinite": {{inf, 0}, {0, .5}},
	} {
		if err := metric.CheckPlan(plan, p, q); err == nil || errors.As(err, &gaps) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if metric.CheckPlan([][]float64{{.5, 0}, {0, .5}}, []float64{.5, .5}, []float64{.5, .6}) == nil {
		t.Error("unequal masses have a plan")
	}
}

func TestEMD_Optimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, n := rapid.IntRange(1, 9).Draw(t, "m"), rapid.IntRange(1, 9).Draw(t, "n")
		p, q := drawMasses(t, "p", m), drawMasses(t, "q", n)
		cost := make([][]float64, m)
		for i := range cost {
			cost[i] = rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 5), rapid.Just(1.)), n, n).Draw(t, "cost")
		}
		r, err := metric.EMD(p, q, cost)
		if err != nil {
			t.Fatal(err)
		}
		checkOptimal(t, p, q, cost, r)
		transposed := make([][]float64, n)
		for j := range transposed {
			transposed[j] = make([]float64, m)
			for i := range cost {
				transposed[j][i] = cost[i][j]
			}
		}
		if back, err := metric.EMD(q, p, transposed); err != nil || math.Abs(back.Distance-r.Distance) > 1e-12 {
			t.Fatalf("%v, backwards %v, %v", r.Distance, back.Distance, err)
		}
	})
}

func TestEMD_IsMetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]float64 {
			return [2]float64{rapid.Float64Range(-5, 5).Draw(t, "x"), rapid.Float64Range(-5, 5).Draw(t, "y")}
		}), n, n).Draw(t, "points")
		cost := make([][]float64, n)
		for i := range cost {
			cost[i] = make([]float64, n)
			for j := range cost[i] {
				cost[i][j] = math.Hypot(points[i][0]-points[j][0], points[i][1]-points[j][1])
			}
		}
		p, q, r := drawMasses(t, "p", n), drawMasses(t, "q", n), drawMasses(t, "r", n)
		distance := func(a, b []float64) float64 {
			result, err := metric.EMD(a, b, cost)
			if err != nil {
				t.Fatal(err)
			}
			return result.Distance
		}
		if own := distance(p, p); own > 1e-12 {
			t.Fatalf("to itself %v", own)
		}
		if pq, qp := distance(p, q), distance(q, p); math.Abs(pq-qp) > 1e-12 {
			t.Fatalf("%v and back %v", pq, qp)
		}
		if distance(p, r) > distance(p, q)+distance(q, r)+1e-12 {
			t.Fatal("triangle inequality")
		}
	})
}

func TestEMD_SpecialCosts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		p, q := drawMasses(t, "p", n), drawMasses(t, "q", n)
		onLine, err := metric.EMD(p, q, lineCost(n, n))
		if err != nil {
			t.Fatal(err)
		}
		unit, err := metric.EMD1D(p, q)
		if err != nil || math.Abs(onLine.Distance-unit) > 1e-12 {
			t.Fatalf("cost |i − j|: %v, by cumulated masses %v, %v", onLine.Distance, unit, err)
		}
		positions := make([]float64, n)
		zeroOne := make([][]float64, n)
		for i := range positions {
			positions[i] = float64(i)
			zeroOne[i] = evenOnes(n)
			zeroOne[i][i] = 0
		}
		if general, err := metric.EMDOnLine(positions, p, positions, q); err != nil || math.Abs(general-unit) > 1e-12 {
			t.Fatalf("positions %v, unit spacing %v, %v", general, unit, err)
		}
		moves, err := metric.EMD(p, q, zeroOne)
		if err != nil {
			t.Fatal(err)
		}
		if variation, err := metric.TotalVariation(p, q); err != nil || math.Abs(moves.Distance-variation) > 1e-12 {
			t.Fatalf("0/1 cost %v, total variation %v, %v", moves.Distance, variation, err)
		}
	})
}

func evenOnes(n int) []float64 {
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	return ones
}

func TestEMDOnLine_Invariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := rapid.SliceOfN(rapid.Float64Range(-9, 9), 1, 12).Draw(t, "u")
		v := rapid.SliceOfN(rapid.Float64Range(-9, 9), 1, 12).Draw(t, "v")
		d, err := metric.EMDOnLine(u, nil, v, nil)
		if err != nil {
			t.Fatal(err)
		}
		shuffled, err := metric.EMDOnLine(rapid.Permutation(u).Draw(t, "shuffled"), nil, v, nil)
		if err != nil || shuffled != d {
			t.Fatalf("%v, shuffled %v, %v", d, shuffled, err)
		}
		moved := make([]float64, len(u))
		for i := range u {
			moved[i] = u[i] + 2.5
		}
		if by, err := metric.EMDOnLine(u, nil, moved, nil); err != nil || math.Abs(by-2.5) > 1e-12 {
			t.Fatalf("moved by 2.5: %v, %v", by, err)
		}
	})
}

func TestEMD_Refused(t *testing.T) {
	half := []float64{.5, .5}
	faults := map[string]error{}
	_, faults["masses"] = metric.EMD(half, []float64{1, 1}, lineCost(2, 2))
	_, faults["rows of costs"] = metric.EMD(half, half, lineCost(1, 2))
	_, faults["columns of costs"] = metric.EMD(half, half, lineCost(2, 3))
	_, faults["negative cost"] = metric.EMD(half, half, [][]float64{{0, -1}, {1, 0}})
	_, faults["NaN cost"] = metric.EMD(half, half, [][]float64{{0, nan}, {1, 0}})
	_, faults["infinite cost"] = metric.EMD(half, half, [][]float64{{0, inf}, {1, 0}})
	_, faults["positions"] = metric.EMDOnLine([]float64{1}, half, half, half)
	_, faults["NaN position"] = metric.EMDOnLine([]float64{nan, 1}, half, half, half)
	_, faults["infinite position"] = metric.EMDOnLine([]float64{1, 2}, half, []float64{inf, 0}, half)
	_, faults["no positions"] = metric.EMDOnLine(nil, nil, half, nil)
	for name, err := range faults {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzEMD(f *testing.F) {
	f.Add(uint64(1), 3, 4)
	f.Add(uint64(7), 12, 1)
	f.Fuzz(func(t *testing.T, seed uint64, m, n int) {
		m, n = 1+abs(m)%20, 1+abs(n)%20
		random := rand.New(rand.NewPCG(seed, 0))
		masses := func(n int) []float64 {
			p := make([]float64, n)
			for i := range p {
				p[i] = math.Floor(random.ExpFloat64()*2) * math.Pow(10, float64(random.IntN(7))-3)
			}
			p[0]++
			floats.Scale(1/floats.Sum(p), p)
			return p
		}
		p, q := masses(m), masses(n)
		cost := make([][]float64, m)
		for i := range cost {
			cost[i] = make([]float64, n)
			for j := range cost[i] {
				cost[i][j] = float64(random.IntN(4)) + random.Float64()*float64(random.IntN(2))
			}
		}
		r, err := metric.EMD(p, q, cost)
		if err != nil {
			t.Fatal(err)
		}
		checkOptimal(t, p, q, cost, r)
	})
}

func abs(n int) int {
	if n < 0 {
		return -(n + 1)
	}
	return n
}

func BenchmarkEMD(b *testing.B) {
	for _, n := range []int{10, 50, 200} {
		random := rand.New(rand.NewPCG(1, uint64(n)))
		p, q := make([]float64, n), make([]float64, n)
		cost := make([][]float64, n)
		for i := range n {
			p[i], q[i] = random.Float64(), random.Float64()
			cost[i] = make([]float64, n)
			for j := range n {
				cost[i][j] = random.Float64()
			}
		}
		floats.Scale(1/floats.Sum(p), p)
		floats.Scale(1/floats.Sum(q), q)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				if _, err := metric.EMD(p, q, cost); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleEMD() {
	before, after := []float64{.2, .1, .7}, []float64{.3, .4, .3}
	r, err := metric.EMD(before, after, [][]float64{{0, 1, 2}, {1, 0, 1}, {2, 1, 0}})
	fmt.Printf("%.1f %v\n", r.Distance, err)
	// The plan printed in the paper moves .1 from position 3 to 2, and .3 from 3 to 1.
	fmt.Println(metric.CheckPlan([][]float64{{.2, 0, 0}, {0, .1, 0}, {.3, .1, .3}}, before, after))
	// Output:
	// 0.5 <nil>
	// transport plan: position 1 receives 0.5, want 0.3; position 2 receives 0.2, want 0.4
}

func ExampleEMD1D() {
	d, err := metric.EMD1D([]float64{.2, .1, .7}, []float64{.3, .4, .3})
	fmt.Printf("%.1f %v\n", d, err)
	// Output: 0.5 <nil>
}

func ExampleCheckPlan() {
	fmt.Println(metric.CheckPlan([][]float64{{.5, 0}, {.1, .4}}, []float64{.5, .5}, []float64{.6, .4}))
	fmt.Println(metric.CheckPlan([][]float64{{.5, 0}, {.2, .4}}, []float64{.5, .5}, []float64{.6, .4}))
	// Output:
	// <nil>
	// transport plan: position 2 sends 0.6, want 0.5; position 1 receives 0.7, want 0.6
}
