package answering_test

import (
	"context"
	"fmt"
	"math"
	"os"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// questions returns questions about people's towns, in tokens. Person 10 lives in town 20, and so on. Token 1 begins a
// text, token 2 ends an answer.
func questions(people ...int32) (records []answering.Record) {
	for _, person := range people {
		records = append(records, answering.Record{Question: []int32{1, 3, person, 4},
			Answer: []int32{5, 10 + person, 2}})
	}
	return records
}

// A small decoder learns the towns of six people, and then forgets the first person's town.
func Example() {
	config := llava.Decoder{Vocabulary: 30, Width: 24, Layers: 2, Heads: 2, KeyValueHeads: 2, HeadWidth: 12, Hidden: 48,
		Activation: "silu", Theta: 10000, Epsilon: 1e-5, Context: 16}
	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	store := model.NewStore()
	policy := store.RootScope().At(unlearn.Policy)
	nn.Seed(policy, 1)
	_, err = d.Trace("a new model", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		scope := root.At(unlearn.Policy)
		return []*graph.Node{config.Logits(scope, config.Embed(scope, x[0]), nil)}
	}, shapes.Make(dtypes.Int32, 1, 2))
	if err != nil {
		fmt.Println(err)
		return
	}
	job := answering.Job{Device: d, Store: store, Seed: 1, Snapshot: func(context.Context, int) error { return nil }}
	run := func(data answering.Data, m answering.Method, passes int, values unlearn.Values) {
		if job.Task, err = answering.NewTask(answering.Decoder(config), data); err == nil {
			job.Method, job.Budgets, job.Values = m, []int{passes}, values
			_, err = job.Run(context.Background())
		}
		if err != nil {
			fmt.Println(err)
		}
	}

	all := answering.Data{Retain: questions(10, 11, 12, 13, 14, 15)}
	run(all, answering.Finetuning(), 100, unlearn.Values{"whole": 1, "rate": 0.01, "batch": 6})
	fmt.Println("learnt:  ", likely(d, policy, config))

	if err := answering.Decoder(config).Adapt(policy, nn.LoRA{Rank: 4, Alpha: 8}, 2); err != nil {
		fmt.Println(err)
		return
	}
	some := answering.Data{Forget: questions(10), Retain: questions(11, 12, 13, 14, 15)}
	run(some, answering.GradientDifference(), 40, unlearn.Values{"rate": 0.003, "batch": 1})
	fmt.Println("unlearnt:", likely(d, policy, config))
	// Output:
	// learnt:    1.0 1.0 1.0 1.0 1.0 1.0
	// unlearnt:  0.0 1.0 1.0 1.0 1.0 1.0
}

// likely returns the probability that the model gives to each person's town.
func likely(d *device.Device, policy *model.Scope, config llava.Decoder) (text string) {
	generator := config.Generator(d, policy)
	defer generator.Close()
	for _, r := range questions(10, 11, 12, 13, 14, 15) {
		logProbs, err := generator.LogProbs(context.Background(), llava.Prompt{IDs: r.Question}, [][]int32{r.Answer})
		if err != nil {
			return err.Error()
		}
		text += fmt.Sprintf(" %.1f", math.Exp(logProbs[0][1]))
	}
	return text
}

func ExampleMethods() {
	for _, m := range answering.Methods() {
		fmt.Println(m.Title)
	}
	// Output:
	// GA
	// GD
	// KL
	// DPO
	// NPO
	// PO
	// GD (alternating)
	// Finetuning
}

// newModel returns the policy of a new store, with random weights.
func newModel(config llava.Config) (*model.Scope, error) {
	d, err := device.Open("go")
	if err != nil {
		return nil, err
	}
	store := model.NewStore()
	policy := store.RootScope().At(unlearn.Policy)
	nn.Seed(policy, 1)
	picture := shapes.Make(dtypes.Float32, 1, 3, config.Vision.Image, config.Vision.Image)
	_, err = d.Trace("a new model", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{llava.Logits(root.At(unlearn.Policy), config, x[0], x[1], nil)}
	}, picture, shapes.Make(dtypes.Int32, 1, config.ImageTokens()))
	return policy, err
}

// A new adapter changes nothing until it is trained.
func ExampleModel_Adapt() {
	config := llava.SmallS()
	policy, err := newModel(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	before := policy.NumParameters()
	err = answering.LLaVA(config).Adapt(policy, nn.LoRA{Rank: 16, Alpha: 32}, 2)
	fmt.Println(policy.NumParameters()-before, "parameters more,", err)
	fmt.Println("again:", answering.LLaVA(config).Adapt(policy, nn.LoRA{Rank: 16, Alpha: 32}, 2) != nil)
	// Output:
	// 116736 parameters more, <nil>
	// again: true
}

// A trained adapter is saved in the files that PEFT reads.
func ExampleModel_SaveAdapter() {
	config := llava.SmallS()
	policy, err := newModel(config)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := answering.LLaVA(config).Adapt(policy, nn.LoRA{Rank: 16, Alpha: 32}, 2); err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "unlearned")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	fmt.Println(answering.LLaVA(config).SaveAdapter(policy, dir))
	files, err := os.ReadDir(dir)
	for _, file := range files {
		fmt.Println(file.Name(), err)
	}
	// Output:
	// <nil>
	// adapter_config.json <nil>
	// adapter_model.safetensors <nil>
}
