package wav2vec2_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

func TestLast_WholeLogits(t *testing.T) {
	weighted := wav2vec2.SmallGroup()
	weighted.UseWeightedLayerSum = true
	const rows, samples = 3, 1200
	marks := make([]int32, rows*samples)
	for i := range marks {
		if i%samples < samples-300*(i/samples) {
			marks[i] = 1
		}
	}
	mask := tensors.FromFlatDataAndDimensions(marks, rows, samples)
	for name, test := range map[string]struct {
		config wav2vec2.Config
		inputs []any
	}{
		"group, without a mask":   {wav2vec2.SmallGroup(), []any{sound(rows, samples)}},
		"layer, with a mask":      {wav2vec2.SmallLayer(), []any{sound(rows, samples), mask}},
		"sum of layers, the same": {weighted, []any{sound(rows, samples), mask}},
	} {
		t.Run(name, func(t *testing.T) {
			test.config.NumLabels = 5
			inParts(t, test.config, rows, samples, test.inputs)
		})
	}
}

// inParts compares the logits from [wav2vec2.FromLast] with those of the whole model.
func inParts(t *testing.T, c wav2vec2.Config, rows, samples int, inputs []any) {
	t.Helper()
	d, store := seeded(t, c)
	program, err := d.Compile("both ways", store, func(s *model.Scope, x []*graph.Node) []*graph.Node {
		in := wav2vec2.Input{Values: x[0]}
		if len(x) > 1 {
			in.Mask = x[1]
		}
		logits := []*graph.Node{wav2vec2.Forward(s, c, in).Logits}
		for _, last := range []int{1, 2} {
			features, valid := wav2vec2.BeforeLast(s, c, in, last)
			if size := features.Shape().Size(); size != rows*c.SizeBeforeLast(samples, last) ||
				(valid != nil) != (last == 2 && in.Mask != nil) {
				t.Errorf("last %d: the features are %v; which frames are sound is %v", last, features.Shape(), valid)
			}
			logits = append(logits, wav2vec2.FromLast(s, c, features, valid, last))
		}
		return logits
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	outputs, err := program.Run(context.Background(), inputs...)
	if err != nil {
		t.Fatal(err)
	}
	whole := tensors.MustCopyFlatData[float32](outputs[0])
	for last, output := range outputs[1:] {
		apart := tensors.MustCopyFlatData[float32](output)
		if !slices.Equal(whole, apart) || slices.Max(whole) == slices.Min(whole) {
			t.Errorf("the last %d make %v, the whole model %v", last+1, apart, whole)
		}
	}
}

func TestLast_TwoAtMost(t *testing.T) {
	c := wav2vec2.SmallGroup()
	c.NumLabels = 5
	for _, last := range []int{0, 3} {
		store := model.NewStore()
		_, err := devicetest.Open(t).Trace("run", store, func(s *model.Scope, x []*graph.Node) []*graph.Node {
			features, _ := wav2vec2.BeforeLast(s, c, wav2vec2.Input{Values: x[0]}, last)
			return []*graph.Node{features}
		}, shapes.Make(dtypes.Float32, 1, 800))
		says := fmt.Sprintf("run: the last %d children of the model: only the last 1 or 2 can be run without the "+
			"backbone", last)
		if fmt.Sprint(err) != says || c.SizeBeforeLast(800, last) != 0 {
			t.Errorf("%v, and %d numbers; want %s", err, c.SizeBeforeLast(800, last), says)
		}
	}
}

// The backbone runs once, and the head is trained on the frames that it returns.
func ExampleBeforeLast() {
	c := wav2vec2.SmallGroup()
	c.NumLabels = 5
	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	store := model.NewStore()
	features, err := d.Trace("features", store, func(s *model.Scope, x []*graph.Node) []*graph.Node {
		frames, _ := wav2vec2.BeforeLast(s, c, wav2vec2.Input{Values: x[0]}, 2)
		return []*graph.Node{frames}
	}, shapes.Make(dtypes.Float32, 1, 4000))
	if err != nil {
		fmt.Println(err)
		return
	}
	logits, err := d.Trace("logits", store, func(s *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{wav2vec2.FromLast(s, c, x[0], nil, 2)}
	}, features...)
	fmt.Println(features, logits, err)
	// Output: [(Float32)[1, 98, 48]] [(Float32)[1, 5]] <nil>
}
