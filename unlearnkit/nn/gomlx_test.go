package nn_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// unsafeNames lists functions of GoMLX v0.28.2 that have wrong gradients or none, or that the Go backend lacks; package
// nn has replacements.
var unsafeNames = map[string][]string{
	"github.com/gomlx/gomlx/core/graph": {"Convolve", "ConvGeneral", "Interpolate", "MaxPool", "MeanPool",
		"SumPool", "CumSum", "Rsqrt", "If", "While"},
	"github.com/gomlx/gomlx/ml/layers":        {"Convolution"},
	"github.com/gomlx/gomlx/ml/layers/norm":   {"BatchNorm"},
	"github.com/gomlx/gomlx/backends/default": nil, // the import alone is wrong, because it starts a download
}

func unsafeUses(t *testing.T, path string, source any) (uses []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	forbidden := map[string]bool{}
	for _, i := range file.Imports {
		imported := strings.Trim(i.Path.Value, `"`)
		names, listed := unsafeNames[imported]
		if !listed {
			continue
		}
		local := filepath.Base(imported)
		if i.Name != nil {
			local = i.Name.Name
		}
		if local == "." || names == nil {
			uses = append(uses, imported)
		}
		for _, name := range names {
			forbidden[local+"."+name] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := selector.X.(*ast.Ident); ok && forbidden[x.Name+"."+selector.Sel.Name] {
				uses = append(uses, x.Name+"."+selector.Sel.Name)
			}
		}
		return true
	})
	return uses
}

// Operations whose gradients GoMLX derives wrongly are used only in packages nn and device.
func TestGoMLX_WrongGradientsUnused(t *testing.T) {
	own := map[string]bool{"../../unlearnkit/nn": true, "../../unlearnkit/device": true}
	files := 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (own[path] || strings.HasPrefix(entry.Name(), ".") && path != "../..") {
			return filepath.SkipDir
		}
		// a test may need an operation without a gradient
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			files++
			for _, use := range unsafeUses(t, path, nil) {
				t.Errorf("%s uses %s of GoMLX: package nn has what it should use", path, use)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were looked at", files)
	}
}

func TestGoMLX_FindsUnsafe(t *testing.T) {
	const body = "\nfunc f() { g.Convolve(); nn.MaxPool(); g.Add() }"
	tests := map[string]string{
		`import g "github.com/gomlx/gomlx/core/graph"`:         "[g.Convolve]",
		`import . "github.com/gomlx/gomlx/core/graph"`:         "[github.com/gomlx/gomlx/core/graph]",
		`import _ "github.com/gomlx/gomlx/backends/default"`:   "[github.com/gomlx/gomlx/backends/default]",
		`import g "example.org/graph"`:                         "[]",
		`import g "github.com/gomlx/gomlx/ml/layers"`:          "[]",
		`import g "github.com/gomlx/gomlx/core/graph/nothing"`: "[]",
	}
	for header, want := range tests {
		if got := fmt.Sprint(unsafeUses(t, "f.go", "package p\n"+header+body)); got != want {
			t.Errorf("%s uses %s, want %s", header, got, want)
		}
	}
}

// These faults are the reason for this package's own code. If a test fails here, GoMLX has fixed the fault, and the
// named code can be deleted.

func pureGo(t *testing.T) *device.Device {
	t.Helper()
	d, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGoMLX_DerivesWrongly(t *testing.T) {
	tests := []struct {
		name, then   string
		ours, theirs func(x []*graph.Node) *graph.Node
		inputs       [][]int
	}{
		{"even kernels", "convolveNative needs no tap of zeros",
			func(x []*graph.Node) *graph.Node {
				return nn.ConvolveProducts(x[0], x[1], nn.Filled(nn.ConvConfig{Out: 2, Kernel: []int{4}}))
			},
			func(x []*graph.Node) *graph.Node {
				return graph.Convolve(x[0], graph.TransposeAllAxes(x[1], 2, 1, 0)).Done()
			}, [][]int{{1, 9, 3}, {2, 3, 4}}},
		{"resizing of several images", "Resize may use Interpolate",
			func(x []*graph.Node) *graph.Node { return nn.Resize(x[0], 9, 9, nn.Bilinear) },
			func(x []*graph.Node) *graph.Node { return graph.Interpolate(x[0], 2, 9, 9, 1).Bilinear().Done() },
			[][]int{{2, 5, 5, 1}}},
	}
	for _, test := range tests {
		got := compute(t, pureGo(t), func(x []*graph.Node) []*graph.Node {
			ours, theirs := test.ours(x), test.theirs(x)
			return []*graph.Node{ours, withGradients(ours, x)[0], theirs, withGradients(theirs, x)[0]}
		}, test.inputs...)
		if d := difference(got[2], got[0]); d > 1e-6 {
			t.Errorf("GoMLX computes %s differently by %g", test.name, d)
		}
		if difference(got[3], got[1]) < 1e-3 {
			t.Errorf("GoMLX derives %s rightly now: %s", test.name, test.then)
		}
	}
}

func TestGoMLX_Refuses(t *testing.T) {
	tests := []struct {
		name, then string
		build      func(x *graph.Node) *graph.Node
	}{
		{"a stride with a dilation", "Convolve may leave it to the backend", func(x *graph.Node) *graph.Node {
			return graph.Convolve(x, graph.Ones(x.Graph(),
				shapes.Make(x.DType(), 3, 3, 3, 1))).Strides(2).Dilations(2).Done()
		}},
		{"the gradient of MaxPool in pure Go", "MaxPool may use it", func(x *graph.Node) *graph.Node {
			return graph.MaxPool(x).Window(2).Done()
		}},
		{"the gradient of Rsqrt", "scale may use it", func(x *graph.Node) *graph.Node {
			return graph.Rsqrt(graph.Square(x))
		}},
	}
	for _, test := range tests {
		_, err := pureGo(t).Trace("graph", model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
			return withGradients(test.build(x[0]), x)
		}, shapes.Make(dtypes.Float64, 2, 9, 8, 3))
		if err == nil {
			t.Errorf("GoMLX takes %s now: %s", test.name, test.then)
		}
	}
}
