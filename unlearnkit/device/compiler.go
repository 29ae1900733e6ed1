package device

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gomlx/compute/shapes"
)

// Cost is the memory and work that XLA's compiler reports for a program on a GPU, without running it. Sizes are in
// bytes.
type Cost struct {
	Arguments int64 `json:"arguments"` // variables and inputs
	Outputs   int64 `json:"outputs"`
	Aliased   int64 `json:"aliased"`   // outputs that overwrite arguments
	Temporary int64 `json:"temporary"` // everything else that is in memory at once
	// Peak is the most memory that the program holds at once. The CUDA context, the handles of NVIDIA's libraries and
	// the allocator's gaps need memory in addition.
	Peak  int64   `json:"peak"`
	FLOPs float64 `json:"flops"` // in products and convolutions
}

// Card holds the properties of a GPU that limit the memory and the speed of a program.
type Card struct {
	Name      string
	Memory    int64   // bytes that programs can allocate
	Bandwidth float64 // bytes per second
	FLOPS     float64 // float32 operations per second, without tensor cores
	FLOPS16   float64 // bfloat16 operations per second on tensor cores, without sparsity
}

// H100 is NVIDIA's H100 SXM with 80 GB.
var H100 = Card{Name: "NVIDIA H100 80GB HBM3", Memory: 84942979072, Bandwidth: 3.35e12, FLOPS: 67e12,
	FLOPS16: 989e12}

// Seconds returns a lower bound on the program's time on the card: its products at full speed, or reading each argument
// and writing each output once, whichever takes longer.
func (c Cost) Seconds(on Card) float64 {
	return max(c.FLOPs/on.FLOPS, float64(c.Arguments+c.Outputs)/on.Bandwidth)
}

// usable is the fraction of a GPU's memory that XLA may allocate. XLA's own default is .75. The rest must hold the CUDA
// context and the handles of NVIDIA's libraries.
const usable = .95

// Fits reports whether the program fits on the card.
func (c Cost) Fits(on Card) bool { return float64(c.Peak) <= usable*float64(on.Memory) }

// OpenCompiler returns a device that compiles programs for an H100 and cannot run them. It needs no GPU and no driver,
// but the plugins for XLA on the processor and on CUDA, and NVIDIA's assembler: "unlearnlab device install
// cuda-compiler" and "device install cpu". Open it before any other device of the process, because XLA reads its flags
// once.
func OpenCompiler() (*Device, error) {
	if noXLA != "" {
		return nil, errors.New("compiling for a GPU: " + noXLA)
	}
	host := candidates("cpu")
	if len(host) == 0 {
		return nil, errors.New("compiling for a GPU: the graphs are built with the plugin for the processor; " +
			"run: unlearnlab device install cpu")
	}
	path, err := pluginPath("cuda")
	if err != nil {
		return nil, err
	}
	for _, file := range append([]string{path}, compilerPaths(path)...) {
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("compiling for a GPU: %s is missing; run: unlearnlab device install cuda-compiler",
				file)
		}
	}
	backend, err := openCompiler(host[0], path, nvidiaFolder(path))
	if err != nil {
		return nil, fmt.Errorf("compiling for a GPU: %w", err)
	}
	return &Device{backend, xlaCUDA, "compiles only", Plugin{Kind: "cuda", Path: path}}, nil
}

// nvidiaFolder returns the folder in which a CUDA plugin looks for NVIDIA's tools.
func nvidiaFolder(plugin string) string {
	return filepath.Join(filepath.Dir(filepath.Dir(plugin)), "nvidia", "cu13")
}

// costed is a program of a device that only compiles.
type costed interface{ cost() Cost }

// Cost compiles the program for inputs of the given shapes on a device of [OpenCompiler]. Variables need no values.
func (p *Program) Cost(inputs ...shapes.Shape) (cost Cost, err error) {
	err = Try(p.stage, func() error {
		g, err := p.exec.Compile(inputs...)
		if err != nil {
			return err
		}
		compiled, ok := g.Executable().(costed)
		if !ok {
			return errors.New("only a device that was opened to compile has costs")
		}
		cost = compiled.cost()
		return nil
	})
	return cost, err
}

// CompilerVersion returns the project and version of the plugin that compiles for a GPU.
func CompilerVersion() string {
	of := Wheels("cuda")[0]
	for _, p := range plugins {
		if p.Project == of {
			return of + " " + p.Version
		}
	}
	return of
}
