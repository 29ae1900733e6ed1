package concealment

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// psiGrid holds the ratios ψ over which a score is averaged, with their weights.
type psiGrid struct {
	Name    string
	Psi     []string
	weights []float64
}

// meanOver returns a grid with equal weights, as in the paper's scores.
func meanOver(name string, psi ...string) psiGrid {
	g := psiGrid{Name: name, Psi: psi}
	for range psi {
		g.weights = append(g.weights, 1/float64(len(psi)))
	}
	return g
}

// areaUnder returns a grid for the area under a curve by the trapezoidal rule, divided by the range of the ratios.
func areaUnder(name string, psi ...string) psiGrid {
	g := psiGrid{Name: name, Psi: psi, weights: make([]float64, len(psi))}
	for i := 1; i < len(psi); i++ {
		half := (Value(psi[i]) - Value(psi[i-1])) / (Value(psi[len(psi)-1]) - Value(psi[0])) / 2
		g.weights[i-1], g.weights[i] = g.weights[i-1]+half, g.weights[i]+half
	}
	return g
}

// singlePsi returns a grid for a single ratio. A ratio between two ratios of grid is interpolated. Outside the range of grid,
// the result has no ratios.
func singlePsi(psi string, grid []string) psiGrid {
	at := Value(psi)
	for i, text := range grid {
		switch v := Value(text); {
		case v == at:
			return psiGrid{psi, []string{text}, []float64{1}}
		case v > at && i == 0:
			return psiGrid{Name: psi}
		case v > at:
			share := (at - Value(grid[i-1])) / (v - Value(grid[i-1]))
			return psiGrid{psi, []string{grid[i-1], text}, []float64{1 - share, share}}
		}
	}
	return psiGrid{Name: psi}
}

// ifComplete returns the grid if there are attacks at all its ratios. Otherwise the score is unknown, and it returns an
// empty grid.
func (g psiGrid) ifComplete(psi []string) psiGrid {
	for _, p := range g.Psi {
		if !slices.Contains(psi, p) {
			return psiGrid{Name: g.Name}
		}
	}
	return g
}

// Value parses a ratio. It panics on an invalid number, because ratios come from presets.
func Value(psi string) float64 {
	value, err := strconv.ParseFloat(psi, 64)
	if err != nil {
		panic(fmt.Sprintf("concealment: ψ %q", psi))
	}
	return value
}

// paperPsi returns the ratios of the paper at which the preset attacks. If below is true, it returns only ratios below
// the threshold .55, from which gold recovers concepts, too.
func (p Preset) paperPsi(below bool) []string {
	return slices.DeleteFunc(slices.Clone(PaperPsi), func(psi string) bool {
		return !slices.Contains(p.Attack.Psi, psi) || below && Value(psi) >= metric.PsiThreshold
	})
}

// allRatios returns a grid of the paper's ratios at which the preset attacks. lowRatios returns a grid of those under
// .55.
func (p Preset) allRatios() psiGrid { return meanOver("", p.paperPsi(false)...) }
func (p Preset) lowRatios() psiGrid { return meanOver("ψ < .55", p.paperPsi(true)...) }

// areas returns the three grids on which recovery is compared with gold's. In the smoke preset, which has few ratios,
// they may consist of a single ratio.
func (p Preset) areas() (below, with, mean psiGrid) {
	return p.area("below ψ .55", p.paperPsi(true)), p.area("up to ψ .55", p.paperPsi(false)),
		meanOver("mean over the paper's ψ", p.paperPsi(false)...)
}

func (p Preset) area(name string, psi []string) psiGrid {
	if len(psi) == 1 {
		return meanOver(name, psi...)
	}
	return areaUnder(name, psi...)
}
