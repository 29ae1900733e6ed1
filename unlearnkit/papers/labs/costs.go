package labs

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// CompiledStep is the cost of one phase of a [Step].
type CompiledStep struct {
	Paper string `json:"paper"`
	Stage string `json:"stage"`
	Name  string `json:"name"`
	Phase string `json:"phase,omitempty"`
	Model string `json:"model"`
	Rows  int    `json:"rows"`
	// Precision is empty for float32; see [Step].
	Precision string `json:"precision,omitempty"`
	device.Cost
	Compiler string `json:"compiler"` // project and version of the plugin
	Date     string `json:"date"`
}

// Seconds returns a lower bound of the time of the step on the card, at the speed of the step's precision.
func (c CompiledStep) Seconds(on device.Card) float64 {
	if c.Precision != "" {
		on.FLOPS = on.FLOPS16
	}
	return c.Cost.Seconds(on)
}

// Costs are compiled steps.
type Costs []CompiledStep

// ReadCosts reads a file that [Costs.Write] has written. It returns nothing if the file does not exist.
func ReadCosts(path string) (c Costs, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	return c, err
}

// Write writes the costs to a file.
func (c Costs) Write(path string) error {
	return safefile.WriteFile(path, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "\t")
		return encoder.Encode(c)
	})
}

// Of returns the compiled phases of a step of a paper.
func (c Costs) Of(paper string, s Step) Costs {
	return slices.DeleteFunc(slices.Clone(c), func(of CompiledStep) bool {
		return of.Paper != paper || of.Stage != s.Stage || of.Name != s.Name || of.Model != s.Model || of.Rows != s.Rows ||
			of.Precision != s.Precision
	})
}

// Compile compiles a step of a paper on a device of [device.OpenCompiler].
func Compile(ctx context.Context, d *device.Device, paper string, s Step) (Costs, error) {
	phases, err := s.Costs(ctx, d)
	if err != nil {
		return nil, err
	}
	var costs Costs
	for _, phase := range phases {
		costs = append(costs, CompiledStep{Paper: paper, Stage: s.Stage, Name: s.Name, Phase: phase.Phase,
			Model: s.Model, Rows: s.Rows, Precision: s.Precision, Cost: phase.Cost, Compiler: device.CompilerVersion(),
			Date: time.Now().UTC().Format(time.DateOnly)})
	}
	return costs, nil
}
