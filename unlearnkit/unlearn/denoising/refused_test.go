package denoising_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

func TestRun_Diverged(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range []denoising.Method{denoising.ESDU(), denoising.SDD()} {
		j := erasing(t, m, 3)
		j.Values["rate"], j.Values["clip"] = 1e30, 0
		if m.Name == "esd-u" {
			delete(j.Values, "clip")
		}
		j.Snapshot = func(context.Context, int) error { t.Error("a model that diverged was judged"); return nil }
		result, err := j.Run(t.Context())
		if n := len(result.Log); !errors.Is(err, train.ErrDiverged) || n < 2 || n > 4 ||
			!math.IsNaN(result.Log[n-1].Loss) && !math.IsInf(result.Log[n-1].Loss, 0) {
			t.Errorf("%s: %d steps, %v", m.Name, n, err)
		}
	}
}

func TestJob_Refused(t *testing.T) {
	unlearntest.Watch(t)
	texts := func(columns ...string) func(j *denoising.Job) {
		return func(j *denoising.Job) {
			narrow := tinyTexts()
			maps.DeleteFunc(narrow, func(name string, _ *tensors.Tensor) bool {
				return !slices.Contains(columns, name)
			})
			j.Task.Streams = unlearn.Streams{unlearn.Forget: narrow}
		}
	}
	ablating := denoising.AblatingConcepts(denoising.ModelBased, denoising.AblationGroups()[0])
	for _, test := range []struct {
		name, says string
		method     denoising.Method
		change     func(j *denoising.Job)
	}{
		{"no texts", `method esd-x: the task has no rows of the stream "forget"`, denoising.ESDX(),
			func(j *denoising.Job) {
				j.Task.Streams = nil
			}},
		{"no empty text", `method sdd: the task's stream "forget" has no column "empty"`, denoising.SDD(),
			texts(denoising.Prompt)},
		{"no anchor", `method ablating-model: the task's stream "forget" has no column "anchor"`, ablating,
			texts(denoising.Prompt, denoising.Empty)},
		{"half a trajectory", `method esd-u: the setting "trajectories" is 0.5: it must be a whole number`,
			denoising.ESDU(), func(j *denoising.Job) {
				j.Values["trajectories"] = .5
			}},
		{"no steps", `method esd-u: the setting "steps" is 0: it must be`, denoising.ESDU(), func(j *denoising.Job) {
			j.Values["steps"] = 0
		}},
		{"an embedding without a word of the concept's own", `lacks`,
			denoising.AblatingConcepts(denoising.ModelBased, denoising.AblationGroups()[1]), func(j *denoising.Job) {
				same := tinyTexts()
				same[denoising.Anchor] = same[denoising.Prompt]
				j.Task.Streams = unlearn.Streams{unlearn.Forget: same}
			}},
		{"too many steps", `1001 sampling steps; the schedule allows 1 to 1000`, ablating, func(j *denoising.Job) {
			j.Values["steps"] = 1001
		}},
		{"more steps of a trajectory than timesteps", `1001 sampling steps; the schedule allows 1 to 1000`,
			denoising.ESDX(), func(j *denoising.Job) {
				j.Values["steps"] = 1001
			}},
	} {
		j := erasing(t, test.method, 1)
		test.change(&j)
		if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %s", test.name, err, test.says)
		}
	}
}

// rigid draws the same columns in every pass.
type rigid []*tensors.Tensor

func (r rigid) Draw(context.Context, uint64, int) ([]*tensors.Tensor, error) { return r, nil }

func (rigid) Close() {}

// torn is a drawer that panics.
type torn struct{ rigid }

func (torn) Draw(context.Context, uint64, int) ([]*tensors.Tensor, error) {
	panic("the canvas is torn")
}

func TestDrawing_Refused(t *testing.T) {
	unlearntest.Watch(t)
	for _, test := range []struct {
		says   string
		change func(p *denoising.Phase)
	}{
		{"the frozen model is to draw, but Method.Reference is not set", func(p *denoising.Phase) {
			p.Drawn[0].Frozen = true
		}},
		{"it needs Open and Columns, and its Name among the Streams", func(p *denoising.Phase) {
			p.Drawn[0].Open = nil
		}},
		{"the task has a stream of that name", func(p *denoising.Phase) {
			p.Streams[0], p.Drawn[0].Name = unlearn.Forget, unlearn.Forget
		}},
		{`3 rows a pass, but the stream "trajectories" has 8`, func(p *denoising.Phase) {
			p.Streams = append(p.Streams, "more")
			more := p.Drawn[0]
			more.Name, more.Rows = "more", 3
			p.Drawn = append(p.Drawn, more)
		}},
		{"0 columns are drawn, not sample, timestep, prompt, empty", func(p *denoising.Phase) {
			p.Drawn[0].Open = func(denoising.View) (unlearn.Drawer, error) { return rigid{}, nil }
		}},
		{"pass 1 is drawn: the canvas is torn", func(p *denoising.Phase) {
			p.Drawn[0].Open = func(denoising.View) (unlearn.Drawer, error) { return torn{}, nil }
		}},
		{"the paint is dry", func(p *denoising.Phase) {
			p.Drawn[0].Open = func(denoising.View) (unlearn.Drawer, error) {
				return nil, errors.New("the paint is dry")
			}
		}},
		{"column row: the shape (Float32)[3] is drawn for 8 rows", func(p *denoising.Phase) {
			p.Drawn[0].Columns = []string{"row"}
			p.Drawn[0].Open = func(denoising.View) (unlearn.Drawer, error) {
				return rigid{tensors.FromFlatDataAndDimensions([]float32{1, 2, 3}, 3)}, nil
			}
		}},
	} {
		m := denoising.ESDX()
		lay := m.Phases
		m.Phases = func(p *unlearn.Plan) ([]denoising.Phase, error) {
			phases, err := lay(p)
			if err == nil {
				test.change(&phases[0])
			}
			return phases, err
		}
		m.Reference = false
		j := erasing(t, m, 1)
		if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %s", err, test.says)
		}
	}
}

func TestRun_LeavesNothing(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range denoising.Methods() {
		j := erasing(t, m, 1)
		before := unlearntest.Contents(t, j.Store, unlearn.Policy)
		if _, err := j.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if len(unlearntest.Differing(before, unlearntest.Contents(t, j.Store, unlearn.Policy))) == 0 {
			t.Errorf("%s moves nothing", m.Name)
		}
		for variable := range j.Store.IterVariables() {
			if !strings.HasPrefix(variable.Path(), "/"+unlearn.Policy+"/") {
				t.Errorf("%s leaves %s", m.Name, variable.Path())
			}
		}
	}
}
