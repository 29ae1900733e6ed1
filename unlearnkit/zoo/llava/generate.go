package llava

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// Prompt is a text for a model to continue, with an image if the model has vision.
type Prompt struct {
	IDs []int32
	// Pixels holds the preprocessed values of an image [3, H, W]. It is nil for a decoder without vision and for a
	// prompt without a placeholder.
	Pixels []float32
}

// Generator continues prompts. It keeps the graphs that it compiles on demand, so it should be reused. If tensors get
// new values, it remains valid; if they are adapted or merged, a new Generator is needed. It is not safe for concurrent
// use.
type Generator struct {
	d       *device.Device
	store   *model.Store
	decoder Decoder
	// embed returns the embeddings of token IDs and, for a model with vision, images.
	embed func(inputs []*graph.Node) *graph.Node
	at    string // path of the decoder's scope
	image []int  // shape of an image; nil without vision
	// expand expands a prompt, and placeholder is the token of an image, or negative without vision.
	expand      func([]int32) ([]int32, error)
	placeholder int32
	programs    map[string]*device.Program
}

// Generator returns a generator that continues prompts with the model whose tensors are below scope.
func (c Config) Generator(d *device.Device, scope *model.Scope) *Generator {
	path := scope.Scope()
	return &Generator{
		d: d, store: scope.Store(), decoder: c.Text, at: model.JoinPath(path, "language_model"),
		embed: func(inputs []*graph.Node) *graph.Node {
			return Embed(scope.Store().Scope(path), c, inputs[1], inputs[0])
		},
		image:  []int{c.Vision.Channels, c.Vision.Image, c.Vision.Image},
		expand: c.Expand, placeholder: c.Placeholder,
		programs: map[string]*device.Program{},
	}
}

// Generator returns a generator that continues prompts with the decoder whose tensors are below scope.
func (c Decoder) Generator(d *device.Device, scope *model.Scope) *Generator {
	path := scope.Scope()
	return &Generator{
		d: d, store: scope.Store(), decoder: c, at: path,
		embed:  func(inputs []*graph.Node) *graph.Node { return c.Embed(scope.Store().Scope(path), inputs[0]) },
		expand: func(prompt []int32) ([]int32, error) { return prompt, nil }, placeholder: -1,
		programs: map[string]*device.Program{},
	}
}

// Close frees the compiled graphs.
func (g *Generator) Close() {
	for _, program := range g.programs {
		program.Close()
	}
	clear(g.programs)
}

// program returns a graph of the decoder, which it compiles once.
func (g *Generator) program(name string,
	build func(scope *model.Scope, inputs []*graph.Node) []*graph.Node) (*device.Program, error) {
	if program, ok := g.programs[name]; ok {
		return program, nil
	}
	program, err := g.d.Compile(name, g.store, func(_ *model.Scope, inputs []*graph.Node) []*graph.Node {
		return build(g.store.Scope(g.at), inputs)
	})
	if err == nil {
		g.programs[name] = program
	}
	return program, err
}

// Generate continues each prompt with the most probable token at each place, up to a maximum number of tokens. A
// continuation ends with its first token in end.
func (g *Generator) Generate(ctx context.Context, prompts []Prompt, most int, end ...int32) ([][]int32, error) {
	state, err := g.begin(ctx, prompts, most)
	if err != nil {
		return nil, err
	}
	defer state.free()
	step, err := g.program("decode a token", func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		ids, used, m := inputs[0], inputs[1], g.decoder.memoryOf(inputs[2:])
		hidden, added := g.decoder.extend(scope, g.decoder.Embed(scope, ids), used, m)
		return append([]*graph.Node{g.decoder.output(scope, hidden)}, m.write(added, used).nodes()...)
	})
	if err != nil {
		return nil, err
	}
	continuations := make([][]int32, len(prompts))
	for {
		next := mostProbable(state.logits, len(prompts))
		done := true
		for row, token := range next {
			if c := continuations[row]; len(c) < most && (len(c) == 0 || !slices.Contains(end, c[len(c)-1])) {
				continuations[row] = append(c, token)
				done = done && (len(c)+1 == most || slices.Contains(end, token))
			}
		}
		if done {
			return continuations, nil
		}
		ids, used := tensors.FromFlatDataAndDimensions(next, len(next), 1),
			tensors.FromFlatDataAndDimensions(state.used, len(next))
		outputs, err := step.Run(ctx, append([]any{ids, used}, anys(state.memory)...)...)
		if err != nil {
			return nil, err
		}
		state.free()
		state.logits, state.memory = outputs[0], outputs[1:]
		for row := range state.used {
			state.used[row]++
		}
	}
}

// reading is the state after reading prompts.
type reading struct {
	logits *tensors.Tensor   // of the next token, [B, 1, Vocabulary]
	memory []*tensors.Tensor // tensors in the order of memory.nodes
	used   []int32           // number of used places in each row
}

// free frees the memory without waiting for the garbage collector.
func (r *reading) free() {
	for _, tensor := range append(r.memory, r.logits) {
		tensor.FinalizeAll() //nolint:errcheck // it may be gone already
	}
}

// bucket rounds up a length, so that many prompts use the same compiled graph.
func bucket(length int) int {
	const step = 16
	return (length + step - 1) / step * step
}

// begin reads prompts and provides places for more tokens.
func (g *Generator) begin(ctx context.Context, prompts []Prompt, more int) (*reading, error) {
	if len(prompts) == 0 || more < 1 {
		return nil, errors.New("continue prompts: there must be a prompt, and a token to add")
	}
	rows := make([][]int32, len(prompts))
	longest := 0
	for i, prompt := range prompts {
		var err error
		if rows[i], err = g.expand(prompt.IDs); err == nil {
			err = g.check(prompt, rows[i], more)
		}
		if err != nil {
			return nil, fmt.Errorf("prompt %d: %w", i, err)
		}
		longest = max(longest, len(rows[i]))
	}
	length, room := bucket(longest), bucket(longest+more)
	ids, used, last := make([]int32, len(rows)*length), make([]int32, len(rows)), make([]int32, len(rows))
	for i, row := range rows {
		copy(ids[i*length:], row) // places after the end of a row are never attended to, so they may contain anything
		used[i], last[i] = int32(len(row)), int32(len(row)-1)
	}
	inputs := []any{tensors.FromFlatDataAndDimensions(last, len(rows)),
		tensors.FromFlatDataAndDimensions(ids, len(rows), length)}
	if g.image != nil {
		inputs = append(inputs, g.pixels(prompts))
	}
	program, err := g.program(fmt.Sprintf("read prompts with room for %d tokens", room),
		func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
			hidden, m := g.decoder.read(scope, g.embed(inputs[1:]), room)
			return append([]*graph.Node{g.decoder.output(scope, pickPlace(hidden, inputs[0]))}, m.nodes()...)
		})
	if err != nil {
		return nil, err
	}
	outputs, err := program.Run(ctx, inputs...)
	if err != nil {
		return nil, err
	}
	return &reading{outputs[0], outputs[1:], used}, nil
}

// check returns an error if a prompt, expanded to the given token IDs, cannot be continued.
func (g *Generator) check(prompt Prompt, ids []int32, more int) error {
	size := 1
	for _, n := range g.image {
		size *= n
	}
	holds := slices.Contains(ids, g.placeholder)
	switch {
	case len(ids) == 0:
		return errors.New("it is empty")
	case len(ids)+more > g.decoder.Context:
		return fmt.Errorf("it has %d tokens, and with %d more it is longer than the %d that the model was made for",
			len(ids), more, g.decoder.Context)
	case slices.ContainsFunc(ids, func(id int32) bool { return id < 0 || int(id) >= g.decoder.Vocabulary }):
		return fmt.Errorf("it has an id outside the vocabulary's 0 to %d", g.decoder.Vocabulary-1)
	case g.image == nil && prompt.Pixels != nil:
		return errors.New("it has an image, but the model is a decoder without vision")
	case prompt.Pixels != nil && len(prompt.Pixels) != size:
		return fmt.Errorf("its image has %d values, the model takes %v", len(prompt.Pixels), g.image)
	case holds != (prompt.Pixels != nil):
		return errors.New("it must have a placeholder and an image, or neither")
	}
	return nil
}

// pixels stacks the prompts' images. For prompts without an image, it uses zeros, which are not read.
func (g *Generator) pixels(prompts []Prompt) *tensors.Tensor {
	size := g.image[0] * g.image[1] * g.image[2]
	all := make([]float32, len(prompts)*size)
	for i, prompt := range prompts {
		copy(all[i*size:], prompt.Pixels)
	}
	return tensors.FromFlatDataAndDimensions(all, append([]int{len(prompts)}, g.image...)...)
}

// mostProbable returns the index of the largest logit in each row. If several are equal, it returns the first.
func mostProbable(logits *tensors.Tensor, rows int) []int32 {
	values := tensors.MustCopyFlatData[float32](logits)
	width := len(values) / rows
	next := make([]int32, rows)
	for row := range next {
		for i, value := range values[row*width : (row+1)*width] {
			if value > values[row*width+int(next[row])] {
				next[row] = int32(i)
			}
		}
	}
	return next
}

func anys(all []*tensors.Tensor) []any {
	values := make([]any, len(all))
	for i, tensor := range all {
		values[i] = tensor
	}
	return values
}
