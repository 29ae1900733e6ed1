package notebook

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// maxOutput is the maximum size of a cell's outputs in bytes, so that an endless loop that prints does not exhaust the
// memory.
const maxOutput = 32 << 20

// A collector writes a kernel's published messages into cells, as Jupyter front ends do.
type collector struct {
	cell     *Cell                // the running cell
	displays map[string][]*Output // outputs by display ID; an update also changes outputs of earlier cells
	clear    bool                 // whether the next output replaces all outputs
	size     int
}

func newCollector() *collector { return &collector{displays: map[string][]*Output{}} }

// begin clears a cell and directs the outputs that follow to it.
func (c *collector) begin(cell *Cell) {
	cell.Outputs, cell.ExecutionCount = nil, 0
	c.cell, c.clear, c.size = cell, false, 0
}

// published holds the content of any message with outputs.
type published struct {
	Name      string         `json:"name"`
	Text      string         `json:"text"`
	Data      map[string]any `json:"data"`
	Metadata  map[string]any `json:"metadata"`
	Transient struct {
		DisplayID string `json:"display_id"`
	} `json:"transient"`
	Count     int      `json:"execution_count"`
	EName     string   `json:"ename"`
	EValue    string   `json:"evalue"`
	Traceback []string `json:"traceback"`
	Wait      bool     `json:"wait"`
}

// handle processes a message about the running cell.
func (c *collector) handle(m *wire.Message) {
	var p published
	switch m.Header.Type {
	case "stream", "display_data", "update_display_data", "execute_result", "error", "clear_output", "execute_input":
		if decode(m.Content, &p) != nil {
			return // ignore malformed messages
		}
	}
	switch m.Header.Type {
	case "stream":
		c.stream(p)
	case "display_data":
		c.add(c.display(&Output{Type: DisplayData, Data: p.Data, Metadata: notNil(p.Metadata)}, p.Transient.DisplayID),
			len(m.Content))
	case "execute_result":
		c.add(c.display(&Output{Type: ExecuteResult, Data: p.Data, Metadata: notNil(p.Metadata),
			ExecutionCount: p.Count}, p.Transient.DisplayID), len(m.Content))
	case "update_display_data":
		c.update(p)
	case "error":
		c.add(&Output{Type: Failure, ErrorName: p.EName, ErrorValue: p.EValue, Traceback: p.Traceback}, 0)
	case "execute_input":
		c.cell.ExecutionCount = p.Count
	case "clear_output":
		if c.clear = p.Wait; !p.Wait {
			c.cell.Outputs = nil
		}
	}
}

// stream appends text to the last output if that is of the same stream.
func (c *collector) stream(p published) {
	if last := len(c.cell.Outputs) - 1; !c.clear && last >= 0 && c.cell.Outputs[last].Type == Stream &&
		c.cell.Outputs[last].Name == p.Name && c.size <= maxOutput {
		c.cell.Outputs[last].Text += p.Text
		c.size += len(p.Text)
		return
	}
	c.add(&Output{Type: Stream, Name: p.Name, Text: p.Text}, len(p.Text))
}

// display records an output under its display ID, and updates earlier outputs with that ID.
func (c *collector) display(o *Output, id string) *Output {
	if id != "" {
		for _, shown := range c.displays[id] {
			shown.Data, shown.Metadata = o.Data, o.Metadata
		}
		c.displays[id] = append(c.displays[id], o)
	}
	return o
}

func (c *collector) update(p published) {
	for _, shown := range c.displays[p.Transient.DisplayID] {
		shown.Data, shown.Metadata = p.Data, notNil(p.Metadata)
	}
}

// add appends an output of the given size in bytes. If the limit is exceeded, it adds a note once, and then only
// errors.
func (c *collector) add(o *Output, size int) {
	if c.clear {
		c.cell.Outputs, c.clear = nil, false
	}
	before := c.size
	c.size += size
	switch {
	case c.size <= maxOutput:
		c.cell.Outputs = append(c.cell.Outputs, o)
	case before <= maxOutput:
		c.cell.Outputs = append(c.cell.Outputs,
			&Output{Type: Stream, Name: "stderr",
				Text: fmt.Sprintf("The rest is left out: a cell may show at most %d MB.\n", maxOutput>>20)})
	case o.Type == Failure:
		c.cell.Outputs = append(slices.Clip(c.cell.Outputs), o)
	}
}
