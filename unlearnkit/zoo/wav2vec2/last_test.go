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

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

func TestTheLastChildrenMakeTheWholeModelsLogits(t *testing.T) {
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
	for name, c := range map[string]wav2vec2.Config{
		"group": wav2vec2.SmallGroup(), "layer": wav2vec2.SmallLayer(), "a sum of layers": weighted,
	} {
		c.NumLabels = 5
		for _, last := range []int{1, 2} {
			t.Run(fmt.Sprintf("%s, last %d", name, last), func(t *testing.T) {
				inParts(t, c, last, rows*c.SizeBeforeLast(samples, last), sound(rows, samples))
				inParts(t, c, last, rows*c.SizeBeforeLast(samples, last), sound(rows, samples), mask)
			})
		}
	}
}

// inParts compares the logits of features, which are to be so many numbers, with those of the whole model.
func inParts(t *testing.T, c wav2vec2.Config, last, size int, inputs ...any) {
	t.Helper()
	d, store := seeded(t, c)
	program, err := d.Compile("both ways", store, func(s *model.Scope, x []*graph.Node) []*graph.Node {
		in := wav2vec2.Input{Values: x[0]}
		if len(x) > 1 {
			in.Mask = x[1]
		}
		features, valid := wav2vec2.BeforeLast(s, c, in, last)
		if features.Shape().Size() != size || (valid != nil) != (last == 2 && in.Mask != nil) {
			t.Errorf("the features are %v, want %d numbers; which frames are sound is %v", features.Shape(), size, valid)
		}
		return []*graph.Node{wav2vec2.Forward(s, c, in).Logits, wav2vec2.FromLast(s, c, features, valid, last)}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	outputs, err := program.Run(context.Background(), inputs...)
	if err != nil {
		t.Fatal(err)
	}
	whole, apart := tensors.MustCopyFlatData[float32](outputs[0]), tensors.MustCopyFlatData[float32](outputs[1])
	if !slices.Equal(whole, apart) || slices.Max(whole) == slices.Min(whole) {
		t.Errorf("%d inputs: the last parts make %v, the whole model %v", len(inputs), apart, whole)
	}
}

func TestNoMoreThanTwoLastChildrenAreRunAlone(t *testing.T) {
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

// The backbone is run once, and its frames are what a head is trained on.
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
