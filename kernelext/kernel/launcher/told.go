package launcher

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A told is what a cell itself says of its end, by a display of package kernelext: that is the box then.
type told struct {
	how, text string
	raw       []byte // the display, for a cell that goes on all the same
}

// tells listens to what the cell shows, and says whether it is of its own end and is to be shown in gonb's place.
func (t *errorText) tells(m *wire.Message, raw []byte) bool {
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
	t.told = &told{how, content.Data.Text, raw}
	return true
}

// unused is the display of an end that did not come.
func (t *errorText) unused() []byte {
	if t.told == nil {
		return nil
	}
	raw := t.told.raw
	t.told = nil
	return raw
}

// said is the box that the cell asked for.
func (t *errorText) said() *failure {
	how, text := t.told.how, t.told.text
	t.told = nil
	if how == kernelext.StoppedEnding {
		return &failure{Name: "interrupted", Value: text, Traceback: []string{text}, Quiet: true}
	}
	name, text, _ := strings.Cut(text, ": ")
	f := fail(name, "%s%s", text, t.place())
	if strings.HasPrefix(t.withheld, "panic at ") {
		t.withheld = "" // its place is in the box
	}
	return f
}
