package fused

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
)

// block is the number of elements that a chain computes at a time; a few arrays of this size fit the first-level cache.
const block = 1024

// leaf is an array that a chain reads.
type leaf struct {
	source  *node
	pattern pattern
	width   int // bytes per element
}

// instruction is an operation of a chain. Operands number the leaves first and then the results of instructions.
type instruction struct {
	run      kernel
	operands [3]int
	result   int // the register of the result
}

// chain computes element-wise operations in one pass.
type chain struct {
	size         int
	leaves       []leaf
	instructions []instruction
	width        int // bytes per element of the last result
	registers    int
}

// chainOf collects the operations that lead to top and that member accepts. The chain computes the values of top.
func chainOf(top *node, member func(*node) bool) *chain {
	c := &chain{size: top.shape.Size(), width: top.shape.DType.Size()}
	b := chainBuilder{chain: c, member: member, places: map[*node]int{}, seen: map[string]int{}}
	b.visit(top)
	for i, n := range b.members {
		for j := range c.instructions[i].operands {
			operand := &c.instructions[i].operands[j]
			switch {
			case j >= len(n.inputs):
				*operand = -1
			case *operand < 0:
				*operand = len(c.leaves) - *operand - 1
			}
		}
	}
	c.allot()
	return c
}

type chainBuilder struct {
	*chain
	member  func(*node) bool
	members []*node // the nodes of the instructions
	places  map[*node]int
	seen    map[string]int
}

// visit returns the operand number of n, which has as many elements as the chain. Leaves are numbered from 0 up, and
// instructions from -1 down until all leaves are known.
func (b *chainBuilder) visit(n *node) int {
	n = storage(n)
	if n.op == broadcast {
		return b.leaf(n.inputs[0], broadcastPattern(n.inputs[0].shape.Dimensions, n.shape.Dimensions, n.detail.([]int)))
	}
	if !b.member(n) {
		return b.leaf(n, pattern{{b.size, 1}})
	}
	if place, ok := b.places[n]; ok {
		return place
	}
	made := instruction{run: kernelOf(n)}
	for i, input := range n.inputs {
		if input.shape.Size() == b.size {
			made.operands[i] = b.visit(input)
		} else {
			made.operands[i] = b.leaf(input, operandPattern(input.shape.Dimensions, n.shape.Dimensions))
		}
	}
	b.instructions = append(b.instructions, made)
	b.members = append(b.members, n)
	b.places[n] = -len(b.instructions)
	return b.places[n]
}

func (b *chainBuilder) leaf(source *node, p pattern) int {
	source = storage(source)
	key := fmt.Sprint(source.index, p)
	if i, ok := b.seen[key]; ok {
		return i
	}
	b.leaves = append(b.leaves, leaf{source, p, source.shape.DType.Size()})
	b.seen[key] = len(b.leaves) - 1
	return b.seen[key]
}

// allot gives each instruction a register, which becomes free after the last use of its result. Leaves that are not
// contiguous have a register each, before the others.
func (c *chain) allot() {
	last := make([]int, len(c.instructions))
	for i, made := range c.instructions {
		for _, operand := range made.operands {
			if operand >= len(c.leaves) {
				last[operand-len(c.leaves)] = i
			}
		}
	}
	next := len(c.leaves)
	var free []int
	for i := range c.instructions {
		if len(free) > 0 {
			c.instructions[i].result, free = free[len(free)-1], free[:len(free)-1]
		} else {
			c.instructions[i].result = next
			next++
		}
		released := map[int]bool{}
		for _, operand := range c.instructions[i].operands {
			if before := operand - len(c.leaves); before >= 0 && last[before] == i && !released[before] {
				released[before] = true
				free = append(free, c.instructions[before].result)
			}
		}
	}
	c.registers = next
}

// scratch is the memory in which one worker computes blocks of a chain.
type scratch struct {
	words    []uint64
	operands []unsafe.Pointer
	filled   []bool // single-element leaves that are already repeated
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (c *chain) scratch() *scratch {
	s := scratches.Get().(*scratch)
	if need := c.registers * block; len(s.words) < need {
		s.words = make([]uint64, need)
	}
	if need := len(c.leaves) + len(c.instructions); cap(s.operands) < need {
		s.operands, s.filled = make([]unsafe.Pointer, need), make([]bool, need)
	}
	s.operands, s.filled = s.operands[:len(c.leaves)+len(c.instructions)], s.filled[:cap(s.filled)]
	clear(s.filled)
	return s
}

func (s *scratch) register(i int) unsafe.Pointer { return unsafe.Pointer(&s.words[i*block]) }

// compute evaluates n elements from start on and returns where the results are: in to, if it is not nil, or otherwise
// in the scratch memory or the source itself.
func (c *chain) compute(s *scratch, sources []unsafe.Pointer, start, n int, to unsafe.Pointer) unsafe.Pointer {
	for i := range c.leaves {
		l := &c.leaves[i]
		switch {
		case l.pattern.straight():
			s.operands[i] = unsafe.Add(sources[i], start*l.width)
		case l.pattern.single():
			s.operands[i] = s.register(i)
			if !s.filled[i] {
				s.filled[i] = true
				repeat(s.register(i), sources[i], l.width, block)
			}
		default:
			s.operands[i] = s.register(i)
			l.load(s.register(i), sources[i], start, n)
		}
	}
	if len(c.instructions) == 0 {
		if to != nil {
			copy(unsafe.Slice((*byte)(to), n*c.width), unsafe.Slice((*byte)(s.operands[0]), n*c.width))
			return to
		}
		return s.operands[0]
	}
	at := func(operand int) unsafe.Pointer {
		if operand < 0 {
			return nil
		}
		return s.operands[operand]
	}
	for i := range c.instructions {
		made := &c.instructions[i]
		into := s.register(made.result)
		if i == len(c.instructions)-1 && to != nil {
			into = to
		}
		made.run(into, at(made.operands[0]), at(made.operands[1]), at(made.operands[2]), n)
		s.operands[len(c.leaves)+i] = into
	}
	return s.operands[len(s.operands)-1]
}

// load gathers elements that are not contiguous.
func (l *leaf) load(to, from unsafe.Pointer, start, n int) {
	stride := l.pattern[len(l.pattern)-1].stride
	l.pattern.runs(start, n, func(at, offset, length int) {
		into, source := unsafe.Add(to, at*l.width), unsafe.Add(from, offset*l.width)
		switch stride {
		case 0:
			repeat(into, source, l.width, length)
		case 1:
			copy(unsafe.Slice((*byte)(into), length*l.width), unsafe.Slice((*byte)(source), length*l.width))
		default:
			pick(into, source, l.width, stride, length)
		}
	})
}

func repeat(to, from unsafe.Pointer, width, n int) {
	switch width {
	case 1:
		repeatWords[uint8](to, from, n)
	case 2:
		repeatWords[uint16](to, from, n)
	case 4:
		repeatFour(to, from, n)
	case 8:
		repeatWords[uint64](to, from, n)
	}
}

func repeatWords[T any](to, from unsafe.Pointer, n int) {
	value, into := *(*T)(from), elements[T](to, n)
	for i := range into {
		into[i] = value
	}
}

func pick(to, from unsafe.Pointer, width, stride, n int) {
	switch width {
	case 1:
		pickWords[uint8](to, from, stride, n)
	case 2:
		pickWords[uint16](to, from, stride, n)
	case 4:
		pickWords[uint32](to, from, stride, n)
	case 8:
		pickWords[uint64](to, from, stride, n)
	}
}

func pickWords[T any](to, from unsafe.Pointer, stride, n int) {
	into, source := elements[T](to, n), elements[T](from, (n-1)*stride+1)
	for i := range into {
		into[i] = source[i*stride]
	}
}

// plainWidth reports whether elements of the type can be moved as words.
func plainWidth(t dtypes.DType) bool {
	if t.IsPacked() {
		return false
	}
	switch t.Size() {
	case 1, 2, 4, 8:
		return true
	}
	return false
}
