package denoising_test

import (
	"context"
	"errors"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
)

func TestTrajectories_Drawer(t *testing.T) {
	unlearntest.Watch(t)
	for _, test := range []struct {
		method denoising.Method
		by     string
	}{
		{denoising.ESDX(), "the policy as it is"}, {denoising.NewerESDX(), "the frozen model"},
		{denoising.SDD(), "the average"},
	} {
		j := erasing(t, test.method, 3)
		plain := tinyDiffusion(t)
		var moving map[string]string // the policy after the last step
		j.Progress = func(int, int) { moving = unlearntest.Contents(t, j.Store, unlearn.Policy) }
		draws := 0
		j.Task = watching(plain, func(scope *model.Scope, s denoising.Sampling, drawn *tensors.Tensor) {
			if draws++; draws == 1 {
				return // the first drawing precedes the first step
			}
			models := map[string]string{}
			note := func() {
				name := "the policy as it is"
				if len(unlearntest.Differing(moving, unlearntest.Contents(t, j.Store, unlearn.Policy))) > 0 {
					name = "the average"
				}
				models[name] = drawnBy(t, plain, j.Store.RootScope().At(unlearn.Policy), s)
			}
			note()
			if test.method.Reference {
				models["the frozen model"] = drawnBy(t, plain, j.Store.RootScope().At(unlearn.Reference), s)
			} else {
				average := optim.Optimizer{Scope: "optimizer_0"}
				for range 2 { // exchange the policy for the average, and back
					if err := average.SwapAverage(j.Store); err != nil {
						t.Fatal(err)
					}
					note()
				}
			}
			if len(models) != 2 {
				t.Errorf("%s: %d models could have drawn", test.method.Name, len(models))
			}
			for name, would := range models {
				if same := would == bytesOf(drawn); same != (name == test.by) {
					t.Errorf("%s: the same as %s draws: %v", test.method.Name, name, same)
				}
			}
		})
		if _, err := j.Run(t.Context()); err != nil || draws != 3 {
			t.Errorf("%s: %d draws, %v", test.method.Name, draws, err)
		}
	}
}

// Snapshots see the average, and the average remains at the end.
func TestAverage_InSnapshots(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.SDD(), 1, 2, 3)
	j.Values["batch"] = 8 // one step per pass
	path := "/" + unlearn.Policy + "/unet/mid_block/attentions/0/transformer_blocks/0/attn2/to_k/weight"
	read := func(path string) []float32 {
		return tensors.MustCopyFlatData[float32](j.Store.GetVariable(path).MustValue())
	}
	want := read(path)
	j.Snapshot = func(_ context.Context, budget int) error {
		moving, judged := read("/optimizer_0/average"+path), read(path)
		apart := 0.
		for i := range want {
			want[i] += 0.5 * (moving[i] - want[i])
			apart = max(apart, math.Abs(float64(moving[i]-judged[i])))
			if math.Abs(float64(want[i]-judged[i])) > 1e-6 {
				t.Fatalf("budget %d: %g, the average is %g", budget, judged[i], want[i])
			}
		}
		if apart < 1e-3 {
			t.Errorf("budget %d: the average is where the model is", budget)
		}
		return nil
	}
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(read(path), want) && math.Abs(float64(read(path)[0]-want[0])) > 1e-6 {
		t.Error("the run leaves another model than it judged last")
	}
	for variable := range j.Store.IterVariables() {
		if !strings.HasPrefix(variable.Path(), "/"+unlearn.Policy+"/") {
			t.Errorf("%s is left", variable.Path())
		}
	}
}

// The original draws the pictures of the anchor once, and their noise in each pass.
func TestAnchor_DrawnOnce(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.AblatingConcepts(denoising.ModelBased, denoising.AblationGroups()[0]), 3)
	plain, draws := tinyDiffusion(t), 0
	j.Task = watching(plain, func(scope *model.Scope, s denoising.Sampling, drawn *tensors.Tensor) {
		draws++
		if scope.Scope() != "/"+unlearn.Policy {
			t.Errorf("%s draws", scope.Scope())
		}
	})
	noises := map[string]int{}
	j.Progress = func(done, _ int) {
		if done%4 != 0 {
			return
		}
		for path, data := range unlearntest.Contents(t, j.Store, "optimizer_0/drawn/noises/column") {
			noises[path+data]++
		}
	}
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if draws != 1 || len(noises) != 6 {
		t.Errorf("pictures are drawn %d times; %d different columns of noise in three passes, want 6", draws,
			len(noises))
	}
}

func TestTrajectories_Timesteps(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.ESDX(), 1)
	j.Values = unlearn.Values{"trajectories": 6, "stops": 4, "steps": 50, "batch": 24}
	var asked denoising.Sampling
	j.Task = watching(tinyDiffusion(t), func(_ *model.Scope, s denoising.Sampling, _ *tensors.Tensor) { asked = s })
	var times []int32
	j.Progress = func(int, int) {
		kept := j.Store.GetVariable("/optimizer_0/drawn/trajectories/column/timestep")
		times = tensors.MustCopyFlatData[int32](kept.MustValue())
	}
	if _, err := j.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, stop := range slices.Concat(asked.Stops...) {
		if low := int32(20 * (49 - stop)); times[i] < low || times[i] >= low+20 {
			t.Errorf("after %d steps of 50 the timestep is %d, want %d to %d", stop, times[i], low, low+19)
		}
	}
	if len(times) != 24 || len(asked.Seeds) != 6 {
		t.Errorf("%d rows of %d trajectories", len(times), len(asked.Seeds))
	}
}

// A sample that is stopped is on the path of a sample that is not.
func TestTrajectories_Stopped(t *testing.T) {
	unlearntest.Watch(t)
	task := tinyDiffusion(t)
	scope := original(t, task).RootScope().At(unlearn.Policy)
	columns, err := tinyTexts().Batch([]int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	draw := func(stops ...[]int) []float32 {
		sampler, err := task.Sampler(scope)
		if err != nil {
			t.Fatal(err)
		}
		defer sampler.Close()
		drawn, err := sampler.Draw(t.Context(),
			denoising.Sampling{Prompts: columns[0], Empty: columns[2], Guidance: 3, Steps: 5, Seeds: []uint64{1, 2},
				Stops: stops})
		if err != nil {
			t.Fatal(err)
		}
		return tensors.MustCopyFlatData[float32](drawn)
	}
	const size = 2 * 8 * 8
	whole := draw([]int{0, 1, 2, 3, 4, 5}, []int{0, 1, 2, 3, 4, 5})
	some := draw([]int{2, 5}, []int{0})
	for i, at := range []int{2, 5, 6} {
		if !slices.Equal(some[i*size:(i+1)*size], whole[at*size:(at+1)*size]) {
			t.Errorf("row %d is not the sample %d of all", i, at)
		}
	}
	for at := 1; at < 12; at++ {
		if slices.Equal(whole[at*size:(at+1)*size], whole[(at-1)*size:at*size]) {
			t.Errorf("nothing moves between the samples %d and %d", at-1, at)
		}
	}
}

// An error of noise that follows from an original weighs less towards the clean end.
func TestNoiseErrors_CleanEnd(t *testing.T) {
	unlearntest.Watch(t)
	task := tinyDiffusion(t)
	ones, zeros := make([]float32, 2*2*8*8), make([]float32, 2*2*8*8)
	for i := range ones {
		ones[i] = 1
	}
	loss := func() float64 {
		program, err := task.Device.Compile("error", model.NewStore(),
			func(_ *model.Scope, in []*graph.Node) []*graph.Node {
				return []*graph.Node{task.NoiseError(in[0], in[1], in[2])}
			})
		if err != nil {
			t.Fatal(err)
		}
		defer program.Close()
		outputs, err := program.Run(t.Context(), tensors.FromFlatDataAndDimensions(ones, 2, 2, 8, 8),
			tensors.FromFlatDataAndDimensions(zeros, 2, 2, 8, 8), []int32{0, 999})
		if err != nil {
			t.Fatal(err)
		}
		return float64(tensors.ToScalar[float32](outputs[0]))
	}
	if got := loss(); math.Abs(got-1) > 1e-6 {
		t.Errorf("a network that puts out noise: %g, want 1", got)
	}
	task.Model.Schedule.Prediction = "sample"
	if got, want := loss(), (.00085/.99915+1)/2; math.Abs(got-want) > 1e-5 {
		t.Errorf("a network that puts out the original: %g, want %g", got, want)
	}
}

func TestDrawing_Cancelled(t *testing.T) {
	unlearntest.Watch(t)
	j := erasing(t, denoising.ESDX(), 2)
	j.Folder = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	whole := erasing(t, denoising.ESDX(), 2)
	at, _ := unlearntest.Snapshots(t, whole)
	j.Progress = func(done, _ int) {
		if done == 4 { // next, the second pass is drawn
			cancel()
		}
	}
	j.Snapshot = func(context.Context, int) error { calls++; return nil }
	result, err := j.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(result.Log) != 4 || calls != 0 || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%d steps, %d snapshots, %v", len(result.Log), calls, err)
	}
	again := erasing(t, denoising.ESDX(), 2)
	again.Folder = j.Folder
	end, _ := unlearntest.Snapshots(t, again)
	if names := unlearntest.Differing(at[2], end[2]); len(names) > 0 {
		t.Errorf("after an interruption %v differ", names)
	}
	if files, _ := filepath.Glob(filepath.Join(j.Folder, "*")); len(files) != 1 {
		t.Errorf("%v are in the folder", files)
	}
}

// A run that continues within a pass does not draw the pass's rows again.
func TestDrawing_NotRepeated(t *testing.T) {
	unlearntest.Watch(t)
	folder := t.TempDir()
	draws := 0
	newJob := func() denoising.Job {
		j := erasing(t, denoising.ESDX(), 2)
		j.Folder = folder
		j.Task = watching(tinyDiffusion(t), func(*model.Scope, denoising.Sampling, *tensors.Tensor) { draws++ })
		return j
	}
	if _, err := unlearntest.Cancelled(t, newJob(), 6); !errors.Is(err, context.Canceled) || draws != 2 {
		t.Fatalf("%d draws, %v", draws, err)
	}
	at, _ := unlearntest.Snapshots(t, newJob())
	if draws != 2 {
		t.Errorf("%d draws, of which some are after the run went on", draws)
	}
	whole, _ := unlearntest.Snapshots(t, erasing(t, denoising.ESDX(), 2))
	if names := unlearntest.Differing(at[2], whole[2]); len(names) > 0 {
		t.Errorf("%v differ", names)
	}
}

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
func (rigid) Close()                                                         {}

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
		{`3 rows a pass, of which the stream "trajectories" has 8`, func(p *denoising.Phase) {
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
