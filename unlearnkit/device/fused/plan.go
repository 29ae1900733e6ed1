package fused

import (
	"fmt"
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// step computes the values of one node from the values of others.
type step struct {
	node    *node
	sources []*node
	// run fills to from the sources' memory. Steps of the Go backend have outer instead, which returns new memory.
	run   func(to *memory, from []*memory)
	outer func(from []*memory) (*memory, error)
	free  []*node // nodes whose values are not needed after this step
}

// plan is a graph that is ready to run.
type plan struct {
	backend   *Backend
	main      *function
	steps     []step
	constants map[*node]*memory
	places    int // number of values
	has       map[*node]bool
	virtual   map[*node]bool // only products read the node, from the memory of other nodes
}

// storage returns the node whose memory holds the values of n.
func storage(n *node) *node {
	for n.op == alias || (n.op == broadcast && n.shape.Size() == n.inputs[0].shape.Size()) || isShuffle(n) {
		n = n.inputs[0]
	}
	return n
}

// isShuffle reports whether a transpose moves only axes of size one, so that the order of the values does not change.
func isShuffle(n *node) bool {
	if n.op != transpose {
		return false
	}
	previous := -1
	for _, from := range n.detail.([]int) {
		if n.inputs[0].shape.Dimensions[from] == 1 {
			continue
		}
		if from < previous {
			return false
		}
		previous = from
	}
	return true
}

func compile(b *Backend, main *function) (*plan, error) {
	p := &plan{backend: b, main: main, constants: map[*node]*memory{}, has: map[*node]bool{}, virtual: map[*node]bool{}}
	main.rewrite()
	needed, consumers := reachable(main)
	output := map[*node]bool{}
	for _, n := range main.outputs {
		output[storage(n)] = true
	}
	heads := cluster(main, needed, consumers, output)
	for _, n := range slices.Backward(main.nodes) {
		p.virtual[n] = needed[n] && storage(n) == n && !output[n] && isMove(n) &&
			!slices.ContainsFunc(consumers[n], func(reader *node) bool {
				return !p.virtual[reader] && !isProduct(reader)
			})
	}
	for _, n := range main.nodes {
		if n.op == parameter {
			p.place(n)
			continue
		}
		if !needed[n] || storage(n) != n {
			continue
		}
		p.place(n)
		switch {
		case n.op == constant:
			p.constants[n] = n.detail.(*memory)
		case n.op.elementwise() && kernelOf(n) != nil && heads[n] != n:
		case n.op == broadcast && heads[n] == nil:
		case p.virtual[n]:
		default:
			if err := p.add(n, heads); err != nil {
				return nil, err
			}
		}
	}
	p.lifetimes()
	return p, nil
}

// place gives a node an index in the list of values.
func (p *plan) place(n *node) {
	n.place = p.places
	p.places++
}

// reachable returns the nodes that the outputs need, and for each the nodes that read its memory.
func reachable(main *function) (needed map[*node]bool, consumers map[*node][]*node) {
	needed, consumers = map[*node]bool{}, map[*node][]*node{}
	for _, output := range main.outputs {
		needed[output] = true
	}
	for _, n := range slices.Backward(main.nodes) {
		if !needed[n] {
			continue
		}
		for _, input := range n.inputs {
			needed[input] = true
			if storage(n) == n {
				consumers[storage(input)] = append(consumers[storage(input)], n)
				needed[storage(input)] = true
			}
		}
	}
	return needed, consumers
}

// maxChain is the number of operations after which a chain is not extended.
const maxChain = 40

// cluster assigns each element-wise node to the node in whose pass it is computed: to itself if its values are stored.
// A node joins the pass of its readers if all of them belong to one pass. A reduction has a pass for the operations
// that lead to it. A broadcast that only passes read has none.
func cluster(main *function, needed map[*node]bool, consumers map[*node][]*node,
	output map[*node]bool) map[*node]*node {
	heads := map[*node]*node{}
	lengths := map[*node]int{}
	passes := func(n *node) bool { return n.op.reduces() && canReduce(n) || n.op.elementwise() && kernelOf(n) != nil }
	for _, n := range slices.Backward(main.nodes) {
		if !needed[n] || storage(n) != n {
			continue
		}
		switch {
		case n.op.reduces() && canReduce(n):
			heads[n] = n
		case n.op == broadcast:
			virtual := !output[n]
			for _, reader := range consumers[n] {
				virtual = virtual && passes(reader) && passSize(reader) == n.shape.Size()
			}
			if !virtual {
				heads[n] = n
			}
		case n.op.elementwise() && kernelOf(n) != nil:
			heads[n] = n
			if head := commonPass(n, consumers[n], heads); head != nil && !output[n] && lengths[head] < maxChain {
				heads[n] = head
				lengths[head]++
			}
		}
	}
	return heads
}

// passSize returns the number of elements in the pass of a node.
func passSize(n *node) int {
	if n.op.reduces() {
		return n.inputs[0].shape.Size()
	}
	return n.shape.Size()
}

// commonPass returns the pass to which all readers of n belong, if it covers as many elements as n; otherwise nil.
func commonPass(n *node, readers []*node, heads map[*node]*node) *node {
	var head *node
	for _, reader := range readers {
		h := heads[reader]
		if h == nil || reader.op == broadcast || passSize(reader) != n.shape.Size() || head != nil && h != head {
			return nil
		}
		head = h
	}
	return head
}

// isMove reports whether n only rearranges the values of other nodes, so that a product may read them in their original
// memory.
func isMove(n *node) bool {
	return n.op == transpose || (n.op == slice || n.op == concatenate) && n.shape.DType == float32Type && canMultiply()
}

// add adds the step that computes a stored node.
func (p *plan) add(n *node, heads map[*node]*node) error {
	p.has[n] = true
	made := step{node: n}
	switch {
	case n.op.elementwise() && kernelOf(n) != nil, n.op == broadcast:
		c := chainOf(n, func(m *node) bool { return heads[m] == n && m.op.elementwise() })
		made.sources, made.run = c.sources(), c.store
	case n.op.reduces() && canReduce(n):
		c := chainOf(storage(n.inputs[0]), func(m *node) bool { return heads[m] == n && m.op.elementwise() })
		made.sources, made.run = c.sources(), reduction(n, c)
	case n.op == transpose && plainWidth(n.shape.DType):
		made.sources, made.run = []*node{storage(n.inputs[0])}, transposition(n.inputs[0].shape, n.detail.([]int))
	case n.op == slice && plainWidth(n.shape.DType):
		made.sources, made.run = []*node{storage(n.inputs[0])}, sliceRun(n)
	case n.op == concatenate && plainWidth(n.shape.DType):
		for _, input := range n.inputs {
			made.sources = append(made.sources, storage(input))
		}
		made.run = concatenateRun(n)
	case n.op == pad && plainWidth(n.shape.DType):
		made.sources, made.run = []*node{storage(n.inputs[0]), storage(n.inputs[1])}, padding(n)
	case isProduct(n):
		return p.addProduct(n)
	default:
		return p.addForeign(n)
	}
	return p.push(made)
}

// push appends a step and, before it, the steps of sources that were left out.
func (p *plan) push(made step) error {
	for _, source := range made.sources {
		if err := p.require(source); err != nil {
			return err
		}
	}
	p.steps = append(p.steps, made)
	return nil
}

func (c *chain) sources() []*node {
	sources := make([]*node, len(c.leaves))
	for i, l := range c.leaves {
		sources[i] = l.source
	}
	return sources
}

// compiledOp is an operation of the Go backend.
type compiledOp struct {
	backend    *Backend
	executable compute.Executable
	shapes     []shapes.Shape
}

// compileOne compiles one operation over inputs of the given shapes.
func (b *Backend) compileOne(name string, how emit, inputs []shapes.Shape) (*compiledOp, error) {
	made := b.Backend.Builder(name)
	main := made.Main()
	values := make([]compute.Value, len(inputs))
	for i, shape := range inputs {
		var err error
		if values[i], err = main.Parameter(fmt.Sprint("input", i), shape, nil); err != nil {
			return nil, err
		}
	}
	value, err := how(main, values)
	if err != nil {
		return nil, err
	}
	if err := main.Return([]compute.Value{value}, nil); err != nil {
		return nil, err
	}
	executable, err := made.Compile()
	if err != nil {
		return nil, err
	}
	return &compiledOp{b, executable, inputs}, nil
}

func (c *compiledOp) call(from []*memory) (*memory, error) {
	views := make([]compute.Buffer, len(from))
	for i, m := range from {
		views[i] = c.backend.view(m, c.shapes[i])
	}
	results, err := c.executable.Execute(views, nil, 0)
	if err != nil {
		return nil, err
	}
	return adopt(results[0])
}

func (p *plan) addForeign(n *node) error {
	made := step{node: n}
	var inputs []shapes.Shape
	for _, input := range n.inputs {
		made.sources = append(made.sources, storage(input))
		inputs = append(inputs, input.shape)
	}
	c, err := p.backend.compileOne("operation", n.emit, inputs)
	if err != nil {
		return err
	}
	made.outer = c.call
	return p.push(made)
}

// lifetimes records in each step the values that no later step reads.
func (p *plan) lifetimes() {
	kept := map[*node]bool{}
	for _, n := range p.main.outputs {
		kept[storage(n)] = true
	}
	for i := range slices.Backward(p.steps) {
		for _, source := range append([]*node{p.steps[i].node}, p.steps[i].sources...) {
			if !kept[source] && source.op != parameter && source.op != constant {
				kept[source] = true
				p.steps[i].free = append(p.steps[i].free, source)
			}
		}
	}
}
