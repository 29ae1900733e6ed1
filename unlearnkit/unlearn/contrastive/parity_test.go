package contrastive_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// fixture is the output of gen_methods.py.
type fixture struct {
	paritytest.Reference
	config clip.Config
	task   contrastive.Task
}

func openFixture(t *testing.T) fixture {
	t.Helper()
	text, err := os.ReadFile("testdata/clip/config.json")
	if err != nil {
		t.Fatal(err)
	}
	config, err := clip.ParseConfig(text)
	if err != nil {
		t.Fatal(err)
	}
	f := fixture{Reference: paritytest.Open(t, "testdata/methods.safetensors"), config: config}
	f.task = contrastive.CLIP(config, unlearn.Streams{
		unlearn.Forget: f.stream(unlearn.Forget, contrastive.Image, contrastive.Caption, contrastive.Generic),
		unlearn.Retain: f.stream(unlearn.Retain, contrastive.Image, contrastive.Caption),
	})
	return f
}

// stream returns the columns of the fixture whose names begin with the name of the stream.
func (f fixture) stream(name string, columns ...string) unlearn.Stream {
	all := unlearn.Table{}
	for _, column := range columns {
		kind := dtypes.Int32
		if column == contrastive.Image {
			kind = dtypes.Float32
		}
		all[column] = f.Tensor(name+"."+column, kind)
	}
	return all
}

// batch returns a function that returns the fixture's rows of a step in the order of feed.
func (f fixture) batch(streams []string) func(step int) (train.Batch, error) {
	return func(step int) (train.Batch, error) {
		prefix := fmt.Sprintf("step.%d.", step)
		batch := train.Batch{Inputs: []*tensors.Tensor{f.Tensor(prefix+"permutation", dtypes.Int32)}}
		for _, name := range streams {
			var rows []int
			for _, row := range f.Floats(prefix + name) {
				rows = append(rows, int(row))
			}
			columns, err := f.task.Streams[name].Batch(rows)
			if err != nil {
				return batch, err
			}
			batch.Inputs = append(batch.Inputs, columns...)
		}
		return batch, nil
	}
}

// load puts the fixture's model where the engine keeps the policy.
func (f fixture) load(t *testing.T, store *model.Store) {
	t.Helper()
	d := devicetest.Open(t)
	_, err := d.Trace("load", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		scope := root.At(unlearn.Policy)
		return []*graph.Node{clip.Logits(scope, clip.EncodeImage(scope, f.config, inputs[0]),
			clip.EncodeText(scope, f.config, inputs[1], nil))}
	}, f.Tensor("forget.image", dtypes.Float32).Shape(), f.Tensor("forget.caption", dtypes.Int32).Shape())
	if err != nil {
		t.Fatal(err)
	}
	folder, err := hf.Open("testdata/clip")
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Tensors.Close()
	if _, err := hf.Load(store.RootScope().At(unlearn.Policy), folder.Tensors, f.config.Names()); err != nil {
		t.Fatal(err)
	}
}

// values returns a model's numbers, tensor after tensor in the order of PyTorch's names.
func values(t *testing.T, store *model.Store, scope string) []float64 {
	t.Helper()
	named := map[string]*model.Variable{}
	var names []string
	for variable := range store.Scope("/" + scope).IterVariables() {
		name := strings.ReplaceAll(variable.Path(), "/", ".")
		names, named[name] = append(names, name), variable
	}
	slices.Sort(names)
	var all []float64
	for _, name := range names {
		all = append(all, paritytest.Values(named[name].MustValue())...)
	}
	return all
}

// The settings of gen_methods.py.
var paritySettings = unlearn.Values{"rate": 2e-3, "decay": 0.5, "batch": 4}

func TestEveryMethod_StepsEqualPyTorch(t *testing.T) {
	unlearntest.Watch(t)
	f := openFixture(t)
	for _, m := range contrastive.Methods() {
		if m.Reference && devicetest.Open(t).XLA() {
			continue // TestReferenceMethods_FirstStep says why and tests them.
		}
		f.steps(t, m, 5, func(rule optim.Rule) optim.Rule { return rule })
	}
}

// In the first step the policy equals the frozen model. So weights that only the rows to be kept use have no gradient
// and do not change, for example the embeddings of tokens that are in no caption of the forget set. A device that
// compiles the two models differently, as XLA does, computes rounding errors instead of this zero gradient, and AdamW
// turns them into full steps. All other weights must agree. The rounding errors of gradients that nearly cancel are
// still magnified, so changes may differ by a thousandth of the rate, five times the tolerance above.
func TestReferenceMethods_FirstStep(t *testing.T) {
	unlearntest.Watch(t)
	f := openFixture(t)
	for _, m := range contrastive.Methods() {
		if m.Reference {
			f.steps(t, m, 1, func(rule optim.Rule) optim.Rule { return withoutRounding{rule} })
		}
	}
}

// withoutRounding treats gradients below a millionth of their tensor's largest as zero.
type withoutRounding struct{ optim.Rule }

func (r withoutRounding) Update(p *optim.Parameter) *graph.Node {
	size := graph.Abs(p.Gradient)
	least := graph.MulScalar(graph.ReduceAllMax(size), 1e-6)
	p.Gradient = graph.Where(graph.LessThan(size, least), graph.ZerosLike(size), p.Gradient)
	return r.Rule.Update(p)
}

// steps compares the steps of a method in each form in the fixture; part is the argument of CompareChanges.
func (f fixture) steps(t *testing.T, m contrastive.Method, part float64, change func(optim.Rule) optim.Rule) {
	settings := map[string]unlearn.Values{m.Name: {}}
	switch m.Name {
	case "vlunlearn":
		settings["vlunlearn-retrieval"] = unlearn.Values{"retrieval": 1}
	case "descent-to-delete": // another test checks the noise of this method
		settings = map[string]unlearn.Values{"finetuning": {}}
	}
	for name, more := range settings {
		t.Run(m.Name+" as "+name, func(t *testing.T) { f.compare(t, m, name, more, part, change) })
	}
}

// compare runs three steps of a method's first phase by the engine's own training, with a change of its optimizer's
// rule.
func (f fixture) compare(t *testing.T, m contrastive.Method, name string, settings unlearn.Values,
	part float64, change func(optim.Rule) optim.Rule) {
	t.Parallel() // XLA compiles each method
	store := model.NewStore()
	f.load(t, store)
	for name, value := range paritySettings {
		settings[name] = value
	}
	m.Phases = changing(m.Phases, change)
	phases, err := m.Lay(settings, f.task.Streams)
	if err != nil {
		t.Fatal(err)
	}
	before := values(t, store, unlearn.Policy)
	log, err := contrastive.Job{
		Device: devicetest.Open(t), Store: store, Task: f.task, Method: m, Values: settings,
	}.Steps(t.Context(), 3, f.batch(phases[0].Streams))
	if err != nil {
		t.Fatal(err)
	}
	unlearntest.CompareLosses(t, f.Floats("loss."+name), log)
	unlearntest.CompareChanges(t, f.Floats("change."+name), paritySettings["rate"], part, before,
		values(t, store, unlearn.Policy))
	if m.Reference && !slices.Equal(values(t, store, unlearn.Reference), before) {
		t.Error("the frozen model has changed")
	}
}

// changing wraps a method's Phases so that change replaces the rules of the optimizers.
func changing(phases func(p *unlearn.Plan) ([]contrastive.Phase, error),
	change func(optim.Rule) optim.Rule) func(p *unlearn.Plan) ([]contrastive.Phase, error) {
	return func(p *unlearn.Plan) ([]contrastive.Phase, error) {
		all, err := phases(p)
		for i := range all {
			if all[i].Loss != nil {
				all[i].Optimizer.Rule = change(all[i].Optimizer.Rule)
			}
		}
		return all, err
	}
}
