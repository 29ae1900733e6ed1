package notebook

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	_ "image/png" // figures are PNG
	"reflect"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext"
)

// Tolerances within which two figures are equal, because font rendering rounds differently on different processors.
const (
	pixelTolerance = 32   // difference in a channel, out of 255
	pixelShare     = .001 // share of the pixels that may differ by more than pixelTolerance
)

// A Difference is a finding of a check.
type Difference struct {
	Label string // cell, or "" for the whole notebook
	What  string
}

// String returns the difference as one line.
func (d Difference) String() string {
	if d.Label == "" {
		return d.What
	}
	return d.Label + ": " + d.What
}

// Stale compares a committed notebook with its source. It also checks that every code cell has been run, and that only
// cells tagged as raising an error have one.
func Stale(committed *Notebook, source *Source) []Difference {
	fresh := source.Notebook()
	var found []Difference
	for i, want := range fresh.Cells {
		if i >= len(committed.Cells) {
			found = append(found, Difference{fresh.Label(want), "is missing; build and run the notebook again"})
			continue
		}
		if got := committed.Cells[i]; got.ID != want.ID || got.Type != want.Type || got.Source != want.Source ||
			!reflect.DeepEqual(got.Metadata, want.Metadata) {
			found = append(found, Difference{fresh.Label(want),
				"differs from its source; build and run the notebook again"})
		}
	}
	for _, extra := range committed.Cells[min(len(committed.Cells), len(fresh.Cells)):] {
		found = append(found, Difference{committed.Label(extra),
			"is not in the source; build and run the notebook again"})
	}
	for _, c := range committed.Cells {
		if c.Type == Code && strings.TrimSpace(c.Source) != "" && c.ExecutionCount == 0 {
			found = append(found, Difference{committed.Label(c), "is not executed; run the notebook and commit it"})
		}
		for _, o := range c.Outputs {
			if o.Type == Failure && !c.tagged(raisesTag) {
				found = append(found,
					Difference{committed.Label(c), "is committed with an error: " + oneLine(o.ErrorValue)})
			}
		}
	}
	return found
}

// Changed compares a committed notebook's outputs with those of a new run of the same cells. It ignores volatile cells
// and outputs. It also ignores the order of streams relative to displays, which reach a notebook through different
// channels.
func Changed(committed, fresh *Notebook) []Difference {
	if len(committed.Cells) != len(fresh.Cells) {
		return []Difference{{What: fmt.Sprintf("%d cells against %d", len(committed.Cells), len(fresh.Cells))}}
	}
	var found []Difference
	for i, c := range fresh.Cells {
		if _, volatile := c.options(); volatile || c.Type != Code {
			continue
		}
		for _, what := range differences(committed.Cells[i], c) {
			found = append(found, Difference{fresh.Label(c), what})
		}
	}
	return found
}

func differences(committed, fresh *Cell) []string {
	var found []string
	for _, name := range []string{"stdout", "stderr"} {
		if a, b := committed.streamed(name), fresh.streamed(name); a != b {
			found = append(found, name+" "+firstDifference(a, b))
		}
	}
	a, b := committed.displayed(), fresh.displayed()
	if len(a) != len(b) {
		return append(found, fmt.Sprintf("shows %d outputs, %d were committed", len(b), len(a)))
	}
	for i := range a {
		if what := a[i].difference(b[i]); what != "" {
			found = append(found, fmt.Sprintf("output %d: %s", i+1, what))
		}
	}
	return found
}

func (c *Cell) streamed(name string) string {
	var text strings.Builder
	for _, o := range c.Outputs {
		if o.Type == Stream && o.Name == name {
			text.WriteString(o.Text)
		}
	}
	return text.String()
}

func (c *Cell) displayed() []*Output {
	var shown []*Output
	for _, o := range c.Outputs {
		if o.Type != Stream && o.Metadata[kernelext.VolatileOutput] != true {
			shown = append(shown, o)
		}
	}
	return shown
}

// difference describes how a fresh output differs from the committed one, or returns "".
func (o *Output) difference(fresh *Output) string {
	if o.Type != fresh.Type || o.ErrorValue != fresh.ErrorValue {
		return fmt.Sprintf("was %s %s, is %s %s", o.Type, oneLine(o.ErrorValue), fresh.Type, oneLine(fresh.ErrorValue))
	}
	for kind := range o.Data {
		if _, ok := fresh.Data[kind]; !ok {
			return "no longer has " + kind
		}
	}
	for kind, value := range fresh.Data {
		before, ok := o.Data[kind]
		if !ok {
			return "has a new " + kind
		}
		if kind == "image/png" {
			if what := pictureDifference(fmt.Sprint(before), fmt.Sprint(value)); what != "" {
				return what
			}
		} else if a, b := fmt.Sprint(before), fmt.Sprint(value); a != b {
			return kind + " " + firstDifference(a, b)
		}
	}
	return ""
}

// firstDifference quotes the first line that differs.
func firstDifference(before, after string) string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for i := range max(len(a), len(b)) {
		was, is := "nothing", "nothing"
		if i < len(a) {
			was = fmt.Sprintf("%.80q", a[i])
		}
		if i < len(b) {
			is = fmt.Sprintf("%.80q", b[i])
		}
		if was != is || i < len(a) && i < len(b) && a[i] != b[i] {
			return fmt.Sprintf("line %d was %s, is %s", i+1, was, is)
		}
	}
	return ""
}

// maxPixels is the maximum size of a picture that is decoded for a comparison.
const maxPixels = 1 << 26

// pictureDifference compares the pixels of two base64 pictures and describes the difference, or returns "".
func pictureDifference(before, after string) string {
	if before == after {
		return ""
	}
	a, err := decodePicture(before)
	if err != nil {
		return "the committed figure cannot be read: " + err.Error()
	}
	b, err := decodePicture(after)
	if err != nil {
		return "the figure cannot be read: " + err.Error()
	}
	if a.Bounds().Size() != b.Bounds().Size() {
		return fmt.Sprintf("the figure was %v, is %v pixels large", a.Bounds().Size(), b.Bounds().Size())
	}
	size := a.Bounds().Size()
	different := 0
	for y := range size.Y {
		for x := range size.X {
			if !similar(a.At(a.Bounds().Min.X+x, a.Bounds().Min.Y+y), b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y)) {
				different++
			}
		}
	}
	if total := size.X * size.Y; float64(different) > pixelShare*float64(total) {
		return fmt.Sprintf("the figure differs in %d of %d pixels", different, total)
	}
	return ""
}

func similar(a, b interface{ RGBA() (r, g, b, a uint32) }) bool {
	r1, g1, b1, a1 := a.RGBA()
	r2, g2, b2, a2 := b.RGBA()
	for _, d := range []int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2), int(a1) - int(a2)} {
		if d > pixelTolerance*257 || d < -pixelTolerance*257 {
			return false
		}
	}
	return true
}

func decodePicture(encoded string) (image.Image, error) {
	data, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(encoded), ""))
	if err != nil {
		return nil, err
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if int64(config.Width)*int64(config.Height) > maxPixels {
		return nil, fmt.Errorf("it has %d×%d pixels", config.Width, config.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(data))
	return picture, err
}
