package answering_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// The small model has 59 tokens, including the picture's placeholder 57. It has 64 positions, and pictures of 300
// values.
func TestData_Refused(t *testing.T) {
	f := openFixture(t, dtypes.Float32)
	seeing, alone := answering.LLaVA(f.config), answering.Decoder(f.config.Text)
	good := f.data()
	for _, test := range []struct {
		model  answering.Model
		change func(data *answering.Data)
		says   string
	}{
		{seeing, func(d *answering.Data) { d.Forget[3].Answer = nil }, "forget: record 3: its answer has no tokens"},
		{seeing, func(d *answering.Data) { d.Retain[0].Question = nil },
			"retain: record 0: its question has no tokens"},
		{seeing, func(d *answering.Data) { d.Refusals[1] = nil }, "refusal 1: its answer has no tokens"},
		{seeing, func(d *answering.Data) { d.Refusals[2] = []int32{4, 59} },
			"refusal 2: its answer has the token 59, the vocabulary goes from 0 to 58"},
		{seeing, func(d *answering.Data) { d.Forget[1].Answer = []int32{-1} },
			"forget: record 1: its answer has the token -1, the vocabulary goes from 0 to 58"},
		{seeing, func(d *answering.Data) { d.Forget[1].Answer = []int32{4, 57, 2} },
			"forget: record 1: its answer has the placeholder of a picture"},
		{seeing, func(d *answering.Data) { d.Retain[2].Answer = make([]int32, 60) },
			"retain: record 2: it has 72 tokens with its answer or the longest refusal, the model was made for 64"},
		{seeing, func(d *answering.Data) { d.Refusals[0] = make([]int32, 57) },
			"forget: record 0: it has 65 tokens with its answer or the longest refusal, the model was made for 64"},
		{seeing, func(d *answering.Data) { d.Retain[0].Pixels = nil },
			"retain: record 0: it must have a placeholder in its question and a picture, or neither"},
		{seeing, func(d *answering.Data) { d.Retain[5].Pixels = good.Retain[0].Pixels },
			"retain: record 5: it must have a placeholder in its question and a picture, or neither"},
		{seeing, func(d *answering.Data) { d.Forget[0].Pixels = make([]float32, 299) },
			"forget: record 0: its picture has 299 values, the model takes [3 10 10]"},
		{seeing, func(d *answering.Data) { d.Forget[0].Question = []int32{1, 57, 4, 57} },
			"forget: record 0: the prompt has the image's placeholder 57 at 2 places"},
		{seeing, func(d *answering.Data) { d.Pad = 57 },
			"padding cannot be the token 57: the vocabulary has 59 tokens, the picture's is 57"},
		{alone, func(*answering.Data) {},
			"forget: record 0: it has a picture, but the model is a decoder without vision"},
	} {
		data := answering.Data{Forget: slices.Clone(good.Forget), Retain: slices.Clone(good.Retain),
			Refusals: slices.Clone(good.Refusals)}
		test.change(&data)
		task, err := answering.NewTask(test.model, data)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") ||
			task.Streams != nil {
			t.Errorf("%v\nwant one line with %s", err, test.says)
		}
	}
}

func TestJob_Refused(t *testing.T) {
	unlearntest.Watch(t)
	without := func(change func(data *answering.Data)) func(j *answering.Job) {
		return func(j *answering.Job) { withData(t, j, change) }
	}
	noForget := without(func(d *answering.Data) { d.Forget = nil })
	noRetain := without(func(d *answering.Data) { d.Retain = nil })
	noRefusals := without(func(d *answering.Data) { d.Refusals = nil })
	bare := func(j *answering.Job) { j.Store = openFixture(t, dtypes.Float32).store(t, false) }
	const down = "/policy/language_model/model/layers/1/mlp/down_proj"
	for _, test := range []struct {
		method answering.Method
		change func(j *answering.Job)
		says   string
	}{
		{answering.GradientAscent(), noForget,
			`method gradient-ascent: the task has no rows of the stream "forget"`},
		{answering.GradientDifference(), noRetain,
			`method gradient-difference: the task has no rows of the stream "retain"`},
		{answering.KL(), noRetain, `method kl: the task has no rows of the stream "retain"`},
		{answering.PO(), noRetain, `method po: the task has no rows of the stream "retain"`},
		{answering.GradientDifferenceAlternating(), noRetain, `the task has no rows of the stream "retain"`},
		{answering.Finetuning(), noRetain, `method finetuning: the task has no rows of the stream "retain"`},
		{answering.DPO(), noRefusals, `method dpo: the task has no rows of the stream "refusals"`},
		{answering.PO(), noRefusals, `method po: the task has no rows of the stream "refusals"`},
		{answering.GradientAscent(), bare, `the model has no adapters, but with the setting "whole" at 0 only ` +
			`they are trained: make some by Model.Adapt, or set it to 1`},
		{answering.GradientAscent(), func(j *answering.Job) { j.Values["whole"] = 1 },
			`the setting "whole" is 1, but the model has adapters: merge them first, or set it to 0`},
		{answering.NPO(), func(j *answering.Job) {
			nn.Adapt(j.Store.Scope("/policy/language_model/model/layers"),
				nn.LoRA{Rank: 4, Alpha: 4, Targets: llava.Projections})
		}, "one of rank 4 for this layer is"},
		{answering.NPO(), func(j *answering.Job) {
			if err := j.Store.DeleteVariable(down + "/lora_A/weight"); err != nil {
				t.Fatal(err)
			}
			other := j.Store.GetVariable("/policy/language_model/model/layers/1/mlp/up_proj/lora_A/weight")
			_, err := j.Store.CreateVariable(down+"/lora_A/weight", tensors.FromShape(other.Shape()))
			if err != nil {
				t.Fatal(err)
			}
		}, "the adapter of " + down + " is [3 24] and [24 3]: one of rank 3 for this layer is [3 34] and [24 3]"},
		{answering.NPO(), func(j *answering.Job) {
			if err := j.Store.DeleteVariable(down + "/lora_B/weight"); err != nil {
				t.Fatal(err)
			}
		}, "the adapter " + down + " belongs to no adapted layer: load it by hf.LoadAdapter, or call nn.Adapt"},
		{answering.GradientDifferenceAlternating(), func(j *answering.Job) { j.Budgets = []int{5} },
			"method gradient-difference-alternating: a budget of 5 passes, but it is judged after [1]"},
		{answering.NPO(), func(j *answering.Job) { j.Values["beta"] = 0 },
			`method npo: the setting "beta" is 0: it must be a finite number above 0`},
	} {
		j := newJob(t, test.method, 1)
		test.change(&j)
		unlearntest.Refused(t, j, test.says)
	}
}

func TestRun_Diverged(t *testing.T) {
	unlearntest.Watch(t)
	for _, m := range answering.Methods() {
		budgets := budgetsOf(m)
		j := newJob(t, m, budgets[len(budgets)-1])
		j.Values["warmup"] = 0
		unlearntest.Diverges(t, j)
	}
}
