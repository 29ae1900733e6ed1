package clip_test

import (
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// No package contains a trained CLIP, but one contains DINOv2's ViT-S/14. It has the same blocks, except for a scale,
// which is multiplied into the weights.
func TestRealBlocks_EqualONNXRuntime(t *testing.T) {
	dir := paritytest.Real(t, "dinov2", "scripts/real_models.py")
	d, store := devicetest.Open(t), model.NewStore()
	tower := clip.Tower{Width: 384, Layers: 12, Heads: 6, Hidden: 1536, Activation: "gelu", Epsilon: 1e-6}
	build := func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		states := tower.Encode(scope, x[0])
		return []*graph.Node{states[1], nn.LayerNorm(scope.At("post_layernorm"), states[tower.Layers], tower.Epsilon)}
	}
	if _, err := d.Trace("trace", store, build, shapes.Make(dtypes.Float32, 2, 257, 384)); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.OpenFolder(dir, "model")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := hf.Load(store.RootScope(), file, hf.Names{}); err != nil {
		t.Fatal(err)
	}
	want := paritytest.Open(t, dir+"/expected.safetensors")
	outputs := paritytest.Compute(t, d, store, build, want.Tensor("embeddings", dtypes.Float32))
	want.Compare("after one block", outputs[0], 1e-4, 0)
	want.Compare("normalised", outputs[1], 1e-4, 0)
}
