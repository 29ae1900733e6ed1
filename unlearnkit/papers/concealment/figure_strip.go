package concealment

import (
	"fmt"
	"image"
	stddraw "image/draw"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// Sizes of a strip over ψ in inches. A bare strip has no note.
const (
	stripHeight = 2.6
	bareStrip   = 2.37
	stripWidth  = 9
)

// StripsFigure draws Figure 2 or 3: partial diffusion from one noise seed for several prompts.
func StripsFigure(probes []*Probe, sheets []Sheets) (*chart.Figure, error) {
	if len(probes) != len(sheets) {
		return nil, fmt.Errorf("strips: %d of sheets for %d prompts; give one for each", len(sheets), len(probes))
	}
	figure := chart.Stack{Title: "Probing erased models with partial diffusion", Width: stripWidth,
		Caption: "Upper rows: the original's estimate of the final picture when it hands over at ψ; lower " +
			"rows: what the erased model makes of it. One seed each. " + answerMeans}
	if slices.ContainsFunc(probes, textured) {
		figure.Caption += ". " + textureCaveat
	}
	for i, p := range probes {
		title := fmt.Sprintf("%s: “%s”, here “%s”", p.Attack.Prompt.Method, p.Attack.Prompt.Paper,
			p.Attack.Prompt.Prompt)
		strip, err := psiStrip(title, p, false, sheets[i].Strip)
		if err != nil {
			return nil, err
		}
		strip.Note = shareOfAll(p)
		figure.Rows = append(figure.Rows, chart.StackRow{Height: stripHeight, Letters: string(rune('a' + i)),
			Figures: []*chart.Figure{strip}})
	}
	return figure.Figure()
}

// answerMeans explains the judge's answers below a strip.
const answerMeans = "Below each picture: whether the judge sees the erased concept in it or, for a prompt to " +
	"retain, what the prompt asks for (–: not judged)"

// textureCaveat qualifies shares of pictures with spots or bands.
const textureCaveat = "Spots and bands are pixel-scale textures: the judge reports them in pictures where the " +
	"eye sees none, and no picture was labelled by hand"

// textured reports whether a prompt asks for spots or bands.
func textured(p *Probe) bool {
	return strings.Contains(p.Attack.Prompt.Prompt, "spotted") || strings.Contains(p.Attack.Prompt.Prompt, "banded")
}

// shareOfAll states in what share of all pictures, not only the strip's, the judge sees the concept.
func shareOfAll(p *Probe) string {
	var said []string
	for _, point := range p.Recovered[0].Points {
		switch point.Psi {
		case "0", ".25", ".55":
			said = append(said, fmt.Sprintf("%.2f at ψ = %s", point.Value, point.Psi))
		}
	}
	what := p.Attack.Prompt.Erased
	if !p.Attack.Prompt.Forget {
		what = "what is asked for"
	}
	return fmt.Sprintf("Of all %d pictures the judge sees %s in %s", p.Pictures, what, strings.Join(said, ", "))
}

// psiStrip draws a strip with two rows over ψ. It leaves out ratios at which the original takes no step.
func psiStrip(title string, p *Probe, gold bool, picture image.Image) (*chart.Figure, error) {
	completed, seen := p.Attack.Prompt.Method, p.Seen
	curve := p.Recovered[0]
	if gold {
		completed, seen, curve = "gold", p.GoldSeen, p.Recovered[len(p.Recovered)-1]
	}
	sheet := chart.Sheet{Title: title, Axis: "ψ", Foot: "judge",
		Rows: []string{"x₀ seen by the original", "completed by " + completed}}
	var kept []int
	for i, point := range curve.Points {
		answer := "–"
		if sees, judged := seen[point.Psi]; judged {
			answer = map[bool]string{true: "yes", false: "no"}[sees]
		}
		if point.Idle { // same picture as in the previous column
			sheet.Below[len(sheet.Below)-1] = answer
			continue
		}
		kept = append(kept, i)
		sheet.Columns, sheet.Below = append(sheet.Columns, point.Psi), append(sheet.Below, answer)
	}
	sheet.Picture = columnsOf(picture, len(curve.Points), kept)
	return sheet.Figure()
}

// columnsOf cuts the kept columns out of a sheet. The sheet has of columns, one pixel apart.
func columnsOf(sheet image.Image, of int, kept []int) image.Image {
	if sheet == nil || len(kept) == of {
		return sheet
	}
	from := sheet.Bounds()
	cell := (from.Dx() - 1) / of
	left := image.NewNRGBA(image.Rect(0, 0, len(kept)*cell+1, from.Dy()))
	for to, column := range kept {
		place := image.Rect(to*cell, 0, (to+1)*cell+1, from.Dy())
		stddraw.Draw(left, place, sheet, from.Min.Add(image.Pt(column*cell, 0)), stddraw.Src)
	}
	return left
}
