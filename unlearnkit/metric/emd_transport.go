package metric

import (
	"fmt"
	"math"
)

// EMDResult is the solution of an optimal transport between two distributions.
type EMDResult struct {
	Distance float64     // Σ cost_ij · plan_ij
	Plan     [][]float64 // plan_ij: mass moved from i to j
	// PriceP and PriceQ prove that no plan is cheaper: PriceP_i + PriceQ_j <= cost_ij everywhere, with equality if mass
	// moves from i to j. So Σ p_i PriceP_i + Σ q_j PriceQ_j = Distance is a lower bound for every plan's cost.
	PriceP, PriceQ []float64
}

// EMD returns the earth mover's distance between the masses p and q, where cost_ij is the cost of moving a unit from i
// to j,
//
//	min Σ cost_ij γ_ij  over  γ >= 0,  Σ_j γ_ij = p_i,  Σ_i γ_ij = q_j
//
// (Unlearning or Concealment, eq. 12), and an optimal plan. It is exact except for rounding. It moves mass along
// shortest paths of the residual network. Dijkstra's algorithm finds each path; prices keep the costs non-negative. A
// path takes O((m+n)²), and there are about m+n paths, so that EMD suits distributions over up to a few hundred
// categories.
//
// Special cases are the same as for [EMD1D], except that p and q may have different lengths, and
//
//	cost is not len(p) × len(q)              →  error
//	a cost is negative, NaN or infinite      →  error
func EMD(p, q []float64, cost [][]float64) (EMDResult, error) {
	if err := sameMass(p, q); err != nil {
		return EMDResult{Distance: math.NaN()}, fmt.Errorf("EMD: %w", err)
	}
	if err := checkCosts(len(p), len(q), cost); err != nil {
		return EMDResult{Distance: math.NaN()}, err
	}
	t := newTransport(p, q, cost)
	for t.augment() {
	}
	r := EMDResult{Plan: t.plan, PriceP: make([]float64, len(p)), PriceQ: t.priceQ}
	for i, price := range t.priceP {
		r.PriceP[i] = -price
		for j, mass := range t.plan[i] {
			r.Distance += mass * cost[i][j]
		}
	}
	return r, nil
}

func checkCosts(m, n int, cost [][]float64) error {
	if len(cost) != m {
		return fmt.Errorf("EMD: %d rows of costs for %d masses", len(cost), m)
	}
	for i, row := range cost {
		if len(row) != n {
			return fmt.Errorf("EMD: row %d has %d costs for %d masses", i, len(row), n)
		}
		for j, c := range row {
			if !(c >= 0) || math.IsInf(c, 0) {
				return fmt.Errorf("EMD: cost of moving %d to %d is %v, want a finite number of at least 0", i, j, c)
			}
		}
	}
	return nil
}

// transport is the state of the successive shortest path algorithm. Nodes 0 … m−1 are the sources, and nodes m … m+n−1
// are the sinks.
type transport struct {
	cost           [][]float64
	plan           [][]float64
	supply, demand []float64 // mass that remains to be moved
	priceP, priceQ []float64 // cost_ij + priceP_i − priceQ_j >= 0 for all i, j, and = 0 where plan_ij > 0

	distance []float64 // distance from the nearest source with supply, by Dijkstra's algorithm
	parent   []int
	settled  []bool
}

func newTransport(p, q []float64, cost [][]float64) *transport {
	m, n := len(p), len(q)
	t := &transport{
		cost: cost, plan: make([][]float64, m),
		supply: append([]float64(nil), p...), demand: append([]float64(nil), q...),
		priceP: make([]float64, m), priceQ: make([]float64, n),
		distance: make([]float64, m+n), parent: make([]int, m+n), settled: make([]bool, m+n),
	}
	for i := range t.plan {
		t.plan[i] = make([]float64, n)
	}
	return t
}

// augment moves mass along a shortest path from a source with supply to a sink with demand. It returns false if there
// is no path.
func (t *transport) augment() bool {
	sink := t.shortestPath()
	if sink < 0 {
		return false
	}
	t.reprice(t.distance[sink])
	m := len(t.supply)
	mass := t.demand[sink-m]
	source := sink
	for t.parent[source] >= 0 {
		if next := t.parent[source]; next >= m { // the path goes backwards along mass that moves from source to next
			mass = min(mass, t.plan[source][next-m])
		}
		source = t.parent[source]
	}
	mass = min(mass, t.supply[source])
	t.supply[source] -= mass
	t.demand[sink-m] -= mass
	for node := sink; t.parent[node] >= 0; node = t.parent[node] {
		if before := t.parent[node]; before < m {
			t.plan[before][node-m] += mass
		} else {
			t.plan[node][before-m] -= mass
		}
	}
	return true
}

// shortestPath runs Dijkstra's algorithm from all sources with supply until it settles a sink with demand. It returns
// that sink, or −1.
func (t *transport) shortestPath() int {
	m := len(t.supply)
	for node := range t.distance {
		t.distance[node], t.parent[node], t.settled[node] = math.Inf(1), -1, false
		if node < m && t.supply[node] > 0 {
			t.distance[node] = 0
		}
	}
	for {
		nearest := -1
		for node, d := range t.distance {
			if !t.settled[node] && !math.IsInf(d, 1) && (nearest < 0 || d < t.distance[nearest]) {
				nearest = node
			}
		}
		if nearest < 0 {
			return -1
		}
		t.settled[nearest] = true
		if nearest >= m && t.demand[nearest-m] > 0 {
			return nearest
		}
		t.relax(nearest)
	}
}

// relax updates the distances of a node's neighbours with the paths through the node.
func (t *transport) relax(node int) {
	m, d := len(t.supply), t.distance[node]
	offer := func(to int, reduced float64) {
		if reach := d + max(reduced, 0); !t.settled[to] && reach < t.distance[to] {
			t.distance[to], t.parent[to] = reach, node
		}
	}
	if node < m {
		for j, c := range t.cost[node] {
			offer(m+j, c+t.priceP[node]-t.priceQ[j])
		}
		return
	}
	j := node - m
	for i := range t.plan {
		if t.plan[i][j] > 0 {
			offer(i, t.priceQ[j]-t.priceP[i]-t.cost[i][j])
		}
	}
}

// reprice raises the price of every node by its distance, but at most by the sink's distance. This keeps all costs
// along residual arcs non-negative.
func (t *transport) reprice(reach float64) {
	m := len(t.supply)
	for node, d := range t.distance {
		d = min(d, reach)
		if node < m {
			t.priceP[node] += d
		} else {
			t.priceQ[node-m] += d
		}
	}
}
