package fused

import (
	"slices"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

// isProduct reports whether n is a matrix product that this package arranges.
func isProduct(n *node) bool {
	return (n.op == dot || n.op == foldedDot) && (n.shape.DType == dtypes.Float32 || n.shape.DType == dtypes.Float64) &&
		n.shape.Size() > 0 && n.inputs[0].shape.Size() > 0
}

// product is a batch of matrix products: left is [batch, rows, inner]; right is [batch, inner, columns], or [batch,
// columns, inner] if it is transposed.
type product struct {
	kind                        dtypes.DType
	batch, rows, inner, columns int
	transposed                  bool
}

// addProduct appends the steps of a product. It reads the operands from their original memory wherever patterns can
// describe it.
func (p *plan) addProduct(n *node) error {
	result := straightView(n)
	var d dotDetail
	switch detail := n.detail.(type) {
	case dotDetail:
		d = detail
	case foldedDetail:
		d, result = detail.dotDetail, detail.places
	}
	left, right := n.inputs[0], n.inputs[1]
	leftFree := freeAxes(left.shape, d.leftBatch, d.leftContracting)
	rightFree := freeAxes(right.shape, d.rightBatch, d.rightContracting)
	// The contracted axes may have any order, if both sides use the same one. This takes their order in the larger
	// operand.
	order := contractingOrder(d, left.shape, right.shape)
	leftInner, rightInner := selectBy(d.leftContracting, order), selectBy(d.rightContracting, order)
	m := product{kind: n.shape.DType, batch: extent(left.shape, d.leftBatch), rows: extent(left.shape, leftFree),
		inner: extent(left.shape, d.leftContracting), columns: extent(right.shape, rightFree)}
	if n.shape.DType != float32Type || !canMultiply() {
		return p.addInnerProduct(n, m, [][]int{d.leftBatch, leftFree, leftInner},
			[][]int{d.rightBatch, rightInner, rightFree})
	}
	a, b := p.viewOf(left), p.viewOf(right)
	batch, rows := len(d.leftBatch), len(leftFree)
	g := &gemm{
		batch: m.batch, rows: m.rows, inner: m.inner, columns: m.columns, accumulates: n.op == foldedDot,
		left:  matrix{a.first, a.along(d.leftBatch), a.along(leftFree), a.along(leftInner)},
		right: matrix{b.first, b.along(d.rightBatch), b.along(rightInner), b.along(rightFree)},
		result: matrix{result.first, compact(slices.Concat(result.axes[:batch]...)),
			compact(slices.Concat(result.axes[batch : batch+rows]...)),
			compact(slices.Concat(result.axes[batch+rows:]...))},
	}
	sources := []*node{a.of, b.of}
	if n.op == dot && len(g.right.columns)+len(g.right.rows) > len(g.left.columns)+len(g.left.rows) {
		// The right matrix is copied into panels, so the left one should be the operand with more loops, whose elements
		// may repeat.
		g.transpose()
		slices.Reverse(sources)
	}
	return p.push(step{node: n, sources: sources, run: g.run})
}

// require adds the step of a node that was left out because it is virtual.
func (p *plan) require(n *node) error {
	if !p.virtual[n] || p.has[n] {
		return nil
	}
	return p.add(n, nil)
}

// smallProduct is the number of multiplications from which the Go backend packs its operands. Below, its kernel for
// [rows, inner] by [columns, inner] takes up to 40 times as long as the kernel for [rows, inner] by [inner, columns].
const smallProduct = 4 << 20

// addInnerProduct leaves the product to the Go backend, whose kernels accept two layouts.
func (p *plan) addInnerProduct(n *node, made product, left, right [][]int) error {
	for _, input := range n.inputs {
		if err := p.require(storage(input)); err != nil { // added before the transpose that reads the input
			return err
		}
	}
	a := p.arrange(n.inputs[0], slices.Concat(left...))
	upright := slices.Concat(right...)
	turned := slices.Concat(right[0], right[2], right[1])
	// with few rows, the transpose would be all the work
	worthTurning := made.rows*made.columns*made.inner >= smallProduct || 100*made.rows < made.inner
	made.transposed = worthTurning && inOrder(n.inputs[1].shape, turned) && !inOrder(n.inputs[1].shape, upright)
	if made.transposed {
		upright = turned
	}
	b := p.arrange(n.inputs[1], upright)
	run, err := p.backend.product(made)
	if err != nil {
		return err
	}
	return p.push(step{node: n, sources: []*node{a, b}, outer: run.call})
}

// freeAxes returns the axes that are in neither list.
func freeAxes(shape shapes.Shape, batch, contracting []int) []int {
	var free []int
	for i := range shape.Dimensions {
		if !slices.Contains(batch, i) && !slices.Contains(contracting, i) {
			free = append(free, i)
		}
	}
	return free
}

func extent(shape shapes.Shape, axes []int) int {
	n := 1
	for _, a := range axes {
		n *= shape.Dimensions[a]
	}
	return n
}

// contractingOrder sorts the contracted axes by their order in the larger operand.
func contractingOrder(d dotDetail, left, right shapes.Shape) []int {
	order := make([]int, len(d.leftContracting))
	for i := range order {
		order[i] = i
	}
	by := d.leftContracting
	if right.Size() > left.Size() {
		by = d.rightContracting
	}
	slices.SortFunc(order, func(i, j int) int { return by[i] - by[j] })
	return order
}

func selectBy[T any](from []T, order []int) []T {
	picked := make([]T, len(order))
	for i, o := range order {
		picked[i] = from[o]
	}
	return picked
}

// inOrder reports whether visiting the axes in this order visits memory in order.
func inOrder(shape shapes.Shape, axes []int) bool {
	previous := -1
	for _, a := range axes {
		if shape.Dimensions[a] == 1 {
			continue
		}
		if a < previous {
			return false
		}
		previous = a
	}
	return true
}

// arrange returns the node whose memory holds x with its axes in the given order: x itself, or a new transpose of x.
func (p *plan) arrange(x *node, axes []int) *node {
	if inOrder(x.shape, axes) {
		return storage(x)
	}
	dimensions := make([]int, len(axes))
	for i, a := range axes {
		dimensions[i] = x.shape.Dimensions[a]
	}
	for _, s := range p.steps {
		if s.node.op == transpose && s.node.inputs[0] == x && slices.Equal(s.node.detail.([]int), axes) {
			return s.node
		}
	}
	made := &node{index: -len(p.steps) - 1, op: transpose, inputs: []*node{x}, detail: axes,
		shape: shapes.Make(x.shape.DType, dimensions...)}
	p.place(made)
	p.steps = append(p.steps, step{node: made, sources: []*node{storage(x)}, run: transposition(x.shape, axes)})
	return made
}

// product compiles a batch of matrix products once for all graphs.
func (b *Backend) product(m product) (*compiledOp, error) {
	if made, ok := b.products.Load(m); ok {
		return made.(*compiledOp), nil
	}
	left := shapes.Make(m.kind, m.batch, m.rows, m.inner)
	right, contracting := shapes.Make(m.kind, m.batch, m.inner, m.columns), 1
	if m.transposed {
		right, contracting = shapes.Make(m.kind, m.batch, m.columns, m.inner), 2
	}
	made, err := b.compileOne("product", func(f compute.Function, in []compute.Value) (compute.Value, error) {
		return f.DotGeneral(in[0], []int{2}, []int{0}, in[1], []int{contracting}, []int{0}, compute.DotGeneralConfig{})
	}, []shapes.Shape{left, right})
	if err != nil {
		return nil, err
	}
	b.products.Store(m, made)
	return made, nil
}
