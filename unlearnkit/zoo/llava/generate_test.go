package llava_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// integers returns the rows in a fixture without the negative numbers that pad them.
func integers(want paritytest.Reference, name string) [][]int32 {
	tensor := want.Tensor(name, dtypes.Int32)
	all, width := tensors.MustCopyFlatData[int32](tensor), tensor.Shape().Dimensions[len(tensor.Shape().Dimensions)-1]
	var rows [][]int32
	for row := range slices.Chunk(all, width) {
		rows = append(rows, slices.DeleteFunc(row, func(id int32) bool { return id < 0 }))
	}
	return rows
}

// prompts returns the prompts in a fixture without padding on the right.
func prompts(want paritytest.Reference, ids, mask string) []llava.Prompt {
	var all []llava.Prompt
	masks := integers(want, mask)
	for i, row := range integers(want, ids) {
		length := 0
		for _, mark := range masks[i] {
			length += int(mark)
		}
		all = append(all, llava.Prompt{IDs: row[:length]})
	}
	return all
}

// seeing returns the prompts in the LLaVA fixture with their images.
func seeing(want paritytest.Reference) []llava.Prompt {
	all := prompts(want, "right_input_ids", "right_attention_mask")
	pixels := tensors.MustCopyFlatData[float32](want.Tensor("pixel_values", dtypes.Float32))
	for i := range all {
		all[i].Pixels = pixels[i*len(pixels)/len(all) : (i+1)*len(pixels)/len(all)]
	}
	return all
}

func TestGenerate_BatchEqualsAlone(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	store := paritytest.Load(t, d, "testdata/llava", config)
	want := reference(t, "llava")
	generator := config.Generator(d, store.RootScope())
	defer generator.Close()
	end := integers(want, "eos")[0]
	for name, stop := range map[string][]int32{"endless": nil, "continuation": end} {
		got, err := generator.Generate(t.Context(), seeing(want), 9, stop...)
		if err != nil {
			t.Fatal(err)
		}
		if rows := integers(want, name); !slices.EqualFunc(got, rows, slices.Equal) {
			t.Errorf("%s: %v, transformers gives %v", name, got, rows)
		}
	}
}

func TestDecoder_EqualsTransformers(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseDecoder, "llama")
	want := reference(t, "llama")
	generator := config.Generator(d, paritytest.Load(t, d, "testdata/llama", config).RootScope())
	defer generator.Close()
	got, err := generator.Generate(t.Context(), prompts(want, "input_ids", "attention_mask"), 12)
	if err != nil {
		t.Fatal(err)
	}
	if rows := integers(want, "continuation"); !slices.EqualFunc(got, rows, slices.Equal) {
		t.Errorf("%v, transformers gives %v", got, rows)
	}
}

func TestCandidates_EqualTransformers(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	want := reference(t, "llava")
	generator := config.Generator(d, paritytest.Load(t, d, "testdata/llava", config).RootScope())
	defer generator.Close()
	few := [][]int32{{11, 12, 2}, {44}, {8, 8, 8, 8, 2}, {50, 3}}
	var many [][]int32 // more candidates than are scored in one run
	for range 9 {
		many = append(many, few...)
	}
	got, err := generator.LogProbs(t.Context(), seeing(want)[0], many)
	if err != nil {
		t.Fatal(err)
	}
	expected := want.Floats("candidate_log_probs")
	for i, row := range got {
		if len(row) != len(many[i]) {
			t.Fatalf("candidate %d has %d tokens and %d log-probabilities", i, len(many[i]), len(row))
		}
		for j, value := range row {
			if original := expected[i%4*5+j]; math.Abs(value-original) > outputTolerance*math.Abs(original) {
				t.Errorf("token %d of candidate %d has the log-probability %.7g, transformers gives %.7g", j, i, value,
					original)
			}
		}
	}
}

// The lengths of prompts and texts are below, at and above the lengths to which they are rounded up.
func TestGenerate_EqualsFullPass(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseDecoder, "llama")
	store := paritytest.Load(t, d, "testdata/llama", config)
	generator := config.Generator(d, store.RootScope())
	defer generator.Close()
	for _, lengths := range [][2]int{{15, 2}, {16, 16}, {17, 30}} {
		prompt := make([]int32, lengths[0])
		for i := range prompt {
			prompt[i] = int32(1 + 7*i%50)
		}
		continued, err := generator.Generate(t.Context(), []llava.Prompt{{IDs: prompt}}, lengths[1])
		if err != nil {
			t.Fatal(err)
		}
		got, err := generator.LogProbs(t.Context(), llava.Prompt{IDs: prompt}, continued)
		if err != nil {
			t.Fatal(err)
		}
		whole := slices.Concat(prompt, continued[0])
		outputs := paritytest.Compute(t, d, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			logits := config.Logits(scope, config.Embed(scope, x[0]), nil)
			return []*graph.Node{llava.LogProbs(logits, x[0]), graph.ArgMax(logits, -1)}
		}, tensors.FromFlatDataAndDimensions(whole, 1, len(whole)))
		full, best := paritytest.Values(outputs[0])[len(prompt)-1:],
			tensors.MustCopyFlatData[int32](outputs[1])[len(prompt)-1:len(whole)-1]
		if !slices.Equal(best, continued[0]) {
			t.Errorf("after %d tokens it continues with %v, the full pass says %v", len(prompt), continued[0], best)
		}
		for i, value := range full {
			if math.Abs(got[0][i]-value) > 1e-5*max(1, math.Abs(value)) {
				t.Errorf("token %d after %d: %.7g with the memory, %.7g without", i, len(prompt), got[0][i], value)
			}
		}
	}
}

func TestGenerate_Refused(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	generator := config.Generator(d, model.NewStore().RootScope())
	alone := config.Text.Generator(d, model.NewStore().RootScope())
	pixels := make([]float32, 300)
	tests := []struct {
		generator *llava.Generator
		prompts   []llava.Prompt
		most      int
		want      string
	}{
		{generator, nil, 3, "there must be a prompt"},
		{generator, []llava.Prompt{{IDs: []int32{1}}}, 0, "a token to add"},
		{generator, []llava.Prompt{{IDs: []int32{1}}, {}}, 3, "prompt 1: it is empty"},
		{generator, []llava.Prompt{{IDs: []int32{57}}}, 3, "a placeholder and an image, or neither"},
		{generator, []llava.Prompt{{IDs: []int32{1, 57, 57, 57, 57}}}, 3, "a placeholder and an image, or neither"},
		{generator, []llava.Prompt{{IDs: []int32{1}, Pixels: pixels}}, 3, "a placeholder and an image, or neither"},
		{generator, []llava.Prompt{{IDs: []int32{57, 1, 57}, Pixels: pixels}}, 3, "at 2 places"},
		{generator, []llava.Prompt{{IDs: []int32{57, 59}, Pixels: pixels}}, 3, "outside the vocabulary's 0 to 58"},
		{generator, []llava.Prompt{{IDs: []int32{57}, Pixels: pixels[1:]}}, 3, "its image has 299 values"},
		{generator, []llava.Prompt{{IDs: make([]int32, 60)}}, 5, "longer than the 64"},
		{alone, []llava.Prompt{{IDs: []int32{1}, Pixels: pixels}}, 3, "a decoder without vision"},
	}
	for _, test := range tests {
		if _, err := test.generator.Generate(t.Context(), test.prompts, test.most); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want %q", err, test.want)
		}
	}
	if _, err := alone.LogProbs(t.Context(), llava.Prompt{IDs: []int32{1}}, [][]int32{{3}, {}}); err == nil ||
		!strings.Contains(err.Error(), "candidate 1") {
		t.Errorf("the error for an empty candidate is %v", err)
	}
}

func TestGenerate_Cancelled(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseDecoder, "llama")
	generator := config.Generator(d, paritytest.Load(t, d, "testdata/llama", config).RootScope())
	defer generator.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := generator.Generate(ctx, []llava.Prompt{{IDs: []int32{1}}}, 3); err == nil ||
		!strings.Contains(err.Error(), "canceled") {
		t.Errorf("the error is %v", err)
	}
}

func ExampleGenerator_LogProbs() {
	config := llava.SmallS()
	d, err := device.Open("go")
	if err != nil {
		panic(err)
	}
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1) // package hf would load the tensors of a real model
	generator := config.Generator(d, store.RootScope())
	defer generator.Close()
	prompt := llava.Prompt{IDs: []int32{1, config.Placeholder, 20, 21}, Pixels: make([]float32, 3*32*32)}
	scores, err := generator.LogProbs(context.Background(), prompt, [][]int32{{100, 101, 2}, {200, 2}})
	fmt.Printf("%d and %d tokens, the first with probability %.0e; %v\n", len(scores[0]), len(scores[1]),
		math.Exp(scores[0][0]), err)
	// Output: 3 and 2 tokens, the first with probability 4e-04; <nil>
}
