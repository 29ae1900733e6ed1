package pretrain_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

// An encoder learns to distinguish the masked frames of tones.
func ExampleContrastive_Steps() {
	d, err := device.Open("go")
	if err != nil {
		log.Fatal(err)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	steps, err := pretrain.SmallContrastive().Steps(pretrain.Plan{Scope: "policy", Encoder: smallEncoder(),
		Clips: clips(6, 900), Rows: 4, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	done, err := train.Job{Stage: "pre-train", Device: d, Store: store, Scope: "policy", Loss: steps.Loss,
		Batch: steps.Batch, Optimizer: optim.Optimizer{Rule: optim.AdamW{}, ClipNorm: 10},
		Schedule: optim.Constant(5e-3), Steps: 60}.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the loss falls:", done[59].Loss < done[0].Loss)
	for variable := range store.IterVariables() {
		if name := variable.Path(); strings.HasPrefix(name, "/policy/quantizer") {
			fmt.Println(name, variable.Shape().Dimensions)
		}
	}
	// Output:
	// the loss falls: true
	// /policy/quantizer/weight_proj/weight [64 8]
	// /policy/quantizer/weight_proj/bias [64]
	// /policy/quantizer/codevectors [1 64 16]
}

// HuBERT is trained in two iterations. In the first, the clusters are of the cepstrum; in the second, of the output of
// the first encoder's first layer.
func ExampleClusters_Steps() {
	d, err := device.Open("go")
	if err != nil {
		log.Fatal(err)
	}
	plan := pretrain.Plan{Scope: "policy", Encoder: smallEncoder(), Clips: clips(6, 900), Rows: 4, Seed: 1}
	objective := pretrain.Clusters{Count: 4, Width: 8, LogitTemperature: 0.1}
	features := make([][][]float32, len(plan.Clips.Samples)) // rows for each clip
	for i, samples := range plan.Clips.Samples {
		if features[i], err = preprocess.MFCC(samples, 8000); err != nil {
			log.Fatal(err)
		}
	}
	hop := preprocess.MFCCHop(8000)
	for range 2 {
		var points [][]float32
		for _, rows := range features {
			points = append(points, rows...)
		}
		first, err := pretrain.FirstCentres(seed.Stream(1, "centres"), points, objective.Count)
		if err != nil {
			log.Fatal(err)
		}
		clusters, err := pretrain.Fit(points, first, 50)
		if err != nil {
			log.Fatal(err)
		}
		targets := make([][]int32, len(features))
		for i, rows := range features {
			if targets[i], err = pretrain.FrameTargets(plan.Encoder, 900, clusters.Nearest(rows), hop); err != nil {
				log.Fatal(err)
			}
		}
		steps, err := objective.Steps(plan, targets)
		if err != nil {
			log.Fatal(err)
		}
		store := model.NewStore()
		nn.Seed(store.RootScope(), 1)
		done, err := train.Job{Stage: "pre-train", Device: d, Store: store, Scope: "policy", Loss: steps.Loss,
			Batch: steps.Batch, Optimizer: optim.Optimizer{Rule: optim.AdamW{}, ClipNorm: 10},
			Schedule: optim.Constant(5e-3), Steps: 60}.Run(context.Background())
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("the loss falls:", done[59].Loss < done[0].Loss)
		if features, err = pretrain.States(context.Background(), d, store, plan, 1); err != nil {
			log.Fatal(err)
		}
		hop = 40 // one row for each frame of the encoder
	}
	// Output:
	// the loss falls: true
	// the loss falls: true
}

// A recogniser is trained on texts and decoded greedily.
func ExampleCTC() {
	d, err := device.Open("go")
	if err != nil {
		log.Fatal(err)
	}
	texts := []string{"do", "re", "mi", "fa", "do", "re"}
	alphabet, err := pretrain.NewAlphabet(texts...)
	if err != nil {
		log.Fatal(err)
	}
	recogniser := pretrain.CTC{Alphabet: alphabet, Mean: true}
	plan := pretrain.Plan{Scope: "policy", Encoder: smallEncoder(), Clips: clips(6, 900), Rows: 6, Seed: 1}
	steps, err := recogniser.Steps(plan, texts)
	if err != nil {
		log.Fatal(err)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	done, err := train.Job{Stage: "train", Device: d, Store: store, Scope: "policy", Loss: steps.Loss,
		Batch: steps.Batch, Optimizer: optim.Optimizer{Rule: optim.AdamW{}, ClipNorm: 10},
		Schedule: optim.Constant(5e-3), Steps: 20}.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the loss falls:", done[19].Loss < done[0].Loss)
	program, err := d.Compile("recognise", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{recogniser.Logits(root.At("policy"), plan.Encoder, wav2vec2.Input{Values: x[0]})}
	})
	if err != nil {
		log.Fatal(err)
	}
	defer program.Close()
	outputs, err := program.Run(context.Background(), plan.Clips.Samples)
	if err != nil {
		log.Fatal(err)
	}
	heard, err := alphabet.Greedy(outputs[0], nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q, %d of %d letters wrong\n", heard, metric.LetterErrorRate(texts, heard).Errors, 12)
	// After twenty steps, it has learnt that most frames are blank.
	//
	// Output:
	// the loss falls: true
	// ["" "" "" "" "" ""], 12 of 12 letters wrong
}
