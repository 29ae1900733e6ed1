package nn_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// everything returns the output of a network with most kinds of layers.
func everything(s *model.Scope, x *graph.Node) *graph.Node {
	x = nn.Conv(s.At("conv"), x, nn.ConvConfig{Out: 24, Kernel: []int{3, 3}, Padding: []int{1, 1}, Bias: true})
	x = nn.SiLU(nn.BatchNorm(s.At("batch"), x, nn.BatchNormConfig{Epsilon: 1e-5, Momentum: 0.1, Training: true}))
	x = nn.MaxPool(nn.GroupNorm(s.At("group"), x, 4, 1e-5), 3, 2, 1)
	x = nn.Resize(x, 10, 9, nn.Bicubic)
	x = graph.Reshape(x, x.Shape().Dimensions[0], -1, 24)
	x = nn.LayerNorm(s.At("layer"), graph.Add(x, nn.PositionalConv(s.At("position"), x, 4, 2)), 1e-5)
	q, kv := nn.Linear(s.At("q"), x, 24, true), nn.Linear(s.At("kv"), x, 12, false)
	x = graph.Add(x, nn.Attention(q, kv, kv, nn.AttentionConfig{Heads: 4, KeyValueHeads: 2, Causal: true}))
	return nn.GELU(nn.Linear(s.At("out"), nn.RMSNorm(s.At("rms"), x, 1e-6), 7, true))
}

// fingerprint hashes every bit of three steps of descent.
func fingerprint(t *testing.T) string {
	store := model.NewStore()
	nn.Seed(store.RootScope(), 11)
	step, err := devicetest.Open(t).Compile("step", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		loss := graph.ReduceAllMean(graph.Square(everything(scope, x[0])))
		var weights []*model.Variable
		var nodes []*graph.Node
		for v := range store.IterVariables() {
			if v.Trainable {
				weights, nodes = append(weights, v), append(nodes, v.NodeValue(loss))
			}
		}
		for i, gradient := range graph.Gradient(loss, nodes...) {
			weights[i].SetNodeValue(graph.Sub(nodes[i], graph.MulScalar(gradient, 0.01)))
		}
		return []*graph.Node{loss}
	})
	if err != nil {
		t.Fatal(err)
	}
	x := tensors.FromFlatDataAndDimensions(single(float64s(normal([]int{8, 14, 13, 3}, "images"))), 8, 14, 13, 3)
	for range 3 {
		if _, err := step.Run(t.Context(), x); err != nil {
			t.Fatal(err)
		}
	}
	hash := sha256.New()
	for v := range store.IterVariables() {
		for _, value := range tensors.MustCopyFlatData[float32](v.MustValue()) {
			if value != value {
				t.Fatalf("%s has a value that is no number", v.Path())
			}
			hash.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(value)))
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:8])
}

const fingerprintOnly = "NN_TEST_FINGERPRINT"

// A seed gives the same bits in every process and on any number of processors.
func TestSeed_SameBits(t *testing.T) {
	got := fingerprint(t)
	if os.Getenv(fingerprintOnly) != "" {
		fmt.Println("fingerprint", got)
		return
	}
	for _, processors := range []string{"1", "2", "4"} {
		command := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		command.Env = append(os.Environ(), fingerprintOnly+"=1", "GOMAXPROCS="+processors)
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		if !strings.Contains(string(output), "fingerprint "+got+"\n") {
			t.Errorf("on %s processors another process says %s, this one %s", processors, output, got)
		}
	}
}
