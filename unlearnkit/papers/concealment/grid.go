package concealment

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// Grid holds the ratios that a score averages over, each with its weight.
type Grid struct {
	Name    string
	Psi     []string
	weights []float64
}

// MeanOver returns a grid with equal weights, as the paper's scores have.
func MeanOver(name string, psi ...string) Grid {
	g := Grid{Name: name, Psi: psi}
	for range psi {
		g.weights = append(g.weights, 1/float64(len(psi)))
	}
	return g
}

// AreaUnder returns a grid for the area under a curve by the trapezoidal rule, divided by the range of the ratios.
func AreaUnder(name string, psi ...string) Grid {
	g := Grid{Name: name, Psi: psi, weights: make([]float64, len(psi))}
	for i := 1; i < len(psi); i++ {
		half := (Value(psi[i]) - Value(psi[i-1])) / (Value(psi[len(psi)-1]) - Value(psi[0])) / 2
		g.weights[i-1], g.weights[i] = g.weights[i-1]+half, g.weights[i]+half
	}
	return g
}

// At returns a grid of one ratio, interpolated between its neighbours in the grid if necessary.
func At(psi string, grid []string) Grid {
	at := Value(psi)
	for i, text := range grid {
		switch v := Value(text); {
		case v == at:
			return Grid{psi, []string{text}, []float64{1}}
		case v > at && i == 0:
			return Grid{Name: psi}
		case v > at:
			share := (at - Value(grid[i-1])) / (v - Value(grid[i-1]))
			return Grid{psi, []string{grid[i-1], text}, []float64{1 - share, share}}
		}
	}
	return Grid{Name: psi}
}

// within returns the grid if all its ratios were attacked at. Otherwise it returns an empty grid, since the score is
// unknown.
func (g Grid) within(psi []string) Grid {
	for _, p := range g.Psi {
		if !slices.Contains(psi, p) {
			return Grid{Name: g.Name}
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

// paperPsi returns the paper's ratios at which the preset attacks. With below, it returns only ratios below the
// threshold from which gold recovers the concept too.
func (p Preset) paperPsi(below bool) []string {
	return slices.DeleteFunc(slices.Clone(PaperPsi), func(psi string) bool {
		return !slices.Contains(p.Attack.Psi, psi) || below && Value(psi) >= metric.PsiThreshold
	})
}

// whole returns a grid of all the paper's ratios ψ that the preset has; below returns a grid of the ratios under .55.
func (p Preset) whole() Grid { return MeanOver("", p.paperPsi(false)...) }
func (p Preset) below() Grid { return MeanOver("ψ < .55", p.paperPsi(true)...) }

// areas returns the grids by which recovery is compared with gold's. In the smoke preset, which has few ratios, they
// may have only one ratio.
func (p Preset) areas() (below, with, mean Grid) {
	return p.area("below ψ .55", p.paperPsi(true)), p.area("up to ψ .55", p.paperPsi(false)),
		MeanOver("mean over the paper's ψ", p.paperPsi(false)...)
}

func (p Preset) area(name string, psi []string) Grid {
	if len(psi) == 1 {
		return MeanOver(name, psi...)
	}
	return AreaUnder(name, psi...)
}
