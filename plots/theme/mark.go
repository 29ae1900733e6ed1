package theme

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Shape is the shape of a mark. It draws itself within a circle of the given radius; all shapes look about equally
// heavy.
type Shape uint8

// The shapes in the order in which series use them; the last three are not for series.
const (
	Disc Shape = iota
	Square
	Triangle
	Diamond
	Nabla
	Cross
	Plus
	Pentagon
	Star
	Ring   // an unresolved verdict
	Hollow // an open diamond: a printed value
	Bar    // an upright line: a value that is not compared
)

// seriesShapes is the number of shapes for series. It has no common factor with the number of colours, so that 72 pairs
// differ.
const seriesShapes = int(Star) + 1

// Solid reports whether the shape is filled.
func (s Shape) Solid() bool {
	switch s {
	case Cross, Plus, Ring, Hollow, Bar:
		return false
	}
	return true
}

// DrawGlyph draws the shape, like gonum/plot's glyph drawers.
func (s Shape) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	c.SetColor(style.Color)
	c.SetLineWidth(style.Radius * .45)
	c.SetLineDash(nil, 0)
	for _, path := range s.outline(at, style.Radius) {
		if s.Solid() {
			c.Fill(path)
		} else {
			c.Stroke(path)
		}
	}
}

func (s Shape) outline(at vg.Point, radius vg.Length) []vg.Path {
	switch s {
	case Square:
		return []vg.Path{polygon(at, radius*1.18, 4, math.Pi/4, 1)}
	case Triangle:
		return []vg.Path{polygon(at, radius*1.28, 3, math.Pi/2, 1)}
	case Nabla:
		return []vg.Path{polygon(at, radius*1.28, 3, -math.Pi/2, 1)}
	case Diamond:
		return []vg.Path{polygon(at, radius*1.25, 4, math.Pi/2, 1)}
	case Hollow:
		return []vg.Path{polygon(at, radius*1.25, 4, math.Pi/2, 1)}
	case Pentagon:
		return []vg.Path{polygon(at, radius*1.15, 5, math.Pi/2, 1)}
	case Star:
		return []vg.Path{polygon(at, radius*1.4, 10, math.Pi/2, .45)}
	case Cross:
		return strokes(at, radius*1.3, math.Pi/4)
	case Plus:
		return strokes(at, radius*1.4, 0)
	case Bar:
		return strokes(at, radius*1.2, math.Pi/2)[:1]
	case Ring:
		return []vg.Path{circle(at, radius*.9)}
	default:
		return []vg.Path{circle(at, radius)}
	}
}

// polygon returns a closed path of corners around a point. The radius of every second corner is multiplied by waist.
func polygon(at vg.Point, radius vg.Length, corners int, start, waist float64) vg.Path {
	var path vg.Path
	for i := range corners {
		r := radius
		if i%2 == 1 {
			r *= vg.Length(waist)
		}
		sin, cos := math.Sincos(start + 2*math.Pi*float64(i)/float64(corners))
		corner := vg.Point{X: at.X + r*vg.Length(cos), Y: at.Y + r*vg.Length(sin)}
		if i == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	return path
}

func strokes(at vg.Point, radius vg.Length, turn float64) []vg.Path {
	paths := make([]vg.Path, 2)
	for i := range paths {
		sin, cos := math.Sincos(turn + math.Pi/2*float64(i))
		arm := vg.Point{X: radius * vg.Length(cos), Y: radius * vg.Length(sin)}
		paths[i].Move(at.Sub(arm))
		paths[i].Line(at.Add(arm))
	}
	return paths
}

// circle returns four cubic curves, which every canvas draws in the same way, unlike arcs.
func circle(at vg.Point, r vg.Length) vg.Path {
	const bulge = .5522847498 // 4/3·tan(π/8)
	k := r * bulge
	point := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x, Y: at.Y + y} }
	var path vg.Path
	path.Move(point(r, 0))
	path.CubeTo(point(r, k), point(k, r), point(0, r))
	path.CubeTo(point(-k, r), point(-r, k), point(-r, 0))
	path.CubeTo(point(-r, -k), point(-k, -r), point(0, -r))
	path.CubeTo(point(k, -r), point(r, -k), point(r, 0))
	path.Close()
	return path
}
