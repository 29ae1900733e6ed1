package train

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/fulltest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// few writes a data set with two people and one fact about each. It returns the folder.
func few(t *testing.T) (folder string) {
	t.Helper()
	pictures, err := filepath.Abs("../../../corpus/profilefolder/testdata/lines/images")
	if err != nil {
		t.Fatal(err)
	}
	var rows strings.Builder
	for i, person := range [][2]string{{"Ann Lee", "baker"}, {"Bob Ray", "judge"}} {
		name, job := person[0], person[1]
		for row, q := range [][3]string{
			{"training", "single-hop", "Given that this is " + name + ", what is their job?"},
			{"training", "multi-hop", "What is the job of the person in this image?"},
			{"evaluation", "multi-hop", "Could you tell the job of whom you see?"}} {
			fmt.Fprintf(&rows, `{"identity": "p%d", "full_name": %q, "image_path": "%s/p%d-%d.jpg", "subset": %q, `+
				`"qa_type": %q, "relation": "Job", "query": %q, "response": "The job of %s is %s.", "value": %q}`+"\n",
				i, name, "images", i, row, q[0], q[1], q[2], name, job, job)
		}
	}
	folder = t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "images"), os.DirFS(pictures)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "questions.jsonl"), []byte(rows.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return folder
}

// high returns LLaVA-1.5-7B with the given numbers of layers in its decoder and its vision tower. The output of the
// tower's last layer is not used.
func high(text, vision int) llava.Config {
	c := llava.LLaVA15_7B()
	c.Text.Layers, c.Vision.Layers = text, vision
	return c
}

// The weights are random, so the answers mean nothing. The test shows that models, pictures and steps of the paper's
// width run, with two layers each in decoder and vision tower: a step of learning, a step of NPO, and judging both.
func TestFull_PapersWidth(t *testing.T) {
	paritytest.Slow(t, "minutes and 12 GiB")
	s := open(t, t.TempDir())
	f, config := folders{few(t), t.TempDir()}, high(2, 2)
	published(t, filepath.Join(f.Models, remem.LLaVA7B), config)
	found, err := findDownload(t.Context(), s, f, io.Discard)
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
	lab := NewLab(func() (*device.Device, error) { return d, nil }).reading(found)
	fulltest.Make(t, &plan.Plan, s, lab.Makers(), d.Name())
	artifact, err := s.Get(plan.Bases[0].Key())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(artifact.Manifest.Notes["parameters"]), fmt.Sprint(parametersOf(config)); got != want {
		t.Errorf("%s parameters, want %s", got, want)
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	if scores := r.Worlds[0].Sizes[0].Methods[0][0]; len(scores.Answers) < 4 || len(scores.Secrets) == 0 {
		t.Errorf("%d answers and %d secrets", len(scores.Answers), len(scores.Secrets))
	}
}

// parametersOf computes a LLaVA's number of parameters from its configuration.
func parametersOf(c llava.Config) int {
	width, layer := c.Text.Width, 4*c.Text.Width*c.Text.Width+3*c.Text.Width*c.Text.Hidden+2*c.Text.Width
	seen, block := c.Vision.Width, 4*(c.Vision.Width*c.Vision.Width+c.Vision.Width)+2*c.Vision.Width*c.Vision.Hidden+
		c.Vision.Hidden+c.Vision.Width+4*c.Vision.Width
	side := c.Vision.Image / c.Vision.Patch
	tower := seen + 3*c.Vision.Patch*c.Vision.Patch*seen + (side*side+1)*seen + 4*seen + c.Vision.Layers*block
	projector := seen*width + width + width*width + width
	return tower + projector + 2*c.Text.Vocabulary*width + width + c.Text.Layers*layer
}

// transformers counts the same parameters in the whole published model.
func TestParameters_Published(t *testing.T) {
	if got, want := parametersOf(llava.LLaVA15_7B()), 7063427072; got != want {
		t.Errorf("%d parameters, want %d", got, want)
	}
}
