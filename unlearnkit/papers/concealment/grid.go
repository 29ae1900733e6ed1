package concealment

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// Grid is the ratios that a score is made of, each with its weight.
type Grid struct {
	Name    string
	Psi     []string
	weights []float64
}

// MeanOver weighs every ratio alike, as the paper's scores do.
func MeanOver(name string, psi ...string) Grid {
	g := Grid{Name: name, Psi: psi}
	for range psi {
		g.weights = append(g.weights, 1/float64(len(psi)))
	}
	return g
}

// AreaUnder gives the area under a curve by the trapezoidal rule, divided by the range of the ratios.
func AreaUnder(name string, psi ...string) Grid {
	g := Grid{Name: name, Psi: psi, weights: make([]float64, len(psi))}
	for i := 1; i < len(psi); i++ {
		half := (Value(psi[i]) - Value(psi[i-1])) / (Value(psi[len(psi)-1]) - Value(psi[0])) / 2
		g.weights[i-1], g.weights[i] = g.weights[i-1]+half, g.weights[i]+half
	}
	return g
}

// At is one ratio, between those that there are if need be.
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

// within leaves the ratios that were attacked at. It is empty if they are not all there and there is no telling what
// the score would be.
func (g Grid) within(psi []string) Grid {
	for _, p := range g.Psi {
		if !slices.Contains(psi, p) {
			return Grid{Name: g.Name}
		}
	}
	return g
}

// Value is a ratio as a number. One that is none is a mistake of the program: presets have them.
func Value(psi string) float64 {
	value, err := strconv.ParseFloat(psi, 64)
	if err != nil {
		panic(fmt.Sprintf("concealment: ψ %q", psi))
	}
	return value
}

// paperPsi are the paper's ratios among those that the preset attacks at, all or those below the one from which gold
// recovers too.
func (p Preset) paperPsi(below bool) []string {
	return slices.DeleteFunc(slices.Clone(PaperPsi), func(psi string) bool {
		return !slices.Contains(p.Attack.Psi, psi) || below && Value(psi) >= metric.PsiThreshold
	})
}

// Of a preset, the grids of scores: the paper's, with and without its last ratio.
func (p Preset) whole() Grid { return MeanOver("", p.paperPsi(false)...) }
func (p Preset) below() Grid { return MeanOver("ψ < .55", p.paperPsi(true)...) }

// areas are those by which recovery is compared with gold's. In the smoke preset, which has few ratios, they may be of
// one ratio alone.
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
