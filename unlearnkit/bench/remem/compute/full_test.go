package compute

import (
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/lab/fulltest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/paritytest"
)

// The weights are random, so the answers say nothing; what is shown is that models, pictures and steps of the paper's
// width go through, two layers of each tower high: a step of learning, a step of NPO, judging both.
func TestModelsOfThePapersWidthLearnForgetAndAreAsked(t *testing.T) {
	paritytest.Slow(t, "minutes and several GiB")
	s := open(t)
	f := download(t)
	config := llava.LLaVA15_7B()
	config.Text.Layers, config.Vision.Layers = 2, 2
	published(t, filepath.Join(f.Models, remem.LLaVA7B), config)
	found, err := Find(t.Context(), s, f, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	d, err := device.Open("")
	if err != nil {
		t.Fatal(err)
	}
	p := remem.Paper(found.Download)
	p.Forget, p.Epochs, p.Whole, p.Bits, p.Relearning = p.Forget[:1], 1, false, nil, remem.RelearntSpec{}
	p.Sizes[0].Teaching.Epochs, p.Sizes[0].Teaching.Batch, p.Batch = 1, 2, 2
	p.Methods = p.Methods[4:5]
	plan := remem.NewPlan(p)
	lab := NewLab(func() (*device.Device, error) { return d, nil }).Reading(found)
	fulltest.Make(t, &plan.Plan, s, remem.Makers(lab), d.Name())
	artifact, err := s.Get(plan.Bases[0].Key())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(artifact.Manifest.Notes["parameters"]), fmt.Sprint(parametersOf(config)); got != want {
		t.Errorf("%s parameters, want %s", got, want)
	}
}

// parametersOf counts those of a LLaVA by arithmetic.
func parametersOf(c llava.Config) int {
	width, layer := c.Text.Width, 4*c.Text.Width*c.Text.Width+3*c.Text.Width*c.Text.Hidden+2*c.Text.Width
	seen, block := c.Vision.Width, 4*(c.Vision.Width*c.Vision.Width+c.Vision.Width)+2*c.Vision.Width*c.Vision.Hidden+
		c.Vision.Hidden+c.Vision.Width+4*c.Vision.Width
	side := c.Vision.Image / c.Vision.Patch
	tower := seen + 3*c.Vision.Patch*c.Vision.Patch*seen + (side*side+1)*seen + 4*seen + c.Vision.Layers*block
	projector := seen*width + width + width*width + width
	return tower + projector + 2*c.Text.Vocabulary*width + width + c.Text.Layers*layer
}

// The count of the whole published model, as transformers has it.
func TestParametersAreCountedAsThePublishedModelHasThem(t *testing.T) {
	if got, want := parametersOf(llava.LLaVA15_7B()), 7063427072; got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
}
