package concealment

import (
	"errors"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// process is the data of Figure 1: which model takes which steps of partial diffusion.
type process struct {
	Title     string     `json:"title"`
	Caption   string     `json:"caption"`
	Handovers []Handover `json:"handovers"`
}

// ProcessFigure draws Figure 1 from the steps that are actually taken. At each ψ the original begins, and the unlearned
// model completes.
func ProcessFigure(handovers []Handover) (*chart.Figure, error) {
	if len(handovers) == 0 {
		return nil, errors.New("process: nothing to draw")
	}
	times := handovers[0].Timesteps
	graph := chart.Relay{Title: "Partial diffusion", Runners: []string{"by the original", "by the unlearned model"},
		Roles: []chart.Role{chart.Original, chart.Unlearned}}
	for _, h := range handovers {
		if h.Original < 0 || h.Original > len(h.Timesteps) || len(h.Timesteps) != len(times) || len(times) == 0 {
			return nil, fmt.Errorf("process: ψ %s has %d of %d steps by the original", h.Psi, h.Original,
				len(h.Timesteps))
		}
		rest := len(times) - h.Original
		if last := len(graph.Rows) - 1; last >= 0 && graph.Rows[last].Steps[0] == h.Original {
			graph.Rows[last].Name += ", " + h.Psi
			continue
		}
		graph.Rows = append(graph.Rows, chart.RelayRow{Name: "ψ = " + h.Psi, Steps: []int{h.Original, rest},
			Note: fmt.Sprintf("%d + %d, signal %.3f", h.Original, rest, h.Signal)})
	}
	graph.From = fmt.Sprintf("noise, t = %d", times[0])
	graph.To = fmt.Sprintf("t = %d, picture", times[len(times)-1])
	graph.Caption = fmt.Sprintf("Each square is one of %d steps, from noise on the left to the picture on the "+
		"right. The original takes ψ times all steps, rounded down, so several ψ can share a row. Signal: the "+
		"share of the handed-over picture that is not noise",
		len(times))
	figure, err := graph.Figure()
	if err != nil {
		return nil, err
	}
	return figure.WithData(process{graph.Title, graph.Caption, handovers}), nil
}
