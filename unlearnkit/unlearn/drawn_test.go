package unlearn

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

func TestTrajectoriesAreDrawnByTheModelThatTheMethodNames(t *testing.T) {
	watch(t)
	for _, test := range []struct {
		method Method
		by     string
	}{{ESDX(), "the policy as it is"}, {NewerESDX(), "the frozen model"}, {SDD(), "the average"}} {
		j := erasing(t, test.method, 3)
		plain := j.Task.(Diffusion)
		var moving map[string]string // the policy after the last step
		j.Progress = func(int, int) { moving = contents(t, j.Store, Policy) }
		draws := 0
		j.Task = watched{plain, func(scope *model.Scope, s Sampling, drawn *tensors.Tensor) {
			if draws++; draws == 1 {
				return // nothing has moved yet
			}
			models := map[string]string{}
			note := func() {
				name := "the policy as it is"
				if len(differing(moving, contents(t, j.Store, Policy))) > 0 {
					name = "the average"
				}
				models[name] = drawnBy(t, plain, j.Store.RootScope().At(Policy), s)
			}
			note()
			if test.method.Reference {
				models["the frozen model"] = drawnBy(t, plain, j.Store.RootScope().At(reference), s)
			} else {
				average := optim.Optimizer{Scope: optimizerScope(0)}
				for range 2 { // there and back
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
		}}
		if _, err := j.Run(t.Context()); err != nil || draws != 3 {
			t.Errorf("%s: %d draws, %v", test.method.Name, draws, err)
		}
	}
}

func TestTheAverageIsWhatSnapshotsSeeAndWhatIsLeft(t *testing.T) {
	watch(t)
	j := erasing(t, SDD(), 1, 2, 3)
	j.Values["batch"] = 8 // one step a pass
	path := "/" + Policy + "/unet/mid_block/attentions/0/transformer_blocks/0/attn2/to_k/weight"
	read := func(path string) []float32 {
		return tensors.MustCopyFlatData[float32](j.Store.GetVariable(path).MustValue())
	}
	want := read(path)
	j.Snapshot = func(_ context.Context, budget int) error {
		moving, judged := read("/"+optimizerScope(0)+"/average"+path), read(path)
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
		if !strings.HasPrefix(variable.Path(), "/"+Policy+"/") {
			t.Errorf("%s is left", variable.Path())
		}
	}
}

func TestPicturesOfTheAnchorAreDrawnOnceByTheOriginalAndTheirNoiseInEachPass(t *testing.T) {
	watch(t)
	j := erasing(t, AblatingConcepts(ModelBased, AblationGroups()[0]), 3)
	plain, draws := j.Task.(Diffusion), 0
	j.Task = watched{plain, func(scope *model.Scope, s Sampling, drawn *tensors.Tensor) {
		draws++
		if scope.Scope() != "/"+Policy {
			t.Errorf("%s draws", scope.Scope())
		}
	}}
	noises := map[string]int{}
	j.Progress = func(done, _ int) {
		if done%4 != 0 {
			return
		}
		for path, data := range contents(t, j.Store, optimizerScope(0)+"/drawn/noises/column") {
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

func TestRowsOfATrajectoryHaveTheTimestepsOfTheirPlaces(t *testing.T) {
	watch(t)
	j := erasing(t, ESDX(), 1)
	j.Values = Values{"trajectories": 6, "stops": 4, "steps": 50}
	phases, err := j.phases()
	if err != nil {
		t.Fatal(err)
	}
	var asked Sampling
	task := watched{j.Task.(Diffusion), func(_ *model.Scope, s Sampling, _ *tensors.Tensor) { asked = s }}
	sampler, err := task.Sampler(j.Store.RootScope().At(Policy))
	if err != nil {
		t.Fatal(err)
	}
	defer sampler.Close()
	columns, err := phases[0].Drawn[0].Draw(t.Context(), sampler, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	times := tensors.MustCopyFlatData[int32](columns[1])
	for i, stop := range slices.Concat(asked.Stops...) {
		if low := int32(20 * (49 - stop)); times[i] < low || times[i] >= low+20 {
			t.Errorf("after %d steps of 50 the timestep is %d, want %d to %d", stop, times[i], low, low+19)
		}
	}
	if len(times) != 24 || len(asked.Seeds) != 6 {
		t.Errorf("%d rows of %d trajectories", len(times), len(asked.Seeds))
	}
}

func TestASampleThatIsStoppedIsOnTheWayOfOneThatIsNot(t *testing.T) {
	watch(t)
	task := tinyDiffusion(t)
	scope := original(t, task).RootScope().At(Policy)
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
			Sampling{Prompts: columns[0], Empty: columns[2], Guidance: 3, Steps: 5, Seeds: []uint64{1, 2},
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

func TestErrorsOfNoiseThatFollowsFromAnOriginalWeighLessTowardsTheCleanEnd(t *testing.T) {
	watch(t)
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

func TestCancellingEndsTheDrawingAndTheRunGoesOn(t *testing.T) {
	watch(t)
	j := erasing(t, ESDX(), 2)
	j.Folder = t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	whole := erasing(t, ESDX(), 2)
	at, _ := snapshots(t, whole)
	j.Progress = func(done, _ int) {
		if done == 4 { // the next that happens is that the second pass is drawn
			cancel()
		}
	}
	j.Snapshot = func(context.Context, int) error { calls++; return nil }
	result, err := j.Run(ctx)
	if !errors.Is(err, context.Canceled) || len(result.Log) != 4 || calls != 0 || strings.Contains(err.Error(), "\n") {
		t.Fatalf("%d steps, %d snapshots, %v", len(result.Log), calls, err)
	}
	again := erasing(t, ESDX(), 2)
	again.Folder = j.Folder
	end, _ := snapshots(t, again)
	if names := differing(at[2], end[2]); len(names) > 0 {
		t.Errorf("after an interruption %v differ", names)
	}
	if files, _ := filepath.Glob(filepath.Join(j.Folder, "*")); len(files) != 1 {
		t.Errorf("%v are in the folder", files)
	}
}

func TestRowsAreNotDrawnAgainWhenARunGoesOnWithinAPass(t *testing.T) {
	watch(t)
	folder := t.TempDir()
	draws := 0
	newJob := func() Job {
		j := erasing(t, ESDX(), 2)
		j.Folder = folder
		j.Task = watched{j.Task.(Diffusion), func(*model.Scope, Sampling, *tensors.Tensor) { draws++ }}
		return j
	}
	if _, err := cancelled(t, newJob(), 6); !errors.Is(err, context.Canceled) || draws != 2 {
		t.Fatalf("%d draws, %v", draws, err)
	}
	at, _ := snapshots(t, newJob())
	if draws != 2 {
		t.Errorf("%d draws, of which some are after the run went on", draws)
	}
	whole, _ := snapshots(t, erasing(t, ESDX(), 2))
	if names := differing(at[2], whole[2]); len(names) > 0 {
		t.Errorf("%v differ", names)
	}
}

func TestAnErasingRunThatDivergesIsNoResult(t *testing.T) {
	watch(t)
	for _, m := range []Method{ESDU(), SDD()} {
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

func TestErasingThatCannotBeRunIsRefusedInOneLine(t *testing.T) {
	watch(t)
	texts := func(columns ...string) func(j *Job) {
		return func(j *Job) {
			whole := tinyTexts().(table)
			narrow := table{whole.rows, columns, func(rows []int) ([]*tensors.Tensor, error) {
				all, err := whole.batch(rows)
				var some []*tensors.Tensor
				for _, column := range columns {
					some = append(some, all[slices.Index(whole.columns, column)])
				}
				return some, err
			}}
			task := j.Task.(Diffusion)
			task.Streams = map[string]Stream{Forget: narrow}
			j.Task = task
		}
	}
	ablating := AblatingConcepts(ModelBased, AblationGroups()[0])
	for _, test := range []struct {
		name, says string
		method     Method
		change     func(j *Job)
	}{
		{"a task of another kind", `method esd-x: the task has no rows of the stream "forget"`, ESDX(), func(j *Job) {
			j.Task = linear{plain{}}
		}},
		{"a task without a model that draws", `draws "trajectories": a unlearn.plain has no model that draws`, ESDX(),
			func(j *Job) {
				j.Task = plain{Forget: tinyTexts()}
			}},
		{"no empty text", `method sdd: the task's stream "forget" has no column "empty"`, SDD(), texts(Prompt)},
		{"no anchor", `method ablating-model: the task's stream "forget" has no column "anchor"`, ablating,
			texts(Prompt, Empty)},
		{"half a trajectory", `method esd-u: the setting "trajectories" is 0.5: it must be a whole number and at least 1`, ESDU(), func(j *Job) {
			j.Values["trajectories"] = .5
		}},
		{"no steps", `method esd-u: the setting "steps" is 0: it must be`, ESDU(), func(j *Job) {
			j.Values["steps"] = 0
		}},
		{"too many steps", `1001 sampling steps; the schedule allows 1 to 1000`, ablating, func(j *Job) {
			j.Values["steps"] = 1001
		}},
		{"more steps of a trajectory than timesteps", `1001 sampling steps; the schedule allows 1 to 1000`, ESDX(),
			func(j *Job) {
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

func TestDrawnStreamsThatDoNotFitTheirPhaseAreRefused(t *testing.T) {
	watch(t)
	for _, test := range []struct {
		says   string
		change func(p *Phase)
	}{
		{"the frozen model is to draw, but Method.Reference is not set", func(p *Phase) { p.Drawn[0].Frozen = true }},
		{"it needs Draw and Columns, and its Name among the Streams", func(p *Phase) { p.Drawn[0].Draw = nil }},
		{"the task has a stream of that name", func(p *Phase) { p.Streams[0], p.Drawn[0].Name = Forget, Forget }},
		{`3 rows a pass, of which the stream "trajectories" has 8`, func(p *Phase) {
			p.Streams = append(p.Streams, "more")
			more := p.Drawn[0]
			more.Name, more.Rows = "more", 3
			p.Drawn = append(p.Drawn, more)
		}},
		{"0 columns are drawn, not sample, timestep, prompt, empty", func(p *Phase) {
			p.Drawn[0].Draw = func(context.Context, Sampler, uint64, int) ([]*tensors.Tensor, error) { return nil, nil }
		}},
		{"column row: the shape (Float32)[3] is drawn for 8 rows", func(p *Phase) {
			p.Drawn[0].Columns = []string{"row"}
			p.Drawn[0].Draw = func(context.Context, Sampler, uint64, int) ([]*tensors.Tensor, error) {
				return []*tensors.Tensor{tensors.FromFlatDataAndDimensions([]float32{1, 2, 3}, 3)}, nil
			}
		}},
	} {
		m := ESDX()
		lay := m.Phases
		m.Phases = func(p Plan) []Phase {
			phases := lay(p)
			test.change(&phases[0])
			return phases
		}
		m.Reference = false
		j := erasing(t, m, 1)
		if _, err := j.Run(t.Context()); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want %s", err, test.says)
		}
	}
}

func TestErasingRunsLeaveNothingBehind(t *testing.T) {
	watch(t)
	for _, m := range Erasing() {
		j := erasing(t, m, 1)
		before := contents(t, j.Store, Policy)
		if _, err := j.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if len(differing(before, contents(t, j.Store, Policy))) == 0 {
			t.Errorf("%s moves nothing", m.Name)
		}
		for variable := range j.Store.IterVariables() {
			if !strings.HasPrefix(variable.Path(), "/"+Policy+"/") {
				t.Errorf("%s leaves %s", m.Name, variable.Path())
			}
		}
	}
}
