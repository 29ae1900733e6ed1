package fused

import (
	"fmt"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// Finalize does nothing: memory is released as soon as it is not needed.
func (p *plan) Finalize() {}

// Inputs returns the names and shapes of the parameters.
func (p *plan) Inputs() (names []string, inputs []shapes.Shape) {
	for _, n := range p.main.parameters {
		names = append(names, n.detail.(string))
		inputs = append(inputs, n.shape)
	}
	return names, inputs
}

// Outputs returns the shapes of the results.
func (p *plan) Outputs() []shapes.Shape {
	outputs := make([]shapes.Shape, len(p.main.outputs))
	for i, n := range p.main.outputs {
		outputs[i] = n.shape
	}
	return outputs
}

// Execute runs the plan.
func (p *plan) Execute(inputs []compute.Buffer, donate []bool, _ compute.DeviceNum) (outputs []compute.Buffer,
	err error) {
	values, err := p.bind(inputs)
	if err != nil {
		return nil, err
	}
	current := ""
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("compute %s: %v", current, cause)
		}
	}()
	for i := range p.steps {
		s := &p.steps[i]
		current = s.node.shape.String()
		if err := p.do(s, values); err != nil {
			return nil, err
		}
		for _, done := range s.free {
			p.backend.pool.put(values[done.place])
			values[done.place] = nil
		}
	}
	outputs = p.collect(values)
	release(inputs, donate)
	return outputs, nil
}

// bind creates the list of the values of all nodes and sets the inputs and constants in it.
func (p *plan) bind(inputs []compute.Buffer) ([]*memory, error) {
	if len(inputs) != len(p.main.parameters) {
		return nil, fmt.Errorf("%d inputs for %d parameters", len(inputs), len(p.main.parameters))
	}
	values := make([]*memory, p.places)
	for n, m := range p.constants {
		values[n.place] = m
	}
	for i, n := range p.main.parameters {
		b, ok := inputs[i].(*buffer)
		if !ok || b.memory == nil {
			return nil, fmt.Errorf("input %d: %w", i, errReleased)
		}
		if !b.shape.Equal(n.shape) {
			return nil, fmt.Errorf("input %d is %s, the graph was built for %s", i, b.shape, n.shape)
		}
		values[n.place] = b.memory
	}
	return values, nil
}

func (p *plan) do(s *step, values []*memory) error {
	from := make([]*memory, len(s.sources))
	for i, source := range s.sources {
		from[i] = values[source.place]
	}
	if s.outer != nil {
		made, err := s.outer(from)
		if err != nil {
			return err
		}
		values[s.node.place] = made
		return nil
	}
	to := p.backend.pool.get(int(s.node.shape.ByteSize()))
	values[s.node.place] = to
	s.run(to, from)
	return nil
}

// collect creates the buffers of the outputs. It copies memory that two outputs share, or that belongs to an input or a
// constant.
func (p *plan) collect(values []*memory) []compute.Buffer {
	outputs := make([]compute.Buffer, len(p.main.outputs))
	taken := map[*memory]bool{}
	for i, n := range p.main.outputs {
		source := storage(n)
		m := values[source.place]
		if taken[m] || source.op == parameter || source.op == constant {
			copied := p.backend.pool.get(m.bytes)
			copy(unsafe.Slice((*byte)(copied.first), m.bytes), unsafe.Slice((*byte)(m.first), m.bytes))
			m = copied
		}
		taken[m] = true
		outputs[i] = &buffer{p.backend, n.shape.Clone(), m}
	}
	return outputs
}

// store computes the chain's values into memory.
func (c *chain) store(to *memory, from []*memory) {
	sources := pointers(from)
	blocks := (c.size + block - 1) / block
	perPiece := max(1, grain/block)
	pieces := (blocks + perPiece - 1) / perPiece
	parallel(c.size, pieces, func(piece int) {
		s := c.scratch()
		defer scratches.Put(s)
		for i := piece * perPiece; i < min(blocks, (piece+1)*perPiece); i++ {
			start := i * block
			c.compute(s, sources, start, min(block, c.size-start), unsafe.Add(to.first, start*c.width))
		}
	})
}

func pointers(from []*memory) []unsafe.Pointer {
	sources := make([]unsafe.Pointer, len(from))
	for i, m := range from {
		sources[i] = m.first
	}
	return sources
}
