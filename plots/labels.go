package plots

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labels writes names next to points so that they cover neither points nor each other. A name without a free place is
// left out, so add the important ones first.
type labels struct {
	canvas draw.Canvas
	style  text.Style
	gap    vg.Length // gap between a point and its name
	names  []string
	points []vg.Point
	lines  []vg.Rectangle // lines that names should not cross
	leader draw.LineStyle // line from a point to a name above or below it; none if its width is 0
}

func (l *labels) add(name string, at vg.Point) {
	l.names, l.points = append(l.names, name), append(l.points, at)
}

// sides lists the positions of a name, the best first: its offset as fractions of its width and height, the direction
// of the gap, and a penalty as a fraction of its area.
var sides = []struct{ width, height, x, y, worse vg.Length }{
	{0, -.5, 1, 0, 0}, {-1, -.5, -1, 0, .02}, {-.5, 0, 0, 1, .1}, {-.5, -1, 0, -1, .1},
	{0, 0, .7, .7, .12}, {-1, 0, -.7, .7, .12}, {0, -1, .7, -.7, .12}, {-1, -1, -.7, -.7, .12},
}

func (l *labels) draw() {
	for _, n := range l.place() {
		if at := n.point; l.leader.Width > 0 && (n.box.Min.Y > at.Y || n.box.Max.Y < at.Y) {
			end := vg.Point{X: max(n.box.Min.X, min(n.box.Max.X, at.X)), Y: n.box.Min.Y}
			if n.box.Max.Y < at.Y {
				end.Y = n.box.Max.Y
			}
			l.canvas.StrokeLine2(l.leader, at.X, at.Y, end.X, end.Y)
		}
		write(l.canvas, l.style, vg.Point{X: n.box.Min.X, Y: center(n.box).Y}, n.name)
	}
}

// placed is a name with its position.
type placed struct {
	name  string
	point vg.Point // the named point
	box   vg.Rectangle
}

// place finds a position for each name in the order in which they were added.
func (l *labels) place() []placed {
	const tolerable = .3 // fraction of a name that may be covered
	var all []placed
	for i, name := range l.names {
		if name == "" {
			continue
		}
		best, least := placed{}, tolerable*l.style.Width(name)*l.style.Font.Size
		for _, side := range sides {
			box := l.box(name, l.points[i], side.width, side.height, side.x, side.y)
			if cost := l.cost(i, box, all) + side.worse*area(box); cost < least {
				best, least = placed{name, l.points[i], box}, cost
			}
		}
		if best.name != "" {
			all = append(all, best)
		}
	}
	return all
}

// cost returns the area of a name's box that leaves the canvas or overlaps other names or the surroundings of other
// points, where the name would seem to belong to the wrong point. Overlaps with lines count less.
func (l *labels) cost(name int, box vg.Rectangle, written []placed) vg.Length {
	const readable = .2
	box.Min.X, box.Max.X = box.Min.X-l.gap*.3, box.Max.X+l.gap*.3
	cost := area(box) - shared(box, l.canvas.Rectangle)
	for _, other := range written {
		cost += shared(box, other.box)
	}
	for _, r := range l.lines {
		cost += readable * shared(box, r)
	}
	for i, p := range l.points {
		if i != name {
			half := vg.Point{X: l.gap, Y: l.gap}
			cost += shared(box, vg.Rectangle{Min: p.Sub(half), Max: p.Add(half)})
		}
	}
	return cost
}

func (l *labels) box(name string, at vg.Point, width, height, x, y vg.Length) vg.Rectangle {
	size := vg.Point{X: l.style.Width(name), Y: l.style.Font.Size}
	corner := vg.Point{X: at.X + size.X*width + l.gap*x, Y: at.Y + size.Y*height + l.gap*y}
	return vg.Rectangle{Min: corner, Max: corner.Add(size)}
}

func area(r vg.Rectangle) vg.Length { return max(0, r.Size().X) * max(0, r.Size().Y) }

func shared(a, b vg.Rectangle) vg.Length {
	x, y := min(a.Max.X, b.Max.X)-max(a.Min.X, b.Min.X), min(a.Max.Y, b.Max.Y)-max(a.Min.Y, b.Min.Y)
	return max(0, x) * max(0, y)
}
