package fused

import "slices"

// view locates the values of a node in another node's memory. An element is at first plus its offsets in the patterns
// of all axes.
type view struct {
	of    *node
	first int
	axes  []pattern
}

// straightView returns the view of a node's own memory.
func straightView(n *node) view {
	v := view{of: storage(n), axes: make([]pattern, n.shape.Rank())}
	for i, stride := range rowMajor(n.shape.Dimensions) {
		v.axes[i] = pattern{{n.shape.Dimensions[i], stride}}
	}
	return v
}

// viewOf looks through virtual nodes that only move values, as far as patterns can describe the result.
func (p *plan) viewOf(n *node) view {
	switch {
	case n.op == alias && p.virtual[storage(n)]:
		v := p.viewOf(n.inputs[0])
		if axes, ok := regroup(v.flat(), n.shape.Dimensions); ok {
			v.axes = axes
			return v
		}
	case n.op == transpose && (p.virtual[n] || isShuffle(n)):
		v := p.viewOf(n.inputs[0])
		v.axes = selectBy(v.axes, n.detail.([]int))
		return v
	case n.op == slice && p.virtual[n]:
		if v, ok := p.viewOf(n.inputs[0]).slice(n); ok {
			return v
		}
	case n.op == concatenate && p.virtual[n]:
		if v, ok := p.viewOfTaps(n); ok {
			return v
		}
	}
	return straightView(n)
}

// flat returns the pattern of all axes together.
func (v *view) flat() pattern { return slices.Concat(v.axes...) }

// along returns the pattern of some axes, one after the other.
func (v *view) along(axes []int) pattern { return compact(slices.Concat(selectBy(v.axes, axes)...)) }

func (v view) slice(n *node) (view, bool) {
	detail := n.detail.(sliceDetail)
	axes := make([]pattern, len(v.axes))
	for i, loops := range v.axes {
		size, start, step := n.shape.Dimensions[i], detail.starts[i], detail.strides[i]
		switch {
		case size == n.inputs[0].shape.Dimensions[i]:
			axes[i] = loops
		case len(loops) == 1:
			axes[i] = pattern{{size, loops[0].stride * step}}
			v.first += start * loops[0].stride
		default:
			return view{}, false
		}
	}
	v.axes = axes
	return v, true
}

// viewOfTaps returns the view of a concatenation whose parts are evenly spaced slices of one array, such as the
// unfolded input of a convolution.
func (p *plan) viewOfTaps(n *node) (view, bool) {
	along := n.detail.(int)
	joined := p.viewOf(n.inputs[0])
	offsets := make([]int, len(n.inputs))
	for i, input := range n.inputs {
		v := p.viewOf(input)
		if v.of != joined.of || !slices.EqualFunc(v.axes, joined.axes, slices.Equal[pattern]) {
			return view{}, false
		}
		offsets[i] = v.first
	}
	taps, ok := evenLoops(offsets)
	joined.axes = slices.Clone(joined.axes)
	joined.axes[along] = slices.Concat(taps, joined.axes[along])
	return joined, ok
}

// evenLoops returns the loops that visit the offsets, relative to the first one.
func evenLoops(offsets []int) (pattern, bool) {
	if len(offsets) == 1 {
		return nil, true
	}
	stride, run := offsets[1]-offsets[0], 2
	for run < len(offsets) && offsets[run]-offsets[run-1] == stride {
		run++
	}
	if len(offsets)%run != 0 {
		return nil, false
	}
	var starts []int
	for i, offset := range offsets {
		if i%run == 0 {
			starts = append(starts, offset)
		} else if offset-offsets[i-1] != stride {
			return nil, false
		}
	}
	outer, ok := evenLoops(starts)
	return append(outer, axis{run, stride}), ok
}

// regroup divides loops among axes of the given sizes.
func regroup(loops pattern, sizes []int) ([]pattern, bool) {
	loops = slices.Clone(loops)
	axes := make([]pattern, len(sizes))
	for i, size := range sizes {
		for size > 1 {
			loop := &loops[0]
			switch {
			case size%loop.size == 0:
				axes[i] = append(axes[i], *loop)
				size /= loop.size
				loops = loops[1:]
			case loop.size%size == 0:
				loop.size /= size
				axes[i] = append(axes[i], axis{size, loop.stride * loop.size})
				size = 1
			default:
				return nil, false
			}
		}
	}
	return axes, true
}
