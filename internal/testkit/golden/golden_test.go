package golden

import (
	"testing"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

func TestCompare_NoticesChange(t *testing.T) {
	drawn := func(title string) []byte {
		figure, err := plots.Draw(chart.Lines{Title: title,
			Series: []chart.Series{{Name: "θ", X: []float64{0, 1}, Y: []float64{0, 1}}}}.Figure())
		if err != nil {
			t.Fatal(err)
		}
		picture, _, _, err := figure.PNG(1)
		if err != nil {
			t.Fatal(err)
		}
		return picture
	}
	first, second := drawn("Recovery (α < β & γ)"), drawn("Recovery (a < b & c)")
	if got := verdict(first, first); got != "as drawn before" {
		t.Errorf("the same picture: %s", got)
	}
	if got := verdict(first, second); got == "as drawn before" {
		t.Error("three other letters in the title go unnoticed")
	}
}
