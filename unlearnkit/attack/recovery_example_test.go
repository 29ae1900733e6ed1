package attack_test

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
)

// attacked returns recovery curves that were measured once on small models, over 64 seeds.
func attacked(gold bool) []attack.Curve {
	r := &attack.Result{Axis: "ψ", Columns: []attack.Column{{Name: "recovered", Label: "share recognised as a cat",
		Share: true, Recovery: true}}}
	for _, text := range []string{"0", ".05", ".15", ".25", ".35", ".45", ".55", ".7", "1"} {
		b := attack.Budget{Text: text}
		fmt.Sscan("0"+text, &b.Value)
		r.Budgets = append(r.Budgets, b)
	}
	r.Budgets[8].Value = 1
	counts := [][]int{{4, 5, 16, 29, 40, 46, 51, 54, 63}, {0, 0, 0, 0, 1, 3, 8, 33, 63},
		{1, 1, 0, 5, 14, 23, 39, 52, 63}}
	r.Models = []attack.Model{
		{Name: "ESD-x", Role: attack.Unlearned, Retained: attack.Share{Right: 122, Of: 128}},
		{Name: "Ablating Concepts", Role: attack.Unlearned, Retained: attack.Share{Right: 128, Of: 128}},
		{Name: "gold", Role: attack.Gold, Retained: attack.Share{Right: 125, Of: 128}},
	}
	if !gold {
		r.Models = r.Models[:1]
		r.Models[0].Retained = attack.Share{}
	}
	var curves []attack.Curve
	for i, m := range r.Models {
		for budget, count := range counts[i] {
			for unit := range 64 {
				row := attack.Row{Model: m.Name, Budget: budget, Unit: uint64(unit), Values: []float64{0}}
				if unit < count {
					row.Values[0] = 1
				}
				r.Rows = append(r.Rows, row)
			}
		}
		curve, err := r.Curve(m.Name, "recovered")
		if err != nil {
			panic(err)
		}
		curves = append(curves, curve)
	}
	return curves
}

func ExampleRecovery() {
	figure, err := attack.Recovery(attacked(true))
	fmt.Println(figure.Caption)
	golden.Compare("recovery", figure, err)
	// Output:
	// 64 seeds at each ψ, 95 % bands by Wilson; ESD-x is above gold with certainty from ψ = 0.15 on; Ablating Concepts is nowhere above gold with certainty
	// recovery-light.png: as drawn before
	// recovery-dark.png: as drawn before
}

// Without gold and retained accuracy, the caption states that they are missing.
func ExampleRecovery_alone() {
	figure, err := attack.Recovery(attacked(false))
	fmt.Println(figure.Caption)
	golden.Compare("recovery-alone", figure, err)
	// Output:
	// 64 seeds at each ψ, 95 % bands by Wilson; there is no gold model to compare with, so the attack itself may have caused the recovery; retained accuracy not measured: ESD-x
	// recovery-alone-light.png: as drawn before
	// recovery-alone-dark.png: as drawn before
}

func ExampleStrip() {
	budgets := attacked(true)[0].Points
	rows := []attack.StripRow{{Name: "x₀ seen by the original"}, {Name: "completed by ESD-x"},
		{Name: "completed by gold"}}
	var axis []attack.Budget
	for i, p := range budgets {
		axis = append(axis, p.Budget)
		for j, picture := range []image.Image{golden.Blob(.9, .8-.09*float64(i)), golden.Blob(.3+.07*float64(i), .9-.1*float64(i)),
			golden.Blob(.3+.07*float64(max(0, i-4)), .9-.1*float64(max(0, i-4)))} {
			rows[j].Images = append(rows[j].Images, picture)
		}
	}
	figure, err := attack.Strip("Partial diffusion of one seed", "ψ", axis, rows)
	fmt.Println(figure.Caption)
	golden.Compare("partial-diffusion", figure, err)
	// Output:
	// From left to right with growing ψ; from top to bottom: x₀ seen by the original, completed by ESD-x, completed by gold
	// partial-diffusion-light.png: as drawn before
	// partial-diffusion-dark.png: as drawn before
}

func TestCurve_NotFinite(t *testing.T) {
	curves := attacked(true)
	for i := range curves[0].Points[:4] {
		curves[0].Points[i].Estimate = attack.Estimate{Value: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
	}
	figure, err := plots.Draw(attack.Recovery(curves))
	if err != nil || !strings.Contains(figure.Caption, "ESD-x has scores at 5 of 9 ψ") {
		t.Fatalf(`got %v, %v, want "ESD-x has scores at 5 of 9 ψ" in Caption`, figure, err)
	}
	if _, _, _, err := figure.PNG(1); err != nil {
		t.Error(err)
	}
	for i := range curves[0].Points {
		curves[0].Points[i].Value = math.NaN()
	}
	if _, err := attack.Recovery(curves[:1]); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a figure of nothing: %v", err)
	}
	curves[1].Column.Name = "other"
	if _, err := attack.Recovery(curves); err == nil || !strings.Contains(err.Error(), "one figure for each") {
		t.Errorf("two columns in one figure: %v", err)
	}
}
