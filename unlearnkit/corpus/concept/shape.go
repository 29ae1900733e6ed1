package concept

import "math"

// point is a position in a picture, or in the square from -1 to 1 in which objects are defined. y increases downwards.
type point struct{ x, y float64 }

// shape is an area. Its distance method returns a point's signed distance to the edge, negative inside.
type shape interface {
	distance(p point) float64
	bounds() (least, most point)
}

// oval is an ellipse whose axes are horizontal and vertical.
type oval struct{ cx, cy, rx, ry float64 }

// distance is exact for circles. For other ellipses it is the first-order estimate f/|∇f| for f = |p/r| - 1, which is
// accurate near the edge.
func (o oval) distance(p point) float64 {
	u, v := (p.x-o.cx)/o.rx, (p.y-o.cy)/o.ry
	k := math.Sqrt(u*u + v*v)
	if k == 0 {
		return -min(o.rx, o.ry)
	}
	gu, gv := u/o.rx, v/o.ry
	return k * (k - 1) / math.Sqrt(gu*gu+gv*gv)
}

func (o oval) bounds() (least, most point) {
	return point{o.cx - o.rx, o.cy - o.ry}, point{o.cx + o.rx, o.cy + o.ry}
}

func disc(cx, cy, r float64) oval { return oval{cx, cy, r, r} }

// block is a rectangle with horizontal and vertical sides.
type block struct{ x0, y0, x1, y1 float64 }

func (b block) distance(p point) float64 {
	u := max(b.x0-p.x, p.x-b.x1)
	v := max(b.y0-p.y, p.y-b.y1)
	if u > 0 && v > 0 {
		return math.Sqrt(u*u + v*v)
	}
	return max(u, v)
}

func (b block) bounds() (least, most point) { return point{b.x0, b.y0}, point{b.x1, b.y1} }

// limb is a line of width 2r from a to b with round ends.
type limb struct {
	a, b point
	r    float64
}

func (l limb) distance(p point) float64 { return math.Sqrt(squareToSegment(p, l.a, l.b)) - l.r }

func (l limb) bounds() (least, most point) {
	return point{min(l.a.x, l.b.x) - l.r, min(l.a.y, l.b.y) - l.r},
		point{max(l.a.x, l.b.x) + l.r, max(l.a.y, l.b.y) + l.r}
}

// squareToSegment returns the squared distance from p to the line segment from a to b.
func squareToSegment(p, a, b point) float64 {
	ex, ey := b.x-a.x, b.y-a.y
	wx, wy := p.x-a.x, p.y-a.y
	t := max(0, min(1, (wx*ex+wy*ey)/(ex*ex+ey*ey)))
	dx, dy := wx-t*ex, wy-t*ey
	return dx*dx + dy*dy
}

// outline is a polygon.
type outline []point

func (o outline) distance(p point) float64 {
	nearest := math.Inf(1)
	inside := false
	for i, a := range o {
		b := o[(i+1)%len(o)]
		nearest = min(nearest, squareToSegment(p, a, b))
		if (a.y > p.y) != (b.y > p.y) && p.x < a.x+(p.y-a.y)*(b.x-a.x)/(b.y-a.y) {
			inside = !inside
		}
	}
	if inside {
		return -math.Sqrt(nearest)
	}
	return math.Sqrt(nearest)
}

func (o outline) bounds() (least, most point) {
	least, most = o[0], o[0]
	for _, p := range o {
		least = point{min(least.x, p.x), min(least.y, p.y)}
		most = point{max(most.x, p.x), max(most.y, p.y)}
	}
	return least, most
}
