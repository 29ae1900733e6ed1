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
	// Pixels are the preprocessed values of an image [3, H, W]; nil for a decoder without vision or a prompt without
	// placeholder.
	Pixels []float32
}

// Generator continues prompts. It compiles graphs on demand and keeps them, so use one Generator until the model's
// tensors are adapted or merged. Values of tensors may change. It is not safe for concurrent use.
type Generator struct {
	d       *device.Device
	store   *model.Store
	decoder Decoder
	// embed returns the embeddings of ids and, for a model with vision, images.
	embed func(inputs []*graph.Node) *graph.Node
	at    string // the path of the decoder's scope
	image []int  // the shape of an image; nil without vision
	// expand expands a prompt, and placeholder is the token of an image in it; negative without vision.
	expand      func([]int32) ([]int32, error)
	placeholder int32
	programs    map[string]*device.Program
}

// Generator returns a generator that continues prompts with the model below scope.
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

// Generator returns a generator that continues prompts with the decoder below scope.
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

// program compiles a graph of the decoder once.
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

// Generate returns the most probable next tokens of each prompt, at most the given number. The tokens of a prompt end
// with the first token that is in end.
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

// reading is the state of prompts that have been read.
type reading struct {
	logits *tensors.Tensor   // [B, 1, Vocabulary] of the next token
	memory []*tensors.Tensor // tensors in the order of memory.nodes
	used   []int32           // number of places in use in each row
}

// free releases the memory without waiting for the garbage collector.
func (r *reading) free() {
	for _, tensor := range append(r.memory, r.logits) {
		tensor.FinalizeAll() //nolint:errcheck // it may be gone already
	}
}

// bucket rounds up to a shared length, so that few graphs are compiled.
func bucket(length int) int {
	const step = 16
	return (length + step - 1) / step * step
}

// begin reads prompts and leaves room for more places.
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
		copy(ids[i*length:], row) // no query attends to the places after a row's end, so their content does not matter
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

// check returns an error if a prompt, expanded to ids, cannot be continued.
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

// pixels stacks the prompts' images. A prompt without an image has zeros, which are not read.
func (g *Generator) pixels(prompts []Prompt) *tensors.Tensor {
	size := g.image[0] * g.image[1] * g.image[2]
	all := make([]float32, len(prompts)*size)
	for i, prompt := range prompts {
		copy(all[i*size:], prompt.Pixels)
	}
	return tensors.FromFlatDataAndDimensions(all, append([]int{len(prompts)}, g.image...)...)
}

// mostProbable returns the index of each row's largest logit, or the first such index.
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
