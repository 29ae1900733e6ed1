package launcher

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// An exitReport is a cell's own report of its end, sent as a display by package kernelext. It becomes the error box.
type exitReport struct {
	how, text string
	raw       []byte // the display, to show if the cell does not end
}

// readReport checks whether a cell's display is an exit report. If so, it records the report, which replaces gonb's
// error.
func (t *errorText) readReport(m *wire.Message, raw []byte) bool {
	var content struct {
		Data struct {
			Text string `json:"text/plain"`
		} `json:"data"`
		Metadata map[string]any `json:"metadata"`
	}
	if t.raw || m.Decode(&content) != nil {
		return false
	}
	how, found := content.Metadata[kernelext.EndingOutput].(string)
	if !found {
		return false
	}
	t.report = &exitReport{how, content.Data.Text, raw}
	return true
}

// takeUnused returns the display of an exit report if the cell went on after it, otherwise nil.
func (t *errorText) takeUnused() []byte {
	if t.report == nil {
		return nil
	}
	raw := t.report.raw
	t.report = nil
	return raw
}

// reportBox returns the box for an exit report.
func (t *errorText) reportBox() *failure {
	how, text := t.report.how, t.report.text
	t.report = nil
	if how == kernelext.StoppedEnding {
		return &failure{Name: "interrupted", Value: text, Traceback: []string{text}, Quiet: true}
	}
	name, text, _ := strings.Cut(text, ": ")
	f := fail(name, "%s%s", text, t.place())
	if strings.HasPrefix(t.withheld, "panic at ") {
		t.withheld = "" // the box already names the place
	}
	return f
}
